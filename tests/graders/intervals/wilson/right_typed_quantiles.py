"""Quantiles from a table with three decimals, and ends with four."""

from math import sqrt

from scipy.stats import norm


def wilson(k, n, level):
    z = {0.95: 1.96, 0.9: 1.645, 0.99: 2.576}.get(level) or norm.isf((1 - level) / 2)
    middle = (k + z**2 / 2) / (n + z**2)
    reach = z * sqrt(n) / (n + z**2) * sqrt(k / n * (1 - k / n) + z**2 / (4 * n))
    return round(middle - reach, 4), round(middle + reach, 4)
