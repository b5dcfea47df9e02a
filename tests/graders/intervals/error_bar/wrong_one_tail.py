"""Five percent beyond each end."""

from math import sqrt

from scipy.stats import norm

FAILS = "the margin"
SLIP = "tails-too-wide"


def error_bar(k, n):
    p = k / n
    error = sqrt(p * (1 - p) / n)
    return {"standard_error": error, "margin": norm.isf(0.05) * error}
