"""Cuts decimals off in place of rounding."""

from fractions import Fraction
from math import floor

FAILS = "a rounded score"
SLIP = None


def attainable_counts(printed, n):
    digits = printed.rstrip("%")
    decimals = len(digits.partition(".")[2])
    return [k for k in range(n + 1) if floor(Fraction(100 * k * 10**decimals, n)) == Fraction(digits) * 10**decimals]
