"""One beta distribution with half a task more on each side."""

from scipy.stats import beta

FAILS = "17 of 20"
SLIP = "other-interval-taken"


def clopper_pearson(k, n, level):
    tail = (1 - level) / 2
    low = beta.ppf(tail, k + 0.5, n - k + 0.5) if k else 0
    high = beta.isf(tail, k + 0.5, n - k + 0.5) if k < n else 1
    return low, high
