"""evalstats.paired against R, papers, scipy, statsmodels, numerical maximisation and complete enumeration."""

from __future__ import annotations

import itertools
import json
import math
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats
from statsmodels.stats import contingency_tables
from statsmodels.stats.proportion import confint_proportions_2indep, proportions_ztest

from evalstats import bootstrap_paired_diff
from evalstats.paired import (
    PairedTable,
    mcnemar,
    mcnemar_corrected,
    mcnemar_exact,
    mcnemar_midp,
    mcnemar_uncorrected,
    newcombe_interval,
    paired_t,
    sign_flip_test,
    tango_interval,
    unpaired_z_pooled,
    unpaired_z_unpooled,
    wald_difference_interval,
)

REFERENCE = Path(__file__).parents[1] / "reference"
PUBLISHED = json.loads((REFERENCE / "paired_intervals.json").read_text())
NAMESAKE = json.loads((REFERENCE / "paired_intervals_pypi.json").read_text())["rows"]
CHAPTER = PairedTable(810, 45, 25, 120)
TESTS = [mcnemar_exact, mcnemar_midp, mcnemar_uncorrected, mcnemar_corrected]
INTERVALS = [tango_interval, newcombe_interval, wald_difference_interval]


def vectors(table: PairedTable) -> tuple[np.ndarray, np.ndarray]:
    cells = [table.both_right, table.a_only, table.b_only, table.neither]
    return np.repeat([1, 1, 0, 0], cells), np.repeat([1, 0, 1, 0], cells)


def tables(n: int) -> list[PairedTable]:
    """Every table of n items, as far as b and c go: the agreeing items are split in two."""
    pairs = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]
    return [PairedTable((n - b - c + 1) // 2, b, c, (n - b - c) // 2) for b, c in pairs]


def any_table(largest: int = 60) -> st.SearchStrategy[PairedTable]:
    cell = st.integers(0, largest)
    return st.tuples(cell, cell, cell, cell).filter(any).map(lambda cells: PairedTable(*cells))


def swapped(table: PairedTable) -> PairedTable:
    return PairedTable(table.both_right, table.b_only, table.a_only, table.neither)


# --- the table -------------------------------------------------------------------------------------------------------


def test_table_counts_each_kind_of_item_once():
    a, b = vectors(CHAPTER)
    order = np.random.default_rng(3).permutation(1000)
    assert PairedTable.from_vectors(a[order], b[order]) == CHAPTER
    assert (CHAPTER.n, CHAPTER.discordant) == (1000, 70)
    assert (CHAPTER.accuracy_a, CHAPTER.accuracy_b, CHAPTER.difference) == (0.855, 0.835, 0.02)


def test_sorted_stand_ins_have_other_cells():
    """The source's demonstration: right scores, wrong pairs (audit E53)."""
    a, b = np.repeat([1, 0], [855, 145]), np.repeat([1, 0], [835, 165])
    assert PairedTable.from_vectors(a, b) == PairedTable(835, 20, 0, 145)
    assert mcnemar(a, b).pvalue == pytest.approx(2 * 0.5**20)


@pytest.mark.parametrize(
    ("a", "b", "says"),
    [
        ([0.9, 1, 0], [1, 1, 0], "0.9 at position 0"),
        ([1, 2, 0], [1, 1, 0], "2 at position 1"),
        ([1, math.nan, 0], [1, 1, 0], "nan at position 1"),
        ([1, 0, 1, 1, 1], [0], "got 5 and 1"),
        ([1, 0, 1, 1, 1], [0, 1, 1, 0], "got 5 and 4"),
        ([], [], "at least 1"),
        (["1", "0"], [1, 0], "must hold numbers"),
        ([None, 1], [1, 0], "None at position 0"),
        ([[1, 0]], [[1, 0]], "one-dimensional"),
    ],
)
@pytest.mark.parametrize("function", [mcnemar, PairedTable.from_vectors, *TESTS, *INTERVALS])
def test_nothing_but_pairs_of_0_and_1(function, a, b, says):
    with pytest.raises(ValueError, match=says):
        function(a, b)


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ((-1, 1, 1, 1), "both_right must be an integer of at least 0, got -1"),
        ((1.0, 1, 1, 1), "both_right must be an integer of at least 0, got 1.0"),
        ((1, 1, True, 1), "b_only must be an integer of at least 0, got True"),
        ((0, 0, 0, 0), "from 1 to 9007199254740992 items, got 0"),
        ((2**53, 0, 0, 1), "from 1 to 9007199254740992 items, got 9007199254740993"),
        ((1, 10**400, 1, 1), "(a_only must be at most|from 1 to) 9007199254740992.*, got 1000"),
    ],
)
def test_table_refuses_impossible_counts(cells, says):
    with pytest.raises(ValueError, match=says):
        PairedTable(*cells)


