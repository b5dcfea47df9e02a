"""Leaves what was seen out of both tails."""

from scipy.stats import binom

FAILS = "the worked table"
SLIP = "tail-without-observed"


def mid_p(b, c):
    n, k = b + c, min(b, c)
    return 2 * binom.cdf(k - 1, n, 0.5) if b != c else 1.0
