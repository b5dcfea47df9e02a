"""From one bound to the other, wherever they lie."""

from fractions import Fraction
from math import ceil, floor

FAILS = "the ends of the scale"
SLIP = "count-beyond-the-set"


def attainable_counts(printed, n):
    digits = printed.rstrip("%")
    decimals = len(digits.partition(".")[2])
    share, reach = Fraction(digits), Fraction(1, 2 * 10**decimals)
    return list(range(ceil((share - reach) * n / 100), floor((share + reach) * n / 100) + 1))
