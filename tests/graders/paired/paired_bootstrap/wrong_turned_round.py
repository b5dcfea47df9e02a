"""Turns the interval round the estimate."""

import numpy as np

FAILS = "marks of your own"
SLIP = None


def paired_bootstrap(a, b, resamples):
    a, b, rows = np.array(a), np.array(b), np.array(resamples)
    gaps = (a - b)[rows].mean(axis=1)
    low, high = np.quantile(gaps, [0.025, 0.975])
    gap = (a - b).mean()
    return [2 * gap - high, 2 * gap - low]
