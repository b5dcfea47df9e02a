"""No disagreements, so p is set to zero."""

from scipy.stats import binomtest

FAILS = "no disagreement at all"
SLIP = "no-evidence-as-proof"


def exact_mcnemar(b, c):
    if b + c == 0:
        return 0.0
    return float(binomtest(b, b + c, 0.5).pvalue)
