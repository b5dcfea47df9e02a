"""The quantile of 95%, whatever the level."""

from math import sqrt

FAILS = "another level"
SLIP = "quantile-of-habit"


def wilson(k, n, level):
    z = 1.96
    p, shrink = k / n, 1 + z**2 / n
    middle, reach = p + z**2 / (2 * n), z * sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return (middle - reach) / shrink, (middle + reach) / shrink
