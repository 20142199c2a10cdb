"""What the rows say: coverage and cost of each planner, and how coverage grows with time."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from asnets.intervals import mean_interval
from benchmarks.article.protocol import DOMAINS, PUBLISHED, REPEATING, SAMPLING
from benchmarks.article.rows import TRAINING, Row

Curve = list[tuple[float, float]]
"""Seconds, training included, and the coverage that was reached by then."""


@dataclass(frozen=True)
class Result:
    """Of a planner, or of a network with one training seed, on a domain's test problems."""

    planner: str
    training_seed: int | None
    training_seconds: float
    runs: Mapping[str, Sequence[Row]]
    """By problem, in the order of their sizes."""

    @property
    def is_baseline(self) -> bool:
        return self.training_seed is None

    @property
    def is_sampling(self) -> bool:
        return self.planner.endswith(SAMPLING)

    @property
    def is_repeating(self) -> bool:
        return self.planner.endswith(REPEATING)

    @property
    def configuration(self) -> str:
        return configuration_of(self.planner)

    @property
    def problems(self) -> int:
        """That it ran on."""
        return len(self.runs)

    @cached_property
    def coverage(self) -> float:
        return self.coverage_on(self.runs)

    def coverage_on(self, problems: Collection[str]) -> float:
        """The sum over the problems of the share of its runs that reached the goal."""
        return sum(share(self.runs[each]) for each in problems)

    @property
    def costs(self) -> list[float]:
        """Of the runs that reached the goal."""
        return [cost for runs in self.runs.values() for cost in costs(runs)]

    @property
    def cost(self) -> float | None:
        found = self.costs
        return fmean(found) if found else None

    @property
    def cost_interval(self) -> tuple[float, float] | None:
        return mean_interval(self.costs)

    @property
    def seconds(self) -> float:
        """Of all its runs."""
        return sum(row.seconds for runs in self.runs.values() for row in runs)

    def curve_on(self, problems: Collection[str]) -> Curve:
        """One problem after the other, in the order of their sizes."""
        elapsed, coverage = self.training_seconds, 0.0
        points = [(elapsed, coverage)]
        for problem in self.runs:
            if problem in problems:
                elapsed += sum(row.seconds for row in self.runs[problem])
                coverage += share(self.runs[problem])
                points.append((elapsed, coverage))
        return points


def share(runs: Sequence[Row]) -> float:
    return fmean(row.success for row in runs)


def costs(runs: Sequence[Row]) -> list[float]:
    return [row.cost for row in runs if row.success and row.cost is not None]


def configuration_of(planner: str) -> str:
    return planner.removesuffix(SAMPLING).removesuffix(REPEATING)


def results(rows: Iterable[Row], domain: str) -> list[Result]:
    """Networks first, then baselines, in the protocol's order."""
    by_planner: dict[tuple[str, int | None], list[Row]] = defaultdict(list)
    training: dict[tuple[str, int | None], float] = {}
    for row in rows:
        if row.domain == domain and row.problem == TRAINING:
            training[row.planner, row.training_seed] = row.seconds
        elif row.domain == domain:
            by_planner[row.planner, row.training_seed].append(row)
    found = [
        Result(planner, seed, training.get((configuration_of(planner), seed), 0.0), _runs(own))
        for (planner, seed), own in by_planner.items()
    ]
    return sorted(found, key=_rank)


def _runs(rows: Sequence[Row]) -> dict[str, list[Row]]:
    runs: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda row: (in_order(row.problem), row.run)):
        runs.setdefault(row.problem, []).append(row)
    return runs


def in_order(problem: str) -> list[int]:
    return [int(part) for part in problem.split("-")]


def _rank(result: Result) -> tuple[bool, int, bool, bool, int]:
    planners = list(PUBLISHED)
    name = result.configuration
    place = planners.index(name) if name in planners else len(planners)
    ways = result.is_sampling, result.is_repeating
    return result.is_baseline, place, *ways, result.training_seed or 0


def by_domain(rows: Sequence[Row]) -> dict[str, list[Result]]:
    """Of the domains that have rows, in the article's order."""
    return {name: found for name in DOMAINS if (found := results(rows, name))}


def main_part(found: Sequence[Result]) -> list[Result]:
    """Without the ablations."""
    return [each for each in found if each.is_baseline or each.configuration == "default"]


def compared(found: Sequence[Result]) -> list[str]:
    """The problems that the default network and the baselines are compared on: all ran on them."""
    first, *others = main_part(found) or [None]
    if first is None:
        return []
    return [problem for problem in first.runs if all(problem in each.runs for each in others)]
