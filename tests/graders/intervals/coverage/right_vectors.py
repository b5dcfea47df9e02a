"""One line of NumPy."""

import numpy as np
from scipy.stats import binom


def coverage(low, high, p):
    low, high = np.array(low), np.array(high)
    chances = binom.pmf(np.arange(low.size), low.size - 1, p)
    return chances[(low <= p) & (p <= high)].sum()
