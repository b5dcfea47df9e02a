"""evalstats.macro: means in which tasks or clusters weigh the same, with standard errors of the same weights."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.api import DescrStatsW

from evalstats.cluster import cluster_standard_error, mean_interval, wilson_cluster_interval
from evalstats.macro import cluster_mean_interval, macro_average_interval, weighted_mean_interval
from evalstats.proportion import wilson_interval

SIZES = {"arithmetic": 60, "proofs": 12, "reading": 30}
TASKS = [task for task, size in SIZES.items() for _ in range(size)]


def graded(seed: int = 5) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.6, 0.2, len(TASKS))


def marks(seed: int = 5) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2, len(TASKS))


def of(task: str) -> np.ndarray:
    return np.array([each == task for each in TASKS])


# --- weights ---


def test_weights_by_size_give_the_mean_over_rows():
    """And its standard error is the one that mean_interval has for the same strata."""
    groups = np.arange(len(TASKS)) // 3
    for scores, clusters in ((graded(), None), (graded(), groups)):
        ours = weighted_mean_interval(scores, TASKS, SIZES, clusters)
        rows = mean_interval(scores, clusters, TASKS)
        assert ours.point == pytest.approx(rows.point)
        assert ours.extra["standard_error"] == pytest.approx(rows.extra["standard_error"])
        assert (ours.n, ours.n_clusters) == (rows.n, rows.n_clusters)


def test_two_tasks_are_welchs_test():
    """Half the sum of two means: as wide as half their difference, on Welch's degrees of freedom."""
    scores, first, last = graded(), of("arithmetic"), of("proofs")
    answer = macro_average_interval(scores[first | last], [task for task in TASKS if task != "reading"])
    welch = stats.ttest_ind(scores[first], scores[last], equal_var=False).confidence_interval(0.95)
    assert answer.ci_high - answer.ci_low == pytest.approx((welch.high - welch.low) / 2)
    assert answer.point == pytest.approx((scores[first].mean() + scores[last].mean()) / 2)


def test_equal_weights_by_hand():
    scores = graded()
    answer = macro_average_interval(scores, TASKS)
    errors = [DescrStatsW(scores[of(task)]).std_mean for task in SIZES]
    assert answer.point == pytest.approx(np.mean([scores[of(task)].mean() for task in SIZES]))
    assert answer.extra["standard_error"] == pytest.approx(math.hypot(*errors) / 3)
    assert answer.extra["weights"] == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert answer.extra["strata"] == tuple(SIZES)
    assert answer == weighted_mean_interval(scores, TASKS, dict.fromkeys(SIZES, 7.0), name="macro-average")


def test_right_and_wrong_join_wilsons_intervals():
    scores = marks()
    answer = weighted_mean_interval(scores, TASKS, {"arithmetic": 2, "proofs": 1, "reading": 1})
    parts = [wilson_interval(int(scores[of(task)].sum()), size) for task, size in SIZES.items()]
    below = math.sqrt(sum((w * (one.point - one.ci_low)) ** 2 for w, one in zip((0.5, 0.25, 0.25), parts, strict=True)))
    assert answer.point - answer.ci_low == pytest.approx(below)
    groups = np.arange(len(TASKS)) // 2
    clustered = weighted_mean_interval(scores[:60], TASKS[:60], {"arithmetic": 1}, groups[:60])
    alone = wilson_cluster_interval(scores[:60], groups[:60])
    assert (clustered.ci_low, clustered.ci_high) == pytest.approx((alone.ci_low, alone.ci_high))
    assert clustered.n_clusters == 30


def test_all_right_is_no_certainty():
    answer = macro_average_interval([1] * len(TASKS), TASKS)
    assert answer.ci_high == answer.point == 1
    assert 0.8 < answer.ci_low < 0.99


def test_no_spread_in_a_stratum_is_said():
    scores = graded()
    scores[of("proofs")] = 0.5
    assert macro_average_interval(scores, TASKS).warning.startswith("no spread in proofs:")
    assert macro_average_interval(graded(), TASKS).warning is None


@given(st.permutations(range(20)), st.booleans())
def test_order_and_names_do_not_matter(order, binary):
    rng = np.random.default_rng(1)
    scores = rng.integers(0, 2, 20) if binary else rng.normal(size=20)
    tasks, groups = np.arange(20) % 2, np.arange(20) // 4 * 2 + np.arange(20) % 2
    one = weighted_mean_interval(scores, tasks.tolist(), {0: 1, 1: 2}, groups.tolist())
    other = weighted_mean_interval(
        scores[order], [f"t{tasks[i]}" for i in order], {"t1": 4, "t0": 2}, [f"g{groups[i]}" for i in order]
    )
    assert (other.point, other.ci_low, other.ci_high) == pytest.approx((one.point, one.ci_low, one.ci_high))
    means = [cluster_mean_interval(each, by) for each, by in ((scores, groups), (scores[order], groups[order]))]
    assert (means[0].point, means[0].ci_low) == pytest.approx((means[1].point, means[1].ci_low))


