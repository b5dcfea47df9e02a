"""Gives the p-value in percent."""

from scipy.stats import binomtest

FAILS = "the worked table"
SLIP = "percent-for-share"


def exact_mcnemar(b, c):
    return 100 * binomtest(b, b + c, 0.5).pvalue if b + c else 100
