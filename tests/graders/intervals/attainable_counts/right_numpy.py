"""Vectors, and a little room for what floating point loses."""

import numpy as np


def attainable_counts(printed, n):
    digits = printed.rstrip("%")
    decimals = len(digits.partition(".")[2])
    k = np.arange(n + 1)
    return k[np.abs(100 * k / n - float(digits)) <= 0.5 / 10**decimals + 1e-9]
