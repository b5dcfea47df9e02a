"""Under the null every disagreement is a fair coin; count how uneven the coins fell."""

from scipy.stats import binom


def exact_mcnemar(b: int, c: int) -> float:
    """Two-sided exact McNemar p-value from the two discordant counts."""
    one_tail = float(binom.cdf(min(b, c), b + c, 0.5))
    return min(1.0, 2 * one_tail)  # an even split, or no coins: the tails overlap, and nothing speaks against the null
