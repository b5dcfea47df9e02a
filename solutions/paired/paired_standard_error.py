"""One number per item: 1, 0 or -1, the mark of A minus the mark of B."""

from math import sqrt


def paired_standard_error(both: int, a_only: int, b_only: int, neither: int) -> dict[str, float]:
    """Standard errors of A minus B: paired, and for separate sets."""
    n = both + a_only + b_only + neither
    mean = (a_only - b_only) / n
    mean_square = (a_only + b_only) / n
    score_a, score_b = (both + a_only) / n, (both + b_only) / n
    variance_a = score_a * (1 - score_a)
    variance_b = score_b * (1 - score_b)
    return {"paired": sqrt((mean_square - mean**2) / n), "independent": sqrt((variance_a + variance_b) / n)}
