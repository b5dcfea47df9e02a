"""Variances of independent scores add; the gap is measured in standard errors of the gap."""

from math import sqrt

from scipy.stats import norm


def unpaired_z(k_a: int, n_a: int, k_b: int, n_b: int) -> list[float]:
    """[z, two-sided p] for score A minus score B, from two independent sets of questions."""
    score_a, score_b = k_a / n_a, k_b / n_b
    variance = score_a * (1 - score_a) / n_a + score_b * (1 - score_b) / n_b
    z = (score_a - score_b) / sqrt(variance)
    return [z, 2 * float(norm.sf(abs(z)))]
