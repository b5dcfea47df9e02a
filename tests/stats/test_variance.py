"""Variance components against R (aov, lme4), by enumeration, on the real eval; planning by brute force; refusals."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import integrate

from evalstats import (
    Estimate,
    Quantity,
    VarianceComponents,
    cheapest_design,
    cluster_standard_error,
    design_standard_error,
    item_decode_components,
    seed_decode_components,
    variance_components,
)
from evalstats.datasets import load

R = json.loads((Path(__file__).parents[1] / "reference" / "variance.json").read_text())
SIZES = ("n_seeds", "n_items", "n_decodes")
few = settings(max_examples=40, deadline=None)


def the_data_of_r() -> np.ndarray:
    seed, item, _ = np.meshgrid(np.arange(5), np.arange(7), np.arange(3), indexing="ij")
    row = np.arange(1, 5 * 7 * 3 + 1).reshape(5, 7, 3)
    both = (7 * seed + 3 * item + seed * item) % 5 - 2
    noise = ((37 * row) % 11 - 5) / 3
    return 50 + np.array([3, -2, 1, 4, -5])[seed] + np.array([9, -4, 2, -7, 5, 0, -3])[item] + both + noise


def random_scores(seed: int, shape: tuple[int, ...]) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).round(3)


# Reference values


def test_crossed_design_against_r() -> None:
    parts, reml, squares = variance_components(the_data_of_r()), R["crossed"]["reml"], R["crossed"]["squares"]
    for source, name in {"seed": "s", "item": "i", "seed_item": "s:i", "decode": "Residual"}.items():
        assert parts[source].point == parts[source].extra["raw"] == pytest.approx(reml[name], rel=1e-4)
    assert parts["decode"].point == pytest.approx(squares["Residuals"], rel=1e-12)
    assert parts["seed"].point == pytest.approx((squares["s"] - squares["s:i"]) / 21, rel=1e-12)
    assert parts.mean.extra["standard_error"] == pytest.approx(reml["se"], rel=1e-4)


def test_one_seed_and_one_test_set_against_r() -> None:
    scores = the_data_of_r()
    items, runs = item_decode_components(scores[0]), seed_decode_components(scores.mean(axis=1))
    for parts, source, case, name in ((items, "item", "one_seed", "i"), (runs, "seed", "runs", "s")):
        assert parts[source].point == pytest.approx(R[case]["reml"][name], rel=1e-6)
        assert parts["decode"].point == pytest.approx(R[case]["reml"]["Residual"], rel=1e-6)
        assert parts.mean.extra["standard_error"] == pytest.approx(R[case]["reml"]["se"], rel=1e-6)


def test_seed_interval_worked_by_hand() -> None:
    """Mean squares 4 and 1 with 3 and 4 degrees of freedom; chi-square quantiles from a printed table."""
    runs = np.array([[1.0, -1.0]] * 4) / math.sqrt(2) + math.sqrt(1.2) * np.array([[-1.5], [-0.5], [0.5], [1.5]])
    parts = seed_decode_components(runs)
    assert parts["decode"].point == pytest.approx(1)
    assert parts["seed"].point == pytest.approx(1.5)
    low, high = (4 - 3 * 4 / 9.34840, 3 * 4 / 0.215795 - 4), (1 - 4 / 11.1433, 4 / 0.484419 - 1)
    assert parts["seed"].ci_high == pytest.approx(1.5 + math.hypot(low[1], high[0]) / 2, rel=1e-4)
    assert parts["seed"].ci_low == max(0.0, 1.5 - math.hypot(low[0], high[1]) / 2) == 0
    assert (parts["decode"].ci_low, parts["decode"].ci_high) == pytest.approx((4 / 11.1433, 4 / 0.484419), rel=1e-4)


def test_item_interval_is_the_jackknife_written_out() -> None:
    """Scores near 9 with a few low ones, so that an item's mean and its spread go together."""
    scores = np.array(
        [[9.0, 9.5, 9.2], [8.8, 9.1, 9.6], [2.0, 7.0, 5.0], [9.4, 9.3, 9.0], [4, 9, 8], [9.1, 8, 9], [9, 9, 8]]
    )

    def squares(rows: np.ndarray) -> tuple[float, float]:
        return 3 * rows.mean(axis=1).var(ddof=1), float(rows.var(axis=1, ddof=1).mean())

    whole = squares(scores)
    logs = np.log([squares(np.delete(scores, item, axis=0)) for item in range(7)])
    pulls = logs - logs.mean(axis=0)
    reach = 2.446912 * np.sqrt(6 / 7 * (pulls**2).sum(axis=0))
    correlation = np.corrcoef(pulls.T)[0, 1]
    assert abs(correlation) > 0.3
    up, down = whole[0] * (math.exp(reach[0]) - 1), whole[1] * (1 - math.exp(-reach[1]))

    def shared(t: float) -> float:
        """The root of both squares' growth at the share t of the way: what they could grow in common."""
        of_items = 2 * whole[0] ** 2 * math.expm1(t * reach[0]) * reach[0] * math.exp(t * reach[0])
        return math.sqrt(of_items * -2 * whole[1] ** 2 * math.expm1(-t * reach[1]) * reach[1] * math.exp(-t * reach[1]))

    common, _ = integrate.quad(shared, 0, 1)
    assert common < up * down
    parts = item_decode_components(scores)
    assert parts["decode"].ci_high == pytest.approx(whole[1] * math.exp(reach[1]), rel=1e-6)
    assert parts["item"].ci_high == pytest.approx(
        (whole[0] - whole[1] + math.sqrt(up**2 + down**2 - 2 * correlation * common)) / 3, rel=1e-4
    )


