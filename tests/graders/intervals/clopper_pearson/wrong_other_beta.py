"""The parameters of the upper end at both."""

from scipy.stats import beta

FAILS = "17 of 20"
SLIP = "tail-without-observed"


def clopper_pearson(k, n, level):
    tail = (1 - level) / 2
    low = beta.ppf(tail, k + 1, n - k) if 0 < k < n else 0 if k == 0 else tail ** (1 / n)
    high = beta.isf(tail, k + 1, n - k) if k < n else 1
    return low, high
