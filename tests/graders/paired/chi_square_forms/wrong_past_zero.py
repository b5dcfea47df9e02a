"""Lets the correction take an even split past zero."""

from scipy.stats import chi2

FAILS = "an even split"
SLIP = "correction-past-zero"


def chi_square_forms(b, c):
    n = b + c
    if n == 0:
        return {"uncorrected": [0, 1], "corrected": [0, 1]}
    plain = (b - c) ** 2 / n
    corrected = (abs(b - c) - 1) ** 2 / n
    return {"uncorrected": [plain, chi2.sf(plain, 1)], "corrected": [corrected, chi2.sf(corrected, 1)]}
