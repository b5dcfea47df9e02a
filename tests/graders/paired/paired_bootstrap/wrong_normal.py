"""Plus and minus 1.96 standard deviations of the resamples."""

import numpy as np

FAILS = "the worked table"
SLIP = "normal-for-percentile"


def paired_bootstrap(a, b, resamples):
    a, b, rows = np.array(a), np.array(b), np.array(resamples)
    gaps = a[rows].mean(axis=1) - b[rows].mean(axis=1)
    return [a.mean() - b.mean() + side * 1.96 * gaps.std() for side in (-1, 1)]
