"""True rejection rates of McNemar's four forms by enumeration, at sizes too slow for every run; `make slow`."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from evalstats.paired import PairedTable, mcnemar_corrected, mcnemar_exact, mcnemar_midp, mcnemar_uncorrected

pytestmark = pytest.mark.slow
FORMS = [mcnemar_exact, mcnemar_midp, mcnemar_uncorrected, mcnemar_corrected]


def rejection_rates(n: int, psi: float, win: float = 0.5) -> list[float]:
    """P(p <= .05) of each form when the systems disagree on a share psi and A wins a share `win` of these."""
    rates = np.zeros(len(FORMS))
    for flips in range(n + 1):
        weight = stats.binom.pmf(flips, n, psi)
        if weight < 1e-7:
            continue
        for b in range(flips + 1):
            table, chance = PairedTable(n - flips, b, flips - b, 0), stats.binom.pmf(b, flips, win)
            if chance > 1e-9:
                rates += weight * chance * np.array([form(table).pvalue <= 0.05 for form in FORMS])
    return rates.tolist()


@pytest.mark.parametrize(
    ("n", "psi", "exact", "midp", "uncorrected"), [(200, 0.25, 0.037, 0.049, 0.049), (1000, 0.07, 0.038, 0.049, 0.050)]
)
def test_size(n, psi, exact, midp, uncorrected):
    """The figures of the project's audit (E02)."""
    found = rejection_rates(n, psi)
    assert found[:3] == pytest.approx([exact, midp, uncorrected], abs=6e-4)
    assert found[3] <= 0.05


@pytest.mark.parametrize(
    ("n", "delta", "exact", "midp", "uncorrected", "corrected"), [(194, 0.10, 0.773, 0.810, 0.810, 0.768)]
)
def test_power(n, delta, exact, midp, uncorrected, corrected):
    """194 items give 80% power to the uncorrected test only (E01)."""
    found = rejection_rates(n, 0.25, (0.25 + delta) / 0.5)
    assert found == pytest.approx([exact, midp, uncorrected, corrected], abs=6e-4)


def test_power_of_the_chapters_table():
    """45/25 of 1000 taken as the truth: exact McNemar .631 (audit_corrections, E30)."""
    assert rejection_rates(1000, 0.07, 45 / 70)[0] == pytest.approx(0.631, abs=1e-3)
