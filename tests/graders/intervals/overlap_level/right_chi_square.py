"""The square of the distance, and chi-square."""

from scipy.stats import chi2


def overlap_level(se_a, se_b, level):
    touching = chi2.isf(1 - level, 1) * (se_a + se_b) ** 2
    return chi2.sf(touching / (se_a**2 + se_b**2), 1)
