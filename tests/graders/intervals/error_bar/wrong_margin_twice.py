"""The margin under both names."""

from math import sqrt

FAILS = "the standard error"
SLIP = "standard-error-as-margin"


def error_bar(k, n):
    p = k / n
    margin = 1.96 * sqrt(p * (1 - p) / n)
    return {"standard_error": margin, "margin": margin}
