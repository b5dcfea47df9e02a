"""One less the chance of a miss."""

from math import comb


def coverage(low, high, p):
    n = len(low) - 1
    misses = (k for k, (a, b) in enumerate(zip(low, high, strict=True)) if p < a or b < p)
    return 1 - sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in misses)
