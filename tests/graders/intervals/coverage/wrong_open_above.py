"""Leaves out the upper end."""

from scipy.stats import binom

FAILS = "a truth at an end of an interval"
SLIP = "end-left-out"


def coverage(low, high, p):
    n = len(low) - 1
    return sum(binom.pmf(k, n, p) for k in range(n + 1) if low[k] <= p < high[k])
