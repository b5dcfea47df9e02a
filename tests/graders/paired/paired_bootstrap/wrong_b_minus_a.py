"""B minus A."""

import numpy as np

FAILS = "the worked table"
SLIP = "reversed-difference"


def paired_bootstrap(a, b, resamples):
    a, b, rows = np.array(a), np.array(b), np.array(resamples)
    gaps = b[rows].mean(axis=1) - a[rows].mean(axis=1)
    return np.quantile(gaps, [0.025, 0.975])
