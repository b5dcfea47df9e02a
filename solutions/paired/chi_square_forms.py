"""The correction comes off the difference, before the square."""

from scipy.stats import chi2


def chi_square_forms(b: int, c: int) -> dict[str, list[float]]:
    """[statistic, p] without and with the continuity correction."""
    total = b + c
    size = abs(b - c)

    def with_p(difference: int) -> list[float]:
        statistic = difference**2 / total if total else 0.0
        return [statistic, float(chi2.sf(statistic, 1))]

    return {"uncorrected": with_p(size), "corrected": with_p(max(size - 1, 0))}
