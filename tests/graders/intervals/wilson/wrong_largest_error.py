"""The largest standard error, whatever the truth."""

from math import sqrt

from scipy.stats import norm

FAILS = "17 of 20"
SLIP = "worst-case-error-in-test"


def wilson(k, n, level):
    z = norm.isf((1 - level) / 2)
    reach = z * sqrt(0.25 / n)
    return max(0, k / n - reach), min(1, k / n + reach)
