"""Confidence intervals, against printed tables and values worked out by hand."""

import math
from itertools import pairwise

import pytest

from asnets.intervals import mean_interval, rate_interval, student_quantile

# Two-sided 95% points, as tables of Student's t distribution print them.
TABLE = {
    1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262,
    10: 2.228, 11: 2.201, 12: 2.179, 13: 2.160, 14: 2.145, 15: 2.131, 20: 2.086, 25: 2.060,
    29: 2.045, 30: 2.042, 40: 2.021, 60: 2.000, 120: 1.980, 1_000_000: 1.960,
}  # fmt: skip


@pytest.mark.parametrize("freedom", TABLE)
def test_student_quantile(freedom: int) -> None:
    assert student_quantile(freedom) == pytest.approx(TABLE[freedom], abs=6e-4)


def test_student_quantile_in_closed_form() -> None:
    assert student_quantile(1) == pytest.approx(math.tan(math.pi * 0.475), rel=1e-9)
    assert student_quantile(2) == pytest.approx(0.95 * math.sqrt(2 / (1 - 0.95**2)), rel=1e-9)


def test_student_quantile_falls_where_its_two_methods_meet() -> None:
    values = [student_quantile(freedom) for freedom in (998, 999, 1000, 1001, 1002)]
    steps = [before - after for before, after in pairwise(values)]
    assert all(step == pytest.approx(steps[0], rel=0.02) for step in steps)
    assert steps[0] > 0


def test_mean_interval() -> None:
    # Mean 5, standard deviation 1, standard error 1 / sqrt(3), two degrees of freedom.
    reach = 4.302653 / math.sqrt(3)
    assert mean_interval([4, 5, 6]) == pytest.approx((5 - reach, 5 + reach), abs=1e-5)
    assert mean_interval([7.5, 7.5, 7.5, 7.5]) == (7.5, 7.5)
    assert mean_interval([3]) is None
    assert mean_interval([]) is None


def test_rate_interval() -> None:
    # Half of n: the centre is 1/2, the reach z / (2 sqrt(n + z^2)), with z^2 = 3.841459.
    reach = math.sqrt(3.841459) / (2 * math.sqrt(100 + 3.841459))
    assert rate_interval(50, 100) == pytest.approx((0.5 - reach, 0.5 + reach), abs=1e-6)
    # None or all of n: one end is exact, the other z^2 / (n + z^2) away.
    far = 3.841459 / (30 + 3.841459)
    assert rate_interval(0, 30) == pytest.approx((0, far), abs=1e-6)
    assert rate_interval(30, 30) == pytest.approx((1 - far, 1), abs=1e-6)
    assert rate_interval(0, 0) is None
