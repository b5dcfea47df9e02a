"""Takes whatever is above one for percent, one by one."""

from math import hypot

from scipy.stats import norm

FAILS = "standard errors in points"
SLIP = None


def overlap_level(se_a, se_b, level):
    z = norm.isf((1 - level) / 2)
    se_a = se_a / 100 if se_a > 2 else se_a
    se_b = se_b / 100 if se_b > 2 else se_b
    return 2 * norm.sf(z * (se_a + se_b) / hypot(se_a, se_b))
