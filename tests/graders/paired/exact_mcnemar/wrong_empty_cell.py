"""Treats an empty cell as a table that cannot be tested."""

from scipy.stats import binomtest

FAILS = "every flip went the same way"
SLIP = "empty-cell-as-no-data"


def exact_mcnemar(b, c):
    if b == 0 or c == 0:
        return 1.0
    return float(binomtest(b, b + c, 0.5).pvalue)
