"""evalstats.cluster against R (clubSandwich, survey), scipy, statsmodels, identities and a short simulation."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evalstats.cluster import (
    clopper_pearson_cluster_interval,
    cluster_standard_error,
    cluster_standard_error_cr1,
    design_effect,
    effective_n,
    intraclass_correlation,
    mean_interval,
    paired_cluster_interval,
    paired_cluster_t,
    wilson_cluster_interval,
)
from evalstats.paired import mcnemar, paired_t, tango_interval
from evalstats.proportion import clopper_pearson_interval, wilson_interval

R = json.loads((Path(__file__).parents[1] / "reference" / "cluster.json").read_text())
SIZES = {
    "equal": ([5] * 12, None),
    "unequal": ([1, 1, 1, 20, 3, 7, 2, 9], None),
    "strata_equal": ([5] * 12, "xxxxyyyyzzzz"),
    "strata_unequal": ([1, 4, 2, 9, 3, 7, 2, 6, 5, 1], "xxxyyyyzzz"),
}


def case(name: str) -> tuple[np.ndarray, np.ndarray, list[str] | None]:
    """The data of tests/reference/cluster.R."""
    sizes, strata = SIZES[name]
    groups = np.repeat(np.arange(1, len(sizes) + 1), sizes)
    row = np.arange(1, groups.size + 1)
    scores = ((row * 37 + groups * groups * 11) % 29) / 29 + (groups % 3) / 2
    return scores, groups, None if strata is None else [strata[group - 1] for group in groups]


def clustered(rng: np.random.Generator, n_clusters: int, size: int, mean: float, icc: float) -> np.ndarray:
    """0/1 scores, one row a cluster: chances are Beta with the given mean, and icc is what rows of a cluster share."""
    concentration = (1 - icc) / icc
    chance = rng.beta(mean * concentration, (1 - mean) * concentration, n_clusters)
    return (rng.random((n_clusters, size)) < chance[:, None]).astype(float)


# --- standard errors -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SIZES)
def test_cr2_and_its_degrees_of_freedom_against_clubsandwich(name):
    error = cluster_standard_error(*case(name))
    assert float(error) == pytest.approx(R[name]["CR2"], rel=1e-12)
    assert error.extra["df"] == pytest.approx(R[name]["df"], rel=1e-10)
    assert (error.n, error.n_clusters) == (R[name]["n"], len(SIZES[name][0]))


@pytest.mark.parametrize("name", ["equal", "unequal"])
def test_cr1_against_clubsandwich_survey_and_statsmodels(name):
    scores, groups, _ = case(name)
    error = cluster_standard_error_cr1(scores, groups)
    assert float(error) == pytest.approx(R[name]["CR1"], rel=1e-12)
    assert float(error) == pytest.approx(R[name]["survey_se"], rel=1e-12)
    fit = sm.OLS(scores, np.ones_like(scores)).fit(cov_type="cluster", cov_kwds={"groups": groups})
    assert float(error) == pytest.approx(float(fit.bse[0]), rel=1e-10)
    assert error.extra["df"] == len(SIZES[name][0]) - 1


def test_stratified_cr1_against_survey():
    """With clusters of one size; survey lets the shares of the strata vary otherwise, and we take them as fixed."""
    error = cluster_standard_error_cr1(*case("strata_equal"))
    assert float(error) == pytest.approx(R["strata_equal"]["survey_se"], rel=1e-12)
    assert error.extra["df"] == 12 - 3


def test_stratified_cr1_by_its_formula():
    scores, groups, strata = case("strata_unequal")
    total = 0.0
    for kind in "xyz":
        inside = np.array(strata) == kind
        members = np.unique(groups[inside])
        totals = [(scores[groups == one] - scores[inside].mean()).sum() for one in members]
        total += len(members) / (len(members) - 1) * sum(t**2 for t in totals)
    assert float(cluster_standard_error_cr1(scores, groups, strata)) == pytest.approx(math.sqrt(total) / scores.size)


def test_equal_clusters_make_cr1_and_cr2_one():
    scores, groups, strata = case("strata_equal")
    one, two = cluster_standard_error_cr1(scores, groups, strata), cluster_standard_error(scores, groups, strata)
    assert float(one) == pytest.approx(float(two), rel=1e-12)
    assert two.extra["df"] == pytest.approx(9)


def test_unequal_clusters_make_cr2_larger():
    """Sizes 1, 1, 1, 20 (audit_corrections 3): CR1 is too small there, and its degrees of freedom too many."""
    scores, groups, _ = case("unequal")
    one, two = cluster_standard_error_cr1(scores, groups), cluster_standard_error(scores, groups)
    assert float(two) > float(one)
    assert two.extra["df"] < one.extra["df"]


def test_clusters_of_one_row_are_no_clusters():
    scores = np.array([0.3, 0.9, 0.4, 0.7, 0.1])
    error = cluster_standard_error(scores, range(5))
    assert float(error) == pytest.approx(stats.sem(scores))
    assert error.extra["df"] == pytest.approx(4)


# --- how much clusters cost ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["equal", "unequal"])
def test_icc_from_the_mean_squares_of_scipy(name):
    scores, groups, _ = case(name)
    members = [scores[groups == one] for one in np.unique(groups)]
    sizes = np.array([one.size for one in members])
    squares = [m * (one.mean() - scores.mean()) ** 2 for m, one in zip(sizes, members, strict=True)]
    between = sum(squares) / (len(sizes) - 1)
    ratio = stats.f_oneway(*members).statistic
    n0 = (sizes.sum() - (sizes**2).sum() / sizes.sum()) / (len(sizes) - 1)
    answer = intraclass_correlation(scores, groups)
    assert answer.extra["mean_square_between"] == pytest.approx(between)
    assert float(answer) == pytest.approx((ratio - 1) / (ratio + n0 - 1))


def test_icc_with_strata_from_the_nested_analysis_of_variance():
    scores, groups, strata = case("strata_unequal")
    kinds, means = np.array(strata), {}
    for one in np.unique(groups):
        means[one] = scores[groups == one].mean()
    between = within = n0 = 0.0
    for kind in "xyz":
        inside = kinds == kind
        sizes = {one: int((groups == one).sum()) for one in np.unique(groups[inside])}
        between += sum(m * (means[one] - scores[inside].mean()) ** 2 for one, m in sizes.items())
        n0 += sum(sizes.values()) - sum(m**2 for m in sizes.values()) / sum(sizes.values())
    within = sum((score - means[one]) ** 2 for score, one in zip(scores, groups, strict=True))
    between, within, n0 = between / (10 - 3), within / (40 - 10), n0 / (10 - 3)
    expected = (between - within) / (between + (n0 - 1) * within)
    assert float(intraclass_correlation(scores, groups, strata)) == pytest.approx(expected)


def test_icc_is_left_negative():
    assert float(intraclass_correlation([0, 1, 0, 1], [1, 1, 2, 2])) == -1
    assert float(intraclass_correlation([0, 0, 1, 1], [1, 1, 2, 2])) == 1


def test_kinds_taken_for_clusters_look_like_shared_fate():
    """The pilot's trap (audit_corrections 3): what differs between fixed kinds is not what clusters share."""
    rng = np.random.default_rng(8)
    scores = np.concatenate([rng.random(150) < 0.95, rng.random(150) < 0.05]).astype(float)
    groups, kinds = np.repeat(np.arange(60), 5), np.repeat(["easy", "hard"], 150)
    assert float(intraclass_correlation(scores, groups)) > 0.7
    assert abs(float(intraclass_correlation(scores, groups, kinds))) < 0.1
    assert float(effective_n(scores, groups)) < 100
    assert float(effective_n(scores, groups, kinds)) > 300


