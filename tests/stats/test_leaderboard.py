"""Rank intervals against multcomp and Tukey's range; flips by enumeration; ties, winners, and what is refused."""

from __future__ import annotations

import itertools
import json
import math
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evalstats import (
    Leaderboard,
    benjamini_hochberg,
    bonferroni,
    flip_probability_paired,
    flip_probability_separate,
    holm,
    mcnemar_exact,
    mean_interval,
    paired_cluster_interval,
    pairwise_mcnemar_exact,
    rank_intervals,
    shrunken_winner,
    simultaneous_differences,
)

R = json.loads((Path(__file__).parents[1] / "reference" / "leaderboard.json").read_text())


def by_arithmetic(k: int, n: int) -> dict[str, np.ndarray]:
    """The scores of tests/reference/leaderboard.R."""
    i = np.arange(1, n + 1)
    hard = ((i * i * 7 + 3 * i) % 31) / 31
    return {f"s{j}": hard + ((i * (11 + 2 * j) + j * j * 5) % 23) / 23 + j / 10 for j in range(1, k + 1)}


def systems(n: int, skills: list[float], seed: int = 0) -> dict[str, np.ndarray]:
    """0/1 scores of systems that share hard and easy items."""
    rng = np.random.default_rng(seed)
    easy = rng.normal(size=n)
    return {f"s{j}": (easy + rng.normal(size=n) + skill > 0).astype(float) for j, skill in enumerate(skills)}


# Flips


@pytest.mark.parametrize(("n", "printed"), [(500, 0.327), (5000, 0.078)])
def test_flips_of_the_audit(n: int, printed: float) -> None:
    flip = flip_probability_separate(0.86, 0.85, n)
    assert round(flip, 3) == round(flip.extra["normal_approximation"], 3) == printed


@pytest.mark.parametrize(
    ("p_a", "p_b", "n"), [(0.9, 0.6, 3), (0.5, 0.5, 4), (0.2, 0.7, 2), (1.0, 0.4, 3), (0.0, 0.0, 2)]
)
def test_separate_flips_by_enumeration(p_a: float, p_b: float, n: int) -> None:
    flips = ties = 0.0
    for answers in itertools.product([0, 1], repeat=2 * n):
        a, b = sum(answers[:n]), sum(answers[n:])
        chance = p_a**a * (1 - p_a) ** (n - a) * p_b**b * (1 - p_b) ** (n - b)
        flips += chance * (b > a if p_a >= p_b else a > b)
        ties += chance * (a == b)
    answer = flip_probability_separate(p_a, p_b, n)
    assert (answer, answer.extra["p_tie"]) == (pytest.approx(flips + ties / 2), pytest.approx(ties))


@pytest.mark.parametrize(
    ("delta", "psi", "n"), [(0.2, 0.5, 4), (-0.3, 0.3, 3), (0.0, 0.4, 5), (0.0, 0.0, 3), (1.0, 1.0, 2)]
)
def test_paired_flips_by_enumeration(delta: float, psi: float, n: int) -> None:
    chances = {1: (psi + abs(delta)) / 2, -1: (psi - abs(delta)) / 2, 0: 1 - psi}
    flips = ties = 0.0
    for differences in itertools.product(chances, repeat=n):
        chance = math.prod(chances[one] for one in differences)
        flips += chance * (sum(differences) < 0)
        ties += chance * (sum(differences) == 0)
    answer = flip_probability_paired(delta, psi, n)
    assert (answer, answer.extra["p_tie"]) == (pytest.approx(flips + ties / 2), pytest.approx(ties))


def test_what_shared_items_change() -> None:
    """Unrelated systems disagree at rate pA(1 - pB) + pB(1 - pA): then shared and separate items flip alike."""
    unrelated = 0.86 * 0.15 + 0.85 * 0.14
    assert flip_probability_paired(0.01, unrelated, 500) == pytest.approx(
        flip_probability_separate(0.86, 0.85, 500), abs=2e-3
    )
    assert flip_probability_paired(0.01, 0.1, 500) < 0.75 * flip_probability_separate(0.86, 0.85, 500)
    # Equal systems flip half the time, and a gap of two standard errors still flips.
    assert flip_probability_separate(0.85, 0.85, 500) == pytest.approx(0.5)
    assert flip_probability_paired(0.02, 0.1 + 0.02**2, 1000).extra["normal_approximation"] == pytest.approx(
        stats.norm.sf(2.0)
    )


