"""Half of .95 beyond each end."""

from math import sqrt

from scipy.stats import norm

FAILS = "the margin"
SLIP = "level-and-alpha-exchanged"


def error_bar(k, n):
    p = k / n
    error = sqrt(p * (1 - p) / n)
    return {"standard_error": error, "margin": norm.isf(0.95 / 2) * error}
