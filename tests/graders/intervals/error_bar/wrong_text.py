"""Formats the two numbers."""

from math import sqrt

FAILS = "the standard error"
SLIP = "text-for-number"


def error_bar(k, n):
    p = k / n
    error = sqrt(p * (1 - p) / n)
    return {"standard_error": f"{error:.4f}", "margin": f"{1.96 * error:.4f}"}