@pytest.mark.parametrize("n", [2_000, 1_000_000])
def test_flips_of_many_items_are_summed_where_the_chance_is(n: int) -> None:
    """A gap of one standard error: the sum over a window is the one over all counts, and for large n the normal one."""
    gap = math.sqrt(2 * 0.25 / n)
    separate = flip_probability_separate(0.5 + gap, 0.5, n)
    paired = flip_probability_paired(math.sqrt(0.3 / n), 0.3, n)
    assert separate == pytest.approx(stats.norm.sf(1), abs=1e-4)
    assert paired == pytest.approx(stats.norm.sf(1), abs=1e-4)
    if n == 2_000:
        right = np.arange(n + 1)
        chance = stats.binom.pmf(right, n, 0.5)
        whole = chance @ (stats.binom.cdf(right - 1, n, 0.5 + gap) + stats.binom.pmf(right, n, 0.5 + gap) / 2)
        assert separate == pytest.approx(whole, rel=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: flip_probability_separate(0.8, 0.7, 10**9), "n must be at most 100000000, got 1000000000"),
        (lambda: flip_probability_separate(86, 85, 500), r"p_a must be a finite number in \[0, 1\], got 86"),
        (lambda: flip_probability_separate(0.8, math.nan, 500), "p_b must be a finite number"),
        (lambda: flip_probability_separate(0.8, 0.7, 0), "n must be an integer of at least 1, got 0"),
        (lambda: flip_probability_paired(0.2, 0.1, 10), r"psi must be at least abs\(delta\): .* 0.2 .*, got 0.1"),
        (lambda: flip_probability_paired(0.2, 1.5, 10), r"psi must be a finite number in \[0, 1\], got 1.5"),
        (lambda: flip_probability_paired(2, 1, 10), r"delta must be a finite number in \[-1, 1\], got 2"),
    ],
)
def test_flips_refuse(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


# Simultaneous differences: reference values


@pytest.mark.parametrize("name", R)
def test_multcomp_agrees(name: str) -> None:
    case = R[name]
    found = simultaneous_differences(by_arithmetic(case["k"], case["n"]), n_draws=100_000)
    assert [f"{b} - {a}" for a, b in found] == case["pairs"]  # multcomp's name for a - b, whose sign the script turned
    estimates = list(found.values())
    assert [one.point for one in estimates] == pytest.approx(case["point"], abs=1e-7)
    # Four Monte Carlo standard errors of the quantile are .03.
    assert estimates[0].extra["critical_value"] == pytest.approx(case["critical"], abs=0.03)
    widths = [(one.ci_high - one.ci_low) / 2 for one in estimates]
    theirs = [(high - low) / 2 for low, high in zip(case["low"], case["high"], strict=True)]
    assert widths == pytest.approx(theirs, rel=0.012)


def test_unrelated_systems_get_tukeys_range() -> None:
    """Columns made exactly uncorrelated and equally variable: the quantile of the studentised range over sqrt(2)."""
    rng = np.random.default_rng(3)
    columns, _ = np.linalg.qr(np.column_stack([np.ones(60), rng.normal(size=(60, 6))]))
    found = simultaneous_differences({f"s{j}": columns[:, j + 1] for j in range(6)}, n_draws=100_000)
    critical = next(iter(found.values())).extra["critical_value"]
    assert critical == pytest.approx(stats.studentized_range.isf(0.05, 6, 59) / math.sqrt(2), abs=0.03)


def test_two_systems_get_the_paired_interval() -> None:
    scores = systems(90, [0.8, 0.5])
    groups, strata = np.repeat(np.arange(30), 3), np.repeat([0, 1], 45)
    for clusters, fixed in ((None, None), (groups, None), (groups, strata)):
        (ours,) = simultaneous_differences(scores, clusters, fixed, n_draws=200_000).values()
        theirs = paired_cluster_interval(
            scores["s0"], scores["s1"], clusters if clusters is not None else range(90), fixed
        )
        assert ours.point == pytest.approx(theirs.point)
        assert ours.ci_high - ours.ci_low == pytest.approx(theirs.ci_high - theirs.ci_low, rel=0.012)
    assert (ours.name, ours.n, ours.n_clusters) == ("s0 - s1", 90, 30)


@pytest.mark.parametrize("scale", [1e-90, 1e-20, 1e90])
def test_the_unit_of_the_scores_does_not_matter(scale: float) -> None:
    scores = by_arithmetic(4, 50)
    plain = simultaneous_differences(scores, n_draws=2000)
    scaled = simultaneous_differences({name: scale * one for name, one in scores.items()}, n_draws=2000)
    for pair, one in plain.items():
        assert scaled[pair].ci_low / scale == pytest.approx(one.ci_low, rel=1e-4, abs=1e-4)
        assert scaled[pair].extra["critical_value"] == pytest.approx(one.extra["critical_value"], rel=1e-4)


def test_rounding_is_no_difference() -> None:
    """.1 + .2 is not .3: systems that differ by that alone are tied, and constant ones have no spread."""
    easy = np.arange(30) % 3 / 7
    alike = {"a": easy + 0.3, "b": easy + (0.1 + 0.2), "c": np.roll(easy, 1)}
    one = simultaneous_differences(alike)["a", "b"]
    assert (one.ci_low, one.ci_high) == (0, 0)
    assert "the same score on every item" in str(one.warning)
    assert "b" in rank_intervals(alike).tied_with("a")
    with pytest.raises(ValueError, match=r"'b' is better than 'a' by 0\.2 on every item"):
        rank_intervals({"a": [0.1] * 30, "b": [0.1 * 3] * 30})


def test_any_number_of_workers_gives_the_same_answer() -> None:
    scores = systems(60, np.linspace(0.5, 1.5, 30).tolist())  # thirty systems: a block holds 1111 of 5000 draws
    board, differences = rank_intervals(scores, n_draws=5000), simultaneous_differences(scores, n_draws=5000)
    for pool, workers in ((ThreadPoolExecutor, 1), (ThreadPoolExecutor, 8), (ProcessPoolExecutor, 2)):
        with pool(workers) as executor:
            assert rank_intervals(scores, n_draws=5000, executor=executor) == board
            assert simultaneous_differences(scores, n_draws=5000, executor=executor) == differences
    assert rank_intervals(scores, n_draws=5000, seed=1).extra != board.extra
    for function in (rank_intervals, simultaneous_differences):
        with pytest.raises(ValueError, match=r"executor must be None or a concurrent.futures.Executor, got 8"):
            function(scores, executor=8)


# All pairs by McNemar's test


def test_pairwise_is_mcnemar_for_every_pair() -> None:
    scores = systems(200, [1.2, 0.9, 0.9, 0.3, -0.2])
    scores["s5"] = scores["s0"].copy()  # never differs from s0
    answer = pairwise_mcnemar_exact({name: scores[name] for name in reversed(scores)})
    assert answer.extra["systems"] == ("s0", "s1", "s2", "s3", "s4", "s5")
    assert answer.extra["accuracies"] == tuple(one.mean() for one in scores.values())
    single = [mcnemar_exact(scores[a], scores[b]).pvalue for a, b in itertools.combinations(answer.extra["systems"], 2)]
    assert answer.pvalues == pytest.approx(single, rel=1e-12)
    assert answer.pvalues[4] == 1
    for correction in (benjamini_hochberg, holm, partial(bonferroni, alpha=0.01)):
        ours, theirs = pairwise_mcnemar_exact(scores, correction), correction(single)
        assert ours.adjusted == pytest.approx(theirs.adjusted, rel=1e-12)
        assert (ours.reject, ours.alpha, ours.method) == (theirs.reject, theirs.alpha, theirs.method)


def test_pairwise_gives_the_books_p() -> None:
    a, b = [1] * 855 + [0] * 145, [1] * 810 + [0] * 45 + [1] * 25 + [0] * 120
    assert pairwise_mcnemar_exact({"a": a, "b": b}).pvalues[0] == pytest.approx(0.0224629, abs=5e-8)


@given(st.integers(0, 10_000), st.integers(2, 5))
def test_pairwise_does_not_depend_on_order_or_sign(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    scores = systems(30, rng.normal(size=k).tolist(), seed)
    answer, order = pairwise_mcnemar_exact(scores), rng.permutation(30)
    assert pairwise_mcnemar_exact({name: one[order] for name, one in scores.items()}) == answer
    assert pairwise_mcnemar_exact({name: 1 - one for name, one in scores.items()}).pvalues == answer.pvalues
    assert max(answer.adjusted) <= 1


@pytest.mark.parametrize(
    ("scores", "correction", "message"),
    [
        (
            {"a": [1, 0, 1], "b": [1, 0.5, 0]},
            holm,
            r"scores\['b'\] must be 0 or 1 .*, got 0.5 at position 1; .* use `sim",
        ),
        ({"a": [1, 0, 1]}, holm, "scores must hold at least 2 systems, got 1"),
        ({"a": [1, 0, 1], "b": [1, 0]}, holm, "must describe the same items, got 3 and 2"),
        ({"a": [1, 0, 1], "b": [1, 0, 0]}, "holm", "correction must be a function, got 'holm'"),
    ],
)
def test_pairwise_refuses(scores: Any, correction: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pairwise_mcnemar_exact(scores, correction)


# Ranks


def test_rank_intervals_follow_from_the_differences() -> None:
    scores = systems(400, [1.5, 1.3, 0.9, 0.85, 0.3, -0.4], seed=2)
    board = rank_intervals(scores, seed=5)
    beats = set()
    for (a, b), one in simultaneous_differences(scores, seed=5).items():
        beats |= {(a, b)} if one.ci_low > 0 else {(b, a)} if one.ci_high < 0 else set()
    for system, low, high, tied in zip(board.systems, board.rank_low, board.rank_high, board.tied, strict=True):
        assert low == 1 + sum(other == system for _, other in beats)
        assert high == 6 - sum(other == system for other, _ in beats)
        apart = {b for a, b in beats if a == system} | {a for a, b in beats if b == system}
        assert set(tied) == set(scores) - {system} - apart
    assert 1 < len(beats) < 15
    assert board.may_be_best == tuple(s for s, low in zip(board.systems, board.rank_low, strict=True) if low == 1)


def test_ties_are_sets_that_overlap() -> None:
    """B is tied with A and with C, yet A beats C: no division into groups says that."""
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(3, 200))
    noise -= noise.mean(axis=1, keepdims=True)
    scores = {"A": 0.2 + noise[0], "B": noise[1], "C": -0.2 + noise[2]}
    board = rank_intervals(scores)
    assert board.tied == (("B",), ("A", "C"), ("B",))
    assert (board.rank_low, board.rank_high) == ((1, 1, 2), (2, 3, 3))
    assert board.may_be_best == ("A", "B")
    with pytest.raises(ValueError, match=r"system must be one of \['A', 'B', 'C'\], got 'D'"):
        board.tied_with("D")


@given(st.integers(0, 10_000), st.integers(2, 5), st.booleans())
def test_rank_properties(seed: int, k: int, grouped: bool) -> None:
    rng = np.random.default_rng(seed)
    scores = systems(40, rng.normal(size=k).tolist(), seed)
    groups = np.arange(40) // 2 if grouped else None
    board = rank_intervals(scores, groups, n_draws=1000)
    for rank, low, high in zip(board.ranks, board.rank_low, board.rank_high, strict=True):
        assert 1 <= low <= rank <= high <= k
    assert board.may_be_best
    assert all(a in board.tied_with(b) for a in board.systems for b in board.tied_with(a))
    order = rng.permutation(40)
    shuffled = {name: scores[name][order] for name in reversed(scores)}
    again = rank_intervals(shuffled, None if groups is None else groups[order], n_draws=1000)
    assert (again.systems, again.rank_low, again.rank_high, again.tied) == (
        board.systems,
        board.rank_low,
        board.rank_high,
        board.tied,
    )
    # A mirror turns ranks round.
    turned = rank_intervals({name: 1 - one for name, one in scores.items()}, groups, n_draws=1000)
    for system in board.systems:
        here, there = board.systems.index(system), turned.systems.index(system)
        assert turned.rank_low[there] == k + 1 - board.rank_high[here]


def test_equal_scores_share_a_rank_and_their_intervals() -> None:
    one = np.arange(30) % 3 == 0
    board = rank_intervals({"b": one, "a": np.roll(one, 1), "c": one})
    assert board.systems == ("a", "b", "c")
    assert board.ranks == (1, 1, 1)
    assert (set(board.rank_low), set(board.rank_high)) == ({1}, {3})
    assert board.may_be_best == ("a", "b", "c")
    alike = simultaneous_differences({"b": one, "c": one})["b", "c"]
    assert (alike.ci_low, alike.ci_high) == (0.0, 0.0)
    assert "the same score on every item" in str(alike.warning)


def test_clusters_widen() -> None:
    scores = systems(60, [1.0, 0.1])
    copies = {name: np.repeat(one, 10) for name, one in scores.items()}
    groups = np.repeat(np.arange(60), 10)
    clustered = simultaneous_differences(copies, groups)["s0", "s1"]
    alone = simultaneous_differences(scores)["s0", "s1"]
    rows = simultaneous_differences(copies)["s0", "s1"]
    assert clustered.ci_low == pytest.approx(alone.ci_low)
    assert rows.ci_high - rows.ci_low < 0.4 * (clustered.ci_high - clustered.ci_low)
    few = rank_intervals(copies, np.repeat(np.arange(6), 100))
    assert "only 5 degrees of freedom" in str(few.warning)
    assert few.n_clusters == 6


def test_result_is_frozen_and_travels() -> None:
    board = rank_intervals(systems(100, [1.0, 0.5, -1.0]), np.arange(100) // 2, name="July")
    assert {board: 1}[board] == 1
    assert Leaderboard.from_dict(json.loads(json.dumps(board.to_dict()))) == board
    assert pickle.loads(pickle.dumps(board)) == board
    assert board.as_mlflow()["params"]["July.rank_low"] == json.dumps(list(board.rank_low))
    assert "n = 100 in 50 clusters" in str(board)
    with pytest.raises(AttributeError):
        board.level = 0.9  # type: ignore[misc]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((("A",), (0.5, 0.4), (1,), (1,), ((),)), r"every system needs one entry in each column, got .*'points': 2"),
        ((("A",), (0.5,), (1,), (2,), ((),)), "rank_high must be at most 1, got 2"),
        ((("A", "B"), (0.5, 0.4), (2, 1), (1, 2), ((), ())), "rank_high must be an integer of at least 2, got 1"),
        ((("A",), (0.5,), (0,), (1,), ((),)), "rank_low must be an integer of at least 1, got 0"),
        ((("A",), (math.nan,), (1,), (1,), ((),)), "points must be a finite number, got nan"),
    ],
)
def test_board_refuses(parts: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Leaderboard(*parts, 0.95, "mine", 10)


@pytest.mark.parametrize("function", [rank_intervals, simultaneous_differences, shrunken_winner])
@pytest.mark.parametrize(
    ("scores", "settings", "message"),
    [
        ([[1, 0], [0, 1]], {}, "scores must be a mapping from system to scores, got a list"),
        ({"a": [1, 0]}, {}, "scores must hold at least 2 systems, got 1"),
        (
            {"a": [1, 0, 1], "b": [1, 0]},
            {},
            r"scores\['a'\] and scores\['b'\] must describe the same items, got 3 and 2",
        ),
        ({"a": [1, math.inf], "b": [1, 0]}, {}, r"scores\['a'\] must be finite, got inf at position 1"),
        ({"a": [1], "b": [1]}, {}, r"scores\['a'\] must hold at least 2 values, got 1"),
        ({"a": [1e101, 0], "b": [0, 1]}, {}, r"1e\+100\]?, got 1e\+101"),
        ({"a": [1, 0], "b": [0, 0]}, {"level": 95}, "level must lie strictly between 0 and 1, got 95"),
        ({"a": [1, 0], "b": [0, 0]}, {"groups": [1, 1]}, "groups must name at least 2 clusters, got 1"),
    ],
)
def test_refuses(function: Any, scores: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        function(scores, **settings)


def test_refuses_what_has_no_error() -> None:
    with pytest.raises(ValueError, match="'a' is better than 'b' by 1 on every item: without spread"):
        rank_intervals({"a": [1] * 20, "b": [0] * 20, "c": [1, 0] * 10})
    with pytest.raises(ValueError, match="n_draws must be an integer of at least 1000, got 10"):
        rank_intervals({"a": [1, 0], "b": [0, 1]}, n_draws=10)


# The winner


def test_shrunken_winner_by_hand() -> None:
    """Two systems: the share kept is 1 - 1/t^2, and of a gap within its error nothing is kept."""
    scores = {"a": np.array([3.0, 1.0, 2.0, 4.0, 6.0, 2.0]), "b": np.array([2.0, 1.0, 1.0, 1.0, 4.0, 1.0])}
    t = stats.ttest_rel(scores["a"], scores["b"]).statistic
    answer = shrunken_winner(scores)
    centre = (18 + 10) / 12
    assert answer.extra["share_kept"] == pytest.approx(1 - 1 / t**2)
    assert answer.point == pytest.approx(centre + (1 - 1 / t**2) * (3 - centre))
    plain = mean_interval(scores["a"], level=0.975)
    assert (answer.ci_low, answer.ci_high) == (plain.ci_low, plain.ci_high)
    equal = shrunken_winner({"a": scores["a"], "b": scores["a"][::-1]})
    assert (equal.point, equal.extra["share_kept"]) == (3.0, 0.0)
    assert equal.extra["winners"] == ("a", "b")


@given(st.integers(0, 10_000), st.integers(2, 6))
def test_winner_lies_between_the_mean_and_the_best(seed: int, k: int) -> None:
    scores = systems(50, np.random.default_rng(seed).normal(size=k).tolist(), seed)
    answer = shrunken_winner(scores, groups=np.arange(50) // 2)
    assert answer.extra["mean_of_all"] - 1e-12 <= answer.point <= answer.extra["raw"] + 1e-12
    assert answer.ci_low <= answer.point <= answer.ci_high
    assert answer.extra["raw"] == max(one.mean() for one in scores.values())
    assert answer.n_clusters == 25


def test_winners_curse_of_eight_equal_systems() -> None:
    """500 items each, all systems right on 85%: the raw winner is 2.2 points too good, the shrunken one far less."""
    rng = np.random.default_rng(8)
    raw, shrunken, covered = [], [], 0
    for _ in range(1000):
        scores = {f"s{j}": column for j, column in enumerate((rng.random((8, 500)) < 0.85).astype(float))}
        answer = shrunken_winner(scores)
        raw.append(answer.extra["raw"] - 0.85)
        shrunken.append(answer.point - 0.85)
        covered += answer.ci_low <= 0.85 <= answer.ci_high
    assert np.mean(raw) == pytest.approx(0.0224, abs=4 * np.std(raw) / math.sqrt(1000))
    assert abs(np.mean(shrunken)) < 0.006
    assert covered / 1000 > 0.95 - 4 * math.sqrt(0.05 * 0.95 / 1000)
