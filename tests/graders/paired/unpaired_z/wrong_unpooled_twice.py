"""The unpooled form under both names."""

from math import sqrt

from scipy.stats import norm

FAILS = "the pooled form"
SLIP = "pooled-for-unpooled"


def unpaired_z(k_a, n_a, k_b, n_b):
    p_a, p_b = k_a / n_a, k_b / n_b
    own = sqrt(p_a * (1 - p_a) / n_a + p_b * (1 - p_b) / n_b)

    def z_and_p(error):
        z = (p_a - p_b) / error
        return [z, 2 * norm.sf(abs(z))]

    return {"unpooled": z_and_p(own), "pooled": z_and_p(own)}
