"""Builds the 0/1 vectors and lets NumPy take their variances; the square of z is chi-square."""

import numpy as np
from scipy.stats import chi2


def unpaired_z(k_a, n_a, k_b, n_b):
    a = np.repeat([1.0, 0.0], [k_a, n_a - k_a])
    b = np.repeat([1.0, 0.0], [k_b, n_b - k_b])
    everything = np.concatenate([a, b])
    variances = {"unpooled": a.var() / n_a + b.var() / n_b, "pooled": everything.var() / n_a + everything.var() / n_b}
    z = {name: (a.mean() - b.mean()) / np.sqrt(variance) for name, variance in variances.items()}
    return {name: np.array([value, chi2.sf(value**2, 1)]) for name, value in z.items()}