def test_the_real_eval() -> None:
    rows = load("small_models")
    rows = rows[(rows.model == "smollm2-135m") & (rows.prompt == "few") & (rows.temperature == 0.8)]
    scores = rows.pivot(index="item", columns="decode", values="correct").to_numpy()
    parts = item_decode_components(scores)
    assert scores.shape == (340, 8)
    assert parts["item"].point == pytest.approx(0.0920, abs=5e-5)
    assert parts["decode"].point == pytest.approx(0.1460, abs=5e-5)
    assert parts["item"].extra["share"] == pytest.approx(0.38652, abs=5e-6)
    assert design_standard_error(parts.variances, n_items=340) == pytest.approx(0.0264528, abs=5e-8)
    assert parts.mean.extra["standard_error"] == pytest.approx(0.0180035, abs=5e-8)
    clustered = cluster_standard_error(scores.ravel(), np.repeat(np.arange(340), 8))
    assert parts.mean.extra["standard_error"] == pytest.approx(float(clustered), rel=1e-12)


# The total, and what averaging does


def test_the_anchors() -> None:
    """A run's seed, test-set and decode variances .36, 1 and .16; the source's figures keep decode noise undivided."""
    budget = {"seed": 0.36, "item": 1.0, "decode": 0.16}
    assert design_standard_error(budget) == pytest.approx(1.233, abs=5e-4)
    assert design_standard_error(budget, n_seeds=3) == pytest.approx(1.083, abs=5e-4)
    assert design_standard_error({"seed": 0.36 + 0.16, "item": 1}, n_items=4) == pytest.approx(0.877, abs=5e-4)
    assert design_standard_error(budget, n_items=4) == pytest.approx(0.806, abs=5e-4)
    assert design_standard_error(budget, n_seeds=3, n_decodes=5) == pytest.approx(1.063, abs=5e-4)


def test_decoding_is_not_counted_twice() -> None:
    """Beta(1.7, .3) chances, 500 items: the two variances add up to p(1 - p), which a single run already shows."""
    p, between = 0.85, 0.85 * 0.15 / 3
    budget = {"item": between, "decode": p * (1 - p) - between}
    assert design_standard_error(budget, n_items=500) ** 2 == pytest.approx(p * (1 - p) / 500, rel=1e-12)
    assert design_standard_error(budget, n_items=500) ** 2 == pytest.approx(2.549e-4, abs=2e-7)
    assert design_standard_error(budget, n_items=500, n_decodes=5) ** 2 == pytest.approx(1.190e-4, abs=2e-7)
    assert design_standard_error({"item": between}, n_items=500) ** 2 == pytest.approx(0.850e-4, abs=2e-7)
    twice = {"item": p * (1 - p), "decode": budget["decode"]}  # decode noise added to a variance that holds it already
    assert design_standard_error(twice, n_items=500) ** 2 == pytest.approx(4.248e-4, abs=3e-7)


