"""A whole unit of the last place."""

from fractions import Fraction

FAILS = "a score between the steps"
SLIP = "score-between-the-steps"


def attainable_counts(printed, n):
    digits = printed.rstrip("%")
    decimals = len(digits.partition(".")[2])
    reach = Fraction(1, 10**decimals)
    return [k for k in range(n + 1) if abs(Fraction(100 * k, n) - Fraction(digits)) <= reach]
