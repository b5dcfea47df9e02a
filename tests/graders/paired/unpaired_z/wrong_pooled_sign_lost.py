"""Returns the size of the pooled z without its sign."""

from math import sqrt

from scipy.stats import norm

FAILS = "B may be the one ahead"
SLIP = "reversed-difference"


def unpaired_z(k_a, n_a, k_b, n_b):
    p_a, p_b, common = k_a / n_a, k_b / n_b, (k_a + k_b) / (n_a + n_b)
    own = (p_a - p_b) / sqrt(p_a * (1 - p_a) / n_a + p_b * (1 - p_b) / n_b)
    pooled = (p_a - p_b) / sqrt(common * (1 - common) * (1 / n_a + 1 / n_b))
    return {"unpooled": [own, 2 * norm.sf(abs(own))], "pooled": [abs(pooled), 2 * norm.sf(abs(pooled))]}
