"""The standard error under both names."""

from math import sqrt

FAILS = "the margin"
SLIP = "standard-error-as-margin"


def error_bar(k, n):
    p = k / n
    error = sqrt(p * (1 - p) / n)
    return {"standard_error": error, "margin": error}
