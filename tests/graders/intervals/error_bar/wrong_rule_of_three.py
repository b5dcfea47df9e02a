"""Puts three over n where the formula gives nothing."""

from math import sqrt

FAILS = "no question right, and all of them"
SLIP = None


def error_bar(k, n):
    p = k / n
    error = sqrt(p * (1 - p) / n)
    margin = 1.96 * error if 0 < k < n else 3 / n
    return {"standard_error": error, "margin": margin}
