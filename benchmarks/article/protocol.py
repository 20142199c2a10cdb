"""What the article's experiment consists of: problems, configurations, limits.

Sizes and counts are the article's (JAIR 2020, section 5); it does not say how many problems of each size
there are where a range is given: they are spread evenly. Training, validation and test problems have
seeds of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice

Instance = tuple[int, int]
"""Size and seed."""

VALIDATION_SEED = 1_000
TEST_SEED = 4_000


@dataclass(frozen=True)
class Domain:
    name: str
    title: str
    is_probabilistic: bool
    training: tuple[Instance, ...]
    validation: tuple[Instance, ...]
    """Larger than what is trained on, and none of the test problems: of other sizes where a size has one
    problem only."""
    test: tuple[Instance, ...]

    def published(self, planner: str) -> float | None:
        """The article's coverage; None if it has none."""
        entries = PUBLISHED.get(planner.removesuffix(REPEATING), {})
        return entries.get(self.name)


def spread(sizes: Sequence[int], count: int, seed: int = 0) -> tuple[Instance, ...]:
    """So many problems, evenly over the sizes.

    >>> spread([5, 6], 3)
    ((5, 0), (5, 1), (6, 0))
    """
    chosen = sorted(islice(cycle(sizes), count))
    return tuple((size, seed + chosen[:i].count(size)) for i, size in enumerate(chosen))


def one_each(sizes: Sequence[int], seed: int = 0) -> tuple[Instance, ...]:
    return spread(sizes, len(sizes), seed)


DOMAINS = {
    each.name: each
    for each in (
        Domain(
            "cosanostra-pizza",
            "CosaNostra Pizza",
            True,
            one_each(range(1, 6)),
            one_each([16, 17, 18, 19, 21], VALIDATION_SEED),
            one_each([*range(6, 16), *range(20, 51, 5)], TEST_SEED),
        ),
        Domain(
            "exploding-blocksworld",
            "Exploding Blocksworld",
            True,
            spread(range(5, 10), 24),
            spread([11, 13, 15], 18, VALIDATION_SEED),
            spread(range(11, 21), 30, TEST_SEED),
        ),
        Domain(
            "probabilistic-blocksworld",
            "Probabilistic Blocksworld",
            True,
            spread(range(5, 10), 25),
            spread([15, 20, 30], 9, VALIDATION_SEED),
            spread(range(15, 41, 5), 30, TEST_SEED),
        ),
        Domain(
            "triangle-tireworld",
            "Triangle Tireworld",
            True,
            one_each(range(1, 4)),
            one_each([21, 22], VALIDATION_SEED),
            one_each(range(4, 21), TEST_SEED),
        ),
        Domain(
            "blocksworld",
            "Blocksworld",
            False,
            spread(range(8, 11), 25),
            spread([15, 20, 30, 40], 16, VALIDATION_SEED),
            spread([35, 50], 30, TEST_SEED),
        ),
        Domain(
            "gold-miner",
            "Gold Miner",
            False,
            spread([4], 5) + spread([5], 10) + spread([6], 2),
            spread([*range(7, 14), 16, 20], 180, VALIDATION_SEED),
            spread(range(7, 20, 2), 21, TEST_SEED),
        ),
        Domain(
            "matching-blocksworld",
            "Matching Blocksworld",
            False,
            spread(range(5, 10), 23),
            spread(range(15, 61, 5), 100, VALIDATION_SEED),
            spread(range(15, 61, 5), 30, TEST_SEED),
        ),
    )
}


@dataclass(frozen=True)
class Budget:
    training_seconds: float
    ablation_seconds: float
    """For training a network of the ablation table, the default's apart."""
    extended_seconds: float
    """For training in the extended experiment."""
    baseline_seconds: float
    """For a problem: planning, and all runs of a baseline that draws."""
    baseline_every: int
    """Baselines run on each so-manieth test problem."""
    baseline_runs: int
    """Of LRTDP and SSiPP on a problem."""


BUDGETS = {
    "small": Budget(1_200, 600, 3_600, 60, 3, 5),
    "full": Budget(7_200, 7_200, 21_600, 10_800, 1, 30),
}
MEMORY_MB = 8_000
STEPS = 300  # of a rollout

# Rows of the article's ablation table: what they ask of the trainer. Its networks see nothing of a
# heuristic but LM-cut's landmarks.
ABLATIONS = {
    "default": (),
    "per-schema pooling": ("--pooling=schema",),
    "no skip": ("--no-skip",),
    "1 layer": ("--layers=1",),
    "3 layers": ("--layers=3",),
    "no history": ("--no-counts", "--no-last-action"),
    "no LM-cut": ("--landmarks=none", "--no-helpful"),
    "neither": ("--no-counts", "--no-last-action", "--landmarks=none", "--no-helpful"),
}
SAMPLING = ", sampling"
"""Ends the name of a configuration whose actions are drawn; else the likeliest is taken."""
REPEATING = ", repeating"
"""Ends the name of one that in a deterministic problem may take an action in a state where it took it
before, as the article's do."""


def _entries(*values: float | None) -> dict[str, float]:
    """Of the domains, in their order."""
    return {name: value for name, value in zip(DOMAINS, values, strict=True) if value is not None}


# Coverage in the article, with two hours of training and three a problem: the ablation table, and sums over
# the tables of its appendix A.
_NO = None
PUBLISHED = {
    "default": _entries(17, 5.5, 30, 17, 30, 19, 26),
    "per-schema pooling": _entries(17, 4.5, 30, 17, 30, 21, 28),
    "no skip": _entries(17, 2.9, 30, 17, 30, 18, 30),
    "1 layer": _entries(17, 1.1, 17.5, 17, 0, 21, 5),
    "3 layers": _entries(17, 7.1, 30, 17, 30, 19, 30),
    "no history": _entries(17, 4.5, 30, 17, 30, 5, 26),
    "no LM-cut": _entries(17, 5.2, 30, 17, 30, 13, 25),
    "neither": _entries(7, 3.5, 28, 17, 24, 0, 7),
    "default, sampling": _entries(16.97, 6.67, 30, 17, 30, 18.2, 18.8),
    "LRTDP, h-add": _entries(6.73, 4.83, 9.1, 2.2, _NO, _NO, _NO),
    "LRTDP, LM-cut": _entries(4.53, 2.43, 0, 1.73, _NO, _NO, _NO),
    "SSiPP, h-add": _entries(6.3, 2, 4.9, 4.57, _NO, _NO, _NO),
    "SSiPP, LM-cut": _entries(4.57, 1.4, 0.1, 3.67, _NO, _NO, _NO),
    "A*, LM-cut": _entries(_NO, _NO, _NO, _NO, 0, 3, 0),
    "A*, LM-count": _entries(_NO, _NO, _NO, _NO, 0, 2, 2),
    "GBF, LM-cut": _entries(_NO, _NO, _NO, _NO, 2, 1, 6),
    "LAMA-first": _entries(_NO, _NO, _NO, _NO, 18, 10, 11),
    "LAMA-2011": _entries(_NO, _NO, _NO, _NO, 18, 10, 11),
}
