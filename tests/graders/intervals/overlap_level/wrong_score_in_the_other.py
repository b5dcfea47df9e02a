"""Asks whether B's score lies in A's interval."""

from math import hypot

from scipy.stats import norm

FAILS = "two equal standard errors"
SLIP = "one-error-bar"


def overlap_level(se_a, se_b, level):
    z = norm.isf((1 - level) / 2)
    return 2 * norm.sf(z * se_a / hypot(se_a, se_b))
