"""One tail."""

from math import sqrt

from scipy.stats import norm

FAILS = "the worked scores"
SLIP = "one-sided-after-looking"


def unpaired_z(k_a, n_a, k_b, n_b):
    p_a, p_b = k_a / n_a, k_b / n_b
    z = (p_a - p_b) / sqrt(p_a * (1 - p_a) / n_a + p_b * (1 - p_b) / n_b)
    return [z, norm.sf(abs(z))]
