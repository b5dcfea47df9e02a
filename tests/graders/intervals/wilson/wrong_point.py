"""No width for a perfect score."""

from math import sqrt

from scipy.stats import norm

FAILS = "all solved, and none"
SLIP = "perfect-score-has-no-error"


def wilson(k, n, level):
    if k in (0, n):
        return k / n, k / n
    z = norm.isf((1 - level) / 2)
    p, shrink = k / n, 1 + z**2 / n
    middle, reach = p + z**2 / (2 * n), z * sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return (middle - reach) / shrink, (middle + reach) / shrink
