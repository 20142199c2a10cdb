"""Grounding, side by side with Fast Downward 26.6's translator.

    python -m benchmarks.grounding [--quick] [--no-488-peer]

Like with like: our `seconds` against the wall time of the translator's own line "Done!", neither
with the start of Python; our peak memory above what is resident after the import against the
translator's above its smallest task. The two take turns; numbers are medians of three runs, or
single runs where one takes more than 30 s. Actions differ where the translator drops what can
never be applied or changes nothing, and where it keeps what negations make unreachable.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import nan
from pathlib import Path
from statistics import median

from benchmarks import measure
from benchmarks.measure import generated
from oracles import fast_downward
from oracles.corpus import Files

PEER_LIMIT = 30 * 60  # seconds

BLOCKSWORLD_TARGET = 20  # times faster
TARGET = 10  # times faster
MEMORY_TARGET = 0.5  # of the translator's

# The longest to translate, with high arities and large joins, and the largest of ADL and axioms.
FROM_CORPUS = (
    "agricola-p2",
    "caldera-p2",
    "freecell-p2",
    "hiking-p2",
    "optical-telegraphs-p2",
    "organic-synthesis-split-p1",
    "organic-synthesis-split-p2",
    "ricochet-robots-adl-p2",
    "settlers-adl-p2",
    "thoughtful-p1",
)

LINEARITY = (50, 100, 146, 200, 300, 488)


@dataclass(frozen=True)
class Measurement:
    actions: int
    seconds: float
    memory_kb: float


def ours(files: Files) -> Measurement:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "asnets", "ground", *map(str, files.paths)]
        command += ["--json", str(report)]
        result = subprocess.run(command, check=False, capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"\n{files}: {result.stderr}")
        found = json.loads(report.read_text())
    memory = found["peak_kb"] - found["baseline_kb"]
    return Measurement(found["actions"], found["seconds"], memory)


def theirs(files: Files, smallest_kb: int) -> Measurement:
    try:
        found = fast_downward.translate(*files.paths, time_limit=PEER_LIMIT)
    except subprocess.TimeoutExpired:
        return Measurement(0, PEER_LIMIT, nan)
    return Measurement(len(found.operators), found.seconds, found.peak_kb - smallest_kb)


def repeated(*measures: Callable[[], Measurement]) -> list[Measurement]:
    """The medians of measurements that take turns."""
    runs = measure.take_turns(measures, lambda run: run.seconds)
    return [
        Measurement(
            own[0].actions,
            median(run.seconds for run in own),
            median(run.memory_kb for run in own),
        )
        for own in runs
    ]


def tasks(folder: Path, quick: bool) -> Iterator[tuple[str, Files, int]]:
    """Name, files and how many times faster to be."""
    for size in (50,) if quick else (50, 146, 488):
        yield f"Blocksworld {size}", generated(folder, "blocksworld", size), BLOCKSWORLD_TARGET
    yield "Gold Miner 16x16", generated(folder, "gold-miner", 16), TARGET
    yield "Matching Blocksworld 60", generated(folder, "matching-blocksworld", 60), TARGET
    for name, files in measure.from_corpus(() if quick else FROM_CORPUS):
        yield name, files, TARGET


def compare(folder: Path, quick: bool, peer_on_488: bool) -> None:
    smallest = fast_downward.translate(*generated(folder, "blocksworld", 2).paths).peak_kb
    print(f"{'':28}{'actions':>17}{'seconds':>24}{'memory, MB':>24}")
    print(f"{'task':28}{'ours':>9}{'theirs':>8}", end="")
    print(f"{'ours':>9}{'theirs':>8}{'ratio':>7}{'ours':>9}{'theirs':>8}{'ratio':>7}")
    verdicts = []
    for name, files, target in tasks(folder, quick):
        print(f"{name:28}", end="", flush=True)
        measures = [lambda files=files: ours(files), lambda files=files: theirs(files, smallest)]
        if name == "Blocksworld 488" and not peer_on_488:
            (us,) = repeated(measures[0])
            print(f"{us.actions:9}{'-':>8}{us.seconds:9.3f}{'-':>8}{'-':>7}", end="")
            print(f"{us.memory_kb / 1024:9.1f}{'-':>8}{'-':>7}")
            continue
        us, they = repeated(*measures)
        speed = they.seconds / us.seconds
        memory = us.memory_kb / they.memory_kb
        print(f"{us.actions:9}{they.actions:8}{us.seconds:9.3f}{they.seconds:8.2f}", end="")
        print(f"{speed:6.0f}x{us.memory_kb / 1024:9.1f}{they.memory_kb / 1024:8.1f}{memory:7.2f}")
        verdicts.append(
            f"{name:28}{f'{speed:.0f}x of {target}x':>15} {'pass' if speed >= target else 'MISS'}"
            f"{f'{memory:.2f} of {MEMORY_TARGET}':>15} "
            f"{'pass' if memory <= MEMORY_TARGET else 'MISS'}"
        )
    print(f"\n{'to reach':28}{'speed':>15}{'memory':>20}")
    print(*verdicts, sep="\n")


def linearity(folder: Path, quick: bool) -> None:
    print(f"\n{'Blocksworld':14}{'actions':>10}{'seconds':>10}{'us an action':>14}")
    for size in LINEARITY[: 4 if quick else None]:
        files = generated(folder, "blocksworld", size)
        (us,) = repeated(lambda files=files: ours(files))
        each = us.seconds / us.actions * 1e6
        print(f"{size:6} blocks {us.actions:10}{us.seconds:10.3f}{each:14.2f}")


def run(options: measure.Options) -> None:
    with tempfile.TemporaryDirectory() as folder:
        compare(Path(folder), options.quick, options.peer_on_488)
        linearity(Path(folder), options.quick)


if __name__ == "__main__":
    measure.main(__doc__, run)
