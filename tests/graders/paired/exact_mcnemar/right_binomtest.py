"""SciPy's own exact binomial test."""

from scipy.stats import binomtest


def exact_mcnemar(b, c):
    return binomtest(b, b + c, 0.5).pvalue if b + c else 1