@pytest.mark.parametrize("function", [*TESTS, *INTERVALS])
@pytest.mark.parametrize(
    "cells", [(2**52, 2**50, 2**50 - 2**26, 3), (0, 2**53, 0, 0), (2**53, 0, 0, 0), (0, 0, 2**53, 0)]
)
def test_the_largest_tables_have_an_answer(function, cells):
    assert function(PairedTable(*cells)).n <= 2**53


@pytest.mark.parametrize("exact", ["no", 0, 1, None, 0.0])
def test_mcnemar_refuses_a_form_that_is_not_true_or_false(exact):
    with pytest.raises(ValueError, match=rf"exact must be one of \(True, False\), got {exact!r}"):
        mcnemar([1, 0], [0, 0], exact=exact)


@pytest.mark.parametrize("function", [*TESTS, *INTERVALS])
def test_vectors_and_counts_agree_and_are_not_mixed(function):
    a, b = vectors(CHAPTER)
    assert function(a, b) == function(CHAPTER)
    assert function(a.astype(bool), b.astype(float)) == function(CHAPTER)
    with pytest.raises(ValueError, match="PairedTable"):
        function(CHAPTER, b)
    with pytest.raises(ValueError, match="two vectors"):
        function(a)


# --- McNemar ---------------------------------------------------------------------------------------------------------


def test_the_four_forms_on_the_chapters_table():
    exact, midp, uncorrected, corrected = (test(CHAPTER) for test in TESTS)
    assert exact.pvalue == pytest.approx(0.0224629, abs=5e-8)
    assert midp.pvalue == pytest.approx(0.0169947, abs=5e-8)
    assert uncorrected.pvalue == pytest.approx(0.0168274, abs=5e-8)
    assert corrected.pvalue == pytest.approx(0.0231510, abs=5e-8)
    assert corrected.statistic == pytest.approx(361 / 70)
    assert uncorrected.statistic == pytest.approx(400 / 70)
    assert exact.statistic == midp.statistic == 25


def test_mcnemar_agrees_with_the_named_functions_and_says_what_it_holds():
    a, b = vectors(CHAPTER)
    assert mcnemar(a, b).pvalue == mcnemar_exact(CHAPTER).pvalue
    assert mcnemar(a, b, exact=False).pvalue == mcnemar_corrected(CHAPTER).pvalue
    answer = mcnemar(a, b, True, "prompts")
    assert (answer.name, answer.method, answer.effect, answer.n) == ("prompts", "mcnemar_exact", 0.02, 1000)
    assert {key: answer.extra[key] for key in ("b", "c", "discordant_rate")} == {
        "b": 45,
        "c": 25,
        "discordant_rate": 0.07,
    }
    assert "paired_cluster_interval" in answer.extra["assumes"]
    assert "paired_cluster_interval" in (mcnemar.__doc__ or "")
    names = {test(CHAPTER).extra["statistic_name"] for test in TESTS}
    assert names == {"min(b, c)", "chi-square", "chi-square with continuity correction"}


@pytest.mark.parametrize("table", tables(9) + tables(30)[::7], ids=str)
def test_mcnemar_against_statsmodels_and_scipy(table):
    cells = [[table.both_right, table.a_only], [table.b_only, table.neither]]
    assert mcnemar_exact(table).pvalue == pytest.approx(contingency_tables.mcnemar(cells, exact=True).pvalue)
    if table.discordant:
        p = stats.binomtest(table.a_only, table.discordant, 0.5).pvalue
        assert mcnemar_exact(table).pvalue == pytest.approx(p)
        theirs = contingency_tables.mcnemar(cells, exact=False, correction=False)
        assert mcnemar_uncorrected(table).pvalue == pytest.approx(theirs.pvalue)
        if table.a_only != table.b_only:
            theirs = contingency_tables.mcnemar(cells, exact=False, correction=True)
            assert mcnemar_corrected(table).pvalue == pytest.approx(theirs.pvalue)


def test_statsmodels_is_wrong_where_we_differ():
    """No disagreement, and perfect balance: p must be 1 (peers.md 4b, trap 7). If it fails, statsmodels was mended."""
    with np.errstate(divide="ignore", invalid="ignore"):
        none = contingency_tables.mcnemar([[5, 0], [0, 5]], exact=False, correction=True)
    assert none.pvalue != 1
    assert contingency_tables.mcnemar([[5, 50], [50, 5]], exact=False, correction=True).pvalue < 0.93


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("flips", [0, 1, 2, 3, 7, 50, 1000])
def test_balance_is_no_evidence(test, flips):
    answer = test(PairedTable(3, flips, flips, 4))
    assert answer.pvalue == 1
    assert answer.effect == 0


