"""Gives each system resamples of its own."""

import numpy as np

FAILS = "two systems with the same marks"
SLIP = "arms-resampled-apart"


def paired_bootstrap(a, b, resamples):
    a, b, rows = np.array(a), np.array(b), np.array(resamples)
    gaps = a[rows].mean(axis=1) - b[rows[::-1]].mean(axis=1)
    return np.quantile(gaps, [0.025, 0.975])
