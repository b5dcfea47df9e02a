"""The bell curve around the score, cut at the ends of the scale."""

from math import sqrt

from scipy.stats import norm

FAILS = "17 of 20"
SLIP = "error-at-the-score"


def wilson(k, n, level):
    z = norm.isf((1 - level) / 2)
    p = k / n
    reach = z * sqrt(p * (1 - p) / n)
    return max(0, p - reach), min(1, p + reach)
