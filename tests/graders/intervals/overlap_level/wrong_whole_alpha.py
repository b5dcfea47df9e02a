"""What the level leaves out, all of it at each end."""

from math import hypot

from scipy.stats import norm

FAILS = "two equal standard errors"
SLIP = "tails-too-wide"


def overlap_level(se_a, se_b, level):
    z = norm.isf(1 - level)
    return 2 * norm.sf(z * (se_a + se_b) / hypot(se_a, se_b))
