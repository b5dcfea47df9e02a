"""A standard error of this score, with the margin that polls print."""

from math import sqrt

FAILS = "the margin"
SLIP = "worst-case-margin"


def error_bar(k, n):
    p = k / n
    return {"standard_error": sqrt(p * (1 - p) / n), "margin": 1 / sqrt(n) if 0 < k < n else 0}
