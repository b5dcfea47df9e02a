"""Var(A - B) = Var(A) + Var(B) - 2 Cov(A, B)."""

from math import sqrt


def paired_standard_error(
    both: int,
    a_only: int,
    b_only: int,
    neither: int,
) -> dict[str, float]:
    """Standard errors of A minus B: paired, and for separate sets."""
    n = both + a_only + b_only + neither
    score_a, score_b = (both + a_only) / n, (both + b_only) / n
    variance_a = score_a * (1 - score_a)
    variance_b = score_b * (1 - score_b)
    covariance = both / n - score_a * score_b
    return {
        "paired": sqrt((variance_a + variance_b - 2 * covariance) / n),
        "independent": sqrt((variance_a + variance_b) / n),
    }
