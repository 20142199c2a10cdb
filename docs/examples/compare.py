"""One problem, three ways: a policy that ships by `asnets plan`, the same one inside Fast Downward, and
Fast Downward's LAMA: compare.py DOMAIN SIZE SEED"""

import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from asnets import generators

BIN = Path(sys.executable).parent
SECONDS = 60
NO_PLAN = "no plan"


def commands(name: str) -> dict[str, list[str]]:
    """By what they are called in the table; all write p.plan."""
    files = [str(generators.domain_path(name)), "p.pddl"]
    downward = ["fast-downward", "--plan-file", "p.plan", "--overall-time-limit", f"{SECONDS}s"]
    return {
        "asnets plan": ["asnets", "plan", *files, "-m", name, "--plan-file", "p.plan"],
        "fast-downward, policy": [*downward, *files, "--search", f"asnet_policy(model={name})"],
        "fast-downward, LAMA": [*downward, "--alias", "lama-first", *files],
    }


def run(command: list[str], folder: Path) -> tuple[str, str]:
    """Steps of the plan, and seconds of the whole command."""
    print(shlex.join(command), flush=True)
    plan = folder / "p.plan"
    plan.unlink(missing_ok=True)
    begin = time.perf_counter()
    done = subprocess.run(
        [BIN / command[0], *command[1:]],
        check=False, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    seconds = f"{time.perf_counter() - begin:.2f}"
    if plan.exists():
        lines = plan.read_text().splitlines()
        return str(sum(line.startswith("(") for line in lines)), seconds
    print(done.stdout, file=sys.stderr)
    return NO_PLAN, seconds


def main(domain: str, size: str, seed: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        text = generators.generate(domain, int(size), seed=int(seed))
        (Path(folder) / "p.pddl").write_text(text)
        print(f"asnets generate {domain} --size {size} --seed {seed} -o p.pddl")
        rows = [(each, *run(command, Path(folder))) for each, command in commands(domain).items()]
    print(f"\n{domain} {size}".ljust(24), "  steps  seconds")
    for name, steps, seconds in rows:
        print(f"{name:23} {steps:>7} {seconds:>8}")
    sys.exit(any(steps == NO_PLAN for _, steps, _ in rows[:2]))  # LAMA may need longer


if __name__ == "__main__":
    main(*sys.argv[1:])
