"""evalstats.margin: as good as, shown against a margin and never by a large p-value."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.weightstats import ttost_paired

from evalstats.cluster import paired_cluster_interval
from evalstats.margin import _tango_z, equivalence_test, noninferiority_test
from evalstats.paired import PairedTable, mcnemar_uncorrected, tango_interval
from evalstats.power import power_equivalence, required_n_equivalence, required_n_noninferiority

PAPER = json.loads((Path(__file__).parents[1] / "reference" / "paired_intervals.json").read_text())["tango_paper"]
tables = st.builds(PairedTable, *(st.integers(low, 40) for low in (1, 0, 0, 0)))
margins = st.floats(0.005, 0.6)


def graded(n: int = 40, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(0.6, 0.2, n), rng.normal(0.62, 0.2, n)


def swapped(table: PairedTable) -> PairedTable:
    return PairedTable(table.both_right, table.b_only, table.a_only, table.neither)


def test_the_example_of_tangos_paper():
    """Its 90% interval begins at -.096: one-sided 5% shows a margin of .10 and not one of .09."""
    table = PairedTable(*PAPER["cells"])
    answer = noninferiority_test(table, margin=0.1, alpha=0.05)
    assert answer.extra["shown"]
    assert (answer.level, round(answer.ci_low, 3)) == (PAPER["level"], PAPER["low"])
    assert not noninferiority_test(table, margin=0.09, alpha=0.05).extra["shown"]


@given(tables, margins, st.sampled_from([0.025, 0.05, 0.1]))
def test_shown_exactly_where_the_interval_says_so(table, margin, alpha):
    interval = tango_interval(table, level=1 - 2 * alpha)
    better = noninferiority_test(table, margin=margin, alpha=alpha)
    same = equivalence_test(table, margin=margin, alpha=alpha)
    assert (better.ci_low, better.ci_high) == (interval.ci_low, interval.ci_high)
    if min(abs(interval.ci_low + margin), abs(interval.ci_high - margin)) > 1e-9:
        assert better.extra["shown"] == (interval.ci_low >= -margin) == (better.pvalue <= alpha)
        assert same.extra["shown"] == (-margin <= interval.ci_low and interval.ci_high <= margin)


@given(tables, margins)
def test_equivalence_is_noninferiority_both_ways(table, margin):
    sides = [noninferiority_test(each, margin=margin, alpha=0.05) for each in (table, swapped(table))]
    assert equivalence_test(table, margin=margin).pvalue == pytest.approx(max(side.pvalue for side in sides), rel=1e-9)
    wider = noninferiority_test(table, margin=min(margin * 1.2, 0.99))
    assert wider.pvalue <= noninferiority_test(table, margin=margin).pvalue + 1e-12


def test_the_score_statistic_at_no_difference_is_mcnemars():
    for cells in ((10, 7, 2, 3), (5, 1, 9, 0)):
        table = PairedTable(*cells)
        assert _tango_z(table, 0) ** 2 == pytest.approx(mcnemar_uncorrected(table).statistic)


def test_graded_scores_against_scipy_and_statsmodels():
    a, b = graded()
    one = stats.ttest_1samp(a - b, -0.05, alternative="greater")
    answer = noninferiority_test(a, b, margin=0.05)
    assert (answer.statistic, answer.pvalue) == pytest.approx((one.statistic, one.pvalue))
    p, _, _ = ttost_paired(a, b, -0.08, 0.08)
    assert equivalence_test(a, b, margin=0.08).pvalue == pytest.approx(p)
    assert answer.method == "noninferiority_paired_t"
    assert answer.n_clusters is None


def test_vectors_and_table_agree_and_clusters_have_their_interval():
    table = PairedTable(30, 6, 4, 10)
    cells = [30, 6, 4, 10]
    a, b = np.repeat([1, 1, 0, 0], cells), np.repeat([1, 0, 1, 0], cells)
    assert noninferiority_test(a, b, margin=0.1) == noninferiority_test(table, margin=0.1)
    groups = np.arange(50) // 5
    clustered = noninferiority_test(a, b, margin=0.1, groups=groups)
    interval = paired_cluster_interval(a, b, groups)
    assert (clustered.ci_low, clustered.ci_high, clustered.n_clusters) == (interval.ci_low, interval.ci_high, 10)
    df, error = interval.extra["df"], interval.extra["standard_error"]
    assert clustered.pvalue == pytest.approx(stats.t.sf((interval.point + 0.1) / error, df))
    assert equivalence_test(a, b, margin=0.1, strata=np.arange(50) % 2).n_clusters is None


def test_never_differing_is_not_certainty():
    same = noninferiority_test(PairedTable(20, 0, 0, 20), margin=0.05)
    assert (same.effect, same.extra["shown"]) == (0, False)
    a = [1, 0] * 50
    groups = [row // 5 for row in range(100)]
    clustered = noninferiority_test(a, a, margin=0.05, groups=groups)
    assert not clustered.extra["shown"]
    assert "never differ" in clustered.warning
    assert noninferiority_test(a, a, margin=0.3, groups=groups).extra["shown"]


def test_a_large_p_value_shows_nothing():
    """No sign of a difference (p = 1), and yet nothing shown: the items are too few."""
    table = PairedTable(20, 4, 4, 12)
    assert mcnemar_uncorrected(table).pvalue == 1
    assert not equivalence_test(table, margin=0.05).extra["shown"]


def enumerated(n: int, margin: float, psi: float, delta: float, alpha: float = 0.025) -> float:
    """P(shown), added up over all tables: Tango's statistic rises with b for a given number of disagreements."""
    total, needed = 0.0, stats.norm.isf(alpha)
    for discordant in range(int(stats.binom.ppf(1e-9, n, psi)), int(stats.binom.isf(1e-9, n, psi)) + 1):
        low, high = 0, discordant + 1
        while low < high:
            middle = (low + high) // 2
            table = PairedTable(n - discordant, middle, discordant - middle, 0)
            low, high = (low, middle) if _tango_z(table, -margin) >= needed else (middle + 1, high)
        wins = stats.binom.sf(low - 1, discordant, (psi + delta) / (2 * psi))
        total += stats.binom.pmf(discordant, n, psi) * wins
    return total


