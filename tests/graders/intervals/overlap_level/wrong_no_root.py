"""Forgets the root."""

from scipy.stats import norm

FAILS = "two equal standard errors"
SLIP = None


def overlap_level(se_a, se_b, level):
    z = norm.isf((1 - level) / 2)
    return 2 * norm.sf(z * (se_a + se_b) / (se_a**2 + se_b**2))
