"""Takes A for the one ahead."""

import numpy as np

FAILS = "B may be the one ahead"
SLIP = "direction-fixed"


def paired_bootstrap(a, b, resamples):
    a, b, rows = np.array(a), np.array(b), np.array(resamples)
    gaps = (a - b)[rows].mean(axis=1)
    low, high = np.quantile(gaps, [0.025, 0.975])
    return sorted([abs(low), abs(high)]) if low * high > 0 else [low, high]
