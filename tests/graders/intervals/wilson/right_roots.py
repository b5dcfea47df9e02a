"""The roots of the quadratic equation."""

import numpy as np
from scipy.stats import norm


def wilson(k, n, level):
    z = norm.isf((1 - level) / 2)
    p = k / n
    roots = np.roots([1 + z**2 / n, -(2 * p + z**2 / n), p**2])
    return np.sort(roots.real)
