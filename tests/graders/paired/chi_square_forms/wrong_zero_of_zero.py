"""Gives no disagreement the smallest p-value there is."""

from scipy.stats import chi2

FAILS = "no disagreement at all"
SLIP = "no-evidence-as-proof"


def chi_square_forms(b, c):
    n = b + c
    if n == 0:
        return {"uncorrected": [0, 0], "corrected": [0, 0]}
    plain = (b - c) ** 2 / n
    corrected = max(abs(b - c) - 1, 0) ** 2 / n
    return {"uncorrected": [plain, chi2.sf(plain, 1)], "corrected": [corrected, chi2.sf(corrected, 1)]}
