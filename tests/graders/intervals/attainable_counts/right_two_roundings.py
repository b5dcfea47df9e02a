"""Both ways of rounding, in decimals."""

from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal


def attainable_counts(printed, n):
    said = Decimal(printed[:-1])

    def printed_so(k):
        percent = Decimal(100 * k) / n
        return said in (percent.quantize(said, ROUND_HALF_UP), percent.quantize(said, ROUND_HALF_DOWN))

    return list(filter(printed_so, range(n + 1)))
