"""The models that comparisons need, trained where they are missing and kept in build/."""

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from asnets import generators
from benchmarks import measure
from oracles.corpus import ROOT

Instance = tuple[int, int]
"""Size and seed."""


@dataclass(frozen=True)
class Recipe:
    problems: Sequence[Instance]
    options: tuple[str, ...]
    validation: Sequence[Instance] = ()


def instances(sizes: Iterable[int], seeds: Iterable[int]) -> list[Instance]:
    return list(product(sizes, seeds))


# As many small problems as the article trains on. Training takes 6, 20 and 40 minutes.
RECIPES = {
    "blocksworld": Recipe(
        instances([8, 9, 10], range(5)) + instances([8, 9], range(5, 10)),
        ("--stop-after=5", "--time-limit=1200"),
    ),
    "matching-blocksworld": Recipe(
        instances(range(5, 10), range(5)), ("--stop-after=10", "--time-limit=3600")
    ),
    "gold-miner": Recipe(
        instances([4], range(5)) + instances([5], range(10)) + instances([6], range(2)),
        ("--stop-after=40", "--time-limit=2400"),
        instances([8, 10, 12, 14], range(50, 53)),
    ),
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
        recipe = RECIPES[domain]
        model.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory() as scratch:

            def files(wanted: Sequence[Instance]) -> list[Path]:
                return [write_problem(Path(scratch), domain, *instance) for instance in wanted]

            judges = ["--validation", *map(str, files(recipe.validation))]
            options = [*recipe.options, *(judges if recipe.validation else [])]
            print(f"training {model} ...", flush=True)
            given = [generators.domain_path(domain), *files(recipe.problems)]
            run = measure.train(given, model, *options)
            print(f"{len(run.epochs)} epochs, {run.wall:.0f} s\n")
    return model
