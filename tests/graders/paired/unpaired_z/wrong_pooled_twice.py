"""The pooled form under both names."""

from math import sqrt

from scipy.stats import norm

FAILS = "the unpooled form"
SLIP = "pooled-for-unpooled"


def unpaired_z(k_a, n_a, k_b, n_b):
    p_a, p_b, common = k_a / n_a, k_b / n_b, (k_a + k_b) / (n_a + n_b)
    pooled = sqrt(common * (1 - common) * (1 / n_a + 1 / n_b))

    def z_and_p(error):
        z = (p_a - p_b) / error
        return [z, 2 * norm.sf(abs(z))]

    return {"unpooled": z_and_p(pooled), "pooled": z_and_p(pooled)}
