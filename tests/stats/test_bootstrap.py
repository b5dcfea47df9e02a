"""The bootstrap against scipy, R and exact distributions; its properties; its coverage; what it refuses and warns of.

Monte Carlo error: the end of a 95% percentile interval from B replicates has a standard error of about
sqrt(.025 x .975 / B) / phi(1.96) = 2.67 / sqrt(B) bootstrap standard errors; a BCa end, whose bias correction is
estimated from the same replicates, of about 3.7 / sqrt(B).
Where two simulations are compared, the tolerance is four standard errors of the difference.
"""

from __future__ import annotations

import itertools
import json
import math
import tracemalloc
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evalstats import (
    Estimate,
    bca_mean,
    bca_paired_diff,
    bca_statistic,
    bootstrap_mean,
    bootstrap_paired_diff,
    bootstrap_statistic,
    cluster_standard_error,
)

R = json.loads((Path(__file__).parents[1] / "reference" / "bootstrap_power.json").read_text())

# The data that tests/reference/bootstrap_power.R makes by the same arithmetic.
SECONDS = ((np.arange(1, 41) * 37) % 101 / 20) ** 3
SIZES = np.array([1, 4, 2, 9, 3, 7, 2, 6, 5, 1, 8, 3, 4, 2, 6, 5, 1, 3, 9, 2, 4, 6, 7, 3, 5])
CLUSTERS = np.repeat(np.arange(SIZES.size), SIZES)
SCORES = (np.arange(1, SIZES.sum() + 1) * 29) % 97 / 10

A_RIGHT = [1] * 810 + [1] * 45 + [0] * 25 + [0] * 120
B_RIGHT = [1] * 810 + [0] * 45 + [1] * 25 + [0] * 120


def mean(records: Sequence[float]) -> float:
    return sum(records) / len(records)


def assert_same_interval(ours: Estimate, low: float, high: float, replicates: int, per_root: float) -> None:
    """Both ends within four standard errors of the difference of two simulations."""
    assert ours.n_boot is not None
    error = per_root * ours.extra["boot_se"] * math.sqrt(1 / ours.n_boot + 1 / replicates)
    assert ours.ci_low == pytest.approx(low, abs=4 * error)
    assert ours.ci_high == pytest.approx(high, abs=4 * error)


# Reference values


def scipy_interval(data: np.ndarray, method: str, replicates: int = 50_000) -> tuple[float, float]:
    answer = stats.bootstrap(
        (data,), np.mean, n_resamples=replicates, batch=5_000, method=method, rng=np.random.default_rng(1)
    )
    return float(answer.confidence_interval.low), float(answer.confidence_interval.high)


METHODS = [(bootstrap_mean, "percentile", 2.67), (bca_mean, "BCa", 3.7)]


@pytest.mark.parametrize(("function", "method", "per_root"), METHODS)
def test_scipy_agrees_on_skewed_scores(function: Any, method: str, per_root: float) -> None:
    answer = function(SECONDS, n_boot=50_000)
    assert_same_interval(answer, *scipy_interval(SECONDS, method), 50_000, per_root)


@pytest.mark.parametrize(("function", "method", "per_root"), METHODS)
def test_scipy_agrees_on_binary_scores(function: Any, method: str, per_root: float) -> None:
    """Counts are whole, so an end is the same count or, where a quantile sits on an edge, its neighbour."""
    data = np.array([1.0] * 31 + [0.0] * 14)
    answer = function(data, n_boot=50_000)
    np.testing.assert_allclose((answer.ci_low, answer.ci_high), scipy_interval(data, method), atol=1 / 45 + 1e-9)


def test_r_agrees_on_a_mean() -> None:
    stored = R["mean"]
    percentile, bca = bootstrap_mean(SECONDS, n_boot=100_000), bca_mean(SECONDS, n_boot=100_000)
    assert percentile.point == pytest.approx(stored["point"], rel=1e-11)
    assert bca.extra["acceleration"] == pytest.approx(stored["acceleration"], rel=1e-9)
    assert_same_interval(percentile, *stored["percentile"], R["replicates"], 2.67)
    assert_same_interval(bca, *stored["bca"], R["replicates"], 3.7)


