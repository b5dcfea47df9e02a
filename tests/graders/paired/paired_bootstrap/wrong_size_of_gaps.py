"""Takes the size of the differences without their sign."""

import numpy as np

FAILS = "marks of your own"
SLIP = None


def paired_bootstrap(a, b, resamples):
    a, b, rows = np.array(a), np.array(b), np.array(resamples)
    gaps = (a - b)[rows].mean(axis=1)
    return np.quantile(abs(gaps), [0.025, 0.975])
