"""pass@k and pass^k by visiting every draw, unbiased by enumeration; their interval against scipy and Monte Carlo."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evalstats import item_pass_at_k, item_pass_hat_k, mean_interval, pass_at_k, pass_hat_k
from evalstats.repeated import _chance_below_zero, _lower_limit

R = json.loads((Path(__file__).parents[1] / "reference" / "variance.json").read_text())["pass"]
few = settings(max_examples=40, deadline=None)


@st.composite
def counts(draw: st.DrawFn) -> tuple[list[int], int, int]:
    samples = draw(st.integers(1, 12))
    right = draw(st.lists(st.integers(0, samples), min_size=1, max_size=30))
    return right, samples, draw(st.integers(1, samples))


# The estimates


def test_every_draw_of_three_from_six_as_in_r() -> None:
    right = np.arange(7)
    assert item_pass_at_k(right, 6, 3) == pytest.approx([case["at"] for case in R])
    assert item_pass_hat_k(right, 6, 3) == pytest.approx([case["hat"] for case in R])


@pytest.mark.parametrize(("n", "k"), [(1, 1), (10, 5), (10, 10), (200, 100)])
@pytest.mark.parametrize("p", [0.03, 0.5, 0.9])
def test_both_are_unbiased(n: int, k: int, p: float) -> None:
    """Averaged over all numbers of right answers."""
    right = np.arange(n + 1)
    weight = stats.binom.pmf(right, n, p)
    assert weight @ item_pass_at_k(right, n, k) == pytest.approx(1 - (1 - p) ** k)
    assert weight @ item_pass_hat_k(right, n, k) == pytest.approx(p**k)


def test_the_plug_in_is_not_unbiased() -> None:
    """1 - (1 - c/n)^k from four answers, half of them right on average, for k = 3: .781 where .875 is true."""
    right = np.arange(5)
    weight = stats.binom.pmf(right, 4, 0.5)
    assert weight @ (1 - (1 - right / 4) ** 3) == pytest.approx(0.781, abs=5e-4)
    assert weight @ item_pass_at_k(right, 4, 3) == pytest.approx(0.875)


@few
@given(counts())
def test_the_two_mirror_each_other(case: tuple[list[int], int, int]) -> None:
    right, samples, k = case
    wrong = [samples - c for c in right]
    at, hat = pass_at_k(right, samples, k), pass_hat_k(wrong, samples, k)
    assert at.point == pytest.approx(1 - hat.point)
    assert (at.ci_low, at.ci_high) == pytest.approx((1 - hat.ci_high, 1 - hat.ci_low), abs=1e-9)
    assert pass_at_k(right, samples, 1).point == pytest.approx(np.mean(right) / samples)
    assert pass_hat_k(right, samples, k).point <= pass_hat_k(right, samples, 1).point + 1e-12


def test_unequal_numbers_of_answers() -> None:
    values = item_pass_at_k([1, 1, 5], samples=[2, 4, 5], k=2)
    assert values.tolist() == pytest.approx([1, 0.5, 1])
    answer = pass_at_k([1, 1, 5], samples=[2, 4, 5], k=2)
    assert (answer.n, answer.point) == (3, pytest.approx(2.5 / 3))
    assert (answer.extra["samples_min"], answer.extra["samples_max"]) == (2, 5)


# The interval


@pytest.mark.parametrize("right", [0, 1, 17, 39, 40])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_with_k_of_k_answers_it_is_clopper_and_pearsons(right: int, level: float) -> None:
    counted = [0] * (40 - right) + [7] * right
    answer = pass_at_k(counted, samples=7, k=7, level=level)
    exact = stats.binomtest(right, 40).proportion_ci(level, "exact")
    assert (answer.ci_low, answer.ci_high) == pytest.approx((exact.low, exact.high), abs=1e-9)


@pytest.mark.parametrize(
    ("right", "samples", "k"), [([3, 5, 9, 10, 2, 0, 8], 10, 3), ([10] * 30 + [7, 1], 10, 2), ([2, 3], 4, 2)]
)
def test_against_weights_drawn_at_random(right: list[int], samples: int, k: int) -> None:
    """A million sets of spacings; Monte Carlo error of the quantile below .001."""
    values, rng = item_pass_at_k(right, samples, k), np.random.default_rng(3)
    weights = rng.dirichlet(np.ones(values.size + 1), size=1_000_000 if values.size < 10 else 200_000)
    answer = pass_at_k(right, samples, k, level=0.9)
    assert answer.ci_low == pytest.approx(np.quantile(weights @ [*values, 0], 0.05), abs=2e-3)
    assert answer.ci_high == pytest.approx(np.quantile(weights @ [*values, 1], 0.95), abs=2e-3)


def test_many_items_give_nearly_the_t_interval() -> None:
    right = np.random.default_rng(4).integers(0, 11, 200_000)
    answer, plain = pass_hat_k(right, 10, 3), mean_interval(item_pass_hat_k(right, 10, 3))
    assert (answer.ci_low, answer.ci_high) == pytest.approx((plain.ci_low, plain.ci_high), abs=2e-5)


@few
@given(counts(), st.randoms(use_true_random=False))
def test_inside_0_and_1_wider_at_higher_levels_whatever_the_order(case: Any, random: Any) -> None:
    right, samples, k = case
    answer, wide = pass_at_k(right, samples, k), pass_at_k(right, samples, k, level=0.99)
    assert 0 <= wide.ci_low <= answer.ci_low <= answer.point <= answer.ci_high <= wide.ci_high <= 1
    assert answer.ci_low < answer.ci_high
    random.shuffle(right)
    assert pass_at_k(right, samples, k).ci_low == pytest.approx(answer.ci_low, abs=1e-12)


def test_near_the_ceiling_it_covers_where_resampling_does_not() -> None:
    """40 items, ten of ten answers, truth .990: all outcomes added up; resampled percentiles cover a third."""
    solved = np.arange(41)
    weight = stats.binom.pmf(solved, 40, 0.99)
    ends = np.array([stats.binom.ppf([0.025, 0.975], 40, k / 40) / 40 for k in solved])
    resampled = weight[(ends[:, 0] <= 0.99) & (ends[:, 1] >= 0.99)].sum()
    assert resampled == pytest.approx(0.3303, abs=5e-5)
    ours = [pass_at_k([0] * (40 - k) + [10] * k, 10, 10) for k in solved.tolist()]
    covers = np.array([one.ci_low <= 0.99 <= one.ci_high for one in ours])
    assert weight[covers].sum() >= 0.95


def test_all_right_and_all_wrong() -> None:
    answer = pass_hat_k([5] * 20, 5, 5)
    assert (answer.ci_low, answer.ci_high) == pytest.approx((0.025 ** (1 / 20), 1))
    assert (pass_at_k([0] * 20, 5, 2).ci_low, pass_at_k([0] * 20, 5, 2).ci_high) == pytest.approx(
        (0, 1 - 0.025 ** (1 / 20))
    )


def test_a_value_never_seen_adds_nothing() -> None:
    assert _lower_limit(np.array([0.5, 0.5]), 0.05) == pytest.approx(0.5 * 0.05**0.5)
    assert _lower_limit(np.zeros(5), 0.05) == 0


@pytest.mark.parametrize(("wrong", "right"), [(1, 1), (2, 3), (2, 39), (101, 900), (11, 99_990)])
@pytest.mark.parametrize("chance", [0.025, 1e-6, 0.5])
def test_the_inverted_characteristic_function_against_beta(wrong: int, right: int, chance: float) -> None:
    """With two values the weighted mean is a beta variable; many items make the integrand swing fastest."""
    mean = stats.beta.ppf(chance, right, wrong)
    found = _chance_below_zero(np.array([-mean, 1 - mean]), np.array([wrong, right], dtype=float))
    assert found == pytest.approx(chance, rel=1e-6)


@few
@given(counts(), st.integers(2, 6))
def test_clusters_of_items_weigh_the_same(case: tuple[list[int], int, int], n_clusters: int) -> None:
    """One item a cluster changes nothing; else it is the interval of the clusters' means."""
    right, samples, k = case
    right = (right * n_clusters)[: max(len(right), n_clusters)]
    alone, plain = pass_at_k(right, samples, k, groups=range(len(right))), pass_at_k(right, samples, k)
    assert (alone.ci_low, alone.point, alone.ci_high) == pytest.approx((plain.ci_low, plain.point, plain.ci_high))
    assert (plain.n_clusters, alone.n_clusters, alone.extra["drawn"]) == (None, len(right), "clusters")
    groups = [row % n_clusters for row in range(len(right))]
    answer, values = pass_hat_k(right, samples, k, groups=groups), item_pass_hat_k(right, samples, k)
    means = [values[group::n_clusters].mean() for group in range(n_clusters)]
    assert answer.point == pytest.approx(np.mean(means))
    assert answer.ci_low == pytest.approx(min(_lower_limit(np.array(means), 0.025), np.mean(means)), abs=1e-9)


