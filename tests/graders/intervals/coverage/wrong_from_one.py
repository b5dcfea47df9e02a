"""Begins to count at one."""

from scipy.stats import binom

FAILS = "few marks"
SLIP = "count-zero-forgotten"


def coverage(low, high, p):
    n = len(low) - 1
    return sum(binom.pmf(k, n, p) for k in range(1, n + 1) if low[k] <= p <= high[k])
