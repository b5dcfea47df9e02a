"""The count below."""

FAILS = "a score between the steps"
SLIP = "score-between-the-steps"


def attainable_counts(printed, n):
    return [int(float(printed.rstrip("%")) * n / 100)]
