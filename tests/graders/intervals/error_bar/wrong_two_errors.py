"""Rounds 1.96 to 2."""

from math import sqrt

FAILS = "the margin"
SLIP = None


def error_bar(k, n):
    p = k / n
    error = sqrt(p * (1 - p) / n)
    return {"standard_error": error, "margin": 2 * error}
