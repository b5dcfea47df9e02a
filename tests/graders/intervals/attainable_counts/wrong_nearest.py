"""The nearest count."""

FAILS = "a score between the steps"
SLIP = "score-between-the-steps"


def attainable_counts(printed, n):
    return [round(float(printed.rstrip("%")) * n / 100)]