def test_mcnemar_against_the_authors_of_the_midp_test():
    cavo, table = PUBLISHED["contingencytables"], PairedTable(*PUBLISHED["contingencytables"]["cells"])
    assert mcnemar_exact(table).pvalue == pytest.approx(cavo["p_exact"], abs=5e-7)
    assert mcnemar_midp(table).pvalue == pytest.approx(cavo["p_midp"], abs=5e-7)
    assert mcnemar_uncorrected(table).pvalue == pytest.approx(cavo["p_uncorrected"], abs=5e-7)
    assert mcnemar_corrected(table).pvalue == pytest.approx(cavo["p_corrected"], abs=5e-7)


def test_midp_is_exact_less_half_of_the_observed_outcome():
    for table in tables(15):
        if table.a_only != table.b_only:
            observed = stats.binom.pmf(table.a_only, table.discordant, 0.5)
            assert mcnemar_midp(table).pvalue == pytest.approx(mcnemar_exact(table).pvalue - observed)


@pytest.mark.parametrize("test", TESTS)
@given(table=any_table())
@settings(max_examples=60, deadline=None)
def test_swapping_the_systems_only_flips_the_sign(test, table):
    there, back = test(table), test(swapped(table))
    assert back.pvalue == there.pvalue
    assert back.effect == -there.effect
    assert 0 <= there.pvalue <= 1


@given(table=any_table(300))
@settings(max_examples=100, deadline=None)
def test_the_four_forms_are_ordered(table):
    """Half a step more caution each: uncorrected below corrected, mid-p below exact."""
    exact, midp, uncorrected, corrected = (test(table).pvalue for test in TESTS)
    assert midp <= exact
    assert uncorrected <= corrected


def rejection_rate(test, n: int, psi: float, alpha: float = 0.05) -> float:
    """P(p <= alpha) with equal systems that disagree on a share psi, by enumerating every (b, c)."""
    rate = 0.0
    for flips in range(n + 1):
        weight = stats.binom.pmf(flips, n, psi)
        if weight < 1e-9:
            continue
        chances = stats.binom.pmf(np.arange(flips + 1), flips, 0.5)
        rejected = [test(PairedTable(n - flips, b, flips - b, 0)).pvalue <= alpha for b in range(flips + 1)]
        rate += weight * float(chances[rejected].sum())
    return rate


@pytest.mark.parametrize(
    ("n", "psi", "exact", "midp", "uncorrected"),
    [(40, 0.1, 0.0050, 0.017, 0.043), (40, 0.25, 0.022, 0.041, 0.043), (100, 0.1, 0.022, 0.041, 0.043)],
)
def test_true_size_by_enumeration(n, psi, exact, midp, uncorrected):
    """The rates of audit E02 and audit_corrections: exact far below .05, mid-p near it."""
    assert rejection_rate(mcnemar_exact, n, psi) == pytest.approx(exact, abs=6e-4)
    assert rejection_rate(mcnemar_midp, n, psi) == pytest.approx(midp, abs=6e-4)
    assert rejection_rate(mcnemar_uncorrected, n, psi) == pytest.approx(uncorrected, abs=6e-4)


# --- two separate sets -----------------------------------------------------------------------------------------------


def test_unpaired_z_on_the_chapters_counts():
    pooled, unpooled = unpaired_z_pooled(855, 1000, 835, 1000), unpaired_z_unpooled(855, 1000, 835, 1000)
    assert (pooled.statistic, pooled.pvalue) == pytest.approx((1.23572, 0.216562), abs=5e-6)
    assert (unpooled.statistic, unpooled.pvalue) == pytest.approx((1.23619, 0.216386), abs=5e-6)


@given(st.integers(1, 200), st.integers(1, 200), st.data())
@settings(max_examples=80, deadline=None)
def test_unpaired_z_against_statsmodels(n_a, n_b, data):
    k_a, k_b = data.draw(st.integers(0, n_a)), data.draw(st.integers(0, n_b))
    pooled = unpaired_z_pooled(k_a, n_a, k_b, n_b)
    assert 0 <= pooled.pvalue <= 1
    assert unpaired_z_pooled(k_b, n_b, k_a, n_a).statistic == pytest.approx(-pooled.statistic)
    if 0 < k_a + k_b < n_a + n_b:
        z, p = proportions_ztest([k_a, k_b], [n_a, n_b])
        assert (pooled.statistic, pooled.pvalue) == pytest.approx((z, p))
    if 0 < k_a < n_a and 0 < k_b < n_b:
        unpooled = unpaired_z_unpooled(k_a, n_a, k_b, n_b)
        low, high = confint_proportions_2indep(k_a, n_a, k_b, n_b, method="wald")
        assert (unpooled.ci_low, unpooled.ci_high) == pytest.approx((max(low, -1), min(high, 1)))


