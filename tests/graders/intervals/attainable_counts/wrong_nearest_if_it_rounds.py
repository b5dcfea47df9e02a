"""The nearest count, if it is printed so."""

FAILS = "a rounded score"
SLIP = "one-count-for-a-score"


def attainable_counts(printed, n):
    digits = printed.rstrip("%")
    decimals = len(digits.partition(".")[2])
    k = round(float(digits) * n / 100)
    return [k] if f"{100 * k / n:.{decimals}f}" == digits else []
