"""Cuts five per cent at each end."""

import numpy as np

FAILS = "the worked table"
SLIP = "tails-too-wide"


def paired_bootstrap(a, b, resamples):
    a, b, rows = np.array(a), np.array(b), np.array(resamples)
    gaps = a[rows].mean(axis=1) - b[rows].mean(axis=1)
    return np.quantile(gaps, [0.05, 0.95])
