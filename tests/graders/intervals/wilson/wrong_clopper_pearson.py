"""The interval that SciPy gives unless it is asked for another."""

from scipy.stats import binomtest

FAILS = "17 of 20"
SLIP = "other-interval-taken"


def wilson(k, n, level):
    exact = binomtest(k, n).proportion_ci(level)
    return exact.low, exact.high
