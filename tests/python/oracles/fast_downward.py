"""Fast Downward 26.6's translator and search, as PyPI's up-fast-downward carries them.

By default the translator drops operators that delete-relaxed reachability keeps: those whose
precondition contradicts a mutex group (`stack a a`), those without effect (or whose effects
touch only variables that do not influence the goal), and those that need a fact which its
causal analysis finds unreachable. ALL_REACHABLE switches all of that off. What remains differs
from delete-relaxed reachability in these ways only:

- a negated literal counts as reachable whenever its atom's predicate occurs in some effect,
  and a universally quantified condition (a negated axiom in there) always does: the translator
  then has operators that are not reachable;
- a precondition that demands p and not p is dropped;
- an action whose cost is not given in :init is dropped;
- a goal that is unreachable or already met by static facts gives a task without operators.
"""

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ALL_REACHABLE = (
    "--invariant-generation-max-candidates=0",
    "--keep-unreachable-facts",
    "--keep-unimportant-variables",
    "--keep-no-ops",
    "--skip-variable-reordering",
)

# The translator itself reports virtual memory; the resident peak is what our side reports.
RUN = """
import atexit, runpy
def report():
    with open("/proc/self/status") as status:
        print(next(line for line in status if line.startswith("VmHWM")))
atexit.register(report)
runpy.run_module("fast_downward.translate", run_name="__main__")
"""


@dataclass(frozen=True)
class Translation:
    operators: frozenset[str]  # "stack a b"
    facts: frozenset[str]  # "on a b", without the axioms that the translator makes up
    seconds: float  # wall time that its line "Done!" tells
    peak_kb: int  # peak resident memory
    trivial: bool  # the goal was unreachable or met by static facts: operators are lost


@cache
def folder() -> Path | None:
    """The folder to put on the path, None when the package is not installed."""
    spec = importlib.util.find_spec("up_fast_downward")
    if spec is None or spec.origin is None:
        return None
    found = Path(spec.origin).parent / "downward" / "builds" / "release" / "bin"
    return found if (found / "fast_downward" / "translate").is_dir() else None


def translate(
    domain: Path, problem: Path, flags: tuple[str, ...] = (), time_limit: float = 600
) -> Translation:
    """Run the translator; raises subprocess.TimeoutExpired or CalledProcessError."""
    path = folder()
    if path is None:
        raise RuntimeError("up-fast-downward is not installed")
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-c", RUN, str(domain.resolve()), str(problem.resolve()), *flags]
        result = subprocess.run(
            command,
            cwd=scratch,
            env=os.environ | {"PYTHONPATH": str(path)},
            timeout=time_limit,
            check=True,
            capture_output=True,
            text=True,
        )
        sas = (Path(scratch) / "output.sas").read_text()
    log = result.stdout
    return Translation(
        operators=frozenset(read_operators(sas)),
        facts=frozenset(read_facts(sas)),
        seconds=float(number_after(r"Done! \[.*CPU, ([\d.]+)s wall-clock\]", log)),
        peak_kb=int(number_after(r"VmHWM:\s+(\d+) kB", log)),
        trivial=bool(re.search(r"Generating (un)?solvable task", log)),
    )


# What `downward` exits with when it has a plan, and when its search ended without one because of
# its own time limit or because there is none.
SOLVED, UNSOLVABLE, GAVE_UP, TIME_OVER = 0, 11, 12, 23


@dataclass(frozen=True)
class Search:
    exit_code: int
    plan: tuple[str, ...] | None  # "stack a b"
    cost: int | None
    evaluated: int | None
    expanded: int | None
    seconds: float | None  # of the search alone


def search(
    *files: Path,
    options: str = "astar(lmcut())",
    time_limit: float = 600,
    flags: tuple[str, ...] = (),
) -> Search:
    """Translate and search. What Fast Downward refuses shows in the exit code (34)."""
    path = folder()
    if path is None:
        raise RuntimeError("up-fast-downward is not installed")
    with tempfile.TemporaryDirectory() as scratch:
        translator = [sys.executable, "-m", "fast_downward.translate"]
        translator += [str(file.resolve()) for file in files]
        environment = os.environ | {"PYTHONPATH": str(path)}
        subprocess.run(
            [*translator, *flags], cwd=scratch, env=environment, check=True, capture_output=True
        )
        with (Path(scratch) / "output.sas").open() as sas:
            done = subprocess.run(
                [path / "downward", "--search", options],
                stdin=sas,
                cwd=scratch,
                timeout=time_limit,
                check=False,
                capture_output=True,
                text=True,
            )
        file = Path(scratch) / "sas_plan"
        lines = file.read_text().splitlines() if file.exists() else None

    def found(pattern: str) -> str | None:
        match = re.search(pattern, done.stdout)
        return match[1] if match else None

    cost, evaluated, expanded = (
        int(text) if text else None
        for text in map(found, (r"Plan cost: (\d+)", r"Evaluated (\d+) s", r"Expanded (\d+) s"))
    )
    seconds = found(r"Search time: ([\d.]+)s")
    return Search(
        exit_code=done.returncode,
        plan=tuple(l.strip("()") for l in lines if not l.startswith(";")) if lines else None,
        cost=cost,
        evaluated=evaluated,
        expanded=expanded,
        seconds=float(seconds) if seconds else None,
    )


def number_after(pattern: str, log: str) -> str:
    match = re.search(pattern, log)
    if match is None:
        raise ValueError(f"the translator's output lacks {pattern}:\n{log}")
    return match.group(1)


def read_operators(sas: str) -> list[str]:
    return [name.strip() for name in re.findall(r"^begin_operator\n(.*)$", sas, re.MULTILINE)]


def read_facts(sas: str) -> list[str]:
    atoms = re.findall(r"^(?:Negated)?Atom ([^(@]+)\((.*)\)$", sas, re.MULTILINE)
    return [" ".join([predicate, *arguments.split(", ")]).strip() for predicate, arguments in atoms]
