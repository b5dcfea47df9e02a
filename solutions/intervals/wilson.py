"""The truths that a test does not reject, with the standard error taken at each truth."""

from math import sqrt

from scipy.stats import norm


def wilson(k: int, n: int, level: float) -> tuple[float, float]:
    """Ends of the Wilson interval for k of n, as shares."""
    z = float(norm.isf((1 - level) / 2))  # what the level leaves out, shared by two sides
    score, shrink = k / n, 1 + z**2 / n
    middle = score + z**2 / (2 * n)
    reach = z * sqrt(score * (1 - score) / n + z**2 / (4 * n**2))
    return (middle - reach) / shrink, (middle + reach) / shrink
