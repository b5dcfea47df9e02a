"""Rounds to whole percent."""

from scipy.stats import beta

FAILS = "17 of 20"
SLIP = None


def clopper_pearson(k, n, level):
    tail = (1 - level) / 2
    low = beta.ppf(tail, k, n - k + 1) if k else 0
    high = beta.isf(tail, k + 1, n - k) if k < n else 1
    return round(low, 2), round(high, 2)
