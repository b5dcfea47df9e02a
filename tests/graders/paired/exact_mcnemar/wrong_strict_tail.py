"""Forgets that sf(k) starts above k."""

from scipy.stats import binom

FAILS = "the worked table"
SLIP = "tail-without-observed"


def exact_mcnemar(b, c):
    return min(1.0, 2 * float(binom.sf(max(b, c), b + c, 0.5))) if b != c else 1.0
