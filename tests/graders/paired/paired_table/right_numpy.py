"""Aligned arrays and their sums, as floating-point counts."""

import numpy as np


def paired_table(a, b):
    shared = [item for item in b if item in a]
    x = np.array([a[item] for item in shared], dtype=float)
    y = np.array([b[item] for item in shared], dtype=float)
    both = x @ y
    return {"neither": (1 - x) @ (1 - y), "b_only": y.sum() - both, "a_only": x.sum() - both, "both": both}