def test_unpaired_z_without_spread():
    assert unpaired_z_pooled(20, 20, 20, 20).pvalue == 1
    answer = unpaired_z_unpooled(20, 20, 20, 20)
    assert (answer.statistic, answer.pvalue, answer.ci_low) == (0, 1, None)
    assert "no spread" in (answer.warning or "")
    assert unpaired_z_pooled(5, 5, 0, 5).pvalue == pytest.approx(2 * stats.norm.sf(math.sqrt(10)))
    with pytest.raises(ValueError, match="unpaired_z_pooled"):
        unpaired_z_unpooled(5, 5, 0, 5)


@pytest.mark.parametrize(
    ("counts", "says"),
    [
        ((3, 2, 1, 2), "k_a must be at most n_a, got 3 of 2"),
        ((1, 2, 3, 2), "k_b must be at most n_b, got 3 of 2"),
        ((-1, 2, 1, 2), "k_a must be an integer of at least 0, got -1"),
        ((1, 0, 1, 2), "n_a must be an integer of at least 1, got 0"),
        ((1.0, 2, 1, 2), "k_a must be an integer of at least 0, got 1.0"),
        ((1, 10**400, 1, 2), "n_a.* must be at most 9007199254740992, got 1000"),
        ((1, 2**53, 1, 2), "n_a [+] n_b must be at most 9007199254740992, got 9007199254740994"),
    ],
)
@pytest.mark.parametrize("function", [unpaired_z_pooled, unpaired_z_unpooled])
def test_unpaired_z_refuses_impossible_counts(function, counts, says):
    with pytest.raises(ValueError, match=says):
        function(*counts)


@pytest.mark.parametrize("function", [unpaired_z_pooled, unpaired_z_unpooled])
def test_unpaired_z_of_small_numpy_integers_does_not_wrap(function):
    counts = (180, 200, 150, 250)
    assert function(*(np.uint8(count) for count in counts)) == function(*counts)


# --- intervals -------------------------------------------------------------------------------------------------------


def limits(answer) -> tuple[float, float]:
    return answer.ci_low, answer.ci_high


@pytest.mark.parametrize("row", PUBLISHED["tango_propcis"]["rows"], ids=str)
def test_tango_against_propcis(row):
    low, high = row["b_minus_a"]
    answer = tango_interval(PairedTable(row["n"] - row["b"] - row["c"], row["b"], row["c"], 0))
    assert limits(answer) == pytest.approx((-high, -low), abs=2e-6)


def test_tango_against_his_paper():
    paper = PUBLISHED["tango_paper"]
    answer = tango_interval(PairedTable(*paper["cells"]), level=paper["level"])
    assert answer.ci_low == pytest.approx(paper["low"], abs=5e-4)


@pytest.mark.parametrize("row", PUBLISHED["newcombe_table_iii"]["rows"], ids=str)
def test_newcombe_against_his_table(row):
    """Within one unit of the last printed decimal: one of his rows is rounded down from .87367."""
    assert limits(newcombe_interval(PairedTable(*row["cells"]))) == pytest.approx(row["limits"], abs=1e-4)


def test_intervals_against_contingencytables():
    cavo, table = PUBLISHED["contingencytables"], PairedTable(*PUBLISHED["contingencytables"]["cells"])
    assert limits(tango_interval(table)) == pytest.approx(cavo["tango"], abs=5e-5)
    assert limits(newcombe_interval(table)) == pytest.approx(cavo["newcombe"], abs=5e-5)
    assert limits(wald_difference_interval(table)) == pytest.approx(cavo["wald"], abs=5e-5)


@pytest.mark.parametrize("row", NAMESAKE, ids=lambda row: f"{row['cells']}-{row['level']}")
def test_intervals_against_the_namesake_on_pypi(row):
    """Its Tango interval is the root of a quartic, found as an eigenvalue."""
    table = PairedTable(*row["cells"])
    assert limits(newcombe_interval(table, level=row["level"])) == pytest.approx(row["newcombe"], abs=1e-12)
    assert limits(tango_interval(table, level=row["level"])) == pytest.approx(row["tango"], abs=1e-9)


def test_intervals_of_peers():
    """45/25 of 250 in other packages (peers.md 4a), which all took the agreeing items as 180 right."""
    table = PairedTable(90, 45, 25, 90)
    assert limits(tango_interval(table)) == pytest.approx((0.01473, 0.14588), abs=6e-6)
    assert limits(wald_difference_interval(table)) == pytest.approx((0.01516, 0.14484), abs=6e-6)


