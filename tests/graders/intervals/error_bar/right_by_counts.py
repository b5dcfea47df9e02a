"""Right times wrong over n cubed."""

from math import sqrt


def error_bar(k, n):
    error = sqrt(k * (n - k) / n**3)
    return {"margin": 1.96 * error, "standard_error": error}
