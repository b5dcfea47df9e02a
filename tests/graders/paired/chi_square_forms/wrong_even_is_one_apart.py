"""Counts an even split as a difference of one."""

from scipy.stats import chi2

FAILS = "an even split"
SLIP = "correction-past-zero"


def chi_square_forms(b, c):
    if b + c == 0:
        return {"uncorrected": [0.0, 1.0], "corrected": [0.0, 1.0]}
    plain = max(abs(b - c), 1) ** 2 / (b + c)
    corrected = max(abs(b - c) - 1, 0) ** 2 / (b + c)
    return {"uncorrected": [plain, chi2.sf(plain, 1)], "corrected": [corrected, chi2.sf(corrected, 1)]}
