"""The two numbers under each other's name."""

from math import sqrt

FAILS = "the standard error"
SLIP = "standard-error-as-margin"


def error_bar(k, n):
    p = k / n
    error = sqrt(p * (1 - p) / n)
    return {"standard_error": 1.96 * error, "margin": error}
