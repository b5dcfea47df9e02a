"""The chance of a wrong mark in the place of a right one."""

from scipy.stats import binom

FAILS = "the brackets of the chapter"
SLIP = None


def coverage(low, high, p):
    n = len(low) - 1
    return sum(binom.pmf(k, n, 1 - p) for k in range(n + 1) if low[k] <= p <= high[k])
