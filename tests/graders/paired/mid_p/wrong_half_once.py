"""Takes half the observed chance off the doubled tail, once."""

from scipy.stats import binom

FAILS = "the worked table"
SLIP = "half-point-once"


def mid_p(b, c):
    n, k = b + c, min(b, c)
    return 2 * binom.cdf(k, n, 0.5) - binom.pmf(k, n, 0.5) / 2
