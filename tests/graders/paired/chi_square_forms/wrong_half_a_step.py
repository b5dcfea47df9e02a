"""Corrects the difference by one half."""

from scipy.stats import chi2

FAILS = "the corrected form"
SLIP = "half-correction"


def chi_square_forms(b, c):
    n = b + c
    if n == 0:
        return {"uncorrected": [0, 1], "corrected": [0, 1]}
    plain = (b - c) ** 2 / n
    corrected = max(abs(b - c) - 0.5, 0) ** 2 / n
    return {"uncorrected": [plain, chi2.sf(plain, 1)], "corrected": [corrected, chi2.sf(corrected, 1)]}
