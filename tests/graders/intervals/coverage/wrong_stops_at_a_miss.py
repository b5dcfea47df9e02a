"""Stops at the first miss after a hit."""

from scipy.stats import binom

FAILS = "a strange procedure"
SLIP = None


def coverage(low, high, p):
    n = len(low) - 1
    total = 0.0
    for k in range(n + 1):
        if low[k] <= p <= high[k]:
            total += binom.pmf(k, n, p)
        elif total:
            break
    return total
