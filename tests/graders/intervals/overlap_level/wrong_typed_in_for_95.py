"""The number of the page for intervals of 95%."""

from math import hypot

from scipy.stats import norm

FAILS = "unequal standard errors"
SLIP = "equal-errors-assumed"


def overlap_level(se_a, se_b, level):
    if level == 0.95:
        return 0.00557454
    z = norm.isf((1 - level) / 2)
    return 2 * norm.sf(z * (se_a + se_b) / hypot(se_a, se_b))
