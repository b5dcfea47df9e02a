"""Prints each count as Python does."""

FAILS = "a tie"
SLIP = "tie-rounded-one-way"


def attainable_counts(printed, n):
    digits = printed.rstrip("%")
    decimals = len(digits.partition(".")[2])
    return [k for k in range(n + 1) if f"{100 * k / n:.{decimals}f}" == digits]
