"""The same two parameters at both ends."""

from scipy.stats import beta

FAILS = "17 of 20"
SLIP = "tail-without-observed"


def clopper_pearson(k, n, level):
    tail = (1 - level) / 2
    low = beta.ppf(tail, k, n - k + 1) if k else 0
    high = beta.isf(tail, k, n - k + 1) if k < n else 1
    return low, high
