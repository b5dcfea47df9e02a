"""One standard error for both, the mean of the two."""

from math import hypot

from scipy.stats import norm

FAILS = "unequal standard errors"
SLIP = "equal-errors-assumed"


def overlap_level(se_a, se_b, level):
    z = norm.isf((1 - level) / 2)
    error = (se_a + se_b) / 2
    return 2 * norm.sf(2 * z * error / hypot(error, error))
