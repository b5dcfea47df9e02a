"""Divides both variances by the size of set A."""

from math import sqrt

from scipy.stats import norm

FAILS = "two sets of different size"
SLIP = "one-n-for-both"


def unpaired_z(k_a, n_a, k_b, n_b):
    p_a, p_b = k_a / n_a, k_b / n_b
    z = (p_a - p_b) / sqrt((p_a * (1 - p_a) + p_b * (1 - p_b)) / n_a)
    return [z, 2 * norm.sf(abs(z))]
