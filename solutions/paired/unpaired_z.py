"""Variances of independent scores add; the gap is measured in standard errors of the gap."""

from math import sqrt

from scipy.stats import norm


def unpaired_z(k_a: int, n_a: int, k_b: int, n_b: int) -> dict[str, list[float]]:
    """[z, two-sided p] for score A minus score B from two separate sets of questions, unpooled and pooled."""
    score_a, score_b, common = k_a / n_a, k_b / n_b, (k_a + k_b) / (n_a + n_b)
    own_variances = score_a * (1 - score_a) / n_a + score_b * (1 - score_b) / n_b
    common_variance = common * (1 - common) / n_a + common * (1 - common) / n_b

    def z_and_p(variance: float) -> list[float]:
        z = (score_a - score_b) / sqrt(variance)
        return [z, 2 * float(norm.sf(abs(z)))]

    return {"unpooled": z_and_p(own_variances), "pooled": z_and_p(common_variance)}
