"""In percent."""

from scipy.stats import binom

FAILS = "the brackets of the chapter"
SLIP = "percent-for-share"


def coverage(low, high, p):
    n = len(low) - 1
    return 100 * sum(binom.pmf(k, n, p) for k in range(n + 1) if low[k] <= p <= high[k])
