"""Takes the nearest resample in place of a quantile between two."""

import numpy as np

FAILS = "marks of your own"
SLIP = None


def paired_bootstrap(a, b, resamples):
    a, b, rows = np.array(a), np.array(b), np.array(resamples)
    gaps = (a - b)[rows].mean(axis=1)
    return np.quantile(gaps, [0.025, 0.975], method="nearest")
