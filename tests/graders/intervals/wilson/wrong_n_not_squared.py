"""Forgets one square under the root."""

from math import sqrt

from scipy.stats import norm

FAILS = "17 of 20"
SLIP = "wilson-past-the-end"


def wilson(k, n, level):
    z = norm.isf((1 - level) / 2)
    p, shrink = k / n, 1 + z**2 / n
    middle, reach = p + z**2 / (2 * n), z * sqrt(p * (1 - p) / n + z**2 / (4 * n))
    return (middle - reach) / shrink, (middle + reach) / shrink
