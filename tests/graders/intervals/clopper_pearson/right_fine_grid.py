"""Asks twenty thousand truths."""

import numpy as np
from scipy.stats import binom


def clopper_pearson(k, n, level):
    tail = (1 - level) / 2
    truths = np.linspace(0, 1, 20_001)
    kept = truths[(binom.sf(k - 1, n, truths) >= tail) & (binom.cdf(k, n, truths) >= tail)]
    return np.array([kept.min(), kept.max()])