def test_extra_says_what_each_source_adds() -> None:
    budget = {"seed": 1, "item": 2, "seed_item": 3, "decode": 4}
    error = design_standard_error(budget, n_seeds=2, n_items=5, n_decodes=10)
    assert [error.extra[source] for source in budget] == [0.5, 0.4, 0.3, 0.04]
    assert [error.extra[size] for size in SIZES] == [2, 5, 10]
    assert error**2 == pytest.approx(1.24)


# Unbiased, by enumeration


def test_components_are_unbiased_over_all_outcomes() -> None:
    """Three items, each of chance .2 or .9, answered twice: every outcome, weighted by its probability."""
    chances, outcomes = (0.2, 0.9), list(itertools.product((0, 1), repeat=2))
    weight = {o: sum(math.prod(p if x else 1 - p for x in o) for p in chances) / 2 for o in outcomes}
    expected = {"item": 0.0, "decode": 0.0, "squared error": 0.0}
    for rows in itertools.product(outcomes, repeat=3):
        if len({x for row in rows for x in row}) == 2:  # all-equal scores, which are refused, have no variance
            parts = item_decode_components(rows)
            share = math.prod(weight[row] for row in rows)
            raw = {one.name: one.extra["raw"] for one in parts.sources}
            expected["squared error"] += share * (raw["item"] / 3 + raw["decode"] / 6)
            for source in ("item", "decode"):
                expected[source] += share * raw[source]
    assert expected["item"] == pytest.approx(np.var(chances))
    assert expected["decode"] == pytest.approx(np.mean([p * (1 - p) for p in chances]))
    assert expected["squared error"] == pytest.approx(np.var(chances) / 3 + np.mean([p * (1 - p) for p in chances]) / 6)


def test_naive_seed_variance_is_too_large_by_decode_over_runs() -> None:
    """What it estimates with the anchors' .36 and .16 and six runs a seed is .3867."""
    assert design_standard_error({"seed": 0.36, "decode": 0.16}, n_decodes=6) ** 2 == pytest.approx(0.3867, abs=5e-5)
    runs = random_scores(1, (8, 6))
    parts = seed_decode_components(runs)
    naive = float(runs.mean(axis=1).var(ddof=1))
    assert naive == pytest.approx(parts["seed"].extra["raw"] + parts["decode"].point / 6)


# Properties

shapes = st.tuples(st.integers(2, 5), st.integers(3, 7), st.integers(1, 4))


@few
@given(st.integers(0, 10**6), shapes)
def test_order_does_not_matter_and_units_square(seed: int, shape: tuple[int, ...]) -> None:
    scores, rng = random_scores(seed, shape), np.random.default_rng(seed)
    parts = variance_components(scores)
    mixed = scores[rng.permutation(shape[0])][:, rng.permutation(shape[1])][:, :, rng.permutation(shape[2])]
    other = variance_components(7 - 10 * mixed)
    for one, two in zip(parts.sources, other.sources, strict=True):
        ends = [(x.extra["raw"], x.ci_low, x.ci_high) for x in (one, two)]
        assert ends[1] == pytest.approx([100 * end for end in ends[0]], rel=1e-6, abs=1e-9)
    assert other.mean.point == pytest.approx(7 - 10 * parts.mean.point)


@few
@given(st.integers(0, 10**6), shapes)
def test_reported_variances_are_the_raw_ones_or_0_inside_their_intervals(seed: int, shape: tuple[int, ...]) -> None:
    parts = variance_components(random_scores(seed, shape))
    for one in parts.sources:
        assert one.point == max(0.0, one.extra["raw"])
        assert 0 <= one.ci_low <= one.point <= one.ci_high
        assert (one.warning is not None) or one.extra["raw"] > 0
    assert math.fsum(one.extra["share"] for one in parts.sources) == pytest.approx(1)
    same = design_standard_error(parts.variances, *shape)
    assert parts.mean.extra["standard_error"] == pytest.approx(float(same))
    assert parts.mean.ci_high - parts.mean.point == pytest.approx(parts.mean.point - parts.mean.ci_low)


