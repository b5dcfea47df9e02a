"""All that the level leaves out on the one side that is left."""

from math import sqrt

from scipy.stats import norm

FAILS = "all solved, and none"
SLIP = "one-sided-at-the-end"


def wilson(k, n, level):
    z = norm.isf(1 - level) if k in (0, n) else norm.isf((1 - level) / 2)
    p, shrink = k / n, 1 + z**2 / n
    middle, reach = p + z**2 / (2 * n), z * sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return (middle - reach) / shrink, (middle + reach) / shrink
