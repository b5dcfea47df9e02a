"""Rounds to whole percent."""

from math import sqrt

from scipy.stats import norm

FAILS = "17 of 20"
SLIP = None


def wilson(k, n, level):
    z = norm.isf((1 - level) / 2)
    p, shrink = k / n, 1 + z**2 / n
    middle, reach = p + z**2 / (2 * n), z * sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return round((middle - reach) / shrink, 2), round((middle + reach) / shrink, 2)
