"""The uncapped exact p less the chance of what was seen."""

from scipy.stats import binom


def mid_p(b, c):
    k, n = max(b, c), b + c
    return min(1.0, 2 * binom.sf(k - 1, n, 0.5) - binom.pmf(k, n, 0.5))