def test_icc_estimates_what_the_generator_shares():
    rng = np.random.default_rng(4)
    groups = np.repeat(np.arange(400), 5)
    found = [float(intraclass_correlation(clustered(rng, 400, 5, 0.7, 0.4).ravel(), groups)) for _ in range(20)]
    assert np.mean(found) == pytest.approx(0.4, abs=0.02)


def test_design_effect_of_equal_clusters_is_one_plus_rho_times_rest():
    rng = np.random.default_rng(5)
    scores, groups = clustered(rng, 300, 5, 0.6, 0.3).ravel(), np.repeat(np.arange(300), 5)
    rho = float(intraclass_correlation(scores, groups))
    assert float(design_effect(scores, groups)) == pytest.approx(1 + 4 * rho, rel=0.005)
    assert float(effective_n(scores, groups)) == pytest.approx(1500 / float(design_effect(scores, groups)))


def test_rows_that_are_their_own_clusters_cost_nothing():
    assert float(design_effect([0.3, 0.9, 0.4, 0.7, 0.1], range(5))) == pytest.approx(1, rel=1e-12)
    assert float(effective_n([0.3, 0.9, 0.4, 0.7, 0.1], range(5))) == pytest.approx(5, rel=1e-12)


def test_equal_scores_cannot_show_a_design_effect():
    groups = [1, 1, 1, 2, 2, 3]
    effect, size = design_effect([1] * 6, groups), effective_n([1] * 6, groups)
    assert (float(effect), float(size)) == (2, 3)
    assert "0/0" in (effect.warning or "")
    assert size.warning
    with pytest.raises(ValueError, match="nothing shows"):
        intraclass_correlation([1] * 6, groups)
    with pytest.raises(ValueError, match="no bound"):
        effective_n([0, 1, 0, 1], [1, 1, 2, 2])
    with pytest.raises(ValueError, match="at least 2 rows"):
        intraclass_correlation([0, 1, 0], [1, 2, 3])


