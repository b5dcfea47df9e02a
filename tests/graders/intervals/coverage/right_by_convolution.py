"""One mark after another."""

import numpy as np


def coverage(low, high, p):
    chances = np.array([1.0])
    for _ in low[1:]:
        chances = np.convolve(chances, [1 - p, p])
    return np.float64(sum(c for c, a, b in zip(chances, low, high, strict=True) if a <= p <= b))
