"""Asks a hundred thousand truths."""

import numpy as np
from scipy.stats import norm


def wilson(k, n, level):
    truths = np.linspace(0, 1, 100_001)
    distance = np.abs(k / n - truths)
    kept = truths[distance <= norm.isf((1 - level) / 2) * np.sqrt(truths * (1 - truths) / n)]
    return kept.min(), kept.max()
