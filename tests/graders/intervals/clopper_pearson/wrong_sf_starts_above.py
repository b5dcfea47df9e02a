"""Forgets that sf(k) starts above k."""

from scipy.optimize import brentq
from scipy.stats import binom

FAILS = "17 of 20"
SLIP = "tail-without-observed"


def clopper_pearson(k, n, level):
    tail = (1 - level) / 2
    low = brentq(lambda p: binom.sf(k, n, p) - tail, 0, 1) if 0 < k < n else 0 if k == 0 else tail ** (1 / n)
    high = brentq(lambda p: binom.cdf(k, n, p) - tail, 0, 1) if k < n else 1
    return low, high
