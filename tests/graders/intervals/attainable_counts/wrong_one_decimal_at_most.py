"""One decimal, wherever there is a point."""

from fractions import Fraction

FAILS = "decimals that were printed"
SLIP = "printed-zero-ignored"


def attainable_counts(printed, n):
    share = Fraction(printed.rstrip("%"))
    reach = Fraction(1, 20) if "." in printed else Fraction(1, 2)
    return [k for k in range(n + 1) if abs(Fraction(100 * k, n) - share) <= reach]
