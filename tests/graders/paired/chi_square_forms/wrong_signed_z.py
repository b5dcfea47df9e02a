"""Takes the uncorrected p from twice the upper tail of a signed z."""

from math import sqrt

from scipy.stats import chi2, norm

FAILS = "B may be the one ahead"
SLIP = "p-above-one"


def chi_square_forms(b, c):
    if b + c == 0:
        return {"uncorrected": [0.0, 1.0], "corrected": [0.0, 1.0]}
    z = (b - c) / sqrt(b + c)
    corrected = max(abs(b - c) - 1, 0) ** 2 / (b + c)
    return {"uncorrected": [z * z, 2 * norm.sf(z)], "corrected": [corrected, chi2.sf(corrected, 1)]}
