"""In exact fractions."""

from fractions import Fraction
from math import comb


def coverage(low, high, p):
    n, p = len(low) - 1, Fraction(p)
    kept = [k for k in range(n + 1) if low[k] <= p <= high[k]]
    return sum((comb(n, k) * p**k * (1 - p) ** (n - k) for k in kept), Fraction(0))
