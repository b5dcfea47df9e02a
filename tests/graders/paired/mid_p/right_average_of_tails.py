"""Halfway between the p-value with what was seen and the one without."""

from scipy.stats import binom


def mid_p(b, c):
    k, n = min(b, c), b + c
    with_seen = 2 * binom.cdf(k, n, 0.5)
    without = 2 * binom.cdf(k - 1, n, 0.5)
    return (with_seen + without) / 2
