"""Rounds the score to whole percent first."""

from math import sqrt

FAILS = "evals of your own"
SLIP = None


def error_bar(k, n):
    p = round(k / n, 2)
    error = sqrt(p * (1 - p) / n)
    return {"standard_error": error, "margin": 1.96 * error}
