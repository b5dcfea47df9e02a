"""No width for a perfect score."""

from scipy.stats import beta

FAILS = "all solved, and none"
SLIP = "perfect-score-has-no-error"


def clopper_pearson(k, n, level):
    if k in (0, n):
        return k / n, k / n
    tail = (1 - level) / 2
    low = beta.ppf(tail, k, n - k + 1) if k else 0
    high = beta.isf(tail, k + 1, n - k) if k < n else 1
    return low, high
