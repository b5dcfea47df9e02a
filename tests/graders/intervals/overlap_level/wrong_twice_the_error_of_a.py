"""Reaches out by A's error twice."""

from math import hypot

from scipy.stats import norm

FAILS = "unequal standard errors"
SLIP = None


def overlap_level(se_a, se_b, level):
    z = norm.isf((1 - level) / 2)
    return 2 * norm.sf(2 * z * se_a / hypot(se_a, se_b))
