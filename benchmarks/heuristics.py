"""States evaluated per second, side by side with Fast Downward 26.6.

    python -m benchmarks.heuristics [--quick]

LM-cut runs in A*; h_add and h_ff run in greedy best-first search, or in A* where the greedy one of
either side ends after fewer than 1000 states. The searches stop after the same time; a rate is what
was evaluated in it, over the CPU time of the search. The two take turns; numbers are medians of
three runs. Our A* evaluates a state when it is about to expand it, theirs when it generates it, so
the states that the two evaluate are not the same.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import asnets
from benchmarks import measure
from benchmarks.measure import Run
from oracles.corpus import Files

LM_CUT_TARGET = 4  # times Fast Downward's rate on generated tasks
LM_CUT_CORPUS_TARGET = 1  # and on the corpus
TARGET = 2  # for h_add and h_ff

SECONDS = {"lm_cut": 2, "h_add": 1, "h_ff": 1}  # half of it with --quick
SECONDS_146 = {"lm_cut": 10, "h_add": 2, "h_ff": 2}  # they need half a second a state for LM-cut
FEWEST = 1000  # states of a greedy search that give a rate

THEIR_NAMES = {"lm_cut": "lmcut()", "h_add": "add()", "h_ff": "ff()"}

# Varied, and none is solved by A* with LM-cut within half a minute.
FROM_CORPUS = (
    "agricola-p1",
    "barman-p2",
    "cavediving-adl-p2",
    "depot-p2",
    "floortile-p2",
    "freecell-p2",
    "hiking-p1",
    "parking-p1",
    "pipesworld-tankage-p2",
    "ricochet-robots-adl-p2",
)


def tasks(folder: Path, quick: bool) -> Iterator[tuple[str, Files, bool]]:
    """Name, files and whether it is generated."""
    for size in (35,) if quick else (35, 50, 146):
        yield f"Blocksworld {size}", measure.generated(folder, "blocksworld", size), True
    yield "Gold Miner 13x13", measure.generated(folder, "gold-miner", 13), True
    for name, files in measure.from_corpus(FROM_CORPUS[3:4] if quick else FROM_CORPUS):
        yield name, files, False


def their_search(search: str, heuristic: str, limit: float) -> str:
    evaluator = THEIR_NAMES[heuristic]
    if search == "greedy":
        return f"eager_greedy([{evaluator}], max_time={limit})"
    return f"astar({evaluator}, max_time={limit})"


def rates(files: Files, folder: Path, search: str, heuristic: str, limit: float) -> list[Run]:
    """Ours and theirs, and ours with incremental LM-cut where it exists."""
    measures = [
        lambda: measure.ours(files, search, heuristic, limit)[0],
        lambda: measure.theirs(folder, their_search(search, heuristic, limit)),
    ]
    if heuristic == "lm_cut" and "lm_cut_incremental" in asnets.HEURISTICS:
        measures.append(lambda: measure.ours(files, search, "lm_cut_incremental", limit)[0])
    runs = measure.take_turns(measures, lambda run: run.wall)
    return [measure.middle(own, lambda run: run.rate) for own in runs]


def compare(
    name: str, files: Files, folder: Path, heuristic: str, limit: float, target: float
) -> list[Run]:
    """Prints a line."""
    search = "astar" if heuristic == "lm_cut" else "greedy"
    runs = rates(files, folder, search, heuristic, limit)
    if search == "greedy" and min(run.evaluated for run in runs) < FEWEST:
        search = "astar"
        runs = rates(files, folder, search, heuristic, limit)
    us, they = runs[:2]
    print(f"{name:24}{heuristic:>8}{search:>8}{us.evaluated:9}{they.evaluated:8}", end="")
    print(f"{us.rate:10.1f}{they.rate:10.1f}   {measure.verdict(us.rate / they.rate, target)}")
    return runs


def compare_incremental(found: dict[str, list[Run]]) -> None:
    print(f"\n{'LM-cut in A*':24}{'evaluated a second':>30}{'expanded a second':>30}")
    print(f"{'task':24}", end="")
    print(2 * f"{'plain':>10}{'increm.':>10}{'ratio':>10}")
    ratios = []
    for name, (plain, _, incremental) in found.items():
        expanded = [run.expanded / run.seconds for run in (plain, incremental)]
        print(f"{name:24}{plain.rate:10.1f}{incremental.rate:10.1f}", end="")
        print(
            f"{incremental.rate / plain.rate:9.2f}x{expanded[0]:10.1f}{expanded[1]:10.1f}", end=""
        )
        if min(expanded) > 0:
            ratios.append(expanded[1] / expanded[0])
            print(f"{ratios[-1]:9.2f}x")
        else:
            print(f"{'-':>10}")
    measure.print_mean("incremental LM-cut's expansions a second", ratios)


def run(options: measure.Options) -> None:
    print("States evaluated a second, A* with LM-cut, greedy search with h_add and h_ff")
    print(f"{'':40}{'evaluated':>17}{'a second':>20}")
    print(f"{'task':24}{'':>8}{'search':>8}", end="")
    print(f"{'ours':>9}{'theirs':>8}{'ours':>10}{'theirs':>10}   to reach")
    lm_cut = {}
    ratios: dict[str, list[float]] = {heuristic: [] for heuristic in SECONDS}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for name, files, is_generated in tasks(folder, options.quick):
            measure.translate(files, folder)
            for heuristic in SECONDS:
                target = TARGET
                if heuristic == "lm_cut":
                    target = LM_CUT_TARGET if is_generated else LM_CUT_CORPUS_TARGET
                seconds = (SECONDS_146 if name == "Blocksworld 146" else SECONDS)[heuristic]
                limit = seconds / 2 if options.quick else seconds
                runs = compare(name, files, folder, heuristic, limit, target)
                ratios[heuristic].append(runs[0].rate / runs[1].rate)
                if heuristic == "lm_cut":
                    lm_cut[name] = runs
    for heuristic, own in ratios.items():
        measure.print_mean(heuristic, own)
    if "lm_cut_incremental" in asnets.HEURISTICS:
        compare_incremental(lm_cut)


if __name__ == "__main__":
    measure.main(__doc__, run)
