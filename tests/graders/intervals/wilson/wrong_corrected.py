"""SciPy's Wilson with a continuity correction."""

from scipy.stats import binomtest

FAILS = "17 of 20"
SLIP = "other-interval-taken"


def wilson(k, n, level):
    found = binomtest(k, n).proportion_ci(level, method="wilsoncc")
    return found.low, found.high