def score_statistic(table: PairedTable, delta: float) -> float:
    """Tango's statistic with the restricted estimate found by maximising the likelihood numerically."""
    b, c, n = table.a_only, table.b_only, table.n
    lowest, highest = max(0.0, -delta), (1 - delta) / 2

    def minus_log_likelihood(q: float) -> float:
        shares = [(b, q + delta), (c, q), (n - b - c, 1 - 2 * q - delta)]
        return -sum(count * math.log(max(share, 1e-300)) for count, share in shares if count)

    found = optimize.minimize_scalar(
        minus_log_likelihood, bounds=(lowest, highest), method="bounded", options={"xatol": 1e-13}
    ).x
    q = min([found, lowest, highest], key=minus_log_likelihood)
    above = b - c - n * delta
    return above / math.sqrt(n * (2 * q + delta - delta**2)) if above else 0.0


@pytest.mark.parametrize("cells", [(810, 45, 25, 120), (20, 4, 0, 16), (5, 0, 7, 3), (1, 1, 1, 0), (3, 9, 2, 30)])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_tango_solves_the_score_equation(cells, level):
    table, z = PairedTable(*cells), stats.norm.isf((1 - level) / 2)
    answer = tango_interval(table, level=level)
    assert score_statistic(table, answer.ci_low) == pytest.approx(z, abs=2e-5)
    assert score_statistic(table, answer.ci_high) == pytest.approx(-z, abs=2e-5)


@pytest.mark.parametrize("table", tables(6), ids=str)
def test_tango_holds_exactly_what_is_not_rejected(table):
    """On a grid: inside |T| <= z, outside |T| > z. So the accepted differences have no holes."""
    answer, z = tango_interval(table), stats.norm.isf(0.025)
    for delta in np.linspace(-0.99, 0.99, 67):
        if min(abs(delta - answer.ci_low), abs(delta - answer.ci_high)) > 1e-6:
            inside = answer.ci_low < delta < answer.ci_high
            assert (abs(score_statistic(table, delta)) < z) == inside, delta


@pytest.mark.parametrize("n", [1, 2, 3, 12, 40])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_tango_excludes_0_exactly_when_uncorrected_mcnemar_rejects(n, level):
    for table in tables(n):
        answer = tango_interval(table, level=level)
        excludes = answer.ci_low > 0 or answer.ci_high < 0
        assert excludes == (mcnemar_uncorrected(table).pvalue <= 1 - level), table


def test_tango_with_few_flips_and_exact_disagree():
    answer, p = tango_interval(PairedTable(20, 4, 0, 16)), mcnemar_exact(PairedTable(20, 4, 0, 16)).pvalue
    assert limits(answer) == pytest.approx((0.0036, 0.2305), abs=5e-5)
    assert p == 0.125


@pytest.mark.parametrize("n", [1, 5, 40, 10**6])
def test_tango_at_the_edges_in_closed_form(n):
    z2 = stats.norm.isf(0.025) ** 2
    assert limits(tango_interval(PairedTable(n, 0, 0, 0))) == pytest.approx((-z2 / (n + z2), z2 / (n + z2)))
    assert limits(tango_interval(PairedTable(0, n, 0, 0))) == pytest.approx(((n - z2) / (n + z2), 1))


@pytest.mark.parametrize("interval", INTERVALS)
@given(table=any_table(), level=st.floats(0.5, 0.999))
@settings(max_examples=100, deadline=None)
def test_every_interval_is_an_interval(interval, table, level):
    answer = interval(table, level=level)
    assert -1 <= answer.ci_low <= answer.point <= answer.ci_high <= 1
    back = interval(swapped(table), level=level)
    assert limits(back) == pytest.approx((-answer.ci_high, -answer.ci_low), abs=1e-9)
    wider = interval(table, level=(1 + level) / 2)
    assert wider.ci_low <= answer.ci_low + 1e-12
    assert wider.ci_high >= answer.ci_high - 1e-12


@pytest.mark.parametrize("interval", [tango_interval, newcombe_interval])
def test_score_intervals_are_never_without_width(interval):
    for cells in itertools.product(range(4), repeat=4):
        if any(cells):
            answer = interval(PairedTable(*cells))
            assert answer.ci_high - answer.ci_low > 1e-3, cells


@pytest.mark.parametrize("level", [0, 1, 95, -0.1, math.nan, "0.95"])
@pytest.mark.parametrize("interval", INTERVALS)
def test_intervals_refuse_a_level_that_is_no_share(interval, level):
    with pytest.raises(ValueError, match="level must"):
        interval(CHAPTER, level=level)


def test_wald_warns_where_it_is_too_short():
    assert wald_difference_interval(CHAPTER).warning is None
    few = wald_difference_interval(PairedTable(20, 0, 0, 20))
    assert few.ci_low == few.ci_high == 0
    assert "tango_interval" in (few.warning or "")


