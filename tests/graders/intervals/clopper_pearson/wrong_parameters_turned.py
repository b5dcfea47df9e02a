"""The parameters in the other order."""

from scipy.stats import beta

FAILS = "17 of 20"
SLIP = None


def clopper_pearson(k, n, level):
    tail = (1 - level) / 2
    low = beta.ppf(tail, n - k + 1, k) if k else 0
    high = beta.isf(tail, n - k, k + 1) if k < n else 1
    return low, high
