"""What the rows say: coverage and cost of each planner, and how coverage grows with time."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from asnets.intervals import mean_interval
from benchmarks.article.protocol import DOMAINS
from benchmarks.article.rows import TRAINING, Row

Curve = list[tuple[float, float]]
"""Seconds, training included, and the coverage that was reached by then."""


@dataclass(frozen=True)
class Result:
    """Of a planner, or of a network with one training seed, on a domain's test problems."""

    planner: str
    training_seed: int | None
    training_seconds: float
    problems: int
    """That it ran on."""
    coverage: float
    """The sum over the problems of the share of its runs that reached the goal."""
    cost: float | None
    """Mean over the runs that reached the goal."""
    cost_interval: tuple[float, float] | None
    seconds: float
    """Of all its runs."""
    curve: Curve

    @property
    def is_baseline(self) -> bool:
        return self.training_seed is None


def results(rows: Iterable[Row], domain: str) -> list[Result]:
    """Networks first, then baselines, in the order of their first row."""
    by_planner: dict[tuple[str, int | None], list[Row]] = defaultdict(list)
    training: dict[tuple[str, int | None], float] = {}
    for row in rows:
        if row.domain == domain and row.problem == TRAINING:
            training[row.planner, row.training_seed] = row.seconds
        elif row.domain == domain:
            by_planner[row.planner, row.training_seed].append(row)
    found = [
        _result(planner, seed, training.get((planner.split(",")[0], seed), 0.0), own)
        for (planner, seed), own in by_planner.items()
    ]
    return sorted(found, key=lambda each: each.is_baseline)


def _result(planner: str, seed: int | None, training: float, rows: Sequence[Row]) -> Result:
    runs: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        runs[row.problem].append(row)
    costs = [row.cost for row in rows if row.success and row.cost is not None]
    elapsed, coverage, curve = training, 0.0, [(training, 0.0)]
    # Problems in the order of their sizes, one after the other.
    for problem in sorted(runs, key=lambda name: [int(part) for part in name.split("-")]):
        elapsed += sum(row.seconds for row in runs[problem])
        coverage += fmean(row.success for row in runs[problem])
        curve.append((elapsed, coverage))
    return Result(
        planner=planner,
        training_seed=seed,
        training_seconds=training,
        problems=len(runs),
        coverage=coverage,
        cost=fmean(costs) if costs else None,
        cost_interval=mean_interval(costs),
        seconds=sum(row.seconds for row in rows),
        curve=curve,
    )


def by_domain(rows: Sequence[Row]) -> dict[str, list[Result]]:
    """Of the domains that have rows, in the article's order."""
    return {name: found for name in DOMAINS if (found := results(rows, name))}
