"""Looks for the two places where the distance is z."""

from math import sqrt

from scipy.optimize import brentq
from scipy.stats import norm


def wilson(k, n, level):
    z, score = norm.isf((1 - level) / 2), k / n

    def beyond(p):
        return (score - p) ** 2 - z**2 * p * (1 - p) / n

    inside = (score + 1 / 2 / sqrt(n)) / (1 + 1 / sqrt(n))
    low = brentq(beyond, 0, inside) if k else 0
    high = brentq(beyond, inside, 1) if k < n else 1
    return low, high
