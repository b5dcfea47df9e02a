"""The chance of exactly what was seen."""

from scipy.stats import binom

FAILS = "the worked table"
SLIP = "point-probability-is-p"


def mid_p(b, c):
    n, k = b + c, min(b, c)
    return binom.pmf(k, n, 0.5)
