"""From the largest count down."""

from fractions import Fraction

FAILS = "a rounded score"
SLIP = None


def attainable_counts(printed, n):
    digits = printed.rstrip("%")
    decimals = len(digits.partition(".")[2])
    reach = Fraction(1, 2 * 10**decimals)
    return [k for k in range(n, -1, -1) if abs(Fraction(100 * k, n) - Fraction(digits)) <= reach]
