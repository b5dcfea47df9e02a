"""Compares percentages in floating point, where a tie may lie on either side."""

FAILS = "a tie"
SLIP = "tie-rounded-one-way"


def attainable_counts(printed, n):
    digits = printed.rstrip("%")
    decimals = len(digits.partition(".")[2])
    return [k for k in range(n + 1) if abs(100 * k / n - float(digits)) <= 0.5 / 10**decimals]
