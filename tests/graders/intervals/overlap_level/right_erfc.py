"""Without SciPy."""

from math import erfc
from statistics import NormalDist


def overlap_level(se_a, se_b, level):
    z = NormalDist().inv_cdf(1 - (1 - level) / 2)
    square = z**2 * (se_a + se_b) ** 2 / (se_a**2 + se_b**2)
    return erfc((square / 2) ** 0.5)
