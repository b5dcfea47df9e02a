"""Quantiles from memory, with two decimals."""

from math import sqrt

FAILS = "another level"
SLIP = None


def wilson(k, n, level):
    z = {0.8: 1.28, 0.9: 1.65, 0.95: 1.96, 0.98: 2.33, 0.99: 2.58}[level]
    p, shrink = k / n, 1 + z**2 / n
    middle, reach = p + z**2 / (2 * n), z * sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return (middle - reach) / shrink, (middle + reach) / shrink
