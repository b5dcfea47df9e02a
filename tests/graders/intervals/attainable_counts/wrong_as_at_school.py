"""A tie goes up."""

from decimal import ROUND_HALF_UP, Decimal

FAILS = "a tie"
SLIP = "tie-rounded-one-way"


def attainable_counts(printed, n):
    digits = printed.rstrip("%")
    decimals = len(digits.partition(".")[2])
    unit = Decimal(1).scaleb(-decimals)
    return [k for k in range(n + 1) if (Decimal(100 * k) / n).quantize(unit, ROUND_HALF_UP) == Decimal(digits)]
