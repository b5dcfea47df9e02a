"""Stops before the last count."""

from scipy.stats import binom

FAILS = "few marks"
SLIP = None


def coverage(low, high, p):
    n = len(low) - 1
    return sum(binom.pmf(k, n, p) for k in range(n) if low[k] <= p <= high[k])
