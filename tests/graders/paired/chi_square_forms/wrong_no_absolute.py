"""Takes one off the signed difference."""

from scipy.stats import chi2

FAILS = "B may be the one ahead"
SLIP = "direction-fixed"


def chi_square_forms(b, c):
    n = b + c
    if n == 0:
        return {"uncorrected": [0, 1], "corrected": [0, 1]}
    plain = (b - c) ** 2 / n
    corrected = (b - c - 1) ** 2 / n if b != c else 0.0
    return {"uncorrected": [plain, chi2.sf(plain, 1)], "corrected": [corrected, chi2.sf(corrected, 1)]}
