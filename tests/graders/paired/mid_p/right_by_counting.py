"""Two tails, each with half of its edge, outcome by outcome."""

from fractions import Fraction
from math import comb


def mid_p(b, c):
    flips, edge = b + c, min(b, c)
    lower = sum(comb(flips, heads) for heads in range(edge)) + Fraction(comb(flips, edge), 2)
    upper = sum(comb(flips, heads) for heads in range(flips - edge + 1, flips + 1)) + Fraction(comb(flips, edge), 2)
    return (lower + upper) / 2**flips
