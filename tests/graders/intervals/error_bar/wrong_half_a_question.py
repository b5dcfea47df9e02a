"""Moves a perfect score by half a question."""

from math import sqrt

FAILS = "no question right, and all of them"
SLIP = None


def error_bar(k, n):
    p = min(max(k, 0.5), n - 0.5) / n
    error = sqrt(p * (1 - p) / n)
    return {"standard_error": error, "margin": 1.96 * error}
