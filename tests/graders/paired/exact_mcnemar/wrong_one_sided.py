"""One tail: the half that agrees with what was seen."""

from scipy.stats import binom

FAILS = "the worked table"
SLIP = "one-sided-after-looking"


def exact_mcnemar(b, c):
    return float(binom.cdf(min(b, c), b + c, 0.5))
