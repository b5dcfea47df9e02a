"""Takes the quantile from Student's t."""

from math import sqrt

from scipy.stats import t

FAILS = "the margin"
SLIP = None


def error_bar(k, n):
    p = k / n
    error = sqrt(p * (1 - p) / n)
    return {"standard_error": error, "margin": t.isf(0.025, n - 1) * error if n > 1 else 0}
