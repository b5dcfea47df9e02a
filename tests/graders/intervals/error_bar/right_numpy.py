"""The standard deviation of the marks over the root of their number."""

import numpy as np
from scipy.stats import norm


def error_bar(k, n):
    marks = np.repeat([1, 0], [k, n - k])
    error = marks.std() / np.sqrt(n)
    return dict(standard_error=error, margin=norm.ppf(0.975) * error)
