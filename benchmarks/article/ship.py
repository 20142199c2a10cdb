"""Put the best models of the article's experiment into the package.

    python -m benchmarks.article.ship --runs runs/article [--domain NAME ...] [--commit HASH]

For each domain with finished runs of the default configuration: the one with the best validation score,
of equals that with the lowest seed. The test problems have no say in it; how many of them the chosen
one solves is written into its record.
"""

import argparse
import hashlib
import json
import shlex
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from asnets import info, read_model, shipped
from asnets.errors import DamagedFileError
from asnets.files import write_bytes, write_text
from asnets_train.options import Options
from benchmarks.article import record
from benchmarks.article.protocol import DOMAINS, Domain
from benchmarks.article.rows import DamagedError, Row, Rows
from benchmarks.article.summary import Result, results

CONFIGURATION = "default"
# They change nothing about the weights.
LEFT_OUT = ("workers", "tensorboard")


@dataclass(frozen=True)
class Finished:
    """A training run with what its network does on the test problems."""

    model: Path
    summary: dict[str, Any]
    options: dict[str, Any]
    result: Result

    @property
    def seed(self) -> int:
        return int(self.options["seed"])

    @property
    def rank(self) -> tuple[float, float, int]:
        """Least is best: by validation, as the trainer judges weights."""
        return -self.summary["success"], self.summary["cost"], self.seed


def finished_runs(runs: Path, rows: Iterable[Row], domain: Domain) -> list[Finished]:
    """All whose training and evaluation are complete."""
    tests = {f"{size}-{seed}" for size, seed in domain.test}
    found = []
    for result in results([row for row in rows if row.problem in tests], domain.name):
        if result.planner != CONFIGURATION or result.problems < len(domain.test):
            continue
        model = runs / domain.name / f"{CONFIGURATION}-seed{result.training_seed}" / "model.pt"
        folder = model.with_name(model.name + ".run")
        summary = _read(folder / "summary.json")
        options = _read(folder / "config.json")["options"]
        if summary["finished"] and summary["judged_on"] == "validation" and summary["success"]:
            found.append(Finished(model, summary, options, result))
    return found


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text())
    except ValueError as error:
        raise DamagedFileError(str(path), f"damaged: {error}") from None


def record_of(domain: Domain, run: Finished, commit: str) -> shipped.Record:
    figures = info.figures(read_model(run.model))
    sizes = [size for size, _ in domain.test]
    solved = round(run.result.coverage, 4)
    return shipped.Record(
        name=domain.name,
        domain=figures["domain"],
        sha256=hashlib.sha256(run.model.read_bytes()).hexdigest(),
        parameters=figures["parameters"],
        coverage=shipped.Coverage(
            solved=int(solved) if solved == int(solved) else solved,
            problems=run.result.problems,
            sizes=[min(sizes), max(sizes)],
            by="likeliest action",
        ),
        command=command(domain.name, run.options),
        seed=run.seed,
        commit=commit,
        seconds=run.summary["seconds"],
        epochs=run.summary["epochs"],
        validation=run.summary["success"],
    )


def command(name: str, options: dict[str, Any]) -> str:
    """What trains it, with the seed and all that is not the default."""
    words = ["asnets train domain.pddl training/*.pddl", f"-o {name}.pt"]
    words.append("--validation validation/*.pddl")
    for field in fields(Options):
        value = options.get(field.name, field.default)
        if field.name in LEFT_OUT or (value == field.default and field.name != "seed"):
            continue
        flag = field.name.replace("_", "-")
        if isinstance(value, bool):
            words.append(f"--{flag}" if value else f"--no-{flag}")
        else:
            words.append(f"--{flag} {shlex.quote(str(value))}")
    return " ".join(words)


def ship(runs: Path, domains: Sequence[Domain], commit: str, folder: Path) -> list[shipped.Record]:
    """Write the models and their records."""
    rows = list(Rows(runs / "results.jsonl"))
    shipped_now = []
    for domain in domains:
        found = finished_runs(runs, rows, domain)
        if not found:
            print(f"{domain.name}: no finished run of the {CONFIGURATION} configuration")
            continue
        best = min(found, key=lambda run: run.rank)
        made = record_of(domain, best, commit)
        folder.mkdir(parents=True, exist_ok=True)
        write_bytes(folder / f"{domain.name}.pt", best.model.read_bytes())
        text = json.dumps(made.as_json(), indent=2)
        write_text(folder / f"{domain.name}.json", text + "\n")
        print(
            f"{domain.name}: seed {made.seed} of {len(found)} runs, validation "
            f"{made.validation:.4g}, test {made.coverage.solved:.4g} of {made.coverage.problems}"
        )
        shipped_now.append(made)
    return shipped_now


def commit_of(runs: Path) -> str:
    """That the experiment was run with."""
    known = sorted({call.commit for call in record.calls(runs)})
    if len(known) != 1:
        what = f"several commits, {', '.join(known)}" if known else "no commit"
        sys.exit(f"{record.path_in(runs)}: {what}: give --commit")
    return known[0]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=Path, default=Path("runs/article"), metavar="FOLDER")
    parser.add_argument("--domain", nargs="+", choices=DOMAINS, default=list(DOMAINS))
    parser.add_argument("--commit", help="of the training [default: that of the runs]")
    parser.add_argument("-o", "--output", type=Path, default=shipped.FOLDER, metavar="FOLDER")
    options = parser.parse_args(arguments)
    domains = [DOMAINS[name] for name in options.domain]
    try:
        done = ship(
            options.runs, domains, options.commit or commit_of(options.runs), options.output
        )
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
    except (DamagedError, DamagedFileError) as error:
        sys.exit(str(error))
    except (ValueError, KeyError, TypeError) as error:
        sys.exit(f"{options.runs}: damaged: {type(error).__name__}: {error}")
    if not done:
        sys.exit(f"{options.runs}: nothing to ship")


if __name__ == "__main__":
    main()
