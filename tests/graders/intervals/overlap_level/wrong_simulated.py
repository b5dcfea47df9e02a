"""Ten thousand pairs of scores."""

import numpy as np
from scipy.stats import norm

FAILS = "two equal standard errors"
SLIP = None


def overlap_level(se_a, se_b, level):
    z = norm.isf((1 - level) / 2)
    random = np.random.default_rng(2)
    gap = se_a * random.normal(size=10_000) - se_b * random.normal(size=10_000)
    return np.mean(np.abs(gap) > z * (se_a + se_b))
