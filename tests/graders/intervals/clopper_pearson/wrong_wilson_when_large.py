"""Wilson, where there are many tasks."""

from scipy.stats import binomtest

FAILS = "other counts"
SLIP = None


def clopper_pearson(k, n, level):
    method = "exact" if n < 40 else "wilson"
    found = binomtest(k, n).proportion_ci(level, method=method)
    return found.low, found.high
