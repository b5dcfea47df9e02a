"""evalstats.bootstrap: counts instead of rows, and all resamples instead of some."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa

from evalstats.bootstrap import (
    _ideal_quantile,
    bca_mean,
    bca_statistic,
    bca_table_statistic,
    bootstrap_mean,
    bootstrap_paired_diff,
    bootstrap_statistic,
    bootstrap_table_statistic,
    ideal_bootstrap_mean,
    ideal_bootstrap_paired_diff,
)
from evalstats.paired import PairedTable


def f1(table):
    (both, false), (missed, _) = table
    return 2 * both / (2 * both + false + missed)


def kappa(table):
    total = table.sum(axis=(0, 1))
    agreed = np.trace(table) / total
    by_chance = (table.sum(axis=0) * table.sum(axis=1)).sum(axis=0) / total**2
    return (agreed - by_chance) / (1 - by_chance)


def precision(table):
    return table[0] / table.sum(axis=0)


CONFUSION = [[40, 10], [15, 135]]
GRADES = [[30, 6, 1], [4, 25, 5], [0, 7, 22]]

# --- counts instead of rows ---


def test_counts_and_rows_have_one_distribution():
    rows = [(i, j) for i, j in itertools.product((0, 1), (0, 1)) for _ in range(CONFUSION[i][j])]

    def of_rows(pairs):
        both, false = pairs.count((0, 0)), pairs.count((0, 1))
        return 2 * both / (2 * both + false + pairs.count((1, 0)))

    slow = bootstrap_statistic(rows, of_rows, n_boot=4000)
    fast = bootstrap_table_statistic(CONFUSION, f1, n_boot=40_000)
    assert slow.point == pytest.approx(fast.point)
    assert fast.extra["boot_se"] == pytest.approx(slow.extra["boot_se"], rel=0.05)
    assert (fast.ci_low, fast.ci_high) == pytest.approx((slow.ci_low, slow.ci_high), abs=0.008)
    assert (fast.method, fast.n, fast.seed) == ("table_bootstrap_percentile", 200, 0)


def test_kappa_against_statsmodels():
    """The analytic standard error is first-order, as the bootstrap's is: they meet for a few hundred items."""
    table = np.array(GRADES) * 4
    theirs = cohens_kappa(table)
    answer = bootstrap_table_statistic(table, kappa, n_boot=40_000)
    assert answer.point == pytest.approx(theirs.kappa)
    assert answer.extra["boot_se"] == pytest.approx(theirs.std_kappa, rel=0.03)
    assert (answer.ci_low, answer.ci_high) == pytest.approx((theirs.kappa_low, theirs.kappa_upp), abs=0.01)


def test_the_jackknife_and_bca_of_a_mean():
    """A share of a table of two cells is a mean of 0/1 scores."""
    table = bca_table_statistic([90, 10], precision, n_boot=40_000)
    mean = bca_mean([1] * 90 + [0] * 10, n_boot=40_000)
    assert table.extra["acceleration"] == pytest.approx(mean.extra["acceleration"], rel=1e-9)
    assert table.extra["bias_correction"] == pytest.approx(mean.extra["bias_correction"], abs=0.02)
    assert (table.ci_low, table.ci_high) == pytest.approx((mean.ci_low, mean.ci_high), abs=0.0101)


def test_an_empty_cell_has_no_item_to_leave_out():
    """One less than nothing would make this statistic undefined."""
    answer = bca_table_statistic([50, 10, 0], lambda t: t[0] / 60 + 0 * np.log1p(t[2]), n_boot=2000)
    assert answer.point == pytest.approx(50 / 60)


def test_seed_fixes_the_answer():
    plain = bootstrap_table_statistic(CONFUSION, f1, seed=3)
    assert plain == bootstrap_table_statistic(np.array(CONFUSION), f1, seed=3)
    assert plain != bootstrap_table_statistic(CONFUSION, f1, seed=4)


