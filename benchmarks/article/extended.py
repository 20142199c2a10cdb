"""The article's extended experiment: Blocksworld policies on problems of 18 to 50 blocks by the thousand,
many of them with given numbers of towers."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from asnets import generators
from benchmarks.article import steps
from benchmarks.article.document import Block, Paragraph, Table
from benchmarks.article.experiment import Experiment, write_problem
from benchmarks.article.protocol import DOMAINS, Instance, spread
from benchmarks.article.rows import TRAINING, Row

NAME = "extended-blocksworld"
PLANNER = "extended"
OPTIONS = ("--preset=extended-blocksworld",)
SEED = 10_000


@dataclass(frozen=True)
class Stratum:
    """Problems of so many blocks, in so many towers from the start and in the goal."""

    blocks: int
    towers: int | None
    """Any number if None: uniform over all states."""
    published: int
    """How many the article has; it solves them all."""

    @property
    def name(self) -> str:
        return f"{self.blocks}-{'any' if self.towers is None else f't{self.towers}'}"

    def problem(self, seed: int) -> str:
        options = {} if self.towers is None else {"towers": self.towers}
        return generators.generate("blocksworld", self.blocks, seed=seed, **options)


STRATA = (
    *(Stratum(18, towers, 1_500) for towers in (1, 3, 5, 10, 15, 18)),
    *(Stratum(50, towers, 1_000) for towers in (1, 4, 7, 10, 15, 20, 25, 30, 40)),
    *(Stratum(blocks, None, 100) for blocks in (25, 35, 50)),
)
ALL = sum(each.published for each in STRATA)
FEWEST = 183
"""With fewer some stratum has none."""
DEFAULT = 1_098
"""90, 60 and 6 of a stratum: the article's proportions exactly."""

# The article does not say more than 50 problems of 8 to 10 blocks. A fifth of those that its published runs
# trained on in the main experiment has one tower.
TRAINING_ANY: tuple[Instance, ...] = spread(range(8, 11), 40)
TRAINING_ONE_TOWER: tuple[Instance, ...] = spread(range(8, 11), 10)


def counts(instances: int) -> dict[Stratum, int]:
    """How many of each stratum, in the article's proportions: by largest remainders."""
    exact = {each: instances * each.published / ALL for each in STRATA}
    found = {each: int(share) for each, share in exact.items()}
    by_remainder = sorted(STRATA, key=lambda each: found[each] - exact[each])
    for each in by_remainder[: instances - sum(found.values())]:
        found[each] += 1
    return found


def run(experiment: Experiment, seed: int, wanted: dict[Stratum, int]) -> None:
    """Train, and evaluate stratum after stratum by the likeliest action."""
    model = train(experiment, seed)
    tests = experiment.folder / NAME / "test"
    domain = generators.domain_path("blocksworld")
    for stratum, count in wanted.items():
        problems = [
            write_problem(tests / f"{stratum.name}-{number}.pddl", stratum.problem(number))
            for number in range(SEED, SEED + count)
        ]
        left = [
            path for path in problems if (NAME, PLANNER, seed, path.stem, 0) not in experiment.rows
        ]
        if left:
            print(f"{stratum.name}: {len(left)} problems", flush=True)
            output = model.parent / f"rollouts-{stratum.name}.jsonl"
            for rollout in steps.evaluate(model, domain, left, output):
                experiment.add_rollout(NAME, PLANNER, seed, rollout)


def train(experiment: Experiment, seed: int) -> Path:
    model = experiment.folder / NAME / f"{PLANNER}-seed{seed}" / "model.pt"
    lesson = steps.Lesson(
        domain=generators.domain_path("blocksworld"),
        training=training_problems(experiment.folder / NAME / "training"),
        validation=experiment.problems(DOMAINS["blocksworld"], "validation"),
        seconds=experiment.budget.extended_seconds,
        seed=seed,
        options=OPTIONS,
    )
    experiment.train_once(model, lesson, NAME, PLANNER)
    return model


def training_problems(folder: Path) -> list[Path]:
    paths = []
    for towers, instances in ((None, TRAINING_ANY), (1, TRAINING_ONE_TOWER)):
        for blocks, seed in instances:
            stratum = Stratum(blocks, towers, 0)
            paths.append(
                write_problem(folder / f"{stratum.name}-{seed}.pddl", stratum.problem(seed))
            )
    return paths


def blocks(rows: Sequence[Row]) -> list[Block]:
    """What the report says; nothing if there are no rows."""
    own = [row for row in rows if row.domain == NAME]
    runs = [row for row in own if row.problem != TRAINING]
    if not runs:
        return []
    seeds = sorted({row.training_seed for row in runs if row.training_seed is not None})
    training = [
        f"seed {row.training_seed}: {row.seconds:,.0f} s ({row.reason})"
        for row in own
        if row.problem == TRAINING
    ]
    unsolved = [
        f"{row.problem} (seed {row.training_seed}: {row.reason})" for row in runs if not row.success
    ]
    return [
        Paragraph(
            f"The article's extended experiment: {len(TRAINING_ANY) + len(TRAINING_ONE_TOWER)} training "
            f"problems of 8 to 10 blocks, {len(TRAINING_ONE_TOWER)} of them with one tower. Test "
            "states are uniform over those with the given number of blocks and towers; 18 towers of "
            f"18 blocks leave nothing to do. The article solved all {ALL:,}."
        ),
        Paragraph(f"Training: {'; '.join(training) or 'not known'}."),
        _table(runs, seeds),
        Paragraph(f"Unsolved: {', '.join(unsolved) if unsolved else 'none'}."),
    ]


def _table(runs: Sequence[Row], seeds: Sequence[int]) -> Table:
    of_seeds = [f"{what}, seed {seed}" for seed in seeds for what in ("solved", "mean cost")]
    lines = [
        [str(stratum.blocks), "any" if stratum.towers is None else str(stratum.towers),
         *_cells([row for row in runs if row.problem.startswith(f"{stratum.name}-")], seeds),
         f"{stratum.published:,}/{stratum.published:,}"]
        for stratum in STRATA
    ]  # fmt: skip
    lines.append(["all", "", *_cells(runs, seeds), f"{ALL:,}/{ALL:,}"])
    headings = ["blocks", "towers", *of_seeds, "article"]
    return Table("Coverage by blocks and towers", headings, lines)


def _cells(runs: Sequence[Row], seeds: Sequence[int]) -> list[str]:
    cells = []
    for seed in seeds:
        own = [row for row in runs if row.training_seed == seed]
        costs = [row.cost for row in own if row.success and row.cost is not None]
        cells.append(f"{len(costs):,}/{len(own):,}")
        cells.append(f"{fmean(costs):.1f}" if costs else "-")
    return cells
