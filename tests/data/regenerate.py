"""Writes fast_downward_astar_lmcut.csv: what Fast Downward's astar(lmcut()) finds in the corpus.

Only tasks that it solves in 30 seconds are listed; it refuses conditional effects and axioms.
Takes about half an hour on one core. Run it alone, because of the seconds:

    .venv/bin/python tests/data/regenerate.py
"""

import csv
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python"))

from oracles import fast_downward
from oracles.corpus import CLASSICAL

SECONDS = 30


def main() -> None:
    target = HERE / "fast_downward_astar_lmcut.csv"
    scratch = target.with_suffix(".tmp")
    with scratch.open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["task", "cost", "expansions", "seconds"])
        for files in CLASSICAL:
            found = fast_downward.search(
                *files.paths, options=f"astar(lmcut(), max_time={SECONDS})"
            )
            print(files, found.exit_code, found.cost, found.seconds, flush=True)
            if found.exit_code == fast_downward.SOLVED:
                rows.writerow([files, found.cost, found.expanded, f"{found.seconds:.3f}"])
    scratch.rename(target)


if __name__ == "__main__":
    main()
