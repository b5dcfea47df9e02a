"""The level of habit."""

from scipy.stats import beta

FAILS = "another level"
SLIP = "quantile-of-habit"


def clopper_pearson(k, n, level):
    tail = 0.025
    low = beta.ppf(tail, k, n - k + 1) if k else 0
    high = beta.isf(tail, k + 1, n - k) if k < n else 1
    return low, high
