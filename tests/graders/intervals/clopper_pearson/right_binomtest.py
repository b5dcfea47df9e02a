"""SciPy's exact interval."""

from scipy.stats import binomtest


def clopper_pearson(k, n, level):
    exact = binomtest(k, n).proportion_ci(confidence_level=level)
    return exact
