"""Kappa against statsmodels and its own derivative; the corrected accuracy against enumeration; what they refuse."""

from __future__ import annotations

import itertools
import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa

from evalstats import Estimate, bootstrap_kappa, cohen_kappa, rogan_gladen_accuracy, wilson_interval

tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.integers(0, 30), min_size=k * k, max_size=k * k).map(lambda cells: np.reshape(cells, (k, k)))
)


def raters(table: Any) -> tuple[np.ndarray, np.ndarray]:
    """The two columns of labels that a table counts."""
    counts = np.asarray(table)
    cells = np.repeat(np.arange(counts.size), counts.ravel())
    return cells // len(counts), cells % len(counts)


def defined(table: np.ndarray) -> bool:
    """Is there more than one label in all?"""
    return np.count_nonzero(table.sum(axis=0) + table.sum(axis=1)) > 1


# Kappa: reference values


@given(tables)
def test_statsmodels_agrees_on_kappa_and_its_standard_error(table: np.ndarray) -> None:
    assume(defined(table))
    ours, theirs = cohen_kappa(*raters(table)), cohens_kappa(table)
    assert ours.point == pytest.approx(theirs.kappa, abs=1e-12)
    assert ours.extra["standard_error"] == pytest.approx(math.sqrt(max(theirs.var_kappa, 0)), abs=1e-7)
    half = stats.norm.isf(0.025) * ours.extra["standard_error"]
    assert (ours.ci_low, ours.ci_high) == (
        pytest.approx(max(ours.point - half, -1)),
        pytest.approx(min(ours.point + half, 1)),
    )


def test_by_hand() -> None:
    """po = 75/100, pe = .6 x .55 + .4 x .45 = .51."""
    answer = cohen_kappa(*raters([[45, 15], [10, 30]]))
    assert answer.point == pytest.approx(0.24 / 0.49)
    assert (answer.extra["agreement"], answer.extra["chance_agreement"]) == (pytest.approx(0.75), pytest.approx(0.51))


def test_bootstrap_draws_the_multinomial_of_the_table() -> None:
    """Against rows drawn one by one, and against every resample of five items."""
    a, b = raters([[2, 1], [1, 1]])
    values = []
    for rows in itertools.product(range(5), repeat=5):
        table = np.bincount(2 * a[list(rows)] + b[list(rows)], minlength=4).reshape(2, 2) / 5
        chance = float((table.sum(axis=1) * table.sum(axis=0)).sum())
        values.append((table.trace() - chance) / (1 - chance) if chance < 1 else math.nan)
    every = np.array(values)
    exact = every[np.isfinite(every)]
    assert np.isnan(every).mean() < 0.025
    answer = bootstrap_kappa(a, b, n_boot=40_000)
    assert answer.extra["undefined_replicates"] / 40_000 == pytest.approx(np.isnan(every).mean(), abs=0.003)
    assert answer.extra["boot_se"] == pytest.approx(exact.std(), abs=0.01)
    assert (answer.ci_low, answer.ci_high) == pytest.approx(tuple(np.quantile(exact, [0.025, 0.975])))


def test_bootstrap_and_analytic_intervals_meet_on_many_items() -> None:
    a, b = raters([[400, 60, 20], [30, 300, 50], [10, 40, 290]])
    analytic, bootstrap = cohen_kappa(a, b), bootstrap_kappa(a, b)
    assert bootstrap.extra["boot_se"] == pytest.approx(analytic.extra["standard_error"], rel=0.03)
    assert bootstrap.ci_low == pytest.approx(analytic.ci_low, abs=0.003)
    assert bootstrap.ci_high == pytest.approx(analytic.ci_high, abs=0.003)


# Kappa: clusters


