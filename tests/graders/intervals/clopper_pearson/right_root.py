"""Looks for the two tails."""

from scipy.optimize import brentq
from scipy.stats import binom


def clopper_pearson(k, n, level):
    tail = (1 - level) / 2
    low = brentq(lambda p: binom.sf(k - 1, n, p) - tail, 0, 1) if k else 0
    high = brentq(lambda p: binom.cdf(k, n, p) - tail, 0, 1) if k < n else 1
    return low, high
