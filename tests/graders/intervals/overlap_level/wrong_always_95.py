"""The quantile of 95%, whatever the level."""

from math import hypot

from scipy.stats import norm

FAILS = "intervals at another level"
SLIP = "quantile-of-habit"


def overlap_level(se_a, se_b, level):
    z = 1.96
    return 2 * norm.sf(z * (se_a + se_b) / hypot(se_a, se_b))
