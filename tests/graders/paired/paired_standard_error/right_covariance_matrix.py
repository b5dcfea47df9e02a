"""The covariance matrix and the contrast (1, -1)."""

import numpy as np


def paired_standard_error(both, a_only, b_only, neither):
    counts = np.array([both, a_only, b_only, neither])
    marks = np.array([[1, 1, 0, 0], [1, 0, 1, 0]])
    matrix = np.cov(marks, fweights=counts, bias=True) / counts.sum()
    contrast = np.array([1, -1])
    return {"paired": np.sqrt(max(contrast @ matrix @ contrast, 0)), "independent": np.sqrt(np.trace(matrix))}