def test_r_agrees_on_a_mean_over_unequal_clusters() -> None:
    stored = R["cluster_mean"]
    percentile = bootstrap_mean(SCORES, groups=CLUSTERS, n_boot=100_000)
    bca = bca_mean(SCORES, groups=CLUSTERS, n_boot=100_000)
    assert percentile.point == pytest.approx(stored["point"], rel=1e-11)
    assert bca.extra["acceleration"] == pytest.approx(stored["acceleration"], rel=1e-6)
    assert_same_interval(percentile, *stored["percentile"], R["replicates"], 2.67)
    assert_same_interval(bca, *stored["bca"], R["replicates"], 3.7)


def test_statistic_gives_what_the_mean_gives() -> None:
    for of_statistic, of_mean in ((bootstrap_statistic, bootstrap_mean), (bca_statistic, bca_mean)):
        slow = of_statistic(SCORES.tolist(), mean, n_boot=4000, seed=5, groups=CLUSTERS)
        fast = of_mean(SCORES, groups=CLUSTERS, n_boot=50_000)
        assert slow.point == pytest.approx(fast.point, rel=1e-12)
        assert_same_interval(slow, fast.ci_low, fast.ci_high, 50_000, 3.7)
        if "acceleration" in slow.extra:
            assert slow.extra["acceleration"] == pytest.approx(fast.extra["acceleration"], rel=1e-9)


@pytest.mark.parametrize(("right", "n"), [(855, 1000), (31, 45), (7, 10)])
def test_binary_replicates_are_binomial(right: int, n: int) -> None:
    """With 0/1 scores the number right in a resample is Bin(n, p): the ends are its quantiles, to the next count."""
    answer = bootstrap_mean([1] * right + [0] * (n - right), n_boot=100_000)
    low, high = stats.binom.ppf([0.025, 0.975], n, right / n) / n
    assert answer.ci_low == pytest.approx(low, abs=1 / n + 1e-9)
    assert answer.ci_high == pytest.approx(high, abs=1 / n + 1e-9)
    se = math.sqrt(right * (n - right) / n**3)
    assert answer.extra["boot_se"] == pytest.approx(se, rel=4 / math.sqrt(2 * 100_000))


