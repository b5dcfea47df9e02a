"""Multiplies a count of outcomes, soon too large for a float, by a power of one half."""

from math import comb

FAILS = "a large table"
SLIP = None


def exact_mcnemar(b, c):
    n = b + c
    return min(1.0, 2 * sum(comb(n, i) * 0.5**n for i in range(min(b, c) + 1)))
