"""The large-sample form, called exact."""

from scipy.stats import chi2

FAILS = "the worked table"
SLIP = "chi-square-at-few-flips"


def exact_mcnemar(b, c):
    return float(chi2.sf((b - c) ** 2 / (b + c), 1)) if b + c else 1.0
