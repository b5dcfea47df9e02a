"""Begins at one right."""

from fractions import Fraction

FAILS = "the ends of the scale"
SLIP = None


def attainable_counts(printed, n):
    digits = printed.rstrip("%")
    decimals = len(digits.partition(".")[2])
    reach = Fraction(1, 2 * 10**decimals)
    return [k for k in range(1, n + 1) if abs(Fraction(100 * k, n) - Fraction(digits)) <= reach]
