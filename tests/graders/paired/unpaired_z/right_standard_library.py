"""The standard library's normal curve; a tuple."""

from math import hypot
from statistics import NormalDist


def unpaired_z(k_a, n_a, k_b, n_b):
    error_a = (k_a * (n_a - k_a) / n_a**3) ** 0.5
    error_b = (k_b * (n_b - k_b) / n_b**3) ** 0.5
    z = (k_a / n_a - k_b / n_b) / hypot(error_a, error_b)
    return z, 2 * NormalDist().cdf(-abs(z))
