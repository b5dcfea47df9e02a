"""Every count may come up; some of them have an interval that holds the truth."""

from scipy.stats import binom


def coverage(low: list[float], high: list[float], p: float) -> float:
    """Chance that the interval holds p, when the truth is p."""
    n = len(low) - 1  # the lists begin with the interval of no mark right
    return sum(float(binom.pmf(k, n, p)) for k in range(n + 1) if low[k] <= p <= high[k])
