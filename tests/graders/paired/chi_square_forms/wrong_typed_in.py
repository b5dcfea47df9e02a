"""Computes the corrected form and types the other one in."""

from scipy.stats import chi2

FAILS = "a table of your own"
SLIP = "result-typed-in"


def chi_square_forms(b, c):
    if b + c == 0:
        return {"uncorrected": [0.0, 1.0], "corrected": [0.0, 1.0]}
    plain = 400 / 70
    corrected = max(abs(b - c) - 1, 0) ** 2 / (b + c)
    return {"uncorrected": [plain, chi2.sf(plain, 1)], "corrected": [corrected, chi2.sf(corrected, 1)]}
