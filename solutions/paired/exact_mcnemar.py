"""Under the null every disagreement is a fair coin."""

from scipy.stats import binom


def exact_mcnemar(b: int, c: int) -> float:
    """Two-sided exact p-value for b and c disagreements."""
    one_tail = float(binom.cdf(min(b, c), b + c, 0.5))
    # at an even split, or without any coins, the two tails overlap
    return min(1.0, 2 * one_tail)
