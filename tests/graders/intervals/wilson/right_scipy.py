"""SciPy's Wilson interval."""

from scipy.stats import binomtest


def wilson(k, n, level):
    found = binomtest(k, n).proportion_ci(level, method="wilson")
    return [found.low, found.high]
