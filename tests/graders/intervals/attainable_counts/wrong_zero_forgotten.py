"""Makes a number of the text first, and counts its decimals then."""

from fractions import Fraction

FAILS = "decimals that were printed"
SLIP = "printed-zero-ignored"


def attainable_counts(printed, n):
    number = float(printed.rstrip("%"))
    decimals = 0 if number == int(number) else len(str(number).partition(".")[2])
    reach = Fraction(1, 2 * 10**decimals)
    share = Fraction(str(number))
    return [k for k in range(n + 1) if abs(Fraction(100 * k, n) - share) <= reach]
