"""Points, counted in fractions: rounding, and how they are written."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import floor

CENT = Fraction(1, 100)


def late_penalty(earned: Fraction, total: Fraction, share_of_total_per_day: Fraction, days: int) -> Fraction:
    """What lateness takes: a share of the total for each day begun, and never more than was earned.

    Two days late at a tenth a day, 15 of 20 points lose 4; and 3 of 20 lose all 3:

    >>> late_penalty(Fraction(15), Fraction(20), Fraction(1, 10), days=2)
    Fraction(4, 1)
    >>> late_penalty(Fraction(3), Fraction(20), Fraction(1, 10), days=2)
    Fraction(3, 1)
    """
    return min(earned, days * share_of_total_per_day * total)


def round_half_up(value: Fraction, step: Fraction) -> Fraction:
    """The nearest whole number of steps; from the middle between two, upwards.

    >>> round_half_up(Fraction("2.25"), Fraction("0.5")), round_half_up(Fraction(4, 3), Fraction("0.01"))
    (Fraction(5, 2), Fraction(133, 100))
    """
    return floor(value / step + Fraction(1, 2)) * step


def decimal_text(value: Fraction) -> str:
    """`value` as a decimal: exact where it has an end, else rounded to hundredths.

    >>> decimal_text(Fraction(5, 2)), decimal_text(Fraction(4, 3)), decimal_text(Fraction(20))
    ('2.5', '1.33', '20')
    """
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    if Fraction(exact) != value:
        rounded = round_half_up(value, CENT)
        exact = Decimal(rounded.numerator) / Decimal(rounded.denominator)
    return f"{exact:f}"