CLUSTER = np.arange(300) // np.repeat([3, 5, 6, 10], [60, 60, 90, 90])  # clusters of 3, 5, 6 and 10 rows, some split
TRUE, SAID = np.random.default_rng(5).random((2, 300)) < 0.6


def one_row_tables(rows):
    """A table of the kind of CONFUSION for each row: true or not, said or not."""
    tables = np.zeros((len(rows), 2, 2), int)
    tables[np.arange(len(rows)), 1 - SAID[rows], 1 - TRUE[rows]] = 1
    return tables


def test_clusters_of_rows_are_drawn_whole():
    """Against `bootstrap_statistic` with groups, which draws lists of rows; and whatever the order of the tables."""
    tables = one_row_tables(np.arange(300))
    slow = bootstrap_statistic(list(tables), lambda rows: f1(np.sum(rows, axis=0)), n_boot=4000, groups=CLUSTER)
    fast = bootstrap_table_statistic(tables, f1, n_boot=40_000, groups=CLUSTER)
    assert fast.point == pytest.approx(slow.point)
    assert fast.extra["boot_se"] == pytest.approx(slow.extra["boot_se"], rel=4 / np.sqrt(2 * 4000))
    assert (fast.method, fast.n, fast.n_clusters) == ("table_cluster_bootstrap_percentile", 300, slow.n_clusters)
    order = np.random.default_rng(1).permutation(300)
    assert bootstrap_table_statistic(tables[order], f1, n_boot=40_000, groups=CLUSTER[order]) == fast
    accelerated = bca_table_statistic(tables, f1, n_boot=40_000, groups=CLUSTER)
    rows = bca_statistic(list(tables), lambda rows: f1(np.sum(rows, axis=0)), n_boot=200, groups=CLUSTER)
    assert accelerated.extra["acceleration"] == pytest.approx(rows.extra["acceleration"], rel=1e-9)


def test_a_table_of_each_cluster_is_as_good_as_its_rows():
    added = np.array([one_row_tables(np.flatnonzero(c == CLUSTER)).sum(axis=0) for c in np.unique(CLUSTER)])
    by_row = bootstrap_table_statistic(one_row_tables(np.arange(300)), f1, groups=CLUSTER)
    assert bootstrap_table_statistic(added, f1, groups=np.unique(CLUSTER)) == by_row


def test_equal_clusters_are_worth_one_row_each():
    """Five copies in a cluster: the interval is that of the rows without copies, not a fifth of its variance."""
    tables = one_row_tables(np.arange(100))
    once = bootstrap_table_statistic(tables.sum(axis=0), f1, n_boot=40_000)
    copies = bootstrap_table_statistic(np.repeat(tables, 5, axis=0), f1, n_boot=40_000, groups=np.repeat(range(100), 5))
    assert copies.extra["boot_se"] == pytest.approx(once.extra["boot_se"], rel=0.02)