def test_every_item_five_times_is_worth_one() -> None:
    """Copies inside clusters change nothing; taken as items they would shrink the interval."""
    a, b = raters([[12, 4], [3, 11]])
    one_each = cohen_kappa(a, b, groups=range(30))
    copies = cohen_kappa(np.repeat(a, 5), np.repeat(b, 5), groups=np.repeat(np.arange(30), 5))
    assert copies.extra["standard_error"] == pytest.approx(one_each.extra["standard_error"])
    assert (copies.n, copies.n_clusters, copies.extra["df"]) == (150, 30, pytest.approx(29))
    plain = cohen_kappa(a, b).extra["standard_error"]
    assert one_each.extra["standard_error"] == pytest.approx(plain * math.sqrt(30 / 29))
    drawn = bootstrap_kappa(np.repeat(a, 5), np.repeat(b, 5), groups=np.repeat(np.arange(30), 5))
    assert (drawn.ci_low, drawn.ci_high) == pytest.approx(
        (bootstrap_kappa(a, b).ci_low, bootstrap_kappa(a, b).ci_high), abs=0.04
    )
    assert drawn.ci_high - drawn.ci_low > 1.8 * (
        cohen_kappa(np.repeat(a, 5), np.repeat(b, 5)).extra["standard_error"] * 2
    )


# Kappa: properties


@given(tables, st.randoms(use_true_random=False))
def test_kappa_does_not_depend_on_order_labels_or_which_rater_is_first(table: np.ndarray, random: Any) -> None:
    assume(defined(table))
    a, b = raters(table)
    order = random.sample(range(a.size), a.size)
    words = np.array(["pass", "fail", "unclear", "refused"])
    answer = cohen_kappa(a, b)
    for other in (cohen_kappa(a[order], b[order]), cohen_kappa(b, a), cohen_kappa(words[a], words[b])):
        assert other.point == pytest.approx(answer.point, abs=1e-12)
        assert other.extra["standard_error"] == pytest.approx(answer.extra["standard_error"], abs=1e-9)
    assert -1 <= answer.ci_low <= answer.point <= answer.ci_high <= 1


