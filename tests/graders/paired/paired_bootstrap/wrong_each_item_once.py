"""Counts an item once, however often it was drawn."""

import numpy as np

FAILS = "the worked table"
SLIP = None


def paired_bootstrap(a, b, resamples):
    gaps = [np.mean([a[i] - b[i] for i in set(rows)]) for rows in resamples]
    return np.quantile(gaps, [0.025, 0.975])
