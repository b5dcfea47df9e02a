"""Leaves out the one more."""

from scipy.stats import beta

FAILS = "17 of 20"
SLIP = None


def clopper_pearson(k, n, level):
    tail = (1 - level) / 2
    low = beta.ppf(tail, k, n - k) if 0 < k < n else 0
    high = beta.isf(tail, k, n - k) if 0 < k < n else 1
    return low, high
