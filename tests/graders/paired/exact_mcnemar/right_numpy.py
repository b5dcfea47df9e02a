"""Pascal's triangle by convolution."""

import numpy as np


def exact_mcnemar(b, c):
    chances = np.array([1.0])
    for _ in range(b + c):
        chances = np.convolve(chances, [0.5, 0.5])
    return np.minimum(1.0, 2 * chances[: min(b, c) + 1].sum())
