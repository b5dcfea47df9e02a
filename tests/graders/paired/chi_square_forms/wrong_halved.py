"""Halves the p-value."""

from scipy.stats import chi2

FAILS = "the uncorrected form"
SLIP = "one-sided-after-looking"


def chi_square_forms(b, c):
    n = b + c
    if n == 0:
        return {"uncorrected": [0, 1], "corrected": [0, 1]}
    plain = (b - c) ** 2 / n
    corrected = max(abs(b - c) - 1, 0) ** 2 / n
    return {"uncorrected": [plain, 0.5 * chi2.sf(plain, 1)], "corrected": [corrected, 0.5 * chi2.sf(corrected, 1)]}
