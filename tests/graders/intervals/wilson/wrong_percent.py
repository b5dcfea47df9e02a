"""In percent."""

from math import sqrt

from scipy.stats import norm

FAILS = "17 of 20"
SLIP = "percent-for-share"


def wilson(k, n, level):
    z = norm.isf((1 - level) / 2)
    p, shrink = k / n, 1 + z**2 / n
    middle, reach = p + z**2 / (2 * n), z * sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return 100 * (middle - reach) / shrink, 100 * (middle + reach) / shrink
