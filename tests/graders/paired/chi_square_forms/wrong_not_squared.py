"""Compares the difference over its standard deviation with the curve for its square."""

from scipy.stats import chi2

FAILS = "the uncorrected form"
SLIP = "z-for-chi-square"


def chi_square_forms(b, c):
    n = b + c
    if n == 0:
        return {"uncorrected": [0, 1], "corrected": [0, 1]}
    plain = abs(b - c) / n**0.5
    corrected = max(abs(b - c) - 1, 0) / n**0.5
    return {"uncorrected": [plain, chi2.sf(plain, 1)], "corrected": [corrected, chi2.sf(corrected, 1)]}