# --- intervals for a mean --------------------------------------------------------------------------------------------


def test_mean_interval_is_wilson_for_marks():
    theirs = wilson_interval(17, 20, name="mean")
    assert mean_interval([1] * 17 + [0] * 3) == theirs
    assert mean_interval([True] * 17 + [False] * 3) == theirs
    assert mean_interval([1]) == wilson_interval(1, 1, name="mean")


def test_mean_interval_is_t_for_other_scores():
    scores = np.array([0.3, 0.9, 0.4, 0.7, 0.1, 0.8, 0.2, 0.5, 0.95, 0.35, 0.6])
    answer, theirs = mean_interval(scores, level=0.9), stats.ttest_1samp(scores, 0).confidence_interval(0.9)
    assert (answer.ci_low, answer.ci_high) == pytest.approx((theirs.low, theirs.high))
    assert (answer.method, answer.n_clusters, answer.warning) == ("t", None, None)


@pytest.mark.parametrize("name", SIZES)
def test_mean_interval_with_clusters_from_rs_numbers(name):
    answer = mean_interval(*case(name))
    half = stats.t.isf(0.025, R[name]["df"]) * R[name]["CR2"]
    assert answer.point == pytest.approx(R[name]["survey_mean"])
    assert (answer.ci_low, answer.ci_high) == pytest.approx((answer.point - half, answer.point + half))
    assert answer.n == R[name]["n"]
    assert answer.extra["estimand"] == "mean over rows, each row weighted equally"
    assert answer.extra["drawn"] == ("clusters within fixed strata" if "strata" in name else "clusters")