@few
@given(st.integers(0, 10**6), st.integers(3, 8), st.integers(2, 4))
@example(234, 3, 2)  # limits so far apart that their errors must be added up along the way
def test_wider_at_higher_levels(seed: int, n_items: int, n_decodes: int) -> None:
    scores = random_scores(seed, (n_items, n_decodes))
    narrow, wide = item_decode_components(scores, 0.5), item_decode_components(scores, 0.99)
    for one, two in zip((narrow.mean, *narrow.sources), (wide.mean, *wide.sources), strict=True):
        assert two.ci_low <= one.ci_low + 1e-9
        assert one.ci_low <= one.ci_high <= two.ci_high + 1e-9


# Few, none, and one


def test_a_negative_estimate_is_kept_beside_the_0() -> None:
    parts = item_decode_components([[1, 0], [0, 1], [1, 0], [0, 1]])
    assert parts["item"].point == 0
    assert parts["item"].extra["raw"] == pytest.approx(-0.25)
    assert "no sign of this noise" in str(parts["item"].warning)
    assert parts.mean.extra["standard_error"] ** 2 == pytest.approx(0.5 / 8)


def test_answers_that_never_differ_have_no_decode_noise() -> None:
    parts = item_decode_components([[1, 1], [0, 0]] * 20)
    assert (parts["decode"].point, parts["decode"].ci_high) == (0, 0)
    assert "no sign" in str(parts["decode"].warning)
    assert parts["item"].ci_low > 0.15


def test_rounding_is_no_variance() -> None:
    """Thrice .1 is not .3, and the mean of three .1 is not .1: neither is noise; a true millionth is."""
    thrice, once = np.full((20, 3), 0.1 * 3), np.full((20, 3), 0.3)
    with pytest.raises(ValueError, match=r"all scores are 0\.3: nothing shows"):
        item_decode_components(np.where(np.arange(3) == 1, thrice, once))
    steady = item_decode_components(np.repeat([[0.1], [0.7]], 10, axis=0) + np.zeros(3))["decode"]
    assert (steady.point, steady.extra["raw"], steady.ci_high) == (0, 0, 0)
    additive = variance_components(
        np.array([0.1, 0.2, 0.7])[:, None, None] + np.arange(12.0)[:, None] / 7 + [[0.0, 0.0]]
    )
    assert [additive[source].extra["raw"] for source in ("seed_item", "decode")] == [0, 0]
    assert additive["seed"].point == pytest.approx(np.var([0.1, 0.2, 0.7], ddof=1))
    equal = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1]])  # both mean squares are 4/15
    for scores in (equal, equal / 7, 3 - equal[:, ::-1] / 7):
        assert item_decode_components(scores)["item"].extra["raw"] == 0
    huge = item_decode_components(1e49 * random_scores(3, (20, 3)))
    assert huge["item"].extra["share"] == pytest.approx(
        item_decode_components(random_scores(3, (20, 3)))["item"].extra["share"]
    )
    tiny = item_decode_components(1 + 1e-6 * random_scores(3, (20, 3)))
    assert tiny["decode"].point == pytest.approx(
        1e-12 * item_decode_components(random_scores(3, (20, 3)))["decode"].point
    )


def test_one_item_that_is_everything_leaves_no_upper_end() -> None:
    halves = item_decode_components([[1, 1]] * 20 + [[1, 0]])["decode"]
    assert (halves.ci_low, halves.ci_high) == (0, 0.25)  # no 0/1 score has more
    numbers = item_decode_components([[2.5, 2.5]] * 20 + [[1, 3]])["decode"]
    assert (numbers.ci_low, numbers.ci_high) == (0, math.inf)
    assert "only 1 items differ" in str(numbers.warning)


def test_one_decode_joins_the_last_two_sources() -> None:
    scores = the_data_of_r()
    parts = variance_components(scores[:, :, :1])
    assert [one.name for one in parts.sources] == ["seed", "item", "seed_item"]
    assert "decode noise together" in str(parts["seed_item"].warning)


