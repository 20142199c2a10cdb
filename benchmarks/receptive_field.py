"""How far a network of a given depth sees: the article's "Receptive Field Experiments" (appendix).

    python -m benchmarks.receptive_field [--quick]

Unreliable Robot: from the robot's place two one-way chains of K places start, and the goal is the end of
one of them. Networks with L proposition layers, without heuristic inputs, skip connections and
regularisers, are trained on problems of all lengths with the goal on either side, and run on the same
problems: 30 runs of a length, by turns with the goal on the left and on the right.

The goal is an input of the last move's module in the first action layer, and each proposition layer
carries it one move back: the first move knows it if K <= L + 1. The article's table has K <= L, which is
the same if its K does not count the place of the goal. Both readings are compared. Where nothing is
known, the most likely action is the first of two equal ones, right in exactly half of the runs.
"""

import tempfile
from collections.abc import Iterable
from pathlib import Path

import asnets
from asnets import generators
from benchmarks import measure

RUNS = 30
EPOCHS, BATCHES = 4, 300

# By proposition layers: runs that reach the goal, K = 1, ..., 5
ARTICLE = {
    1: (30, 14, 14, 14, 14),
    2: (30, 30, 14, 14, 14),
    3: (30, 30, 30, 14, 14),
    4: (30, 30, 30, 30, 14),
}

Files = dict[tuple[int, int], Path]  # by K and side
Coverage = dict[tuple[int, int], int]  # by L and K


def write(folder: Path, longest: int) -> Files:
    files = {}
    for length in range(1, longest + 1):
        for side in (0, 1):
            files[length, side] = folder / f"chains-{length}-{side}.pddl"
            text = generators.generate("unreliable-robot", length, seed=side)
            files[length, side].write_text(text)
    return files


def train(files: Files, folder: Path, layers: int) -> tuple[asnets.Model, float]:
    """A model and the seconds that it took."""
    output = folder / f"{layers}-layers.pt"
    training = measure.train(
        [generators.domain_path("unreliable-robot"), *files.values()],
        output,
        f"--layers={layers}",
        "--landmarks=none",
        "--no-counts",
        "--no-last-action",
        "--no-skip",
        "--dropout=0",
        "--l2=0",
        f"--epochs={EPOCHS}",
        f"--batches={BATCHES}",
    )
    return asnets.read_model(output), training.wall


def coverage(model: asnets.Model, files: Files, length: int, sample: bool) -> int:
    """How many runs reach the goal."""
    domain = generators.domain_path("unreliable-robot")
    policies = [model.policy(asnets.ground(domain, files[length, side])) for side in (0, 1)]
    return sum(policies[seed % 2].run(seed, sample=sample).reached_goal for seed in range(RUNS))


def same(ours: int, theirs: int) -> bool:
    """Do both always reach the goal, or both as often as tossing a coin may?"""
    return ours == RUNS if theirs == RUNS else abs(ours - RUNS / 2) <= RUNS / 4


def print_table(title: str, table: Coverage) -> None:
    lengths = sorted({length for _, length in table})
    print(f"\n{title:24}" + "".join(f"{f'K = {length}':>8}" for length in lengths))
    for layers in sorted({layers for layers, _ in table}):
        cells = (f"{table[layers, length]}/{RUNS}" for length in lengths)
        print(f"{f'L = {layers}':24}" + "".join(f"{cell:>8}" for cell in cells))


def compare(what: str, ours: Coverage, theirs: Coverage, more: int) -> None:
    """Our cells with so many places more against the article's, where we have them."""
    both = [(layers, k) for layers, k in sorted(theirs) if (layers, k + more) in ours]
    differ = [(la, k) for la, k in both if not same(ours[la, k + more], theirs[la, k])]
    cells = ", ".join(f"L = {layers} K = {k}" for layers, k in differ)
    print(f"{what}: {len(both) - len(differ)} of {len(both)} cells agree", end="")
    print(f"; not {cells}" if differ else "")


def cells_of(rows: Iterable[tuple[int, tuple[int, ...]]]) -> Coverage:
    return {(layers, k): n for layers, row in rows for k, n in enumerate(row, 1)}


def run(options: measure.Options) -> None:
    depths = [1, 2] if options.quick else list(ARTICLE)
    longest = 4 if options.quick else 6
    print("Receptive field: runs of Unreliable Robot that reach the goal")
    sampled, likely = {}, {}
    with tempfile.TemporaryDirectory() as scratch:
        files = write(Path(scratch), longest)
        for layers in depths:
            model, seconds = train(files, Path(scratch), layers)
            print(f"L = {layers}: trained in {seconds:.0f} s", flush=True)
            for length in range(1, longest + 1):
                sampled[layers, length] = coverage(model, files, length, sample=True)
                likely[layers, length] = coverage(model, files, length, sample=False)
    article = cells_of((layers, ARTICLE[layers]) for layers in depths)
    print_table("actions sampled", sampled)
    print_table("most likely action", likely)
    print_table("the article", article)
    print()
    compare("the article's K = our K", sampled, article, 0)
    compare("the article's K = our K - 1", sampled, article, 1)


if __name__ == "__main__":
    measure.main(__doc__, run)
