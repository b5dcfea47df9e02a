"""Takes 2 for 1.96."""

from math import hypot

from scipy.stats import norm

FAILS = "two equal standard errors"
SLIP = None


def overlap_level(se_a, se_b, level):
    z = 2 if level == 0.95 else norm.isf((1 - level) / 2)
    return 2 * norm.sf(z * (se_a + se_b) / hypot(se_a, se_b))
