"""The chance of a miss."""

from scipy.stats import binom

FAILS = "the brackets of the chapter"
SLIP = "level-and-alpha-exchanged"


def coverage(low, high, p):
    n = len(low) - 1
    return sum(binom.pmf(k, n, p) for k in range(n + 1) if not low[k] <= p <= high[k])
