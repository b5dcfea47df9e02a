"""The largest standard error, whatever the score."""

from math import sqrt

FAILS = "the standard error"
SLIP = "worst-case-margin"


def error_bar(k, n):
    error = sqrt(0.25 / n) if 0 < k < n else 0
    return {"standard_error": error, "margin": 1.96 * error}
