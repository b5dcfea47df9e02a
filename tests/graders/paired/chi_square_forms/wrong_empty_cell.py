"""Treats an empty cell as a table that cannot be tested."""

from scipy.stats import chi2

FAILS = "every flip went the same way"
SLIP = "empty-cell-as-no-data"


def chi_square_forms(b, c):
    if b == 0 or c == 0:
        return {"uncorrected": [0.0, 1.0], "corrected": [0.0, 1.0]}
    plain = (b - c) ** 2 / (b + c)
    corrected = max(abs(b - c) - 1, 0) ** 2 / (b + c)
    return {"uncorrected": [plain, chi2.sf(plain, 1)], "corrected": [corrected, chi2.sf(corrected, 1)]}
