"""Wilson's middle, and Wald's reach around it."""

from math import sqrt

from scipy.stats import norm

FAILS = "17 of 20"
SLIP = "other-interval-taken"


def wilson(k, n, level):
    z = norm.isf((1 - level) / 2)
    more = n + z**2
    p = (k + z**2 / 2) / more
    reach = z * sqrt(p * (1 - p) / more)
    return p - reach, p + reach
