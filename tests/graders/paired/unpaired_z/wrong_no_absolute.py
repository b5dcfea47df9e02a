"""Doubles the upper tail, whichever side z is on."""

from math import sqrt

from scipy.stats import norm

FAILS = "B may be the one ahead"
SLIP = "p-above-one"


def unpaired_z(k_a, n_a, k_b, n_b):
    p_a, p_b, common = k_a / n_a, k_b / n_b, (k_a + k_b) / (n_a + n_b)
    own = sqrt(p_a * (1 - p_a) / n_a + p_b * (1 - p_b) / n_b)
    pooled = sqrt(common * (1 - common) * (1 / n_a + 1 / n_b))

    def z_and_p(error):
        z = (p_a - p_b) / error
        return [z, 2 * norm.sf(z)]

    return {"unpooled": z_and_p(own), "pooled": z_and_p(pooled)}
