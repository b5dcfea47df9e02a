"""The grid of the chapter."""

import numpy as np
from scipy.stats import binom


def clopper_pearson(k, n, level):
    tail = (1 - level) / 2
    truths = np.arange(0.0001, 1, 0.0001)
    kept = truths[(binom.sf(k - 1, n, truths) >= tail) & (binom.cdf(k, n, truths) >= tail)]
    return kept.min(), kept.max()
