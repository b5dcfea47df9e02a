"""Wilson's middle with Wald's root."""

from math import sqrt

from scipy.stats import norm

FAILS = "17 of 20"
SLIP = None


def wilson(k, n, level):
    z = norm.isf((1 - level) / 2)
    p, shrink = k / n, 1 + z**2 / n
    middle, reach = p + z**2 / (2 * n), z * sqrt(p * (1 - p) / n)
    return (middle - reach) / shrink, (middle + reach) / shrink
