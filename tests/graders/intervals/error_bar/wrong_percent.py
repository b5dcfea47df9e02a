"""In points, where shares were asked for."""

from math import sqrt

FAILS = "the standard error"
SLIP = "percent-for-share"


def error_bar(k, n):
    p = k / n
    error = 100 * sqrt(p * (1 - p) / n)
    return {"standard_error": error, "margin": 1.96 * error}
