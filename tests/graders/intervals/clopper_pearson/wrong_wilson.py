"""The other good interval."""

from scipy.stats import binomtest

FAILS = "17 of 20"
SLIP = "other-interval-taken"


def clopper_pearson(k, n, level):
    found = binomtest(k, n).proportion_ci(level, method="wilson")
    return found.low, found.high
