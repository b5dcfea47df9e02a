"""Takes everything between the first count and the last one that hold p."""

from scipy.stats import binom

FAILS = "a strange procedure"
SLIP = None


def coverage(low, high, p):
    n = len(low) - 1
    kept = [k for k in range(n + 1) if low[k] <= p <= high[k]]
    if not kept:
        return 0.0
    return binom.cdf(kept[-1], n, p) - binom.cdf(kept[0] - 1, n, p)