def coverage(interval, n: int, p_a: float, p_b: float) -> float:
    """P(the true difference is inside), by enumerating every (b, c)."""
    total = 0.0
    for table in tables(n):
        weight = stats.multinomial.pmf([table.a_only, table.b_only, n - table.discordant], n, [p_a, p_b, 1 - p_a - p_b])
        if weight > 1e-7:
            answer = interval(table)
            total += weight * (answer.ci_low <= p_a - p_b <= answer.ci_high)
    return total


@pytest.mark.parametrize(("p_a", "p_b"), [(0.05, 0.05), (0.1, 0.05), (0.2, 0.1), (0.15, 0.15), (0.3, 0.02)])
def test_coverage_of_tango_and_newcombe_by_enumeration(p_a, p_b):
    assert 0.935 <= coverage(tango_interval, 40, p_a, p_b) <= 0.99
    assert 0.935 <= coverage(newcombe_interval, 40, p_a, p_b) <= 0.99


def test_wald_covers_too_seldom_where_it_warns():
    assert coverage(wald_difference_interval, 40, 0.05, 0.0) < 0.90


# --- paired t --------------------------------------------------------------------------------------------------------


def test_paired_t_on_the_chapters_table_and_its_identity():
    answer = paired_t(*vectors(CHAPTER))
    n, b, c = 1000, 45, 25
    assert answer.statistic**2 == pytest.approx((n - 1) / n * (b - c) ** 2 / ((b + c) - (b - c) ** 2 / n))
    assert answer.statistic == pytest.approx(2.396, abs=5e-4)
    assert answer.pvalue == pytest.approx(0.01675, abs=5e-6)


@given(st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50)), min_size=3, max_size=40))
@settings(max_examples=80, deadline=None)
def test_paired_t_against_scipy(pairs):
    a, b = np.array(pairs).T
    if np.ptp(a - b) < 1e-6:
        return
    answer, theirs = paired_t(a, b), stats.ttest_rel(a, b)
    assert answer.statistic == pytest.approx(theirs.statistic, rel=1e-6, abs=1e-9)
    assert answer.pvalue == pytest.approx(theirs.pvalue, rel=1e-6)
    assert limits(answer) == pytest.approx(tuple(theirs.confidence_interval()), rel=1e-6, abs=1e-9)
    assert paired_t(b, a).statistic == pytest.approx(-answer.statistic)


def test_paired_t_of_identical_scores_says_so():
    answer = paired_t([0.1, 0.7, 0.3], [0.1, 0.7, 0.3])
    assert (answer.statistic, answer.pvalue, answer.effect, answer.ci_low) == (0, 1, 0, None)
    assert "every difference is 0" in (answer.warning or "")


def test_paired_t_of_marks_stays_inside_the_possible_differences():
    """Two items, one won: .5 -+ 6.35 says nothing that -1 to 1 does not; other scores have no such ends."""
    marks, grades = paired_t([1, 1], [0, 1]), paired_t([1, 2], [0, 2])
    assert limits(marks) == (-1, 1)
    assert limits(grades) == pytest.approx((0.5 - 6.353, 0.5 + 6.353), abs=1e-3)
    assert marks.pvalue == grades.pvalue
    assert limits(paired_t([True, True], [False, True])) == (-1, 1)


@pytest.mark.parametrize("shift", [1.0, -0.1, 0.3])
def test_paired_t_refuses_a_constant_difference(shift):
    """scipy says p = 0, which would be a proof from two items (audit E35); 0.3 is constant only but for rounding."""
    b = np.array([0.1, 0.7, 0.2, 1.4])
    with pytest.raises(ValueError, match="sign_flip_test"):
        paired_t(b + shift, b)
    with pytest.raises(ValueError, match="every difference"):
        paired_t([1] * 20, [0] * 20)


@pytest.mark.parametrize(("a", "b"), [([1], [0]), ([1, 2], [1]), ([1, math.nan], [1, 2]), ([1, math.inf], [1, 2])])
def test_paired_t_refuses_bad_input(a, b):
    with pytest.raises(ValueError, match="got"):
        paired_t(a, b)


# --- sign flips ------------------------------------------------------------------------------------------------------


@given(table=any_table(40))
@settings(max_examples=60, deadline=None)
def test_sign_flips_of_0_and_1_are_exact_mcnemar(table):
    answer = sign_flip_test(*vectors(table))
    assert answer.method == "sign_flip_exact"
    assert answer.pvalue == pytest.approx(mcnemar_exact(table).pvalue, rel=1e-9)
    assert answer.effect == pytest.approx(table.difference)


def enumerated_p(totals: np.ndarray) -> float:
    signs = np.array(list(itertools.product([-1, 1], repeat=totals.size)))
    return float((np.abs(signs @ totals) >= abs(totals.sum()) - 1e-12).mean())


