"""Takes the normal curve where disagreements are many."""

from math import sqrt

from scipy.stats import binom, norm

FAILS = "a large table"
SLIP = None


def mid_p(b, c):
    if b + c > 100:
        return 2 * norm.sf(abs(b - c) / sqrt(b + c))
    k, n = min(b, c), b + c
    return 2 * binom.cdf(k - 1, n, 0.5) + binom.pmf(k, n, 0.5)
