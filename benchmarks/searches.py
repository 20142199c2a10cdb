"""Whole A* searches with LM-cut, side by side with Fast Downward 26.6.

    python -m benchmarks.searches [--quick]

`search` is the CPU time of the search alone. `everything` is wall time: grounding, preparing and
searching, against translating and the whole run of the search component, neither with the start of
Python. The two take turns; numbers are medians of three runs, or single runs where one takes more
than 30 s. Expansions differ by how ties are broken and by which landmarks LM-cut happens to find.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks import measure
from benchmarks.measure import Run
from oracles.corpus import Files

TARGET = 3  # times faster
LIMIT = 120  # seconds

# Fast Downward searches for 0.2 to 25 s.
FROM_CORPUS = (
    "elevators-p2",
    "floortile-p1",
    "pegsol-p2",
    "quantum-layout-p2",
    "spider-p1",
    "spider-p2",
    "zenotravel-p2",
    "cavediving-adl-p1",
)


@dataclass(frozen=True)
class Whole:
    search: Run
    everything: float  # seconds of wall time


def tasks(folder: Path, quick: bool) -> Iterator[tuple[str, Files]]:
    for size in (14,) if quick else (12, 14):
        yield f"Blocksworld {size}", measure.generated(folder, "blocksworld", size)
    if not quick:
        yield "Matching BW 12", measure.generated(folder, "matching-blocksworld", 12)
        yield "Gold Miner 5x5", measure.generated(folder, "gold-miner", 5)
    yield from measure.from_corpus(FROM_CORPUS[:2] if quick else FROM_CORPUS)


def ours(files: Files) -> Whole:
    search, grounding = measure.ours(files, "astar", "lm_cut", LIMIT)
    return Whole(search, grounding + search.wall)


def theirs(files: Files, folder: Path) -> Whole:
    translating = measure.translate(files, folder)
    search = measure.theirs(folder, f"astar(lmcut(), max_time={LIMIT})")
    return Whole(search, translating + search.wall)


def compare(name: str, files: Files, folder: Path) -> tuple[float, float, str]:
    """Prints a line; how many times faster in search and in everything, and what is wrong."""
    print(f"{name:20}", end="", flush=True)
    runs = measure.take_turns(
        (lambda: ours(files), lambda: theirs(files, folder)), lambda whole: whole.everything
    )
    us, they = (measure.middle(own, lambda whole: whole.search.seconds).search for own in runs)
    everything = [measure.middle(own, lambda whole: whole.everything).everything for own in runs]
    search = they.seconds / us.seconds
    whole = everything[1] / everything[0]
    print(f"{us.cost if us.cost is not None else '-':>8}{us.expanded:10}{they.expanded:10}", end="")
    print(f"{us.seconds:9.3f}{they.seconds:9.3f}{search:7.1f}x", end="")
    print(f"{everything[0]:9.3f}{everything[1]:9.3f}{whole:7.1f}x", end="")
    wrong = ""
    if us.cost != they.cost:
        if None not in (us.cost, they.cost):
            wrong = f"{name}: COSTS DIFFER: ours {us.cost}, theirs {they.cost}"
        else:
            wrong = f"{name}: ours {us.status}, theirs {they.status}"
    print(f"   {wrong}")
    return search, whole, wrong


def run(options: measure.Options) -> None:
    print("A* with LM-cut")
    print(f"{'':28}{'expansions':>20}{'search, s of CPU':>26}{'everything, s of wall':>26}")
    print(f"{'task':20}{'cost':>8}{'ours':>10}{'theirs':>10}", end="")
    print(2 * f"{'ours':>9}{'theirs':>9}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        found = [compare(name, files, folder) for name, files in tasks(folder, options.quick)]
    searches, wholes, wrongs = zip(*found)
    measure.print_mean("search", searches, TARGET)
    measure.print_mean("everything", wholes, TARGET)
    for wrong in filter(None, wrongs):
        print(f"!!! {wrong}")


if __name__ == "__main__":
    measure.main(__doc__, run)
