"""Allows a whole point."""

FAILS = "a score between the steps"
SLIP = "score-between-the-steps"


def attainable_counts(printed, n):
    return [k for k in range(n + 1) if abs(100 * k / n - float(printed.rstrip("%"))) <= 1]
