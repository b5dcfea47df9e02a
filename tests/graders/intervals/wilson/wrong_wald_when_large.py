"""Wald wherever the old rule allows it."""

from math import sqrt

from scipy.stats import norm

FAILS = "other counts"
SLIP = "error-at-the-score"


def wilson(k, n, level):
    z = norm.isf((1 - level) / 2)
    p, shrink = k / n, 1 + z**2 / n
    if k > 10 and n - k > 10:
        reach = z * sqrt(p * (1 - p) / n)
        return p - reach, p + reach
    middle, reach = p + z**2 / (2 * n), z * sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return (middle - reach) / shrink, (middle + reach) / shrink
