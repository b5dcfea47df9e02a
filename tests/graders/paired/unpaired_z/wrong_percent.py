"""Gives the p-values in percent, beside a right z."""

from math import hypot
from statistics import NormalDist

FAILS = "the unpooled form"
SLIP = "percent-for-share"


def unpaired_z(k_a, n_a, k_b, n_b):
    def z_and_p(share_a, share_b):
        error_a = (share_a * (1 - share_a) / n_a) ** 0.5
        error_b = (share_b * (1 - share_b) / n_b) ** 0.5
        z = (k_a / n_a - k_b / n_b) / hypot(error_a, error_b)
        return z, 200 * NormalDist().cdf(-abs(z))

    common = (k_a + k_b) / (n_a + n_b)
    return {"pooled": z_and_p(common, common), "unpooled": z_and_p(k_a / n_a, k_b / n_b)}
