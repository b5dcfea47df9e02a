"""Refuses to say anything about fewer than four disagreements."""

from scipy.stats import binom

FAILS = "every flip went the same way"
SLIP = None


def mid_p(b, c):
    if b + c < 4:
        return 1.0
    k, n = min(b, c), b + c
    return 2 * binom.cdf(k - 1, n, 0.5) + binom.pmf(k, n, 0.5)
