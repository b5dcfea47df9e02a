"""Refuses to say anything about fewer than four disagreements."""

from scipy.stats import binom

FAILS = "every flip went the same way"
SLIP = None


def exact_mcnemar(b, c):
    if b + c < 4:
        return 1.0
    return min(1.0, 2 * binom.cdf(min(b, c), b + c, 0.5))
