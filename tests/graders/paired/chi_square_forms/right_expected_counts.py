"""Observed and expected counts, as in any chi-square test."""

import numpy as np
from scipy.stats import chi2


def chi_square_forms(b, c):
    expected = (b + c) / 2
    if expected == 0:
        return {"uncorrected": np.array([0.0, 1.0]), "corrected": np.array([0.0, 1.0])}
    distance = abs(np.array([b, c]) - expected)
    forms = {"uncorrected": distance, "corrected": np.maximum(distance - 0.5, 0)}
    statistics = {name: (values**2 / expected).sum() for name, values in forms.items()}
    return {name: np.array([value, chi2.sf(value, 1)]) for name, value in statistics.items()}