def test_few_seeds_are_said() -> None:
    assert "only 3 seeds" in str(variance_components(the_data_of_r()[:3])["seed"].warning)
    assert (
        variance_components(the_data_of_r())["seed"].warning != variance_components(the_data_of_r()[:3])["seed"].warning
    )


# The cheapest design


def brute_force(error: float, v: dict[str, float], cost: dict[str, float]) -> float:
    sizes = np.arange(1, 41)
    s, i, d = np.meshgrid(sizes, sizes, sizes, indexing="ij")
    squared = v["seed"] / s + v["item"] / i + v["seed_item"] / (s * i) + v["decode"] / (s * i * d)
    price = cost["cost_seed"] * s + cost["cost_item"] * i + cost["cost_answer"] * s * i * d
    return float(price[squared <= error**2 * (1 + 1e-9)].min())


tenths = st.integers(0, 10).map(lambda x: x / 10)


@few
@example(0.4, 0.4, 0.7, 7, 12, 13, 1.0)  # one item and seven decodes beat two items
@given(
    tenths, tenths, tenths, st.integers(1, 10), st.integers(0, 20), st.integers(0, 20), st.sampled_from([0.4, 0.6, 1.0])
)
def test_no_design_is_cheaper(
    seed: float, item: float, both: float, decode: int, cost_seed: int, cost_item: int, error: float
) -> None:
    v = {"seed": seed, "item": item, "seed_item": both, "decode": decode / 10}
    cost = {"cost_seed": float(cost_seed), "cost_item": float(cost_item), "cost_answer": 1.0}
    best = cheapest_design(error, v, **cost)
    assert best.extra["cost"] <= brute_force(error, v, cost) + 1e-9
    assert best <= error * (1 + 1e-9)
    seeds, items, decodes = (best.extra[size] for size in SIZES)
    assert best == design_standard_error(v, seeds, items, decodes)
    assert best.extra["cost"] == cost_seed * seeds + cost_item * items + seeds * items * decodes


def test_numbers_go_as_the_root_of_variance_over_cost() -> None:
    """Without an interaction and far from whole numbers: seeds, items and answers, each n proportional to sqrt(v/c)."""
    v, cost = (
        {"seed": 4e-4, "item": 0.09, "decode": 0.14},
        {"cost_seed": 500.0, "cost_item": 20.0, "cost_answer": 0.00001},
    )
    best = cheapest_design(0.004, v, **cost)
    seeds, items, decodes = (best.extra[size] for size in SIZES)
    draws = np.array([seeds, items, seeds * items * decodes])
    ideal = np.sqrt(np.array(list(v.values())) / np.array(list(cost.values())))
    ideal *= np.sqrt(np.array(list(v.values())) * np.array(list(cost.values()))).sum() / 0.004**2
    assert draws == pytest.approx(ideal, rel=0.04)
    assert best.extra["cost"] == pytest.approx(float(ideal @ list(cost.values())), rel=1e-3)


def test_the_largest_source_is_not_attacked_when_it_is_dearest() -> None:
    budget = {"seed": 0.4, "item": 0.1, "decode": 0.4}
    cheap, dear = (cheapest_design(0.7, budget, cost_seed=cost).extra["n_seeds"] for cost in (1, 1000))
    assert cheap > dear == 1


# The results


def test_results_travel() -> None:
    parts = variance_components(the_data_of_r())
    assert VarianceComponents.from_dict(json.loads(json.dumps(parts.to_dict()))) == parts
    assert hash(parts) == hash(variance_components(the_data_of_r()))
    assert str(parts).count("\n") >= 4
    logged = parts.as_mlflow()
    assert logged["metrics"]["variance_components.seed.point"] == parts["seed"].point
    assert [logged["metrics"][f"variance_components.mean.extra.{size}"] for size in SIZES] == [5, 7, 3]
    assert logged["params"]["variance_components.decode.method"] == "crossed_anova"
    best = cheapest_design(0.02, {"item": 0.092, "decode": 0.146}, cost_item=20)
    assert best.extra["cost_item"] == 20
    assert Quantity.from_dict(json.loads(json.dumps(best.to_dict()))).extra == best.extra


