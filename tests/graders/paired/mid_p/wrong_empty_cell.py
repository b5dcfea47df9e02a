"""Treats an empty cell as a table that cannot be tested."""

from scipy.stats import binom

FAILS = "every flip went the same way"
SLIP = "empty-cell-as-no-data"


def mid_p(b, c):
    if b == 0 or c == 0:
        return 1.0
    k, n = min(b, c), b + c
    return 2 * binom.cdf(k - 1, n, 0.5) + binom.pmf(k, n, 0.5)
