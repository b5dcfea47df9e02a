"""All that the level leaves out in the one tail that is left."""

from scipy.stats import beta

FAILS = "all solved, and none"
SLIP = "one-sided-at-the-end"


def clopper_pearson(k, n, level):
    tail = (1 - level) / (1 if k in (0, n) else 2)
    low = beta.ppf(tail, k, n - k + 1) if k else 0
    high = beta.isf(tail, k + 1, n - k) if k < n else 1
    return low, high
