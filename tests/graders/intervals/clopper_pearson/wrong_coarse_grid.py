"""Asks a thousand truths."""

import numpy as np
from scipy.stats import binom

FAILS = "17 of 20"
SLIP = None


def clopper_pearson(k, n, level):
    tail = (1 - level) / 2
    truths = np.linspace(0, 1, 1001)
    kept = truths[(binom.sf(k - 1, n, truths) >= tail) & (binom.cdf(k, n, truths) >= tail)]
    return kept.min(), kept.max()
