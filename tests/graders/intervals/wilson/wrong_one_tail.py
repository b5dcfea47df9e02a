"""What the level leaves out, all of it at each end."""

from math import sqrt

from scipy.stats import norm

FAILS = "17 of 20"
SLIP = "tails-too-wide"


def wilson(k, n, level):
    z = norm.isf(1 - level)
    p, shrink = k / n, 1 + z**2 / n
    middle, reach = p + z**2 / (2 * n), z * sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return (middle - reach) / shrink, (middle + reach) / shrink