def test_undefined_replicates_are_counted_or_refused():
    """Precision is 0/0 when nothing was found; the warning of numpy is not the reader's."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answer = bootstrap_table_statistic([3, 2, 95], lambda t: t[0] / (t[0] + t[1]), n_boot=2000)
    expected = 0.95**100
    assert answer.extra["undefined_replicates"] == pytest.approx(2000 * expected, abs=4 * np.sqrt(2000 * expected))
    assert "undefined and left out" in answer.warning
    with pytest.raises(ValueError, match="could miss a whole tail"):
        bootstrap_table_statistic([1, 1, 98], lambda t: t[0] / (t[0] + t[1]), n_boot=2000)


def test_one_filled_cell_is_no_certainty():
    assert "no resample changed" in bootstrap_table_statistic([30, 0], precision).warning


REFUSED = [
    (lambda: bootstrap_table_statistic([5, -1], precision), "table must hold at least 2 whole counts of at least 0"),
    (lambda: bootstrap_table_statistic([5], precision), "table must hold at least 2 whole counts"),
    (lambda: bootstrap_table_statistic([0, 0], precision), "not all 0, got [0, 0]"),
    (lambda: bootstrap_table_statistic([0.5, 3], precision), "table must hold at least 2 whole counts"),
    (lambda: bootstrap_table_statistic([True, False], precision), "table must hold at least 2 whole counts"),
    (lambda: bootstrap_table_statistic([[5, 1], [2, 3]], lambda t: t.sum(axis=0)), "stat_fn must return one number"),
    (lambda: bootstrap_table_statistic([5, 1], lambda t: 0.5), "got float64 of shape ()"),
    (
        lambda: bootstrap_table_statistic([0, 0, 5], lambda t: t[0] / (t[0] + t[1])),
        "the statistic must be a finite number, got nan",
    ),
    (lambda: bootstrap_table_statistic([5, 1], lambda t: {"f1": 1}), "got object of shape ()"),
    (lambda: bootstrap_table_statistic([5, 1], lambda t: "high"), "stat_fn must return one number"),
    (lambda: bootstrap_table_statistic([5, 1], "f1"), "stat_fn must be a function, got 'f1'"),
    (lambda: bootstrap_table_statistic([2**63, 1], precision), "table must hold at least 2 whole counts"),
    (lambda: bootstrap_table_statistic([10**400, 1], precision), "table must hold at least 2 whole counts"),
    (lambda: bootstrap_table_statistic([5, 1], precision, groups=[1, 2]), "for each label of groups"),
    (lambda: bootstrap_table_statistic([[5, 1]] * 3, precision, groups=[1, 2]), "each of the 3 rows, got 2"),
    (lambda: bootstrap_table_statistic([[5, 1]] * 3, precision, groups=[1, 1, 1]), "at least 2 clusters, got 1"),
    (lambda: bca_table_statistic([30, 0], precision), "BCa is undefined"),
    (lambda: bca_table_statistic([1, 0, 60], lambda t: t[0] / t[0]), "no finite value"),
    (lambda: ideal_bootstrap_mean([0.5, 1]), "scores must be 0 or 1 for each item, got 0.5"),
    (lambda: ideal_bootstrap_mean([]), "at least 1 value"),
    (lambda: ideal_bootstrap_mean([1, 0], level=95), "level must lie strictly between 0 and 1"),
    (lambda: ideal_bootstrap_paired_diff([1, 0], [1]), "2 and 1 values"),
    (lambda: ideal_bootstrap_paired_diff([1, 0]), "give one PairedTable, one Alignment or two vectors"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED)
def test_refused(call, words):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        call()
    assert words in str(error.value)


# --- all resamples ---


@given(st.integers(1, 40), st.data())
def test_the_quantile_is_the_binomials(n, data):
    k = data.draw(st.integers(0, n))
    for q in (0.025, 0.3, 0.975):
        assert _ideal_quantile(k, 0, n, q) == stats.binom.ppf(q, n, k / n)
        assert _ideal_quantile(0, k, n, q) == -stats.binom.isf(q, n, k / n) or k in (0, n)


@pytest.mark.parametrize(("k", "n"), [(1, 50), (3, 10**6), (855_000, 10**6), (10**6 - 1, 10**6), (3_333_333, 10**7)])
def test_the_quantile_is_the_binomials_of_many_items(k, n):
    levels = np.array([0.0005, 0.025, 0.25, 0.75, 0.975, 0.9995])
    assert _ideal_quantile(k, 0, n, levels).tolist() == stats.binom.ppf(levels, n, k / n).tolist()


@pytest.mark.parametrize(("up", "down", "n"), [(45, 25, 1000), (10, 0, 3000), (900, 900, 1800), (4_000, 3_900, 10_000)])
def test_the_quantile_is_that_of_ups_given_how_many_move(up, down, n):
    """Of N items that are one or the other, U - D <= d means U <= (N + d)/2; N is binomial, and given N so is U."""
    counts = np.arange(n + 1)
    weights = stats.binom.pmf(counts, n, (up + down) / n)
    for q in (0.0005, 0.025, 0.25, 0.75, 0.975, 0.9995):
        d = int(_ideal_quantile(up, down, n, q))
        below, reached = (
            float(weights @ stats.binom.cdf(np.floor((counts + each) / 2), counts, up / (up + down)))
            for each in (d - 1, d)
        )
        assert below < q <= reached + 1e-12


def test_the_far_tails_stay_among_the_possible():
    for up, down, n in ((5, 0, 5), (1, 0, 10**6), (0, 3, 7), (0, 0, 4)):
        low, high = _ideal_quantile(up, down, n, [1e-14, 1 - 1e-14]).tolist()
        assert -n * (down > 0) <= low <= up - down <= high <= n * (up > 0)


@pytest.mark.parametrize(("up", "down", "n"), [(4, 1, 9), (0, 3, 7), (3, 3, 6), (2, 0, 8), (0, 0, 5)])
def test_the_quantile_counts_all_resamples(up, down, n):
    scores = [1] * up + [-1] * down + [0] * (n - up - down)
    chance: dict[int, float] = {0: 1.0}
    for _ in range(n):
        step: dict[int, float] = {}
        for total, p in chance.items():
            for score in scores:
                step[total + score] = step.get(total + score, 0) + p / n
        chance = step
    for q in (0.025, 0.1, 0.5, 0.975):
        running = 0.0
        for total in sorted(chance):
            running += chance[total]
            if running >= q - 1e-12:
                break
        assert _ideal_quantile(up, down, n, q) == total


def test_ideal_is_where_the_drawn_bootstrap_settles():
    right = [1] * 855 + [0] * 145
    drawn, ideal = bootstrap_mean(right, n_boot=400_000), ideal_bootstrap_mean(right)
    assert (ideal.ci_low, ideal.ci_high) == (drawn.ci_low, drawn.ci_high) == (0.833, 0.876)
    assert ideal.extra["boot_se"] == pytest.approx(drawn.extra["boot_se"], rel=0.005)
    a, b = [1] * 810 + [1] * 45 + [0] * 25 + [0] * 120, [1] * 810 + [0] * 45 + [1] * 25 + [0] * 120
    paired = ideal_bootstrap_paired_diff(a, b)
    assert paired == ideal_bootstrap_paired_diff(PairedTable(810, 45, 25, 120))
    drawn = bootstrap_paired_diff(a, b, n_boot=400_000)
    assert (paired.ci_low, paired.ci_high) == (drawn.ci_low, drawn.ci_high) == (0.004, 0.036)
    assert (paired.extra["contrast"], paired.extra["boot_se"]) == (
        "A - B",
        pytest.approx(drawn.extra["boot_se"], rel=0.005),
    )


def test_no_seed_and_no_claim_of_exact_coverage():
    answer = ideal_bootstrap_mean([1] * 19 + [0])
    assert (answer.seed, answer.n_boot) == (None, None)
    assert "no seed" in answer.extra["monte_carlo_error"]
    assert "approximate" in answer.extra["coverage"]
    assert "exact" not in answer.method
    assert "wilson_interval" in answer.warning
    assert "use wilson_interval" in ideal_bootstrap_mean([1] * 30).warning
    assert "tango_interval" in ideal_bootstrap_paired_diff([1] * 30, [1] * 30).warning


@pytest.mark.parametrize(("n", "p", "coverage"), [(10, 0.85, 0.793), (20, 0.95, 0.639), (40, 0.95, 0.868)])
def test_ideal_covers_as_seldom_as_the_audit_says(n, p, coverage):
    hits = 0.0
    for k in range(n + 1):
        answer = ideal_bootstrap_mean([1] * k + [0] * (n - k))
        hits += stats.binom.pmf(k, n, p) * (answer.ci_low <= p + 1e-12 and p <= answer.ci_high + 1e-12)
    assert round(hits, 3) == coverage


def test_four_to_nothing_excludes_zero():
    """Whatever n: no flip drawn in fewer than 2.5% of the resamples."""
    for n in (40, 1000):
        assert ideal_bootstrap_paired_diff(PairedTable(n - 4, 4, 0, 0)).ci_low > 0
        assert ideal_bootstrap_paired_diff(PairedTable(n - 3, 3, 0, 0)).ci_low == 0
