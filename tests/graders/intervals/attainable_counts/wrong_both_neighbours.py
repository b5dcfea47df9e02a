"""The counts to both sides."""

from math import ceil, floor

FAILS = "a score between the steps"
SLIP = "score-between-the-steps"


def attainable_counts(printed, n):
    share = float(printed.rstrip("%")) * n / 100
    return sorted({floor(share), ceil(share)})
