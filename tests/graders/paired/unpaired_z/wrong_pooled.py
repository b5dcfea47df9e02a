"""The pooled form, which is another test."""

from math import sqrt

from scipy.stats import norm

FAILS = "the worked scores"
SLIP = "pooled-for-unpooled"


def unpaired_z(k_a, n_a, k_b, n_b):
    p_a, p_b = k_a / n_a, k_b / n_b
    common = (k_a + k_b) / (n_a + n_b)
    z = (p_a - p_b) / sqrt(common * (1 - common) * (1 / n_a + 1 / n_b))
    return [z, 2 * norm.sf(abs(z))]
