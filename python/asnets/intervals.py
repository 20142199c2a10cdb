"""95% confidence intervals for what is measured in a few executions."""

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean, stdev

LEVEL = 0.95


def mean_interval(sample: Sequence[float]) -> tuple[float, float] | None:
    """Student's interval for the mean; None for fewer than two values.

    >>> low, high = mean_interval([4, 5, 6])
    >>> round(low, 3), round(high, 3)
    (2.516, 7.484)
    """
    if len(sample) < 2:
        return None
    mean = fmean(sample)
    reach = student_quantile(len(sample) - 1) * stdev(sample) / math.sqrt(len(sample))
    return mean - reach, mean + reach


def rate_interval(successes: int, trials: int) -> tuple[float, float] | None:
    """Wilson's interval for the probability of success; None without trials.

    >>> low, high = rate_interval(30, 30)
    >>> round(low, 3), round(high, 3)
    (0.886, 1.0)
    """
    if trials == 0:
        return None
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    rate = successes / trials
    centre = rate + z * z / (2 * trials)
    reach = z * math.sqrt(rate * (1 - rate) / trials + (z / (2 * trials)) ** 2)
    scale = 1 + z * z / trials
    low = 0.0 if successes == 0 else (centre - reach) / scale
    high = 1.0 if successes == trials else (centre + reach) / scale
    return low, high


def student_quantile(freedom: int) -> float:
    """How many standard errors to each side hold 95% of Student's t distribution.

    Found by bisection on the closed form of its distribution; with many degrees of freedom by the
    expansion around the normal distribution (Abramowitz and Stegun 26.7.3, 26.7.4 and 26.7.5).
    """
    if freedom > 1000:
        z = NormalDist().inv_cdf((1 + LEVEL) / 2)
        first = (z**3 + z) / 4
        second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
        return z + first / freedom + second / freedom**2
    low, high = 0.0, math.pi / 2  # of atan(t / sqrt(freedom))
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return math.tan(middle) * math.sqrt(freedom)
        if _within(middle, freedom) < LEVEL:
            low = middle
        else:
            high = middle


def _within(angle: float, freedom: int) -> float:
    """The probability of |t| < sqrt(freedom) tan(angle)."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = term if freedom > 1 else 0.0
    for power in range(2 + odd, freedom - 1, 2):
        term *= cosine * cosine * (power - 1) / power
        total += term
    return (angle + sine * total) * 2 / math.pi if odd else sine * total
