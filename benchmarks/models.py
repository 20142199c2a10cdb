"""The models that comparisons need, trained where they are missing and kept in build/."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from asnets import generators
from benchmarks import measure
from benchmarks.article.protocol import DOMAINS, Instance
from oracles.corpus import ROOT

# For the trainer; the problems are the article's. Training takes 6, 20 and 40 minutes.
OPTIONS = {
    "blocksworld": ("--stop-after=5", "--time-limit=1200"),
    "matching-blocksworld": ("--stop-after=10", "--time-limit=3600"),
    "gold-miner": ("--stop-after=40", "--time-limit=2400"),
}


def path_of(domain: str) -> Path:
    return ROOT / "build" / f"benchmark-{domain}.pt"


def write_problem(folder: Path, domain: str, size: int, seed: int) -> Path:
    path = folder / f"{domain}-{size}-{seed}.pddl"
    path.write_text(generators.generate(domain, size, seed=seed))
    return path


def trained(domain: str) -> Path:
    """The model for a domain; training takes its time."""
    model = path_of(domain)
    if not model.exists():
        model.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory() as scratch:

            def files(wanted: Sequence[Instance]) -> list[Path]:
                return [write_problem(Path(scratch), domain, *instance) for instance in wanted]

            problems = files(DOMAINS[domain].training)
            judges = map(str, files(DOMAINS[domain].validation))
            print(f"training {model} ...", flush=True)
            given = [generators.domain_path(domain), *problems]
            run = measure.train(given, model, *OPTIONS[domain], "--validation", *judges)
            print(f"{len(run.epochs)} epochs, {run.wall:.0f} s\n")
    return model
