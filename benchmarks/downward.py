"""Fast Downward 20.06 with the policy plugin, next to itself without it and to its own searches.

    python -m benchmarks.downward [--quick]

First what the plugin costs those who do not use it: `downward` with it and as it was published, on the
same translated problem, in pairs; a difference counts if the interval of its median, with 95 %
confidence, lies above zero. Memory is the planner's own peak, of virtual memory: its code counts.

Then whole runs of the command `fast-downward`, wall time from start to end: asnet_policy against the
alias lama-first on problems that the policy has not seen, and where the policy's time goes. Last what
a policy's preferred operators give to greedy search with h_ff: coverage, expansions and CPU time of the
search component within a limit.

All take turns. Models are trained first and kept in build/, and so is the planner without the plugin.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean, median
from time import perf_counter

from downward_patch.build import Builder, locked
from downward_patch.places import planner, source_folder

from asnets import generators, shipped
from benchmarks import measure
from oracles.corpus import ROOT, Files

COMMAND = Path(sys.executable).with_name("fast-downward")
UNPATCHED = ROOT / "build" / "unpatched-downward"

START_UPS = 30
LAMA_SECONDS = 300  # of search; some problems take LAMA minutes

SEARCH_SECONDS = 60
QUICK_SECONDS = 10
MEMORY_LIMIT = "4G"
SIZES = {"matching-blocksworld": (30, 40, 50, 60), "gold-miner": (13, 15, 17, 19)}
# With the same limit each. h_ff is computed once where it is named twice.
SEARCHES = {
    "h_ff": "lazy_greedy([h],max_time={seconds})",
    "its own preferred": "lazy_greedy([h],preferred=[h],max_time={seconds})",
    "the policy's": "lazy_greedy([h],preferred=[asnet_preferred(model={model})],max_time={seconds})",
}

FIGURE = re.compile(
    r"^(?:\[[^]]*\] )?([A-Z][\w -]*?):? (\d[\d.e+-]*?)(?:s| KB| state\(s\)| step\(s\))?\.?$",
    re.MULTILINE,
)
TRANSLATED = re.compile(r"^Done! \[.*CPU, ([\d.]+)s wall-clock\]", re.MULTILINE)
SOLVED, NOT_SOLVED = 0, (12, 22, 23)  # exit codes: gave up, out of memory, out of time


@dataclass(frozen=True)
class Run:
    """Of the planner or of the whole command."""

    is_solved: bool
    wall: float
    log: str

    @property
    def figures(self) -> dict[str, float]:
        return figures(self.log)


def figures(log: str) -> dict[str, float]:
    """What the lines of `downward` tell: "Plan cost", "Expanded", "Policy network time" ..."""
    return {name: float(value) for name, value in FIGURE.findall(log)}


def finished(command: Sequence[object], folder: Path, task: Path | None = None) -> Run:
    """Runs a command in a folder, where its plan goes."""
    words = [str(word) for word in command]
    with (task or Path(os.devnull)).open() as given:
        begin = perf_counter()
        done = subprocess.run(
            words, check=False, capture_output=True, text=True, cwd=folder, stdin=given
        )
        wall = perf_counter() - begin
    if done.returncode not in (SOLVED, *NOT_SOLVED):
        sys.exit(f"\n{' '.join(words)}: {done.stdout[-2000:]}{done.stderr}")
    return Run(done.returncode == SOLVED, wall, done.stdout)


def unseen(folder: Path, domain: str, size: int, seed: int) -> Files:
    path = folder / f"{domain}-{size}-{seed}.pddl"
    path.write_text(generators.generate(domain, size, seed=seed))
    return Files(generators.domain_path(domain), path)


# Start-up


def unpatched() -> Path:
    """The planner as it was published; building it takes some minutes."""
    with locked(UNPATCHED):
        builder = Builder(UNPATCHED, os.cpu_count() or 1)
        source = builder.unpack()
        if not planner(source).exists():
            print(f"building {planner(source)} ...", flush=True)
            builder.build(source)
    return planner(source)


def compare_start_ups(folder: Path) -> None:
    patched, published = folder / "patched", folder / "published"  # paths cost time too
    shutil.copy(planner(source_folder()), patched)
    shutil.copy(unpatched(), published)
    files = unseen(folder, "blocksworld", 6, 1)
    task = folder / "output.sas"
    finished([COMMAND, "--sas-file", task, "--translate", *files.paths], folder)
    search = ("--search", "lazy_greedy([ff()])")
    measures = [
        lambda each=each: finished([each, *search], folder, task) for each in (patched, published)
    ]
    runs = measure.take_turns(measures, lambda run: run.wall, START_UPS)
    print(f"{'downward, Blocksworld 6':28}{'plugin':>12}{'without':>12}{'difference':>12}")
    rows = {
        "milliseconds": [[1000 * run.wall for run in own] for own in runs],
        "peak memory, KB": [[run.figures["Peak memory"] for run in own] for own in runs],
    }
    for name, (here, there) in rows.items():
        shares = [own / other - 1 for own, other in zip(here, there)]
        low, high = interval_of_median(shares)
        print(f"{name:28}{median(here):12.2f}{median(there):12.2f}{median(shares):12.1%}", end="")
        reached = "MISS" if low > 0 else "pass"
        print(f" ({low:.1%} to {high:.1%})   no difference: {reached}")


def interval_of_median(values: Sequence[float]) -> tuple[float, float]:
    """With about 95 % confidence: how many values lie below the median is binomial."""
    ordered = sorted(values)
    place = max(0, int(len(ordered) / 2 - len(ordered) ** 0.5))
    return ordered[place], ordered[-1 - place]


# Whole runs


def policy_run(files: Files, folder: Path, model: Path) -> Run:
    search = f"asnet_policy(model={model},max_steps=2000)"
    return finished([COMMAND, *files.paths, "--search", search], folder)


def lama_run(files: Files, folder: Path) -> Run:
    limit = ("--search-time-limit", f"{LAMA_SECONDS}s")
    return finished([COMMAND, *limit, "--alias", "lama-first", *files.paths], folder)


def translating(run: Run) -> float:
    """Wall time of the translator, without the start of its Python."""
    found = TRANSLATED.search(run.log)
    assert found is not None, run.log
    return float(found[1])


def compare_runs(folder: Path, quick: bool) -> None:
    model = shipped.path_of("blocksworld")
    print(
        f"\n{'fast-downward':18}{'policy':>10}{'translating':>13}{'lama-first':>12}{'ratio':>8}",
        end="",
    )
    print(f"{'cost':>8}{'LAMA':>8}{'ratio':>8}")
    speeds, costs, followed = [], [], []
    for seed in range(100, 102 if quick else 110):
        files = unseen(folder, "blocksworld", 50, seed)
        runs = measure.take_turns(
            (lambda f=files: policy_run(f, folder, model), lambda f=files: lama_run(f, folder)),
            lambda run: run.wall,
        )
        us, they = (measure.middle(own, lambda run: run.wall) for own in runs)
        if not (us.is_solved and they.is_solved):
            who = "lama-first" if us.is_solved else "the policy"
            print(f"blocksworld 50-{seed}: no plan by {who} MISS", flush=True)
            continue
        followed.append(us)
        speeds.append(they.wall / us.wall)
        cost, lama_cost = (run.figures["Plan cost"] for run in (us, they))
        costs.append(cost / lama_cost)
        print(
            f"blocksworld 50-{seed}{us.wall:9.3f}s{translating(us):12.3f}s{they.wall:11.3f}s"
            f"{speeds[-1]:7.1f}x{cost:8.0f}{lama_cost:8.0f}{costs[-1]:8.2f}",
            flush=True,
        )
    measure.print_mean("lama-first's time over the policy's", speeds)
    if costs:
        print(f"the same, median: {median(speeds):.1f}x")
        print(
            f"cost of the policy's plans over LAMA's, geometric mean: {geometric_mean(costs):.2f}"
        )
        print_shares(followed)


def shares(run: Run) -> dict[str, float]:
    """Seconds of the parts of a whole run that follows a policy."""
    found = run.figures
    parts = {
        name: found[f"Policy {name} time"]
        for name in ("grounding", "model", "feature", "network", "mapping")
    }
    parts["rest of downward"] = found["Total time"] - sum(parts.values())
    parts["translator"] = translating(run)
    parts["driver, starts of Python"] = run.wall - sum(parts.values())
    return parts


def print_shares(runs: Sequence[Run]) -> None:
    print(
        "\nWhere the time goes at 50 blocks, medians; mapping is to the translated task, and back"
    )
    print(f"{'':28}{'ms':>10}{'of the run':>12}{'us a step':>12}{'of downward':>13}")
    parts = [shares(run) for run in runs]
    for name in parts[0]:
        own = [each[name] for each in parts]
        whole = median(part / run.wall for part, run in zip(own, runs))
        print(f"{name:28}{1000 * median(own):10.1f}{whole:12.1%}", end="")
        if name in ("translator", "driver, starts of Python"):
            print()
            continue
        step = median(part / run.figures["Policy steps"] for part, run in zip(own, runs))
        inside = median(part / run.figures["Total time"] for part, run in zip(own, runs))
        print(f"{1e6 * step:12.1f}{inside:13.1%}")


# Preferred operators


def preferring(files: Files, folder: Path, search: str) -> Run:
    options = ["--evaluator", "h=ff()", "--search", search]
    limit = ["--search-memory-limit", MEMORY_LIMIT]
    return finished([COMMAND, *limit, *files.paths, *options], folder)


def instances(quick: bool) -> Iterator[tuple[str, int, int]]:
    """Domain, size and seed."""
    for domain, sizes in SIZES.items():
        for size in sizes[:2] if quick else sizes:
            for seed in range(100, 101 if quick else 102):
                yield domain, size, seed


def print_coverage(rows: Mapping[str, Sequence[Run]], domain: str) -> None:
    """What the searches, by name, made of the same problems."""
    solved = ", ".join(
        f"{name} {sum(run.is_solved for run in runs)}" for name, runs in rows.items()
    )
    plain, *others = rows
    print(f"{domain}, solved of {len(rows[plain])}: {solved}")
    for other in others:
        pairs = [pair for pair in zip(rows[plain], rows[other]) if all(r.is_solved for r in pair)]
        if pairs:
            fewer, faster = (
                geometric_mean(
                    max(a.figures[key], 1e-3) / max(b.figures[key], 1e-3) for a, b in pairs
                )
                for key in ("Expanded", "Total time")
            )
            print(
                f"  {other} on the {len(pairs)} that both solve, geometric means: "
                f"{fewer:.1f}x fewer expansions, {faster:.2f}x as fast"
            )


def compare_preferred(folder: Path, quick: bool) -> None:
    seconds = QUICK_SECONDS if quick else SEARCH_SECONDS
    found = {domain: {name: [] for name in SEARCHES} for domain in SIZES}
    print(f"\nlazy_greedy with h_ff and preferred operators, at most {seconds} s of search")
    print(f"{'':28}", *(f"{name:>21}" for name in SEARCHES), sep="")
    print(f"{'':28}" + len(SEARCHES) * f"{'expanded':>12}{'seconds':>9}")
    for domain, size, seed in instances(quick):
        print(f"{f'{domain} {size}-{seed}':28}", end="", flush=True)
        files = unseen(folder, domain, size, seed)
        for name, search in SEARCHES.items():
            filled = search.format(model=shipped.path_of(domain), seconds=seconds)
            run = preferring(files, folder, filled)
            found[domain][name].append(run)
            time = f"{run.figures['Total time']:9.2f}" if run.is_solved else f"{'-':>9}"
            print(f"{run.figures.get('Expanded', 0):12.0f}{time}", end="", flush=True)
        print()
    for domain, rows in found.items():
        print_coverage(rows, domain)


def run(options: measure.Options) -> None:
    if not planner(source_folder()).exists():
        print("Fast Downward is not built: make downward")
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        compare_start_ups(folder)
        compare_runs(folder, options.quick)
        compare_preferred(folder, options.quick)


if __name__ == "__main__":
    measure.main(__doc__ or "", run)
