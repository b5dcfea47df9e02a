"""The root of 2, whatever the two errors."""

from math import sqrt

from scipy.stats import norm

FAILS = "unequal standard errors"
SLIP = "equal-errors-assumed"


def overlap_level(se_a, se_b, level):
    z = norm.isf((1 - level) / 2)
    return 2 * norm.sf(z * sqrt(2))