@pytest.mark.parametrize(
    ("margin", "psi", "delta"),
    [(0.02, 0.07, 0), (0.02, 0.07, 0.01), (0.05, 0.25, 0), (0.1, 0.3, 0), (0.03, 0.1, -0.01)],
)
def test_required_n_has_the_power_and_the_size(margin, psi, delta):
    n = required_n_noninferiority(margin, psi, delta)
    assert enumerated(int(n), margin, psi, delta) == pytest.approx(0.80, abs=0.015)
    assert 0.022 < enumerated(int(n), margin, psi, -margin) < 0.0255
    assert (n.alpha, n.power, n.design["sides"]) == (0.025, 0.8, 1)


@pytest.mark.parametrize(("margin", "psi", "delta"), [(0.02, 0.07, 0), (0.05, 0.25, 0.01), (0.1, 0.3, -0.02)])
def test_required_n_of_equivalence_has_the_power(margin, psi, delta):
    """Both sides are shown unless one fails, and both cannot fail: P(one) + P(other) - 1."""
    n = int(required_n_equivalence(margin, psi, delta))
    both = sum(enumerated(n, margin, psi, truth, 0.05) for truth in (delta, -delta)) - 1
    assert both == pytest.approx(0.80, abs=0.015)
    assert power_equivalence(n, margin, psi, delta).power == pytest.approx(both, abs=0.015)


REFUSED = [
    (lambda: noninferiority_test(PairedTable(9, 1, 1, 9), margin=0), "margin must be above 0, got 0"),
    (lambda: noninferiority_test(PairedTable(9, 1, 1, 9), margin=1), "margin must lie strictly between 0 and 1"),
    (lambda: equivalence_test([1, 0] * 9, [0, 1] * 9, margin=1.5, groups=range(18)), "strictly between 0 and 1"),
    (lambda: equivalence_test(PairedTable(9, 1, 1, 9), margin=0.1, alpha=0.5), "such as 0.05, got 0.5"),
    (lambda: equivalence_test(PairedTable(9, 1, 1, 9), margin=0.1, alpha=0.3), "alpha must be a finite number in"),
    (lambda: required_n_noninferiority(0.02, 0.07, alpha=0.95), "did you mean 0.05?"),
    (lambda: noninferiority_test(PairedTable(9, 1, 1, 9), margin=0.1, groups=[1]), "give two vectors"),
    (lambda: noninferiority_test([1, 0], margin=0.1), "one Alignment or two vectors, got only a list"),
    (lambda: noninferiority_test([1, 0, 1], [1, 0], margin=0.1), "3 and 2 values"),
    (lambda: noninferiority_test([1.5, 0.5], [1.0, 0.0], margin=0.1), "0.5"),
    (lambda: required_n_noninferiority(0.02, 0.07, -0.02), "delta must lie above -margin = -0.02"),
    (lambda: required_n_noninferiority(0.02, 0.07, 0.08), "psi must lie in"),
    (lambda: required_n_noninferiority(0, 0.07), "margin must lie strictly between 0 and 1, got 0"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED)
def test_refused(call, words):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        call()
    assert words in str(error.value)
