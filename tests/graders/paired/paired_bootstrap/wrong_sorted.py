"""Rebuilds the marks from the totals."""

import numpy as np

FAILS = "the worked table"
SLIP = "scores-determine-the-table"


def paired_bootstrap(a, b, resamples):
    a, b, rows = np.sort(a)[::-1], np.sort(b)[::-1], np.array(resamples)
    gaps = a[rows].mean(axis=1) - b[rows].mean(axis=1)
    return np.quantile(gaps, [0.025, 0.975])
