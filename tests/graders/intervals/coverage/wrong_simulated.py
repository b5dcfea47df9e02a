"""A hundred thousand evals instead of a sum."""

import numpy as np

FAILS = "the brackets of the chapter"
SLIP = None


def coverage(low, high, p):
    n = len(low) - 1
    k = np.random.default_rng(1).binomial(n, p, 100_000)
    return np.mean((np.array(low)[k] <= p) & (p <= np.array(high)[k]))