@pytest.mark.parametrize("seed", range(8))
def test_exact_sign_flips_of_clusters_against_all_flips(seed):
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 10, 60)
    a, b = rng.integers(0, 2, 60), rng.integers(0, 2, 60)
    if seed % 2:
        a = 3 * a  # ratings, not marks
    answer = sign_flip_test(a, b, groups)
    totals = np.bincount(groups, weights=a - b)
    assert answer.method == "sign_flip_exact"
    assert answer.pvalue == pytest.approx(enumerated_p(totals))
    assert answer.n_clusters == len(set(groups.tolist()))


@pytest.mark.parametrize("seed", range(4))
def test_random_sign_flips_against_all_flips(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(0.4, 1, 12), rng.normal(0, 1, 12)
    answer, p = sign_flip_test(a, b, seed=seed), enumerated_p(a - b)
    assert (answer.method, answer.seed) == ("sign_flip_exact", None)
    assert answer.pvalue == pytest.approx(p, rel=1e-12)
    monkeypatch.setattr("evalstats.paired.MOST_SUMS", 1)
    answer = sign_flip_test(a, b, n_resamples=4095, seed=seed)
    assert (answer.method, answer.seed) == ("sign_flip_monte_carlo", seed)
    assert answer.pvalue == pytest.approx(p, abs=4 * math.sqrt(p * (1 - p) / 4095) + 3e-4)
    assert sign_flip_test(a, b, n_resamples=4096, seed=seed).method == "sign_flip_exact"


def test_random_sign_flips_count_the_observed_one():
    """However few the resamples, p is never 0 (peers.md 4b: p = 0 from Monte Carlo)."""
    answer = sign_flip_test(np.sqrt(np.arange(1, 41)), np.zeros(40), n_resamples=99)
    assert answer.pvalue == pytest.approx(1 / 100)


def test_exact_sign_flips_of_halves_are_those_of_whole_numbers():
    halves, wholes = np.arange(1, 41) / 2 - 9, np.arange(1, 41) - 18
    answer = sign_flip_test(halves, np.zeros(40))
    assert (answer.method, answer.seed) == ("sign_flip_exact", None)
    assert answer.pvalue == pytest.approx(sign_flip_test(wholes, np.zeros(40)).pvalue, rel=1e-12)


@pytest.mark.parametrize(
    "scores", [[0.5, 0.5, 0.5], [0.1, 0.2, 0.3], [0.3, 0.1, 0.2], [0.1, 0.5, 0.7], [0.4, 0.1, 0.9]]
)
def test_sign_flips_count_ties_although_sums_are_rounded(scores, monkeypatch):
    """All three signs alike is as extreme as what was seen: 2 of 8. In binary, .1 + .5 + .7 is below 1.3."""
    assert sign_flip_test(scores, [0, 0, 0]).pvalue == pytest.approx(0.25, rel=1e-12)
    monkeypatch.setattr("evalstats.paired.MOST_SUMS", 1)
    drawn = np.mean([sign_flip_test(scores, [0, 0, 0], n_resamples=7, seed=seed).pvalue for seed in range(400)])
    # (1 + 7/4)/8 on average; where the three sizes are one there is nothing to draw.
    assert drawn == pytest.approx(0.25 if len(set(scores)) == 1 else 2.75 / 8, abs=4 * math.sqrt(7 * 3 / 16 / 400) / 8)


def test_sign_flips_of_identical_scores():
    assert sign_flip_test([0.5, 0.25], [0.5, 0.25]).pvalue == 1


def test_sign_flips_depend_on_neither_order_nor_workers():
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.1, 1, 500), rng.normal(0, 1, 500)
    once = sign_flip_test(a, b, n_resamples=3000, seed=5)
    order = rng.permutation(500)
    assert sign_flip_test(a[order], b[order], n_resamples=3000, seed=5).pvalue == once.pvalue
    for workers in (1, 2, 8):
        with ThreadPoolExecutor(workers) as pool:
            assert sign_flip_test(a, b, n_resamples=3000, seed=5, executor=pool) == once
    with ProcessPoolExecutor(2, mp_context=get_context("forkserver")) as processes:
        assert sign_flip_test(a, b, n_resamples=3000, seed=5, executor=processes) == once
    assert sign_flip_test(b, a, n_resamples=3000, seed=5).pvalue == once.pvalue


