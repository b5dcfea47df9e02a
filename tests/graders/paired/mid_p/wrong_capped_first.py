"""Takes the observed chance off the capped exact p."""

from scipy.stats import binom

FAILS = "an even split"
SLIP = "cap-then-subtract"


def mid_p(b, c):
    n, k = b + c, min(b, c)
    return min(1.0, 2 * binom.cdf(k, n, 0.5)) - binom.pmf(k, n, 0.5)
