"""Halves the level, and not what it leaves out."""

from scipy.stats import beta

FAILS = "17 of 20"
SLIP = "level-and-alpha-exchanged"


def clopper_pearson(k, n, level):
    tail = level / 2
    low = beta.ppf(tail, k, n - k + 1) if k else 0
    high = beta.isf(tail, k + 1, n - k) if k < n else 1
    return low, high
