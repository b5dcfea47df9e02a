"""The whole width of the bracket."""

from math import sqrt

FAILS = "the margin"
SLIP = "width-for-margin"


def error_bar(k, n):
    p = k / n
    error = sqrt(p * (1 - p) / n)
    return {"standard_error": error, "margin": 2 * 1.96 * error}