def test_bootstrap_says_how_it_was_made() -> None:
    a, b = raters([[45, 15], [10, 30]])
    answer = bootstrap_kappa(a, b, np.arange(100) // 2, n_boot=6000, level=0.9)
    assert (answer.seed, answer.n_boot, answer.n_clusters) == (0, 6000, 50)
    assert Estimate.from_dict(json.loads(json.dumps(answer.to_dict()))) == answer


# Kappa: degenerate data


def test_perfect_agreement_has_no_width_and_says_so() -> None:
    same = list("ab" * 20)
    for answer in (cohen_kappa(same, same), bootstrap_kappa(same, same)):
        assert (answer.point, answer.ci_low, answer.ci_high) == (1.0, 1.0, 1.0)
        assert "wilson_interval" in str(answer.warning)


def test_a_constant_rater_says_so() -> None:
    answer = cohen_kappa(["pass"] * 20, ["pass"] * 15 + ["fail"] * 5)
    assert (answer.point, answer.ci_low, answer.ci_high) == (0.0, 0.0, 0.0)
    assert answer.warning == "a gave every item the same label: kappa is 0 whatever the other says"


@pytest.mark.parametrize(
    "table",
    [[[7, 0], [0, 3]], [[7, 3], [0, 0]], [[0, 5], [5, 0]], [[3, 0, 0], [0, 7, 0], [0, 0, 11]], [[1, 2], [0, 0]]],
)
@pytest.mark.parametrize("times", [1, 3, 1000])
def test_an_error_of_exactly_0_is_exactly_0(table: Any, times: int) -> None:
    """Full agreement, one label from a rater, full disagreement by halves: the derivative is 0 in every cell."""
    answer = cohen_kappa(*raters(np.array(table) * times))
    assert answer.extra["standard_error"] == 0.0
    assert answer.ci_low == answer.point == answer.ci_high
    assert answer.point in (1.0, 0.0, -1.0)


def test_groups_in_another_order_of_rows_are_refused() -> None:
    labels = pd.Series(["x", "y", "x", "y"])
    groups = pd.Series([1, 1, 2, 2], index=[3, 2, 1, 0])
    for function in (cohen_kappa, bootstrap_kappa):
        with pytest.raises(ValueError, match="a and groups are labelled differently"):
            function(labels, labels, groups)


def test_few_of_a_kind_is_warned_of() -> None:
    assert cohen_kappa(*raters([[45, 5], [4, 46]])).warning == (
        "only 9 disagreements among 100 items: the interval is too short"
    )
    assert "only 9 agreements" in str(cohen_kappa(*raters([[5, 40], [40, 4]])).warning)
    assert cohen_kappa(*raters([[45, 5], [5, 45]])).warning is None


@pytest.mark.parametrize("function", [cohen_kappa, bootstrap_kappa])
@pytest.mark.parametrize(
    ("a", "b", "settings", "message"),
    [
        (["x"] * 9, ["x"] * 9, {}, "both raters gave every item the label 'x': .* kappa is 0/0"),
        ([], [], {}, "a must hold at least 1 label, got 0"),
        (["x", "y"], ["x"], {}, "b must name one label for each of the 2 rows, got 1"),
        (["x", None], ["x", "y"], {}, "a must not be missing, got None at position 1"),
        (["x", "y"], ["x", math.nan], {}, "b must not be missing, got nan at position 1"),
        (["x", ["y"]], ["x", "y"], {}, r"a must hold one label a row, got \['y'\] at position 1"),
        (["x", "y"], ["x", "x"], {"level": 95}, "level must lie strictly between 0 and 1, got 95"),
        (["x", "y"], ["x", "x"], {"groups": [1, 1]}, "groups must name at least 2 clusters, got 1"),
    ],
)
def test_kappa_refuses(function: Any, a: Any, b: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        function(a, b, **settings)


def test_bootstrap_refuses_what_resampling_cannot_show() -> None:
    with pytest.raises(ValueError, match=r"no finite value on \d+ of 10000 resamples"):
        bootstrap_kappa(["x"] * 20 + ["y"], ["x"] * 20 + ["y"])


# Corrected accuracy


def test_rogan_gladen_by_hand() -> None:
    """(.8 + .8 - 1)/(.9 + .8 - 1) = 6/7."""
    answer = rogan_gladen_accuracy((800, 1000), (90, 100), (80, 100))
    assert answer.point == answer.extra["raw"] == pytest.approx(6 / 7)


def test_a_judge_of_endless_calibration_leaves_the_noise_of_the_items() -> None:
    """With error rates as good as known, the interval is the one of the pass rate, stretched."""
    many = 10**9
    answer = rogan_gladen_accuracy((700, 1000), (9 * many, 10 * many), (8 * many, 10 * many))
    z2 = stats.norm.isf(0.025) ** 2
    centre, size = (700 + z2 / 2) / (1000 + z2), 1000 + z2  # Agresti and Coull's interval of the pass rate
    half = math.sqrt(z2 * centre * (1 - centre) / size)
    assert answer.ci_low == pytest.approx((centre - half + 0.8 - 1) / 0.7, abs=1e-6)
    assert answer.ci_high == pytest.approx((centre + half + 0.8 - 1) / 0.7, abs=1e-6)


def test_endless_answers_leave_the_noise_of_the_calibration() -> None:
    widths = []
    for n in (100, 10_000, 1_000_000):
        answer = rogan_gladen_accuracy((8 * n // 10, n), (90, 100), (80, 100))
        widths.append(answer.ci_high - answer.ci_low)
    assert widths[0] > widths[1] > widths[2] > 0.12
    perfect = wilson_interval(800_000, 1_000_000)
    assert widths[2] > 50 * (perfect.ci_high - perfect.ci_low)


def shares(n: int) -> st.SearchStrategy[tuple[int, int]]:
    return st.integers(1, n).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total)))


@given(shares(500), shares(80), shares(80))
def test_rogan_gladen_properties(passed: Any, sensitivity: Any, specificity: Any) -> None:
    assume(sensitivity[0] / sensitivity[1] + specificity[0] / specificity[1] > 1 + 1e-9)
    answer = rogan_gladen_accuracy(passed, sensitivity, specificity)
    assert 0 <= answer.ci_low <= answer.point <= answer.ci_high <= 1
    # Failing is passing seen from the other side.
    other = rogan_gladen_accuracy((passed[1] - passed[0], passed[1]), specificity, sensitivity)
    assert (other.point, other.ci_low, other.ci_high) == pytest.approx(
        (1 - answer.point, 1 - answer.ci_high, 1 - answer.ci_low), abs=1e-9
    )


def test_a_judge_who_may_be_guessing_tells_nothing() -> None:
    answer = rogan_gladen_accuracy((60, 100), (6, 10), (6, 10))
    assert (answer.ci_low, answer.ci_high) == (0.0, 1.0)
    assert "does not show that the judge is better than chance" in str(answer.warning)
    assert rogan_gladen_accuracy((60, 100), (60, 100), (60, 100)).warning is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((8, 10), (5, 10), (5, 10)), r"sensitivity \+ specificity must exceed 1 .*, got 0.5 \+ 0.5"),
        (((8, 10), (1, 3), (2, 3)), "sensitivity .* must exceed 1"),
        (((8, 10), (4, 10), (5, 10)), "sensitivity .* must exceed 1"),
        (((11, 10), (9, 10), (9, 10)), "passed must be how many out of how many, got 11 of 10"),
        (((8, 10), (9, 10), (9, 0)), r"specificity\[1\] must be an integer of at least 1, got 0"),
        (((8, 10), (-1, 10), (9, 10)), r"sensitivity\[0\] must be an integer of at least 0, got -1"),
        (((8, 10), 0.9, (9, 10)), r"sensitivity must be a pair \(how many, out of how many\), got 0.9"),
        (((10**400, 10**400), (9, 10), (9, 10)), r"passed\[1\] must be at most 9007199254740992, got 1000"),
        ((b"89", (9, 10), (9, 10)), r"passed must be a pair \(how many, out of how many\), got b'89'"),
        (((0.8, 10), (9, 10), (9, 10)), r"passed\[0\] must be an integer of at least 0, got 0.8"),
    ],
)
def test_rogan_gladen_refuses(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rogan_gladen_accuracy(*arguments)


# Coverage by enumeration: every outcome of the three samples, each with its probability.


def coverage(theta: float, n: int, se: float, n_se: int, sp: float, n_sp: int) -> float:
    """Chance that the interval holds theta; outcomes without an answer count as misses."""
    k, k_se, k_sp = (np.arange(size + 1) for size in (n, n_se, n_sp))
    weight = [
        stats.binom.pmf(k, n, theta * se + (1 - theta) * (1 - sp)),
        stats.binom.pmf(k_se, n_se, se),
        stats.binom.pmf(k_sp, n_sp, sp),
    ]
    held = 0.0
    for i, j, m in itertools.product(k.tolist(), k_se.tolist(), k_sp.tolist()):
        chance = weight[0][i] * weight[1][j] * weight[2][m]
        if chance > 1e-7 and j / n_se + m / n_sp > 1 + 1e-9:
            answer = rogan_gladen_accuracy((i, n), (j, n_se), (m, n_sp))
            held += chance * (answer.ci_low <= theta <= answer.ci_high)
    return held


@pytest.mark.parametrize(("theta", "least", "most"), [(0.5, 0.95, 0.99), (0.85, 0.95, 0.99)])
def test_rogan_gladen_covers(theta: float, least: float, most: float) -> None:
    assert least < coverage(theta, 40, 0.9, 12, 0.85, 12) < most


@pytest.mark.parametrize("passed", [(98, 100), (100, 100)])
def test_a_pass_rate_that_the_calibration_forbids_is_said(passed):
    estimate = rogan_gladen_accuracy(passed, (70, 100), (90, 100))
    assert estimate.ci_low == estimate.ci_high == 1
    assert "does not fit" in estimate.warning
