"""Falls back on the exact p-value where a cell is empty."""

from scipy.stats import binom

FAILS = "every flip went the same way"
SLIP = None


def mid_p(b, c):
    if b == 0 or c == 0:
        return min(1.0, 2 * binom.cdf(0, b + c, 0.5))
    k, n = min(b, c), b + c
    return 2 * binom.cdf(k - 1, n, 0.5) + binom.pmf(k, n, 0.5)