def test_chapter_interval_of_the_difference() -> None:
    """Over all resamples P(b - c <= 3) < .025 <= P(<= 4), and P(<= 35) < .975 <= P(<= 36): [.004, .036]."""
    discordant = np.arange(1001)
    weight = stats.binom.pmf(discordant, 1000, 0.07)

    def at_most(gap: int) -> float:
        return float(weight @ stats.binom.cdf((gap + discordant) // 2, discordant, 45 / 70))

    assert at_most(3) < 0.025 <= at_most(4)
    assert at_most(35) < 0.975 <= at_most(36)
    answer = bootstrap_paired_diff(A_RIGHT, B_RIGHT, n_boot=100_000)
    assert (answer.ci_low, answer.ci_high) == (0.004, 0.036)
    assert answer.point == 0.02


@pytest.mark.parametrize("data", [SECONDS, np.repeat(SECONDS[:5], 40)], ids=["drawn one by one", "drawn by counts"])
def test_bootstrap_se_is_the_plug_in_se(data: np.ndarray) -> None:
    """Both engines: the sd of the replicates tends to sqrt(mean squared deviation / n); relative SE 1 / sqrt(2 B)."""
    answer = bootstrap_mean(data, n_boot=50_000)
    assert answer.extra["boot_se"] == pytest.approx(data.std() / math.sqrt(data.size), rel=4 / math.sqrt(100_000))


@pytest.mark.parametrize("values", [0.5, 1.0], ids=["few kinds of cluster", "many kinds"])
def test_cluster_bootstrap_se_is_the_linearised_se(values: float) -> None:
    """The ratio of sums has the SE sqrt(sum of (s - m mean)^2) / rows, up to terms of order 1 / clusters."""
    scores = SCORES if values == 1.0 else np.tile([1.0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 0], 40)
    groups = CLUSTERS if values == 1.0 else np.repeat(np.arange(160), [1, 2, 3, 6] * 40)
    answer = bootstrap_mean(scores, groups=groups, n_boot=50_000)
    sums, sizes = np.bincount(groups, scores), np.bincount(groups)
    linearised = math.sqrt(((sums - sizes * scores.mean()) ** 2).sum()) / scores.size
    assert answer.extra["boot_se"] == pytest.approx(linearised, rel=0.03)


def test_which_mean_the_clusters_estimate() -> None:
    """Half the items easy and answered once, half hard and answered five times: rows and items disagree."""
    scores = [0.9] * 10 + [0.3] * 50
    groups = list(range(10)) + [10 + row // 5 for row in range(50)]
    answer = bootstrap_mean(scores, groups=groups)
    assert answer.point == pytest.approx((10 * 0.9 + 50 * 0.3) / 60)
    assert answer.extra["mean_of_cluster_means"] == pytest.approx(0.6)
    assert answer.extra["estimand"] == "mean over rows, each row weighted equally"
    assert (answer.n, answer.n_clusters) == (60, 20)


@pytest.mark.parametrize(
    ("function", "plain", "clustered"),
    [
        (bootstrap_mean, "bootstrap_percentile", "cluster_bootstrap_percentile"),
        (bca_mean, "bootstrap_bca", "cluster_bootstrap_bca"),
        (
            lambda x, **k: bootstrap_paired_diff(x, 1 - x, **k),
            "paired_bootstrap_percentile",
            "paired_cluster_bootstrap_percentile",
        ),
        (lambda x, **k: bca_paired_diff(x, 1 - x, **k), "paired_bootstrap_bca", "paired_cluster_bootstrap_bca"),
        (lambda x, **k: bootstrap_statistic(x, mean, **k), "bootstrap_percentile", "cluster_bootstrap_percentile"),
        (lambda x, **k: bca_statistic(x, mean, **k), "bootstrap_bca", "cluster_bootstrap_bca"),
    ],
)
def test_provenance(function: Any, plain: str, clustered: str) -> None:
    x = np.array([1, 0, 0, 1, 1, 1, 0, 1] * 5)
    alone = function(x, level=0.9, n_boot=1200, seed=3, name="f")
    together = function(x, groups=np.arange(40) // 2 % 13, level=0.9, n_boot=1200, seed=3, name="f")
    for answer in (alone, together):
        assert (answer.name, answer.level, answer.n, answer.n_boot, answer.seed) == ("f", 0.9, 40, 1200, 3)
        assert answer.ci_low <= answer.point <= answer.ci_high
    assert (alone.method, alone.n_clusters) == (plain, None)
    assert (together.method, together.n_clusters) == (clustered, 13)
    assert alone.extra.get("contrast") == ("A - B" if plain.startswith("paired") else None)


# Properties

scores = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.7, 1.0]) | st.floats(-1e3, 1e3), min_size=4, max_size=60)
quick = settings(max_examples=40, deadline=None)


@quick
@given(scores, st.randoms(use_true_random=False), st.booleans())
def test_order_of_rows_does_not_matter(values: list[float], random: Any, clustered: bool) -> None:
    rows = [(value, row % 3) for row, value in enumerate(values)]
    shuffled = random.sample(rows, len(rows))
    answers = []
    for these in (rows, shuffled):
        x, g = zip(*these, strict=True)
        answers.append(bootstrap_mean(x, groups=g if clustered else None, n_boot=200))
    assert answers[0] == answers[1]


@quick
@given(scores)
def test_every_row_its_own_cluster_is_no_clusters(values: list[float]) -> None:
    alone = bootstrap_mean(values, n_boot=200)
    own = bootstrap_mean(values, groups=range(len(values)), n_boot=200)
    assert (own.point, own.ci_low, own.ci_high) == (alone.point, alone.ci_low, alone.ci_high)


@quick
@given(scores, st.integers(0, 5))
def test_ends_stay_within_the_scores(values: list[float], seed: int) -> None:
    answer = bootstrap_mean(values, n_boot=100, seed=seed)
    slack = 1e-9 * max(1, *map(abs, values))
    assert min(values) - slack <= answer.ci_low <= answer.ci_high <= max(values) + slack
    assert answer.point == pytest.approx(np.mean(values), abs=slack)


@quick
@given(scores, st.sampled_from([0.5, 2.0, 4.0]), st.integers(-8, 8))
def test_scale_and_shift(values: list[float], scale: float, shift: int) -> None:
    base, moved = bootstrap_mean(values, n_boot=100), bootstrap_mean([scale * v + shift for v in values], n_boot=100)
    slack = 1e-9 * max(1, *map(abs, values))
    if len(set(values)) == len({scale * v + shift for v in values}):  # no two values merged by rounding
        assert moved.ci_low == pytest.approx(scale * base.ci_low + shift, abs=slack * 10)
        assert moved.ci_high == pytest.approx(scale * base.ci_high + shift, abs=slack * 10)


@quick
@given(scores, scores)
def test_difference_is_the_mean_of_differences(a: list[float], b: list[float]) -> None:
    n = min(len(a), len(b))
    d = np.array(a[:n]) - np.array(b[:n])
    paired, single = bootstrap_paired_diff(a[:n], b[:n], n_boot=100), bootstrap_mean(d, n_boot=100)
    assert (paired.point, paired.ci_low, paired.ci_high) == (single.point, single.ci_low, single.ci_high)
    assert bootstrap_paired_diff(b[:n], a[:n], n_boot=100).point == pytest.approx(-paired.point, abs=1e-9)


def test_wider_level_is_wider() -> None:
    widths = [bootstrap_mean(SECONDS, level=level) for level in (0.5, 0.8, 0.95, 0.99)]
    assert all(a.ci_low > b.ci_low and a.ci_high < b.ci_high for a, b in itertools.pairwise(widths))


def test_seed_fixes_the_answer() -> None:
    assert bootstrap_mean(SECONDS, seed=4) == bootstrap_mean(SECONDS, seed=4)
    assert bootstrap_mean(SECONDS, seed=4).ci_low != bootstrap_mean(SECONDS, seed=5).ci_low
    records = SECONDS.tolist()
    assert bootstrap_statistic(records, mean, n_boot=300) == bootstrap_statistic(records, mean, n_boot=300)


def test_memory_stays_bounded() -> None:
    """50,000 distinct scores and 400 replicates would be 160 MB of positions at once."""
    data = np.random.default_rng(0).normal(size=50_000)
    tracemalloc.start()
    bootstrap_mean(data, n_boot=400)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 60e6


def test_leaving_out_takes_no_more_memory_than_the_data() -> None:
    """20,000 distinct scores: a table of who is left out would hold 400 million numbers."""
    data = np.random.default_rng(0).normal(size=20_000)
    tracemalloc.start()
    bca_mean(data, n_boot=200)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 60e6


# Strata: fixed kinds, from each of which as many units are drawn as it has

KINDS = np.array(["word", "sum", "passage", "sum"])[np.arange(SIZES.size) % 4][CLUSTERS]


def test_strata_take_the_spread_within_kinds() -> None:
    """The plug-in SE is sqrt(sum over kinds of (n_h / n)^2 s_h^2 / n_h), s_h with divisor n_h."""
    scores = SCORES + 50 * (KINDS == "sum")
    answer = bootstrap_mean(scores, strata=KINDS, n_boot=50_000)
    within = [scores[kind == KINDS] for kind in np.unique(KINDS)]
    se = math.sqrt(sum(part.size * part.var() for part in within)) / scores.size
    assert answer.extra["boot_se"] == pytest.approx(se, rel=4 / math.sqrt(100_000))
    assert (answer.extra["drawn"], answer.extra["n_strata"]) == ("items within fixed strata", 3)


@pytest.mark.parametrize("function", [bootstrap_mean, bca_mean])
def test_a_gap_between_strata_is_no_noise(function: Any) -> None:
    groups, strata = np.arange(120) // 3, np.arange(120) // 60
    level = function(SCORES[:60].tolist() * 2, groups=groups, strata=strata, n_boot=4000)
    apart = function(np.tile(SCORES[:60], 2) + 7.0 * strata, groups=groups, strata=strata, n_boot=4000)
    assert apart.point == pytest.approx(level.point + 3.5)
    assert apart.ci_high - apart.ci_low == pytest.approx(level.ci_high - level.ci_low, rel=1e-9)
    assert apart.method in ("stratified_cluster_bootstrap_percentile", "stratified_cluster_bootstrap_bca")
    assert (apart.n, apart.n_clusters) == (120, 40)


@pytest.mark.parametrize("function", [bootstrap_mean, bca_mean])
def test_one_stratum_is_no_strata(function: Any) -> None:
    alone = function(SCORES, groups=CLUSTERS)
    one = function(SCORES, groups=CLUSTERS, strata=["all"] * SCORES.size)
    assert (one.point, one.ci_low, one.ci_high) == (alone.point, alone.ci_low, alone.ci_high)


def test_strata_of_a_statistic_and_of_a_mean_agree() -> None:
    scores = SCORES + 50 * (KINDS == "sum")
    for of_statistic, of_mean in ((bootstrap_statistic, bootstrap_mean), (bca_statistic, bca_mean)):
        slow = of_statistic(scores.tolist(), mean, n_boot=4000, seed=5, groups=CLUSTERS, strata=KINDS)
        fast = of_mean(scores, groups=CLUSTERS, strata=KINDS, n_boot=50_000)
        assert slow.method == fast.method
        assert slow.extra["n_strata"] == fast.extra["n_strata"] == 3
        assert_same_interval(slow, fast.ci_low, fast.ci_high, 50_000, 3.7)


def test_order_of_rows_does_not_matter_with_strata() -> None:
    order = np.random.default_rng(2).permutation(SCORES.size)
    shuffled = bootstrap_mean(SCORES[order], groups=CLUSTERS[order], strata=KINDS[order])
    assert shuffled == bootstrap_mean(SCORES, groups=CLUSTERS, strata=KINDS)


def test_strata_agree_with_the_formula_of_clusters() -> None:
    """The linearised SE of module `cluster`, which corrects for few clusters, is a little larger than ours."""
    groups, strata = np.arange(1200) // 4, np.arange(1200) // 400
    scores = np.random.default_rng(4).binomial(1, np.random.default_rng(5).beta(1, 1, 300)[groups])
    ours = bootstrap_mean(scores, groups=groups, strata=strata, n_boot=20_000).extra["boot_se"]
    assert float(cluster_standard_error(scores, groups, strata)) == pytest.approx(ours, rel=0.03)


@pytest.mark.parametrize(
    ("groups", "strata", "message"),
    [
        ([1, 1, 2, 2], ["x", "y", "x", "y"], "a cluster lies inside one stratum"),
        ([1, 1, 2, 2], ["x", "x", "y", "y"], "each stratum needs at least 2 clusters"),
        ([1, 2, 3, 4], ["x", "x", "y"], "strata must name one stratum for each of the 4 rows, got 3"),
    ],
)
def test_impossible_strata_are_refused(groups: list[int], strata: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bootstrap_mean([1, 0, 1, 0], groups=groups, strata=strata)
    with pytest.raises(ValueError, match=message):
        bootstrap_statistic([1, 0, 1, 0], mean, groups=groups, strata=strata)


# BCa


def test_ties_count_half() -> None:
    """Half right: the replicates are symmetric about the point, so there is no bias to correct.

    Counting only those strictly below gives Phi^-1(.377) = -.31; the Monte Carlo SE here is 1.25 / sqrt(50,000) = .006.
    """
    assert bca_mean([1, 0] * 5, n_boot=50_000).extra["bias_correction"] == pytest.approx(0, abs=0.023)


def test_ties_are_seen_through_rounding() -> None:
    """Tenths do not add up exactly: 5 of 10 resamples that tie with the point must still be seen as ties."""
    answer = bca_mean([0.1, 0.2, 0.3] * 4, n_boot=50_000)
    assert answer.extra["bias_correction"] == pytest.approx(0, abs=0.023)


def test_acceleration_of_a_mean_in_closed_form() -> None:
    d = SECONDS - SECONDS.mean()
    assert bca_mean(SECONDS).extra["acceleration"] == pytest.approx((d**3).sum() / (6 * (d**2).sum() ** 1.5))


def test_acceleration_with_strata_in_closed_form() -> None:
    """Strata keep their weights, so each item pulls by its distance from the mean of its own kind, over n."""
    strata = np.repeat(["x", "y", "z"], [4, 10, 26])
    means = {kind: SECONDS[strata == kind].mean() for kind in "xyz"}
    d = SECONDS - np.array([means[kind] for kind in strata])
    expected = (d**3).sum() / (6 * (d**2).sum() ** 1.5)
    assert bca_mean(SECONDS, strata=strata).extra["acceleration"] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("scale", [1e-15, 1e15])
def test_bca_at_any_scale(scale: float) -> None:
    plain, scaled = bca_mean(SECONDS, n_boot=500), bca_mean(scale * SECONDS, n_boot=500)
    assert scaled.ci_low == pytest.approx(scale * plain.ci_low, rel=1e-9)
    assert scaled.extra["acceleration"] == pytest.approx(plain.extra["acceleration"], rel=1e-9)


def test_bca_follows_the_skew() -> None:
    plain, corrected = bootstrap_mean(SECONDS, n_boot=50_000), bca_mean(SECONDS, n_boot=50_000)
    assert corrected.ci_low > plain.ci_low
    assert corrected.ci_high > plain.ci_high


@pytest.mark.parametrize(
    "call",
    [
        lambda: bca_mean([1] * 10),
        lambda: bca_mean([0.1] * 10),
        lambda: bca_mean([1, 0] * 10, groups=[row // 2 for row in range(20)]),
        lambda: bca_paired_diff([1, 0, 1], [1, 0, 1]),
        lambda: bca_statistic([1.0] * 10, mean, n_boot=100),
        lambda: bca_statistic(range(30), lambda records: len(set(records)), n_boot=100),
    ],
    ids=["all right", "constant", "alike clusters", "no difference", "constant records", "all replicates below"],
)
def test_bca_refuses_what_it_cannot_say(call: Any) -> None:
    with pytest.raises(ValueError, match="BCa"):
        call()


# Any statistic


def f1(pairs: list[tuple[int, int]]) -> float:
    hits = sum(truth and said for truth, said in pairs)
    claims = sum(truth + said for truth, said in pairs)
    return 2 * hits / claims if claims else math.nan


def test_f1_against_multinomial_counts() -> None:
    """F1 depends on the four counts alone, whose resamples are multinomial."""
    cells, counts = [(1, 1), (1, 0), (0, 1), (0, 0)], [30, 10, 15, 45]
    pairs = [cell for cell, count in zip(cells, counts, strict=True) for _ in range(count)]
    answer = bootstrap_statistic(pairs, f1, n_boot=4000)
    drawn = np.random.default_rng(9).multinomial(100, np.array(counts) / 100, size=200_000)
    replicates = 2 * drawn[:, 0] / (2 * drawn[:, 0] + drawn[:, 1] + drawn[:, 2])
    assert answer.point == pytest.approx(60 / 85)
    assert_same_interval(answer, *np.quantile(replicates, [0.025, 0.975]), 200_000, 2.67)


def test_statistic_receives_a_list_of_the_records() -> None:
    seen: list[Any] = []

    def spy(records: list[dict[str, int]]) -> float:
        seen.append(records)
        return float(len(records))

    data = [{"item": i} for i in range(25)]
    bootstrap_statistic(data, spy, n_boot=5)
    assert len(seen) == 6
    assert all(type(records) is list and len(records) == 25 for records in seen)
    assert all(record in data for records in seen for record in records)
    assert seen[0] == data


def test_clusters_come_whole() -> None:
    def spy(records: list[tuple[str, int]]) -> float:
        for name in "abc":
            members = [row for cluster, row in records if cluster == name]
            assert sorted(members) == sorted(
                {"a": [0], "b": [1, 2], "c": [3, 4, 5]}[name] * (len(members) // "_abc".index(name))
            )
        return float(len(records))

    data = [("c", 3), ("a", 0), ("b", 1), ("c", 4), ("b", 2), ("c", 5)]
    answer = bootstrap_statistic(data, spy, n_boot=50, groups=[cluster for cluster, _ in data])
    assert (answer.n, answer.n_clusters) == (6, 3)


def test_undefined_replicates_are_counted_and_said() -> None:
    """A resample without any of the 4 positive records has no F1: that happens with probability (26/30)^30 = .014."""
    pairs = [(1, 1)] * 4 + [(0, 0)] * 26
    answer = bootstrap_statistic(pairs, f1, n_boot=4000)
    expected = (26 / 30) ** 30
    assert answer.extra["undefined_replicates"] / 4000 == pytest.approx(expected, abs=4 * math.sqrt(expected / 4000))
    assert answer.warning is not None
    assert f"{answer.extra['undefined_replicates']} of 4000 replicates were undefined and left out" in answer.warning


def test_too_many_undefined_replicates_are_refused() -> None:
    with pytest.raises(ValueError, match=r"the statistic has no finite value on \d+ of 1000 resamples"):
        bootstrap_statistic([(1, 1)] + [(0, 0)] * 29, f1, n_boot=1000)
    with pytest.raises(ValueError, match="the statistic must be a finite number, got nan"):
        bootstrap_statistic([(0, 0)] * 30, f1, n_boot=1000)
    with pytest.raises(ValueError, match="no finite value when one unit is left out"):
        bca_statistic([1.0] * 40 + [2.0], lambda records: mean(records) if len(records) == 41 else math.nan, n_boot=200)


def test_errors_of_the_statistic_are_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        bootstrap_statistic([1, 0, 0], lambda records: 1 / sum(records), n_boot=200)


@pytest.mark.parametrize(
    ("data", "function", "message"),
    [
        ([], mean, "data must hold at least 1 record, got 0"),
        ("text", mean, "data must be a sequence of records, got a str"),
        (pd.DataFrame({"a": [1, 2]}), mean, "got a DataFrame; for a table pass data.to_dict"),
        ([1, 2], lambda records: "high", "stat_fn must return one number, got 'high'"),
        ([1, 2], lambda records: records, r"stat_fn must return one number, got \[1, 2\]"),
        ([1, 2], lambda records: 10**400, "stat_fn must return one number, got 1000"),
        ([1, 2], "mean", "stat_fn must be a function, got 'mean'"),
        (5, mean, "data must be a sequence of records, got an int"),
        ({1, 2}, mean, "data must be a sequence of records, got a set"),
        (b"12", mean, "data must be a sequence of records, got a bytes"),
    ],
)
def test_statistic_refuses(data: Any, function: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bootstrap_statistic(data, function, n_boot=10)


# Refusals and warnings


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("function", [bootstrap_mean, bca_mean])
@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([], {}, "scores must hold at least 1 value, got 0"),
        ([1, math.nan], {}, "scores must be finite, got nan at position 1"),
        (["right"], {}, "scores must hold numbers, got 'right' at position 0"),
        ([1, 0, 1], {"groups": [1, 2]}, "groups must name one cluster for each of the 3 rows, got 2"),
        ([1, 0, 1], {"groups": [1, 2, 3, 4]}, "for each of the 3 rows, got 4"),
        ([1, 0, 1], {"groups": [7, 7, 7]}, "groups must name at least 2 clusters, got 1"),
        ([1, 0], {"level": 95}, "level must lie strictly between 0 and 1, got 95"),
        ([1, 0], {"n_boot": 1}, "n_boot must be an integer of at least 2, got 1"),
        ([1, 0], {"n_boot": 10.5}, "n_boot must be an integer of at least 2, got 10.5"),
        ([1, 0], {"seed": None}, "seed must be an integer of at least 0, got None"),
        ([1, 0], {"seed": -1}, "seed must be an integer of at least 0, got -1"),
        ([1, 0], {"name": ""}, "name must be a non-empty string, got ''"),
        ([1, 0], {"executor": 5}, "executor must be None or a concurrent.futures.Executor, got 5"),
        (
            [1, 0],
            {"executor": ThreadPoolExecutor},
            "executor must be None or a concurrent.futures.Executor, got <class",
        ),
        ([1, 10**400], {}, r"scores must hold numbers of at most 1e\+100, got one beyond all floats"),
        ([1.0, -1e101], {}, r"scores must hold numbers of at most 1e\+100, got -1e\+101 at position 1"),
        (b"10", {}, "scores must be one number per row, in the order of the rows, got a bytes"),
    ],
)
def test_mean_refuses(function: Any, values: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        function(values, **options)


@pytest.mark.parametrize("kind", ["groups", "strata"])
@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (5, "must be a list with one label for each row, got 5"),
        (np.array(5), "must be a list with one label for each row"),
        (b"aabb", "must be one label per row, in the order of the rows, got a bytes"),
        (["a", "a", pd.NA, "b"], "must not be missing, got <NA> at position 2"),
        (["a", "a", "b", pd.NaT], "must not be missing, got NaT at position 3"),
        ([("a", 1.0), ("a", math.nan), ("b", 1.0), ("b", 1.0)], r"must not be missing, got \('a', nan\) at position 1"),
        (["a", "a", ["b"], ["b"]], r"must hold one label a row, got \['b'\] at position 2"),
        (["a", "a", ("b", [1]), "b"], r"must hold one label a row, got \('b', \[1\]\) at position 2"),
        (np.zeros((4, 2)), "must hold one label a row"),
    ],
)
def test_odd_labels_are_refused(kind: str, labels: Any, message: str) -> None:
    for call in (
        lambda given: bootstrap_mean([1, 0, 1, 0], **given),
        lambda given: bootstrap_statistic([1, 0, 1, 0], mean, **given),
    ):
        with pytest.raises(ValueError, match=f"{kind} {message}"):
            call({kind: labels})


def test_one_row_is_too_few_for_bca() -> None:
    for call in (lambda: bca_mean([1.0]), lambda: bca_statistic([1.0], mean)):
        with pytest.raises(ValueError, match="BCa needs at least 2 items, got 1"):
            call()


@pytest.mark.parametrize("function", [bootstrap_paired_diff, bca_paired_diff])
def test_pairs_refuse_other_lengths(function: Any) -> None:
    with pytest.raises(ValueError, match="a and b must describe the same items, got 4 and 1 values"):
        function([1, 0, 1, 1], [1])
    with pytest.raises(ValueError, match="b must be a one-dimensional sequence of numbers, got a NoneType"):
        function([1, 0, 1, 1], None)


@pytest.mark.parametrize(
    ("call", "warning"),
    [
        (lambda: bootstrap_mean([1] * 30), "all 30 scores are 1: no resample can differ, use wilson_interval"),
        (lambda: bootstrap_mean([0] * 30), "all 30 scores are 0: no resample can differ, use wilson_interval"),
        (lambda: bootstrap_mean([2.5] * 30), "all 30 scores are 2.5: no resample can differ, use mean_interval"),
        (
            lambda: bootstrap_mean([1] * 60, groups=[row // 2 for row in range(60)]),
            "all 60 scores are 1: no resample can differ, use mean_interval",
        ),
        (
            lambda: bootstrap_mean([1, 0] * 30, groups=[row // 2 for row in range(60)]),
            "all 30 clusters are alike: no resample can differ, use mean_interval",
        ),
        (lambda: bootstrap_mean([1] * 47 + [0] * 3), "only 3 of 50 scores are unlike the rest, prefer wilson_interval"),
        (
            lambda: bootstrap_mean([0.5, 0.7] * 6),
            "only 12 items: the bootstrap gives too narrow an interval, prefer mean_interval",
        ),
        (
            lambda: bootstrap_mean([0, 1] * 30, groups=[row % 7 for row in range(60)]),
            "only 7 clusters: the bootstrap gives too narrow an interval, prefer mean_interval",
        ),
        (
            lambda: bootstrap_mean(
                [0, 1, 1, 0] * 25, strata=[row // 50 for row in range(100)], groups=[row // 5 for row in range(100)]
            ),
            "only 10 clusters a stratum: the bootstrap gives too narrow an interval, prefer mean_interval",
        ),
        (
            lambda: bootstrap_mean([0] * 50 + [1] * 50, strata=[row // 50 for row in range(100)]),
            "all 50 items a stratum are alike: no resample can differ, use mean_interval",
        ),
        (
            lambda: bootstrap_paired_diff([1] * 30, [1] * 30),
            "all 30 differences are 0: no resample can differ, use mcnemar and tango_interval",
        ),
        (
            lambda: bootstrap_paired_diff([1] * 40, [1] * 36 + [0] * 4),
            "only 4 of 40 differences are unlike the rest, prefer mcnemar and tango_interval",
        ),
        (
            lambda: bootstrap_paired_diff([0.5, 0.7] * 6, [0.1, 0.2] * 6),
            "only 12 items: the bootstrap gives too narrow an interval, prefer paired_t",
        ),
        (
            lambda: bootstrap_mean([1, 0] * 30, n_boot=100),
            "only 100 replicates: the ends move with the seed, use 10000",
        ),
        (
            lambda: bootstrap_statistic(range(30), len, n_boot=1000),
            "no resample changed the statistic: the interval has no width",
        ),
        (lambda: bootstrap_mean([1, 0] * 30), None),
        (lambda: bootstrap_paired_diff(A_RIGHT, B_RIGHT), None),
        (lambda: bootstrap_statistic(list(range(30)), mean, n_boot=1000), None),
    ],
)
def test_warnings(call: Any, warning: str | None) -> None:
    assert call().warning == warning


def test_all_right_has_no_width_and_says_so() -> None:
    answer = bootstrap_mean([1] * 30)
    assert (answer.point, answer.ci_low, answer.ci_high, answer.extra["boot_se"]) == (1, 1, 1, 0)


def test_better_tools_exist() -> None:
    import evalstats

    for name in (
        "wilson_interval",
        "mean_interval",
        "mcnemar",
        "tango_interval",
        "paired_t",
        "paired_cluster_interval",
    ):
        assert callable(getattr(evalstats, name))


# Simulation


def test_paired_clusters_cover() -> None:
    """30 clusters of 4 items; A and B share the cluster's difficulty and A - B is truly 0.

    400 trials: a band of four Monte Carlo standard errors (1.1 points) around .94, which is what 4,000 trials give.
    Ignoring the clusters covers far less, because A's and B's luck is shared within a cluster.
    """
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(30), 4)
    covered = {"clusters": 0, "items": 0}
    for trial in range(400):
        luck_a, luck_b = rng.beta(0.5, 0.5, size=(2, 30))
        a, b = rng.binomial(1, luck_a[groups]), rng.binomial(1, luck_b[groups])
        for name, drawn in (("clusters", groups), ("items", None)):
            answer = bootstrap_paired_diff(a, b, groups=drawn, n_boot=1000, seed=trial)
            covered[name] += answer.ci_low <= 0 <= answer.ci_high
    assert covered["clusters"] / 400 == pytest.approx(0.94, abs=0.045)
    assert covered["items"] / 400 < 0.85
