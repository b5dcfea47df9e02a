"""The variance of a difference is the sum of the variances, less twice the covariance."""

from math import sqrt


def paired_standard_error(both: int, a_only: int, b_only: int, neither: int) -> dict[str, float]:
    """Standard error of score A minus score B: paired, and as if the two sets of items were independent."""
    n = both + a_only + b_only + neither
    score_a, score_b = (both + a_only) / n, (both + b_only) / n
    variance_a, variance_b = score_a * (1 - score_a), score_b * (1 - score_b)
    covariance = both / n - score_a * score_b
    return {
        "paired": sqrt((variance_a + variance_b - 2 * covariance) / n),
        "independent": sqrt((variance_a + variance_b) / n),
    }
