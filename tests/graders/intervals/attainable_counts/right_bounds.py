"""From one bound to the other, within the set."""

from fractions import Fraction
from math import ceil, floor


def attainable_counts(printed, n):
    digits = printed.rstrip("%")
    decimals = len(digits.partition(".")[2])
    share, reach = Fraction(digits), Fraction(1, 2 * 10**decimals)
    first, last = ceil((share - reach) * n / 100), floor((share + reach) * n / 100)
    return tuple(range(max(0, first), min(n, last) + 1))
