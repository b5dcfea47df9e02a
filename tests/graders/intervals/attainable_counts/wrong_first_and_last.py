"""Only the first count and the last."""

from fractions import Fraction

FAILS = "a rounded score"
SLIP = None


def attainable_counts(printed, n):
    digits = printed.rstrip("%")
    decimals = len(digits.partition(".")[2])
    reach = Fraction(1, 2 * 10**decimals)
    found = [k for k in range(n + 1) if abs(Fraction(100 * k, n) - Fraction(digits)) <= reach]
    return sorted({found[0], found[-1]}) if found else []