def test_sign_flips_refuse_bad_input():
    with pytest.raises(ValueError, match="at least 2 clusters"):
        sign_flip_test([1, 0], [0, 0], ["x", "x"])
    with pytest.raises(ValueError, match="n_resamples"):
        sign_flip_test([0.5, 0], [0, 0], n_resamples=0)
    with pytest.raises(ValueError, match="finite"):
        sign_flip_test([math.nan, 0], [0, 0])
    for a in ([1, 0], np.sqrt(np.arange(40))):
        with pytest.raises(ValueError, match=r"executor must be None or a concurrent.futures.Executor, got 5"):
            sign_flip_test(a, np.zeros(len(a)), executor=5)


# --- traps that peers fell into (peers.md 4b) -------------------------------------------------------------------------

PAIRS = [mcnemar, *TESTS, *INTERVALS, paired_t, sign_flip_test]


@pytest.mark.parametrize("function", PAIRS)
@pytest.mark.parametrize("where", [0, 9])
@pytest.mark.parametrize("system", ["a", "b"])
def test_trap_1_one_nan_is_no_significant_difference(function, where, system):
    """Five peers count |nan| >= x, which is never true, and say p = 0.0001; another says p = 1."""
    scores = {"a": [1.0, 0.0] * 5, "b": [0.0, 1.0] * 5}
    scores[system][where] = math.nan
    with pytest.raises(ValueError, match=f"{system} must be finite, got nan at position {where}"):
        function(scores["a"], scores["b"])


@pytest.mark.parametrize("function", [mcnemar, *TESTS, *INTERVALS])
@pytest.mark.parametrize("partial_score", [0.9, 0.5])
def test_trap_5_a_partial_score_is_neither_right_nor_wrong(function, partial_score):
    """A peer casts 0.9 to 0 before it looks; three others leave such items out without a word."""
    with pytest.raises(ValueError, match=f"a must be 0 or 1 for each item, got {partial_score} at position 1"):
        function([1, partial_score, 0], [1, 1, 0])


@pytest.mark.parametrize("function", PAIRS)
@pytest.mark.parametrize(("long", "short"), [(20, 1), (20, 19)])
def test_trap_6_unequal_vectors_are_neither_broadcast_nor_cut(function, long, short):
    """Peers accept 20 scores against 1 (p = 1.9e-6), and against 19."""
    a, b = np.ones(long), np.zeros(short)
    with pytest.raises(ValueError, match=rf"got ({long} and {short} values|1)"):
        function(a, b)
    with pytest.raises(ValueError, match=rf"got ({short} and {long} values|1)"):
        function(b, a)


def test_trap_6_groups_are_not_cut_either():
    with pytest.raises(ValueError, match="groups must name one cluster for each of the 20 rows, got 19"):
        sign_flip_test([1] * 20, [0] * 20, groups=range(19))


@pytest.mark.parametrize("test", TESTS)
def test_trap_7_no_disagreement_and_perfect_balance_are_no_evidence(test):
    """Two peers say p = 0 when nothing disagrees, and four say .920 for 50 against 50."""
    assert test(PairedTable(10, 0, 0, 10)).pvalue == 1
    assert test(PairedTable(10, 50, 50, 10)).pvalue == 1


def test_trap_11_a_right_everywhere_and_b_nowhere():
    """Peers give p = 1 (beside McNemar's 2e-6) or p = 0."""
    a, b = np.ones(20), np.zeros(20)
    with pytest.raises(ValueError, match="every difference a - b is 1: without spread there is no t; use sign_flip"):
        paired_t(a, b)
    exact = 2 * 0.5**20
    assert mcnemar_exact(a, b).pvalue == pytest.approx(exact)
    assert sign_flip_test(a, b).pvalue == pytest.approx(exact)
    assert limits(tango_interval(a, b))[1] == 1


# --- all results -----------------------------------------------------------------------------------------------------


def test_every_answer_survives_json_and_pickle():
    a, b = vectors(CHAPTER)
    answers = [test(CHAPTER) for test in TESTS] + [interval(CHAPTER) for interval in INTERVALS]
    answers += [paired_t(a, b), sign_flip_test(a, b), unpaired_z_pooled(1, 2, 1, 2), unpaired_z_unpooled(1, 2, 1, 2)]
    for answer in answers:
        assert type(answer).from_dict(json.loads(json.dumps(answer.to_dict()))) == answer
        assert pickle.loads(pickle.dumps(answer)) == answer
        assert hash(answer) == hash(type(answer).from_dict(answer.to_dict()))
        assert "p = 0 " not in str(answer)


def test_bootstrap_of_the_chapter_agrees_with_the_intervals():
    """Four roads to one interval: they differ by less than a tenth of its width."""
    answers = [interval(CHAPTER) for interval in INTERVALS] + [bootstrap_paired_diff(*vectors(CHAPTER), seed=1)]
    lows, highs = [one.ci_low for one in answers], [one.ci_high for one in answers]
    assert np.ptp(lows) < 0.0033
    assert np.ptp(highs) < 0.0033
