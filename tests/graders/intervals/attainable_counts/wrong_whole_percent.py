"""Always rounds to whole percent."""

from fractions import Fraction

FAILS = "decimals that were printed"
SLIP = "printed-zero-ignored"


def attainable_counts(printed, n):
    share = Fraction(printed.rstrip("%"))
    return [k for k in range(n + 1) if abs(Fraction(100 * k, n) - share) <= Fraction(1, 2)]
