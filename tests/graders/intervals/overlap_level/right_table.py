"""Quantiles from a table with three decimals, and the norm of a vector."""

import numpy as np
from scipy.stats import norm


def overlap_level(se_a, se_b, level):
    table = {0.8: 1.282, 0.9: 1.645, 0.95: 1.96, 0.98: 2.326, 0.99: 2.576}
    errors = np.array([se_a, se_b])
    return 2 * norm.cdf(-table[level] * errors.sum() / np.linalg.norm(errors))
