"""What a newcomer stumbled over, once each: an answer that misled without a word, or a refusal that led nowhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import evalstats as es

# --- the verdict ---

ONE_SYSTEM = {
    "wilson_interval": lambda: es.wilson_interval(3, 100),
    "wilson_interval, named like a difference": lambda: es.wilson_interval(3, 100, name="easy - hard"),
    "mean_interval": lambda: es.mean_interval([0.1, 0.5, 0.3, 0.2]),
    "bootstrap_mean": lambda: es.bootstrap_mean([1, 0, 1, 1] * 10, n_boot=100),
    "cohen_kappa": lambda: es.cohen_kappa([1, 0, 1, 1] * 10, [1, 0, 0, 1] * 10),
    "pass_at_k": lambda: es.pass_at_k([1, 2, 3] * 10, 4, 2),
}
WON, LOST = [1] * 20 + [0] * 20, [1] * 5 + [0] * 35
TWO_SYSTEMS = {
    "tango_interval": lambda: es.tango_interval(WON, LOST),
    "bootstrap_paired_diff": lambda: es.bootstrap_paired_diff(WON, LOST, n_boot=200),
    "paired_t": lambda: es.paired_t(WON, LOST),
    "paired_cluster_interval": lambda: es.paired_cluster_interval(WON, LOST, [row // 2 for row in range(40)]),
    "simultaneous_differences": lambda: es.simultaneous_differences({"a": WON, "b": LOST})["a", "b"],
    "a metric of our own, named": lambda: es.mean_interval(np.subtract(WON, LOST) / 2, name="A - B"),
}


@pytest.mark.parametrize("call", ONE_SYSTEM.values(), ids=ONE_SYSTEM)
def test_a_verdict_needs_two_systems(call):
    with pytest.raises(ValueError, match=r"must be of a difference, got .*: compare two systems first"):
        es.verdict(call())


@pytest.mark.parametrize("call", TWO_SYSTEMS.values(), ids=TWO_SYSTEMS)
def test_a_verdict_takes_every_difference(call):
    assert es.verdict(call()).decision == "ship"


def test_a_claim_against_a_margin_is_judged_by_that_margin():
    cheap = es.PairedTable(both_right=810, a_only=25, b_only=45, neither=120)
    for test in (es.noninferiority_test, es.equivalence_test):
        claim = test(cheap, margin=0.04)
        assert (claim.extra["shown"], es.verdict(claim).decision) == (True, "ship")
        assert es.verdict(claim).extra["margin"] == -0.04
        assert es.verdict(claim, margin=0).decision == "don't ship"
    assert es.verdict(es.noninferiority_test(cheap, margin=0.02)).decision == "inconclusive"
    assert claim.extra["margin_is"] == "must be fixed before the data are seen"


# --- what was drawn ---


def test_items_are_no_clusters():
    scores = {"a": [0.1, 0.5, 0.3, 0.9, 0.4] * 6, "b": [0.2, 0.4, 0.1, 0.9, 0.1] * 6}
    a, b = scores.values()
    for extra in (
        es.rank_intervals(scores).extra,
        es.mean_interval(a).extra,
        es.paired_cluster_t(a, b, range(30)).extra,
        es.simultaneous_differences(scores)["a", "b"].extra,
    ):
        assert extra["drawn"] == "items"
    by_items = es.paired_cluster_t(a, b, groups=range(30))
    assert (by_items.method, by_items.n_clusters) == ("paired_t", None)
    assert by_items.pvalue == pytest.approx(es.paired_t(a, b).pvalue)
    in_strata = es.paired_cluster_t(a, b, range(30), strata=[row // 15 for row in range(30)])
    assert (in_strata.method, in_strata.extra["drawn"]) == ("paired_stratified_t", "items within fixed strata")
    assert es.rank_intervals(scores, groups=[row // 2 for row in range(30)]).extra["drawn"] == "clusters"


def test_scores_without_spread_are_not_sent_to_an_interval_for_marks():
    with pytest.raises(ValueError, match=r"the items show no spread: .* around 0\.5; try more items"):
        es.mean_interval([0.5] * 20)
    with pytest.raises(ValueError, match=r"the clusters show no spread: .*; try wilson_cluster_interval"):
        es.mean_interval([1, 0] * 10, groups=[row // 2 for row in range(20)])


def test_sums_of_marks_are_counts_and_a_share_is_not():
    marks = np.array([1.0] * 180 + [0.0] * 20)
    assert es.wilson_interval(marks.sum(), marks.size) == es.wilson_interval(180, 200)
    samples = [(90.0, 100), (80, 100.0)]
    assert es.rogan_gladen_accuracy((180.0, 200), *samples) == es.rogan_gladen_accuracy(
        (180, 200), (90, 100), (80, 100)
    )
    for share in (1.0, 0.85, np.float64(1.0), 180.5, np.inf):
        with pytest.raises(ValueError, match="k must be an integer of at least 0"):
            es.wilson_interval(share, 200)


# --- few differences ---


def test_few_differences_are_said_wherever_they_decide():
    four, none = [1] * 4 + [0] * 36, [0] * 40
    assert es.compare_paired(four, none).verdict == "inconclusive"
    words = "differ in only 4 of 40 items"
    assert words in es.paired_t(four, none).warning
    assert words in es.simultaneous_differences({"a": four, "b": none})["a", "b"].warning
    board = es.rank_intervals({"a": four, "b": none})
    assert (board.may_be_best, words in board.warning) == (("a",), True)
    assert es.paired_t([0.1, 0.4, 0.2], [0.3, 0.1, 0.9]).warning is None
    many = [1] * 40 + [0] * 60
    assert es.paired_t(many, [0] * 100).warning is None
    assert es.rank_intervals({"a": many, "b": [0] * 100}).warning is None


def test_ranks_do_not_warn_of_systems_that_they_leave_tied():
    """Two that hardly differ share their ranks; nothing rests on the few items in which they do."""
    base = [1] * 50 + [0] * 50
    board = es.rank_intervals({"a": base, "b": [0, *base[1:]], "c": [0] * 100})
    assert (board.tied_with("a"), board.warning) == (("b",), None)


def test_differences_in_fewer_than_thirty_clusters_are_said():
    """Near the ceiling with clusters of very unequal size, all intervals together hold too seldom."""
    rng = np.random.default_rng(3)
    clusters = np.repeat(np.arange(96), [2, 3, 4, 5, 6, 8, 10, 20] * 12)
    right = {name: rng.random(clusters.size) < rate for name, rate in {"a": 0.971, "b": 0.989, "c": 0.8}.items()}
    found = es.simultaneous_differences(right, clusters)
    assert "clusters: this may cover too seldom" in found["a", "b"].warning
    assert found["a", "c"].warning is None


# --- many tests ---


def test_a_correction_says_which_test_won():
    tests = {
        "maths": es.mcnemar_exact(es.PairedTable(50, 20, 2, 28)),
        "code": es.mcnemar_exact(es.PairedTable(50, 5, 4, 41)),
        "law": 0.03,
    }
    pvalues = [tests["maths"].pvalue, tests["code"].pvalue, 0.03]
    for function in (es.bonferroni, es.holm, es.benjamini_hochberg, es.benjamini_yekutieli):
        answer = function(tests)
        assert replace(answer, tests=()) == function(pvalues)
        assert answer.tests == ("maths", "code", "law")
        first, *lines = str(answer).splitlines()
        assert (first, len(lines)) == (str(function(pvalues)), 3)
        assert lines[0].startswith("maths: p = ")
        assert lines[0].endswith(", rejected")
        assert lines[-1] == f"code: p = {pvalues[1]:.3g}, adjusted {answer.adjusted[1]:.3g}"
        assert es.Correction.from_dict(answer.to_dict()) == answer


def test_a_long_list_of_tests_is_cut():
    lines = str(es.holm({f"test {number}": number / 100 for number in range(1, 41)})).splitlines()
    assert (len(lines), lines[-1]) == (22, "and 20 more")


def test_pairs_and_systems_are_tests_with_names():
    right = {"a": [1] * 30 + [0] * 10, "b": [1, 0] * 20, "c": [0, 1] * 20}
    assert es.pairwise_mcnemar_exact(right).tests == ("a - b", "a - c", "b - c")
    assert es.max_t_asymptotic(right, [1, 1, 0, 0] * 10, n_boot=200).tests == ("a", "b", "c")


# --- plans ---


def test_a_gate_that_catches_nothing_says_so():
    blind = es.gate(49, 0.85, 0.10)
    assert blind.extra["miss"] > 0.5
    needed = int(blind.caveat.split("n = ")[1])
    assert 0.15 < es.gate(needed, 0.85, 0.10).extra["miss"] < 0.25
    same = es.gate(200, 0.85, 0.02, flip_rate=0.04)
    assert 0.15 < es.gate(int(same.caveat.split("n = ")[1]), 0.85, 0.02, flip_rate=0.04).extra["miss"] < 0.25
    loud = es.gate(49, 0.85, 0.10, threshold=0.06)
    assert loud.caveat == "false alarms come more often than alpha = 0.05"
    assert es.gate(400, 0.85, 0.10).caveat is None


def test_a_variance_that_came_out_negative_is_not_taken_as_absent():
    rng = np.random.default_rng(2)
    seeds, items = rng.normal(0, 0.01, (4, 1, 1)), rng.normal(0, 0.5, (1, 40, 1))
    parts = es.variance_components(seeds + items + rng.normal(size=(4, 40, 2)))
    assert parts["seed"].extra["raw"] < 0
    for given in (parts, parts.variances):
        best = es.cheapest_design(0.05, given)
        assert best.warning.startswith("seed counts as 0, as a negative estimate does")
        assert "warning: " in str(best)
    best = es.cheapest_design(0.05, parts)
    ends = {one.name: one.ci_high for one in parts.sources}
    sizes = {size: best.extra[size] for size in ("n_seeds", "n_items", "n_decodes")}
    assert best.extra["error_at_upper_ends"] == float(es.design_standard_error(ends, **sizes)) > 2 * best
    assert es.design_standard_error(parts, 3, 40) == es.design_standard_error(parts.variances, 3, 40)
    assert es.cheapest_design(0.05, {"item": 0.1, "decode": 0.1}).warning is None


def test_the_cheapest_design_prints_itself():
    best = es.cheapest_design(0.02, {"item": 0.092, "decode": 0.146}, cost_item=20)
    assert str(best) == "1 seed x 291 items x 6 decodes: standard error 0.01999 (target 0.02), cost 7566"
    assert isinstance(best, es.Quantity)
    assert type(best).from_dict(best.to_dict()) == best


def test_refusals_of_plans_say_what_to_give():
    with pytest.raises(ValueError, match=r"icc must lie in \[0, 1\], got -0.02: .* shows no likeness; give 0"):
        es.required_n_paired_mean(0.02, 0.3, cluster_size=5, icc=-0.02)
    with pytest.raises(ValueError, match=r"psi must be a finite number in \[0, 1\], got None"):
        es.minimum_detectable_effect(es.power_mcnemar_exact, 300)
    with pytest.raises(ValueError, match=r"sd_diff must be .* got None"):
        es.minimum_detectable_effect(es.power_paired_mean, 300)


# --- several answers ---


def test_names_survive_mlflow():
    counts = ([1, 2, 3, 0] * 5, 3, 2)
    keys = [set(answer.as_mlflow()["metrics"]) for answer in (es.pass_at_k(*counts), es.pass_hat_k(*counts))]
    assert keys[0].isdisjoint(keys[1])


def test_clusters_of_unequal_size_change_what_is_averaged():
    counts = ([1, 2, 3, 0] * 3, 3, 1)
    unequal = es.pass_at_k(*counts, groups=[0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 2])
    assert unequal.warning == "clusters of unequal size weigh the same here: the mean over items is 0.5"
    assert es.pass_at_k(*counts, groups=[0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]).warning is None


def test_separate_sets_with_clusters_are_told_of_them():
    separate = {"shared_items": False, "matched_by_id": False}
    for design in ({"clusters": True}, {"decodes_per_item": 4}, {"score": "graded"}):
        assert "standard error its clusters" in es.choose_test(**separate, **design).caveat
    assert "clusters" not in es.choose_test(**separate).caveat
