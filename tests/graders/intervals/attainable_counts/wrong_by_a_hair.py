"""Compares shares in floating point, where a tie may lie on either side."""

FAILS = "a tie"
SLIP = "tie-rounded-one-way"


def attainable_counts(printed, n):
    digits = printed.rstrip("%")
    decimals = len(digits.partition(".")[2])
    return [k for k in range(n + 1) if abs(k / n - float(digits) / 100) <= 0.005 / 10**decimals]
