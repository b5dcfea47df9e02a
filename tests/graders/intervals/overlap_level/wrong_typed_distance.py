"""The distance of the chapter, with its two decimals."""

from math import hypot

from scipy.stats import norm

FAILS = "two equal standard errors"
SLIP = None


def overlap_level(se_a, se_b, level):
    if level == 0.95:
        return 2 * norm.sf(2.77)
    z = norm.isf((1 - level) / 2)
    return 2 * norm.sf(z * (se_a + se_b) / hypot(se_a, se_b))
