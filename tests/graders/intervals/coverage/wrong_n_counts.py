"""Takes the number of intervals for the number of marks."""

from scipy.stats import binom

FAILS = "the brackets of the chapter"
SLIP = "count-zero-forgotten"


def coverage(low, high, p):
    n = len(low)
    return sum(binom.pmf(k, n, p) for k in range(n) if low[k] <= p <= high[k])
