"""Squares first and corrects afterwards."""

from scipy.stats import chi2

FAILS = "the corrected form"
SLIP = "correction-after-square"


def chi_square_forms(b, c):
    n = b + c
    if n == 0:
        return {"uncorrected": [0, 1], "corrected": [0, 1]}
    plain = (b - c) ** 2 / n
    corrected = max((b - c) ** 2 - 1, 0) / n
    return {"uncorrected": [plain, chi2.sf(plain, 1)], "corrected": [corrected, chi2.sf(corrected, 1)]}
