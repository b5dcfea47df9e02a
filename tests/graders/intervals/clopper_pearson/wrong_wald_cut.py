"""The bell curve around the score, cut at the ends of the scale."""

from math import sqrt

from scipy.stats import norm

FAILS = "17 of 20"
SLIP = "other-interval-taken"


def clopper_pearson(k, n, level):
    p = k / n
    reach = norm.isf((1 - level) / 2) * sqrt(p * (1 - p) / n)
    return max(0, p - reach), min(1, p + reach)
