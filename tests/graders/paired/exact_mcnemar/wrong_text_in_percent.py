"""Formats the p-value as percent."""

from scipy.stats import binomtest

FAILS = "the worked table"
SLIP = "percent-for-share"


def exact_mcnemar(b, c):
    return f"{binomtest(b, b + c, 0.5).pvalue:.2%}" if b + c else "100%"
