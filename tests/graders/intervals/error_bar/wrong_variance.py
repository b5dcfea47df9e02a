"""Forgets the root."""

FAILS = "the standard error"
SLIP = "root-left-out"


def error_bar(k, n):
    p = k / n
    error = p * (1 - p) / n
    return {"standard_error": error, "margin": 1.96 * error}
