"""Leaves out the division."""

from math import sqrt

from scipy.stats import norm

FAILS = "17 of 20"
SLIP = "wilson-past-the-end"


def wilson(k, n, level):
    z = norm.isf((1 - level) / 2)
    p = k / n
    middle, reach = p + z**2 / (2 * n), z * sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return middle - reach, middle + reach
