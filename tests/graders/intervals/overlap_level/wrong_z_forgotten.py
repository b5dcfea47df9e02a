"""Brackets of one standard error to each side."""

from math import hypot

from scipy.stats import norm

FAILS = "two equal standard errors"
SLIP = None


def overlap_level(se_a, se_b, level):
    return 2 * norm.sf((se_a + se_b) / hypot(se_a, se_b))
