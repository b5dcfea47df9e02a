"""Weighs each count as if its own score were the truth."""

from scipy.stats import binom

FAILS = "the brackets of the chapter"
SLIP = None


def coverage(low, high, p):
    n = len(low) - 1
    weights = [binom.pmf(k, n, k / n) for k in range(n + 1)]
    kept = sum(weights[k] for k in range(n + 1) if low[k] <= p <= high[k])
    return kept / sum(weights)
