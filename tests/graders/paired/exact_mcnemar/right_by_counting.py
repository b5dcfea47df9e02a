"""Every outcome at least as uneven, as an exact fraction."""

from fractions import Fraction
from math import comb


def exact_mcnemar(b, c):
    flips = b + c
    uneven = [k for k in range(flips + 1) if abs(2 * k - flips) >= abs(b - c)]
    return sum(Fraction(comb(flips, k), 2**flips) for k in uneven)
