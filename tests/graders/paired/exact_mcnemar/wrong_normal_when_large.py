"""Takes the normal curve where disagreements are many."""

from math import sqrt

from scipy.stats import binom, norm

FAILS = "a large table"
SLIP = None


def exact_mcnemar(b, c):
    if b + c > 100:
        return 2 * norm.sf((abs(b - c) - 1) / sqrt(b + c))
    return min(1.0, 2 * binom.cdf(min(b, c), b + c, 0.5))