def test_rows_weigh_equally_and_it_is_said():
    """Half the items easy with one row, half hard with five (audit E08): the mean of rows is not that of items."""
    groups = [row for row in range(10)] + [10 + row // 5 for row in range(50)]
    answer = mean_interval([0.9] * 10 + [0.3] * 49 + [0.31], groups)
    assert answer.point == pytest.approx(0.4, abs=1e-3)
    assert "each row weighted equally" in answer.extra["estimand"]


def test_strata_without_groups_take_out_the_kinds():
    rng = np.random.default_rng(1)
    scores = np.concatenate([rng.normal(0, 1, 60), rng.normal(5, 1, 60)])
    answer = mean_interval(scores, strata=["x"] * 60 + ["y"] * 60)
    assert answer.method == "stratified_t"
    assert answer.extra["standard_error"] == pytest.approx(
        math.sqrt((scores[:60].var(ddof=1) + scores[60:].var(ddof=1)) / 60) / 2
    )


def test_marks_in_strata_are_not_taken_for_one_sample():
    marks, kinds = [1] * 18 + [0] * 2 + [1] * 2 + [0] * 18, ["x"] * 20 + ["y"] * 20
    answer = mean_interval(marks, strata=kinds)
    assert answer.method == "stratified_t"
    assert answer.extra["standard_error"] == pytest.approx(math.sqrt(2 * 0.09 / 19) / 2)


def test_marks_in_clusters_stay_inside_0_and_1():
    groups = [row // 5 for row in range(40)]
    nearly = [1] * 38 + [0] * 2
    assert mean_interval(nearly, groups).ci_high == 1
    assert mean_interval([1 - mark for mark in nearly], groups).ci_low == 0


@pytest.mark.parametrize("value", [0, 1])
def test_all_equal_marks_in_clusters_are_no_certainty(value):
    answer = mean_interval([value] * 30, [row // 5 for row in range(30)])
    t2 = stats.t.isf(0.025, 5) ** 2
    far = t2 / (6 + t2)
    assert (answer.ci_low, answer.ci_high) == pytest.approx((value * (1 - far), value * (1 - far) + far))
    assert answer.extra["effective_n"] == 6
    assert "number of clusters" in (answer.warning or "")


def test_wilson_cluster_is_wilson_with_effective_n_and_t():
    scores, groups = [1] * 90 + [0] * 10, [row // 5 for row in range(100)]
    answer, error = wilson_cluster_interval(scores, groups), cluster_standard_error(scores, groups)
    n_effective, t = 0.09 / float(error) ** 2, stats.t.isf(0.025, error.extra["df"])
    assert answer.extra["effective_n"] == pytest.approx(n_effective)
    for end in (answer.ci_low, answer.ci_high):
        assert abs(0.9 - end) / math.sqrt(end * (1 - end) / n_effective) == pytest.approx(t)


def test_wilson_cluster_never_claims_more_than_its_rows():
    groups = [row // 2 for row in range(20)]
    assert wilson_cluster_interval([0, 1] * 10, groups).extra["effective_n"] == 20
    assert wilson_cluster_interval([1, 1, 0, 0] + [0, 1] * 8, groups).extra["effective_n"] == 20


# --- Clopper and Pearson with an effective n (Korn and Graubard) ---


@pytest.mark.parametrize("name", ["equal", "strata_equal"])
def test_clopper_pearson_of_clusters_against_survey(name):
    """With clusters of one size, where CR2 is the error that survey has."""
    scores, groups, strata = case(name)
    answer = clopper_pearson_cluster_interval((scores > 0.7).astype(int), groups, strata, level=0.9)
    assert answer.point == pytest.approx(R[name]["mark_mean"])
    assert (answer.ci_low, answer.ci_high) == pytest.approx((R[name]["beta_low"], R[name]["beta_high"]), rel=1e-9)


def test_clopper_pearson_of_unequal_clusters_by_its_formula():
    scores, groups, _ = case("unequal")
    marks = (scores > 0.7).astype(int)
    answer, error = clopper_pearson_cluster_interval(marks, groups), cluster_standard_error(marks, groups)
    p, n = marks.mean(), marks.size
    ratio = stats.t.ppf(0.975, n - 1) / stats.t.ppf(0.975, error.extra["df"])
    effective = p * (1 - p) / float(error) ** 2
    adjusted = effective * ratio**2
    low = stats.beta.ppf(0.025, adjusted * p, adjusted * (1 - p) + 1)
    high = stats.beta.ppf(0.975, adjusted * p + 1, adjusted * (1 - p))
    assert (answer.ci_low, answer.ci_high) == pytest.approx((low, high))
    assert answer.extra["effective_n"] == pytest.approx(effective)


@pytest.mark.parametrize("value", [0, 1])
def test_clopper_pearson_of_all_equal_marks_counts_clusters(value):
    answer = clopper_pearson_cluster_interval([value] * 30, [row // 5 for row in range(30)])
    plain = clopper_pearson_interval(6 * value, 6)
    assert (answer.ci_low, answer.ci_high) == (plain.ci_low, plain.ci_high)
    assert answer.extra["effective_n"] == 6
    assert "number of clusters" in (answer.warning or "")


def test_rows_as_clusters_give_clopper_and_pearsons_interval_nearly():
    """The sample variance has n - 1 where the binomial has n."""
    answer, plain = (
        clopper_pearson_cluster_interval([1] * 170 + [0] * 30, range(200)),
        clopper_pearson_interval(170, 200),
    )
    assert (answer.ci_low, answer.ci_high) == pytest.approx((plain.ci_low, plain.ci_high), abs=2e-4)
    assert answer.extra["effective_n"] == pytest.approx(199)


@given(st.integers(0, 10**6), st.sampled_from([0.5, 0.8, 0.95, 0.999]))
@settings(max_examples=60, deadline=None)
def test_effective_intervals_hold_the_mean_and_mirror(seed, level):
    rng = np.random.default_rng(seed)
    n_clusters = int(rng.integers(2, 12))
    groups = np.concatenate([np.arange(n_clusters), rng.integers(0, n_clusters, 40)])
    marks = (rng.random(groups.size) < rng.random()).astype(int)
    for function in (wilson_cluster_interval, clopper_pearson_cluster_interval):
        answer, mirror = function(marks, groups, level=level), function(1 - marks, groups, level=level)
        wide = function(marks, groups, level=0.9995)
        assert 0 <= wide.ci_low <= answer.ci_low <= answer.point <= answer.ci_high <= wide.ci_high <= 1
        assert (answer.ci_low, answer.ci_high) == pytest.approx((1 - mirror.ci_high, 1 - mirror.ci_low))


def test_every_function_warns_of_few_clusters_and_of_boundaries():
    few, groups = [0, 1, 1, 1, 0, 0, 0, 1], [1, 1, 1, 2, 2, 3, 3, 3]
    for function in EVERY:  # where 0/1 scores are also few on one side, the boundary is named first
        words = function(few, groups).warning or ""
        assert any(each in words for each in ("degrees of freedom", "few right or few wrong", "fill only 1.5")), (
            function
        )
    edge, many = [1] * 114 + [0] * 6, [row // 5 for row in range(120)]
    for function in (mean_interval, cluster_standard_error, cluster_standard_error_cr1):
        assert "few right or few wrong" in (function(edge, many).warning or "")
        assert function([1] * 120, many).warning
    assert "wilson_cluster_interval" in (cluster_standard_error([1] * 120, many).warning or "")
    for function in (wilson_cluster_interval, clopper_pearson_cluster_interval):
        assert "fill only 1.2 clusters" in (function(edge, many).warning or "")
        assert function([1] * 100 + [0] * 20, many).warning is None


def test_warnings_name_the_better_tool():
    few = mean_interval([0.2, 0.8, 0.3, 0.4], [1, 1, 2, 2])
    assert "degrees of freedom" in (few.warning or "")
    edge = mean_interval(([1] * 9 + [0]) * 12, [row // 5 for row in range(120)])
    assert edge.warning is None
    edge = mean_interval([1] * 114 + [0] * 6, [row // 5 for row in range(120)])
    assert "wilson_cluster_interval" in (edge.warning or "")
    assert mean_interval(([1] * 5 + [0] * 5) * 12, [row // 5 for row in range(120)]).warning is None


def test_no_spread_between_clusters_is_refused():
    with pytest.raises(ValueError, match="no spread"):
        mean_interval([0, 1] * 10, [row // 2 for row in range(20)])
    with pytest.raises(ValueError, match="no spread"):
        mean_interval([0.7] * 10)
    with pytest.raises(ValueError, match="at least 2 rows"):
        mean_interval([0.7])
    with pytest.raises(ValueError, match="no spread"):
        mean_interval([0.1 + 0.2] * 5 + [0.3] * 5, [row // 2 for row in range(10)])


EVERY = [
    mean_interval,
    wilson_cluster_interval,
    clopper_pearson_cluster_interval,
    cluster_standard_error,
    cluster_standard_error_cr1,
    intraclass_correlation,
    design_effect,
    effective_n,
    lambda scores, groups, strata=None: paired_cluster_t(scores, [0] * len(scores), groups, strata),
    lambda scores, groups, strata=None: paired_cluster_interval(scores, [0] * len(scores), groups, strata),
]


@pytest.mark.parametrize("function", EVERY)
@pytest.mark.parametrize(
    ("scores", "groups", "strata", "says"),
    [
        ([1, 0, 1, 1], ["x"] * 4, None, "at least 2 clusters"),
        ([1, 0, 1, 1], ["x", "y"], None, "for each of the 4 rows, got 2"),
        ([1, 0, math.nan, 1], [1, 1, 2, 2], None, "nan at position 2"),
        ([1, 0, 1, 1], [1, 1, 2, math.nan], None, "missing"),
        ([1, 0, 1, 1], [1, 1, 2, None], None, "missing"),
        ([1, 0, 1, 1], [1, 1, 2, 2], ["x"], "for each of the 4 rows, got 1"),
        ([1, 0, 1, 1], [1, 1, 2, 2], ["x", "x", "y", None], "missing"),
        ([1, 0, 1, 1], [1, 1, 2, 2], ["x", "x", "y", "y"], "at least 2 clusters, but that of cluster 0"),
        ([1, 0, 1, 1, 0, 1], [1, 1, 2, 2, 3, 3], ["x", "y", "x", "x", "x", "y"], "inside one stratum"),
        ([], [], None, "at least 1"),
        ([1, 0, 1, 1], 5, None, "groups must be a list with one label for each row, got 5"),
        ([1, 0, 1, 1], np.array(5), None, "groups must be a list with one label for each row"),
        ([1, 0, 1, 1], [1, 1, 2, 2], 3.5, "strata must be a list with one label for each row, got 3.5"),
        ([1, 0, 1, 1], [1, 1, 2, pd.NA], None, "groups must not be missing, got <NA> at position 3"),
        ([1, 0, 1, 1], [[1], [1], [2], [2]], None, "groups must hold one label a row, got .1. at position 0"),
        ([1, 0, 1, 1], [(1, 2), (1, 2), (2, 1), (2, math.nan)], None, "groups must not be missing, got .2, nan."),
        ([1, 0, 1, 1], [1, 1, 2, 2], ["x", "x", "x", ("x", None)], "strata must not be missing"),
    ],
)
def test_designs_that_say_nothing_are_refused(function, scores, groups, strata, says):
    with pytest.raises(ValueError, match=says):
        function(scores, groups, strata)


@given(st.integers(0, 10**6), st.floats(-3, 3), st.floats(0.1, 5))
@settings(max_examples=40, deadline=None)
def test_order_names_shift_and_scale_change_nothing_else(seed, shift, scale):
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 12, 70)
    groups[:24] = np.repeat(np.arange(12), 2)
    strata, scores = groups % 3, rng.normal(0, 1, 70)
    order = rng.permutation(70)
    for rows in (None, strata):
        here = mean_interval(scores, groups, rows)
        names = [f"cluster {99 - group}" for group in groups[order]]
        there = mean_interval(shift + scale * scores[order], names, None if rows is None else rows[order])
        expected = [shift + scale * x for x in (here.ci_low, here.point, here.ci_high)]
        assert [there.ci_low, there.point, there.ci_high] == pytest.approx(expected)


# --- two systems -----------------------------------------------------------------------------------------------------


def two_systems(seed: int = 0, n_clusters: int = 40) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return (
        clustered(rng, n_clusters, 5, 0.6, 0.3).ravel(),
        clustered(rng, n_clusters, 5, 0.5, 0.3).ravel(),
        np.repeat(np.arange(n_clusters), 5),
    )


def test_paired_is_the_mean_interval_of_the_differences():
    a, b, groups = two_systems()
    test, interval, mean = (
        paired_cluster_t(a, b, groups),
        paired_cluster_interval(a, b, groups),
        mean_interval(a - b + 0.5, groups),
    )
    assert (interval.ci_low, interval.point, interval.ci_high) == pytest.approx(
        (mean.ci_low - 0.5, mean.point - 0.5, mean.ci_high - 0.5)
    )
    assert (test.ci_low, test.effect, test.ci_high) == (interval.ci_low, interval.point, interval.ci_high)
    assert interval.extra["pvalue"] == test.pvalue
    assert test.statistic == pytest.approx(test.effect / float(cluster_standard_error(a - b, groups)))
    assert test.pvalue == pytest.approx(2 * stats.t.sf(abs(test.statistic), test.extra["df"]))


def test_paired_with_rows_as_clusters_is_paired_t():
    a, b, _ = two_systems()
    ours, plain = paired_cluster_t(a, b, range(200)), paired_t(a, b)
    assert (ours.statistic, ours.pvalue, ours.ci_low) == pytest.approx((plain.statistic, plain.pvalue, plain.ci_low))


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_interval_excludes_0_exactly_when_the_test_rejects(seed):
    a, b, groups = two_systems(seed)
    for strata in (None, groups % 4):
        test = paired_cluster_t(a, b, groups, strata)
        assert (test.pvalue < 0.05) == (test.ci_low > 0 or test.ci_high < 0)
        back = paired_cluster_t(b, a, groups, strata)
        assert (back.pvalue, back.effect) == pytest.approx((test.pvalue, -test.effect))


def test_systems_that_never_differ():
    a, b, groups = two_systems()
    test, interval = paired_cluster_t(a, a, groups), paired_cluster_interval(a, a, groups)
    assert (test.statistic, test.pvalue, test.ci_low) == (0, 1, None)
    cautious = tango_interval([0] * 40, [0] * 40)
    assert (interval.ci_low, interval.ci_high) == (cautious.ci_low, cautious.ci_high)
    assert "never differ" in (interval.warning or "")
    with pytest.raises(ValueError, match="every difference is 0"):
        paired_cluster_interval(a + 0.5, a + 0.5, groups)
    with pytest.raises(ValueError, match="sign_flip_test"):
        paired_cluster_t(b + 1, b, groups)


def test_a_difference_of_marks_stays_inside_minus_1_and_1():
    """Two clusters leave one degree of freedom: t alone would reach far outside."""
    a, b, groups = [1] * 10, [0] * 9 + [1], [1] * 5 + [2] * 5
    answer = paired_cluster_interval(a, b, groups)
    assert (answer.ci_low, answer.ci_high) == (pytest.approx(0.9 - 12.706 * 0.1, abs=1e-3), 1)
    assert paired_cluster_interval(b, a, groups).ci_low == paired_cluster_t(b, a, groups).ci_low == -1
    graded = paired_cluster_interval([2.0] * 10, [0.0] * 9 + [1.0], groups)
    assert graded.ci_high > 2


def test_scores_that_differ_by_rounding_alone_have_no_interval():
    a, b, groups = [0.1 + 0.2, 0.3] * 10, [0.3, 0.1 + 0.2] * 10, [row // 5 for row in range(20)]
    with pytest.raises(ValueError, match="no spread"):
        paired_cluster_t(a, b, groups)


def test_few_differing_clusters_are_warned_of():
    groups = np.repeat(np.arange(40), 5)
    a, b = np.zeros(200), np.zeros(200)
    a[:40:5] = 1
    answer = paired_cluster_interval(a, b, groups)
    assert "only 8 of 40 clusters" in (answer.warning or "")
    a[40:60:5] = 1
    assert paired_cluster_interval(a, b, groups).warning is None


def test_answers_survive_json_and_pickle():
    a, b, groups = two_systems()
    answers = [mean_interval(a, groups), wilson_cluster_interval(a, groups)]
    answers += [clopper_pearson_cluster_interval(a, groups)]
    answers += [paired_cluster_interval(a, b, groups, groups % 2), paired_cluster_t(a, b, groups)]
    answers += [cluster_standard_error(a, groups), intraclass_correlation(a, groups), effective_n(a, groups)]
    for answer in answers:
        assert pickle.loads(pickle.dumps(answer)) == answer
        again = type(answer).from_dict(json.loads(json.dumps(answer.to_dict())))
        assert again == answer
        assert again.extra == answer.extra


# --- short simulations; the long ones are in tests/calibration -------------------------------------------------------


def test_clusters_are_covered_and_rows_are_not():
    """30 clusters of 5 that share ICC .5: about 95% with clusters, about 75% as if rows were independent."""
    rng, groups, repeats = np.random.default_rng(11), np.repeat(np.arange(30), 5), 600
    hits = np.zeros(2)
    for _ in range(repeats):
        scores = clustered(rng, 30, 5, 0.7, 0.5).ravel()
        for way, answer in enumerate((mean_interval(scores, groups), mean_interval(scores))):
            hits[way] += answer.ci_low <= 0.7 <= answer.ci_high
    right, wrong = hits / repeats
    spread = 4 * math.sqrt(0.05 * 0.95 / repeats)
    assert right == pytest.approx(0.945, abs=spread)
    assert wrong == pytest.approx(0.75, abs=4 * math.sqrt(0.25 * 0.75 / repeats))


def test_pooled_mcnemar_rejects_equal_systems_that_clusters_do_not():
    """100 items x 5 completions, equal on average, each system with chances of its own (audit E09, ICC .5)."""
    rng, groups, repeats = np.random.default_rng(12), np.repeat(np.arange(100), 5), 400
    rejected = np.zeros(2)
    for _ in range(repeats):
        a, b = clustered(rng, 100, 5, 0.7, 0.5).ravel(), clustered(rng, 100, 5, 0.7, 0.5).ravel()
        rejected += (mcnemar(a, b).pvalue <= 0.05, paired_cluster_t(a, b, groups).pvalue <= 0.05)
    pooled, with_clusters = rejected / repeats
    assert pooled > 0.15
    assert with_clusters == pytest.approx(0.05, abs=4 * math.sqrt(0.05 * 0.95 / repeats))
