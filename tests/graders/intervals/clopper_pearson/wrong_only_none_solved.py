"""Remembers one of the two counts."""

from scipy.stats import beta

FAILS = "all solved, and none"
SLIP = None


def clopper_pearson(k, n, level):
    tail = (1 - level) / 2
    low = beta.ppf(tail, k, n - k + 1) if k else 0
    high = beta.isf(tail, k + 1, n - k)
    return low, high
