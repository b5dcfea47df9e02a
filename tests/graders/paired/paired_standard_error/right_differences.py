"""The differences themselves, and NumPy's standard deviation."""

import numpy as np


def paired_standard_error(both, a_only, b_only, neither):
    counts = [both, a_only, b_only, neither]
    a, b = np.repeat([1, 1, 0, 0], counts), np.repeat([1, 0, 1, 0], counts)
    return {"paired": np.std(a - b) / np.sqrt(len(a)), "independent": np.sqrt((np.var(a) + np.var(b)) / len(a))}
