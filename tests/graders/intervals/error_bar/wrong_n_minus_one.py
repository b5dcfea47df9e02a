"""Divides by one less, as stats.sem does."""

import numpy as np
from scipy.stats import sem

FAILS = "the standard error"
SLIP = "n-minus-one"


def error_bar(k, n):
    error = sem(np.repeat([1, 0], [k, n - k])) if n > 1 else 0
    return {"standard_error": error, "margin": 1.96 * error}
