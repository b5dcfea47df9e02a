"""Doubles the tail and does not cap."""

from scipy.stats import binom

FAILS = "an even split"
SLIP = "p-above-one"


def exact_mcnemar(b, c):
    return 2 * float(binom.sf(max(b, c) - 1, b + c, 0.5))
