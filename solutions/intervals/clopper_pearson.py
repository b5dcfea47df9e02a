"""The truths in whose world neither tail is too small; their ends are quantiles of beta distributions."""

from scipy.stats import beta


def clopper_pearson(k: int, n: int, level: float) -> tuple[float, float]:
    """Ends of the Clopper-Pearson interval for k of n, as shares."""
    tail = (1 - level) / 2
    low = float(beta.ppf(tail, k, n - k + 1)) if k > 0 else 0.0
    high = float(beta.isf(tail, k + 1, n - k)) if k < n else 1.0
    return low, high
