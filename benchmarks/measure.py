"""What the comparisons share: tasks, turns, and searches in processes of their own.

Fast Downward's search tells CPU time, so ours is CPU time too where the two are compared: other
work on the machine then counts for neither. Both run on one core, and on an idle machine the wall
time is the same. Only `wall` is wall time.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean
from time import perf_counter, time
from typing import Any, TypeVar

from asnets import generators
from oracles import fast_downward
from oracles.corpus import CLASSICAL, CORPUS, ROOT, Files

REPEATS = 3
LONG = 30  # seconds; a longer run is not repeated

T = TypeVar("T")


@dataclass(frozen=True)
class Run:
    """A search, ours or theirs."""

    status: str  # "solved", "unsolvable", "out of time"
    cost: float | None
    evaluated: int
    expanded: int
    seconds: float  # CPU time of the search; reading, grounding and preparing are not in it
    wall: float  # of the search with what prepares it: heuristic, successor generator

    @property
    def rate(self) -> float:
        """States evaluated a second."""
        return self.evaluated / self.seconds


@dataclass(frozen=True)
class Training:
    """A run of the trainer."""

    epochs: list[dict[str, Any]]  # the figures that metrics.jsonl has
    wall: float  # seconds from the start of the command to the last of them


@dataclass(frozen=True)
class Options:
    quick: bool
    peer_on_488: bool


def main(docstring: str, *parts: Callable[[Options], None]) -> None:
    """Runs comparisons with the options of the command line."""
    parser = argparse.ArgumentParser(description=docstring.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="only a few small tasks")
    parser.add_argument(
        "--no-488-peer",
        dest="peer_on_488",
        action="store_false",
        help="when grounding, do not translate 488 blocks, a matter of minutes",
    )
    options = Options(**vars(parser.parse_args()))
    print_machine()
    for i, part in enumerate(parts):
        if i > 0:
            print()
        part(options)


def print_machine() -> None:
    print(
        f"Python {platform.python_version()}, {platform.machine()}, {platform.system()}, ", end=""
    )
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")


def take_turns(
    measures: Iterable[Callable[[], T]], seconds: Callable[[T], float], repeats: int = REPEATS
) -> list[list[T]]:
    """The runs of each measure. They take turns; a round with a long run is the last."""
    measures = list(measures)
    rounds = [[measure() for measure in measures]]
    while len(rounds) < repeats and max(map(seconds, rounds[0])) <= LONG:
        rounds.append([measure() for measure in measures])
    return [list(runs) for runs in zip(*rounds)]


def middle(runs: list[T], key: Callable[[T], float]) -> T:
    """The run that is the median."""
    return sorted(runs, key=key)[len(runs) // 2]


def generated(folder: Path, domain: str, size: int) -> Files:
    problem = folder / f"{domain}-{size}.pddl"
    problem.write_text(generators.generate(domain, size, seed=1))
    return Files(generators.domain_path(domain), problem)


def from_corpus(names: Iterable[str]) -> list[tuple[str, Files]]:
    """Name and files, in the order asked for; none where there is no corpus."""
    if not CORPUS.is_dir():
        print(f"corpus tasks skipped: no {CORPUS}")
        return []
    known = {str(files): files for files in CLASSICAL}
    return [(name, known[name]) for name in names]


def verdict(ratio: float, target: float) -> str:
    return f"{ratio:.2f}x of {target:g}x {'pass' if ratio >= target else 'MISS'}"


def print_mean(what: str, ratios: Sequence[float], target: float | None = None) -> None:
    if ratios:
        mean = geometric_mean(ratios)
        print(f"{what}, geometric mean: {verdict(mean, target) if target else f'{mean:.1f}x'}")


def in_own_process(files: Files, search: str, heuristic: str, limit: float) -> dict[str, Any]:
    """What benchmarks/worker.py prints about a search or an SSP solver of ours."""
    command = [sys.executable, "-m", "benchmarks.worker", search, heuristic, str(limit)]
    command += [str(path.resolve()) for path in files.paths]
    result = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)
    if result.returncode:
        sys.exit(f"\n{files}: {result.stderr}")
    return json.loads(result.stdout)


def ours(files: Files, search: str, heuristic: str, limit: float) -> tuple[Run, float]:
    """A search with at most so many seconds of wall time, and the wall time of grounding."""
    found = in_own_process(files, search, heuristic, limit)
    grounding = found.pop("grounding")
    del found["whole"]
    return Run(**found), grounding


def train(files: Sequence[Path], output: Path, *options: str) -> Training:
    """The trainer's command on the files of a domain and its problems."""
    command = [sys.executable, "-m", "asnets_train", *map(str, files), "-o", str(output), *options]
    begin = time()
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"\n{' '.join(command)}: {result.stdout[-2000:]}{result.stderr}")
    lines = output.with_name(output.name + ".run") / "metrics.jsonl"
    epochs = [json.loads(line) for line in lines.read_text().splitlines()]
    return Training(epochs, lines.stat().st_mtime - begin)


def translate(files: Files, folder: Path) -> float:
    """Writes output.sas to the folder; wall time that the translator's line "Done!" tells."""
    path = fast_downward.folder()
    if path is None:
        sys.exit("up-fast-downward is not installed")
    command = [sys.executable, "-m", "fast_downward.translate"]
    command += [str(file.resolve()) for file in files.paths]
    environment = os.environ | {"PYTHONPATH": str(path)}
    result = subprocess.run(
        command, check=False, capture_output=True, text=True, cwd=folder, env=environment
    )
    if result.returncode:
        sys.exit(f"\n{files}: {result.stdout}{result.stderr}")
    done = r"Done! \[.*CPU, ([\d.]+)s wall-clock\]"
    return float(fast_downward.number_after(done, result.stdout))


def theirs(folder: Path, search: str) -> Run:
    """Fast Downward's search on the folder's output.sas."""
    command = [str(fast_downward.folder() / "downward"), "--search", search]
    with (folder / "output.sas").open() as task:
        begin = perf_counter()
        result = subprocess.run(
            command, check=False, capture_output=True, text=True, cwd=folder, stdin=task
        )
        wall = perf_counter() - begin
    if result.returncode not in (0, 11, 12):
        sys.exit(f"\n{search}: {result.stdout[-2000:]}{result.stderr}")

    def number(pattern: str) -> str:
        return fast_downward.number_after(pattern, result.stdout)

    solved = result.returncode == 0
    return Run(
        status={0: "solved", 11: "unsolvable", 12: "out of time"}[result.returncode],
        cost=float(number(r"Plan cost: (\S+)")) if solved else None,
        evaluated=int(number(r"Evaluated (\d+) state")),
        expanded=int(number(r"Expanded (\d+) state")),
        seconds=float(number(r"Search time: ([\d.]+)s")),
        wall=wall,
    )
