"""Four more tasks, half of them solved, and then Wald."""

from math import sqrt

from scipy.stats import norm

FAILS = "17 of 20"
SLIP = "other-interval-taken"


def wilson(k, n, level):
    z = norm.isf((1 - level) / 2)
    p = (k + 2) / (n + 4)
    reach = z * sqrt(p * (1 - p) / (n + 4))
    return p - reach, p + reach
