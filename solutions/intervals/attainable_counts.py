"""Rounding moves a number by at most half a unit of its last place."""

from fractions import Fraction


def attainable_counts(printed: str, n: int) -> list[int]:
    """Counts of n whose rounded percentage is the printed one."""
    digits = printed.rstrip("%")
    decimals = len(digits.partition(".")[2])
    reach = Fraction(1, 2 * 10**decimals)
    return [k for k in range(n + 1) if abs(Fraction(100 * k, n) - Fraction(digits)) <= reach]
