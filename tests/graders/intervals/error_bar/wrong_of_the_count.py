"""The standard error of the count."""

from math import sqrt

FAILS = "the standard error"
SLIP = None


def error_bar(k, n):
    p = k / n
    error = sqrt(n * p * (1 - p))
    return {"standard_error": error, "margin": 1.96 * error}