def test_coverage_of_the_macro_average():
    """Every outcome of two tasks, 20 and 40 items: the joined Wilson intervals hold their level where z does not."""
    sizes, truths = (20, 40), (0.95, 0.9)
    chances = [stats.binom.pmf(np.arange(size + 1), size, p) for size, p in zip(sizes, truths, strict=True)]
    ends = [[wilson_interval(k, size) for k in range(size + 1)] for size in sizes]
    joined = plain = 0.0
    for i, one in enumerate(ends[0]):
        for j, other in enumerate(ends[1]):
            error, chance = (one.point + other.point) / 2 - np.mean(truths), chances[0][i] * chances[1][j]
            below = math.hypot(one.point - one.ci_low, other.point - other.ci_low) / 2
            above = math.hypot(one.ci_high - one.point, other.ci_high - other.point) / 2
            spread = [k.point * (1 - k.point) / k.n for k in (one, other)]
            joined += chance * (-above <= error <= below)
            plain += chance * (abs(error) <= 1.96 * math.sqrt(sum(spread)) / 2)
    assert 0.94 < joined < 0.98
    assert plain < 0.93


# --- clusters that weigh the same ---


def test_the_mean_of_cluster_means():
    scores = graded()
    groups = np.repeat(np.arange(12), np.resize([2, 5, 10, 17], 12))[: len(TASKS)]
    means = [scores[groups == group].mean() for group in np.unique(groups)]
    low, high = DescrStatsW(means).tconfint_mean()
    answer = cluster_mean_interval(scores, groups)
    assert (answer.ci_low, answer.ci_high) == pytest.approx((low, high))
    assert answer.extra["mean_over_rows"] == pytest.approx(scores.mean())
    assert (answer.n, answer.n_clusters, answer.method) == (len(TASKS), len(means), "cluster_means_t")
    assert "each weighted equally" in answer.extra["estimand"]


def test_equal_clusters_have_one_mean():
    scores, groups = marks()[:60], np.arange(60) // 5
    both = cluster_mean_interval(scores, groups), mean_interval(scores, groups)
    assert both[0].point == pytest.approx(both[1].point)
    assert both[0].extra["standard_error"] == pytest.approx(float(cluster_standard_error(scores, groups)))
    assert (both[0].ci_low, both[0].ci_high) == pytest.approx((both[1].ci_low, both[1].ci_high))


def test_clusters_all_right_count_once_each():
    answer = cluster_mean_interval([1] * 60, np.arange(60) // 5)
    assert (answer.ci_low, answer.ci_high) == pytest.approx((wilson_interval(12, 12).ci_low, 1))
    assert answer.method == "cluster_means_wilson"
    assert cluster_mean_interval([1] * 9 + [0] + [1] * 10, np.arange(20) // 5).ci_high <= 1


def test_few_clusters_and_boundaries_are_warned_of():
    groups = np.arange(60) // 5
    few = weighted_mean_interval(marks()[:20], ["x"] * 10 + ["y"] * 10, {"x": 1, "y": 1}, groups[:20])
    assert "degrees of freedom" in few.warning
    assert weighted_mean_interval(marks()[:60], TASKS[:60], {"arithmetic": 1}, groups).warning is None
    assert "degrees of freedom" in macro_average_interval([0.1, 0.3, 0.2, 0.9], list("aabb")).warning
    assert "few right or few wrong" in cluster_mean_interval([0] + [1] * 59, groups).warning


REFUSED = [
    (lambda: weighted_mean_interval(graded(), TASKS, {"arithmetic": 1}), "weights must give a number for each"),
    (lambda: weighted_mean_interval(graded(), TASKS, {**SIZES, "x": 1}), "weights must give a number for each"),
    (
        lambda: weighted_mean_interval(graded(), TASKS, {**SIZES, "proofs": 0}),
        "weights['proofs'] must be above 0, got 0",
    ),
    (lambda: weighted_mean_interval(graded(), TASKS, [1, 1, 1]), "weights must give a number for each"),
    (lambda: weighted_mean_interval(graded(), TASKS, SIZES, level=1), "level must lie strictly between 0 and 1"),
    (lambda: macro_average_interval([1, 0, 1], ["a", "a", "b"]), "each stratum needs at least 2 clusters"),
    (lambda: macro_average_interval([1, 0, 1, 0], list("aabb"), [1, 2, 2, 3]), "a cluster lies inside one stratum"),
    (lambda: macro_average_interval([0.5] * 4, list("aabb")), "no stratum shows any spread"),
    (lambda: macro_average_interval([1, 0, 1], list("ab")), "tasks must name one task for each of the 3 rows"),
    (lambda: macro_average_interval([1, float("nan"), 1], list("aab")), "scores must be finite, got nan"),
    (lambda: macro_average_interval([1, 0, 1], 5), "tasks must be a list with one label for each row, got 5"),
    (lambda: macro_average_interval([1, 0], [["a"], ["a"]]), "tasks must hold one label a row, got ['a']"),
    (lambda: macro_average_interval([1, 0], ["a", None]), "tasks must not be missing, got None at position 1"),
    (lambda: cluster_mean_interval([1, 0], [1, 1]), "at least 2 clusters, got 1"),
    (lambda: cluster_mean_interval([0.5, 0.5], [1, 2]), "no spread"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED)
def test_refused(call, words):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        call()
    assert words in str(error.value)
