"""The standard error of a share, and 1.96 of them."""

from math import sqrt

from scipy.stats import norm


def error_bar(k: int, n: int) -> dict[str, float]:
    """Standard error and 95% margin of the score k / n, as shares."""
    score = k / n
    standard_error = sqrt(score * (1 - score) / n)
    return {"standard_error": standard_error, "margin": float(norm.isf(0.025)) * standard_error}
