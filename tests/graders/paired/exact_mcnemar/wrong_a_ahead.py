"""Counts up from b, as if A were always the one ahead."""

from scipy.stats import binom

FAILS = "B may be the one ahead"
SLIP = "direction-fixed"


def exact_mcnemar(b, c):
    return min(1.0, 2 * float(binom.sf(b - 1, b + c, 0.5)))
