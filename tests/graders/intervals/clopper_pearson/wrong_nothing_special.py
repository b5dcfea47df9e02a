"""Forgets the two counts for which there is no beta distribution."""

from scipy.stats import beta

FAILS = "all solved, and none"
SLIP = None


def clopper_pearson(k, n, level):
    tail = (1 - level) / 2
    return beta.ppf(tail, k, n - k + 1), beta.isf(tail, k + 1, n - k)
