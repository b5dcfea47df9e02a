"""Variances of independent scores add."""

from math import sqrt

from scipy.stats import norm


def unpaired_z(k_a: int, n_a: int, k_b: int, n_b: int) -> dict[str, list[float]]:
    """[z, two-sided p] for score A minus score B, both forms."""
    score_a, score_b = k_a / n_a, k_b / n_b
    common = (k_a + k_b) / (n_a + n_b)

    def z_and_p(share_a: float, share_b: float) -> list[float]:
        variance_a = share_a * (1 - share_a) / n_a
        variance_b = share_b * (1 - share_b) / n_b
        z = (score_a - score_b) / sqrt(variance_a + variance_b)
        return [z, 2 * float(norm.sf(abs(z)))]

    return {"unpooled": z_and_p(score_a, score_b), "pooled": z_and_p(common, common)}
