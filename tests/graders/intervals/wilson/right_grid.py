"""The grid of the chapter."""

import numpy as np
from scipy.stats import norm


def wilson(k, n, level):
    z = 1.96 if level == 0.95 else norm.isf((1 - level) / 2)
    truths = np.arange(0.0001, 1, 0.0001)
    distance = (k / n - truths) / np.sqrt(truths * (1 - truths) / n)
    kept = truths[np.abs(distance) <= z]
    return kept.min(), kept.max()
