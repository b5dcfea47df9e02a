"""Counts up from b."""

from scipy.stats import binom

FAILS = "B may be the one ahead"
SLIP = "direction-fixed"


def mid_p(b, c):
    n = b + c
    return 2 * binom.sf(b, n, 0.5) + binom.pmf(b, n, 0.5)
