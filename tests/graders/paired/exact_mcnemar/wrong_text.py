"""Formats the p-value before it is returned."""

from scipy.stats import binomtest

FAILS = "the worked table"
SLIP = "text-for-number"


def exact_mcnemar(b, c):
    return f"{binomtest(b, b + c, 0.5).pvalue:.4f}" if b + c else "1"
