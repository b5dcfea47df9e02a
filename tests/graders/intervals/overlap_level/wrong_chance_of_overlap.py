"""The chance that they do overlap."""

from math import hypot

from scipy.stats import norm

FAILS = "two equal standard errors"
SLIP = "level-and-alpha-exchanged"


def overlap_level(se_a, se_b, level):
    z = norm.isf((1 - level) / 2)
    return 1 - 2 * norm.sf(z * (se_a + se_b) / hypot(se_a, se_b))