def test_clusters_that_share_everything_count_once_each() -> None:
    """Twelve passages of five items, all solved but one passage: 11 of 12, not 55 of 60."""
    right, passages = [0] * 5 + [10] * 55, [row // 5 for row in range(60)]
    answer = pass_at_k(right, 10, 10, groups=passages)
    exact = stats.binomtest(11, 12).proportion_ci(0.95, "exact")
    assert (answer.ci_low, answer.ci_high) == pytest.approx((exact.low, exact.high), abs=1e-9)
    assert answer.ci_low < pass_at_k(right, 10, 10).ci_low - 0.1
    assert "each weighted equally" in answer.extra["estimand"]


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([1, 1, 1], "at least 2 clusters, got 1"),
        ([1, 2], "for each of the 3 rows, got 2"),
        ([1, 2, None], "groups must not be missing, got None at position 2"),
        (5, "groups must be a list with one label for each row, got 5"),
    ],
)
def test_groups_that_say_nothing_are_refused(groups: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pass_at_k([1, 2, 0], 3, 2, groups=groups)


def test_what_the_result_says() -> None:
    answer = pass_at_k([1, 2], 3, 2)
    assert (answer.name, answer.method, answer.n, answer.extra["k"]) == ("pass_at_2", "learned_miller_thomas", 2, 2)
    assert pass_hat_k([1, 2], 3, 2).name == "pass_hat_2"
    assert pass_hat_k([1, 2], 3, 2, name="reliability").name == "reliability"


@pytest.mark.parametrize("function", [pass_at_k, pass_hat_k, item_pass_at_k, item_pass_hat_k])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2], 3, 4), "samples must hold whole numbers of at least k = 4, got 3 at position 0"),
        (([1, 2], [3, 2], 3), "samples must hold whole numbers of at least k = 3, got 2 at position 1"),
        (([1, 2], [3, 2.5], 2), "samples must hold whole numbers of at least k = 2, got 2.5 at position 1"),
        (([1, 4], 3, 2), "correct must hold whole numbers from 0 to samples, got 4 at position 1"),
        (([1, -1], 3, 2), "correct must hold whole numbers from 0 to samples, got -1 at position 1"),
        (([1, 0.5], 3, 2), "correct must hold whole numbers from 0 to samples, got 0.5 at position 1"),
        (([1, math.nan], 3, 2), "correct must be finite, got nan at position 1"),
        (([], 3, 2), "correct must hold at least 1 value, got 0"),
        (([1, 2], [3, 3, 3], 2), "correct and samples must describe the same items, got 2 and 3 values"),
        (([1, 2], 3, 0), "k must be an integer of at least 1, got 0"),
        (([1, 2], 3, 1.5), "k must be an integer of at least 1, got 1.5"),
        (([1, 2], "3", 1), "samples must hold numbers, got '3' at position 0"),
        (([[1, 0, 1]], 3, 1), "correct must be a one-dimensional sequence of numbers, got 2 dimensions"),
    ],
)
def test_impossible_counts_are_refused(function: Any, arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        function(*arguments)


def test_impossible_level_is_refused() -> None:
    with pytest.raises(ValueError, match="level must lie strictly between 0 and 1, got 95"):
        pass_at_k([1], 3, 2, level=95)
