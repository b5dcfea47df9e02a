"""The spread of one mark, not of the mean."""

from math import sqrt

FAILS = "the standard error"
SLIP = "sd-for-se"


def error_bar(k, n):
    p = k / n
    error = sqrt(p * (1 - p))
    return {"standard_error": error, "margin": 1.96 * error}
