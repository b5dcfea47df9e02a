"""Three over n for a perfect score."""

from scipy.stats import beta

FAILS = "all solved, and none"
SLIP = None


def clopper_pearson(k, n, level):
    if k == 0:
        return 0, min(1, 3 / n)
    if k == n:
        return max(0, 1 - 3 / n), 1
    tail = (1 - level) / 2
    low = beta.ppf(tail, k, n - k + 1) if k else 0
    high = beta.isf(tail, k + 1, n - k) if k < n else 1
    return low, high
