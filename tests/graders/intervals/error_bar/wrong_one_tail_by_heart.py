"""Five percent beyond each end, from memory."""

from math import sqrt

FAILS = "the margin"
SLIP = "tails-too-wide"


def error_bar(k, n):
    p = k / n
    error = sqrt(p * (1 - p) / n)
    return {"standard_error": error, "margin": 1.645 * error}
