"""Leaves out the division, and cuts at the ends of the scale."""

from math import sqrt

from scipy.stats import norm

FAILS = "17 of 20"
SLIP = None


def wilson(k, n, level):
    z = norm.isf((1 - level) / 2)
    p = k / n
    middle, reach = p + z**2 / (2 * n), z * sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return max(0, middle - reach), min(1, middle + reach)