# Refusals


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([[1, 0], [0, 1]], "full array of seeds x items x decodes, got 2 dimensions"),
        ([[[1, 0], [1]], [[0, 1], [0, 1]]], "full array of seeds x items x decodes: each cell equally often"),
        (np.zeros((1, 5, 2)), "at least 2 seeds, got 1"),
        (np.zeros((2, 2, 2)), "at least 3 items, got 2"),
        (np.zeros((2, 3, 0)), "at least 1 decodes, got 0"),
        (np.ones((2, 3, 2)), "all scores are 1: nothing shows where noise would come from"),
        (np.where(np.arange(12).reshape(2, 3, 2) == 7, np.nan, 1), "scores must be finite, got nan at position 7"),
        (np.ma.masked_equal(np.arange(12).reshape(2, 3, 2), 4), "scores must be finite, got nan at position 4"),
        (np.full((2, 3, 2), "x"), "scores must hold numbers, got 'x' at position 0"),
        ({"a": 1}, "full array of seeds x items x decodes, got 0 dimensions"),
        (None, "full array of seeds x items x decodes, got 0 dimensions"),
    ],
)
def test_unbalanced_scores_are_refused(scores: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        variance_components(scores)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: item_decode_components([[1], [0], [1]]), "at least 2 decodes, got 1"),
        (lambda: item_decode_components([1, 0, 1]), "items x decodes, got 1 dimensions"),
        (
            lambda: item_decode_components([[1, 0], [0, 1], [1, 1]], 95),
            "level must lie strictly between 0 and 1, got 95",
        ),
        (lambda: seed_decode_components([[1, 2, 3]]), "at least 2 seeds, got 1"),
        (lambda: seed_decode_components([[1], [2]]), "at least 2 runs, got 1"),
        (lambda: design_standard_error({}), "at least one variance must be above 0"),
        (lambda: design_standard_error({"seed": -1}), r"seed must be a finite number in \[0, 1e\+100\], got -1"),
        (lambda: design_standard_error({"seed": 1e308}), r"seed must be a finite number in .*, got 1e\+308"),
        (lambda: design_standard_error({"seeds": 1}), r"names from \('seed', .*\), got {'seeds': 1}"),
        (lambda: design_standard_error([0.36, 1]), r"variances must be a mapping .*, got \[0.36, 1\]"),
        (lambda: design_standard_error({"seed": 1}, n_items=0), "n_items must be an integer of at least 1, got 0"),
        (
            lambda: design_standard_error({"seed": 1}, n_decodes=2.5),
            "n_decodes must be an integer of at least 1, got 2.5",
        ),
        (lambda: variance_components(np.arange(12).reshape(2, 3, 2) * 1e50), "the largest score must be .*, got 1.1"),
        (lambda: cheapest_design(0, {"item": 1}), "target_error must be above 0, got 0"),
        (lambda: cheapest_design(1e-200, {"item": 1}), "must not take 10000 seeds or 10000000 answers, got 1e-200"),
        (lambda: cheapest_design(0.01, {"seed": 1}), "must not take 10000 seeds"),
        (lambda: cheapest_design(0.1, {}), "at least one variance must be above 0"),
        (lambda: cheapest_design(0.1, {"item": 1}, cost_answer=0), "cost_answer must be above 0, got 0"),
        (
            lambda: cheapest_design(0.1, {"item": 1}, cost_seed=-3),
            r"cost_seed must be a finite number in \[0, 1e\+50\], got -3",
        ),
        (lambda: item_decode_components([[1, 0], [0, 1], [1, 1]])["seed"], "source must be one of .*, got 'seed'"),
        (lambda: VarianceComponents(Estimate("m", 0, 0, 0, 0.5, "x", 1), ()), "sources must be named once each"),
        (lambda: VarianceComponents.from_dict({"mean": 1}), "cannot make a VarianceComponents: .* 'sources'"),
        (lambda: VarianceComponents.from_dict({"means": 1}), "VarianceComponents has no field means"),
    ],
)
def test_impossible_input_is_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(("target", "seed", "n_seeds"), [(0.3, 0.36, 4), (0.06, 0.36, 100), (0.02, 0.04, 100)])
def test_seeds_alone_reach_a_target_without_one_too_many(target, seed, n_seeds):
    assert cheapest_design(target, {"seed": seed}).extra["n_seeds"] == n_seeds
