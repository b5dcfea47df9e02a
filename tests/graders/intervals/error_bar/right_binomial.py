"""SciPy's standard deviation of a binomial count."""

from scipy.stats import binom, norm


def error_bar(k, n):
    error = binom.std(n, k / n) / n
    low, high = norm.interval(0.95)
    return {"standard_error": error, "margin": (high - low) / 2 * error}
