"""Half of what was seen belongs to each tail."""

from scipy.stats import binom


def mid_p(b: int, c: int) -> float:
    """Two-sided mid-p for b and c disagreements."""
    smaller, disagreements = min(b, c), b + c
    fewer = binom.cdf(smaller - 1, disagreements, 0.5)
    exactly = binom.pmf(smaller, disagreements, 0.5)
    return float(2 * fewer + exactly)
