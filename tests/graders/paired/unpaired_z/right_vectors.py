"""Builds the 0/1 vectors and lets NumPy take their variances; the square of z is chi-square."""

import numpy as np
from scipy.stats import chi2


def unpaired_z(k_a, n_a, k_b, n_b):
    a = np.repeat([1.0, 0.0], [k_a, n_a - k_a])
    b = np.repeat([1.0, 0.0], [k_b, n_b - k_b])
    z = (a.mean() - b.mean()) / np.sqrt(a.var() / len(a) + b.var() / len(b))
    return np.array([z, chi2.sf(z**2, 1)])
