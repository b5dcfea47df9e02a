"""Makes nothing of what is no number."""

import numpy as np
from scipy.stats import beta

FAILS = "all solved, and none"
SLIP = None


def clopper_pearson(k, n, level):
    tail = (1 - level) / 2
    return np.nan_to_num([beta.ppf(tail, k, n - k + 1), beta.isf(tail, k + 1, n - k)])
