"""Two means, subtracted, and NumPy's percentiles."""

import numpy as np


def paired_bootstrap(a, b, resamples):
    marks = np.array([a, b])[:, np.array(resamples)]
    mean_a, mean_b = marks.mean(axis=-1)
    return np.percentile(mean_a - mean_b, [2.5, 97.5])
