"""Exact until the root."""

from fractions import Fraction
from math import sqrt
from statistics import NormalDist


def error_bar(k, n):
    score = Fraction(k, n)
    error = sqrt(score * (1 - score) / n)
    return {"standard_error": error, "margin": NormalDist().inv_cdf(0.975) * error}
