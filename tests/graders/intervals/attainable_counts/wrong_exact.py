"""Takes a rounded number for an exact one."""

from fractions import Fraction

FAILS = "a rounded score"
SLIP = "rounded-read-as-exact"


def attainable_counts(printed, n):
    return [k for k in range(n + 1) if Fraction(100 * k, n) == Fraction(printed.rstrip("%"))]
