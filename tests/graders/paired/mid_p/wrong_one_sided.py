"""The mid-p of one tail."""

from scipy.stats import binom

FAILS = "the worked table"
SLIP = "one-sided-after-looking"


def mid_p(b, c):
    n, k = b + c, min(b, c)
    return binom.cdf(k - 1, n, 0.5) + binom.pmf(k, n, 0.5) / 2
