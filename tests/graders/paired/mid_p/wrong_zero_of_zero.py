"""No disagreements, so p is set to zero."""

from scipy.stats import binom

FAILS = "no disagreement at all"
SLIP = "no-evidence-as-proof"


def mid_p(b, c):
    n, k = b + c, min(b, c)
    if n == 0:
        return 0.0
    return 2 * binom.cdf(k - 1, n, 0.5) + binom.pmf(k, n, 0.5)
