"""Corrections against statsmodels, scipy and R; their order; their promises by simulation; what they refuse."""

from __future__ import annotations

import json
import math
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, multivariate_t, ttest_rel
from statsmodels.stats.multitest import multipletests

from evalstats import (
    Correction,
    benjamini_hochberg,
    benjamini_yekutieli,
    bonferroni,
    holm,
    max_t_asymptotic,
    paired_cluster_t,
)

R = json.loads((Path(__file__).parents[1] / "reference" / "bootstrap_power.json").read_text())
FUNCTIONS = {
    "bonferroni": bonferroni,
    "holm": holm,
    "benjamini_hochberg": benjamini_hochberg,
    "benjamini_yekutieli": benjamini_yekutieli,
}
STATSMODELS = {
    "bonferroni": "bonferroni",
    "holm": "holm",
    "benjamini_hochberg": "fdr_bh",
    "benjamini_yekutieli": "fdr_by",
}

pvalues = st.lists(st.sampled_from([0.0, 0.01, 0.05, 0.5, 1.0]) | st.floats(1e-300, 1), min_size=1, max_size=40)
every = pytest.mark.parametrize("name", FUNCTIONS)


# Reference values


@every
def test_r_agrees(name: str) -> None:
    np.testing.assert_allclose(FUNCTIONS[name](R["pvalues"]).adjusted, R["adjusted"][name], rtol=1e-11)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "holm"])
@given(p=pvalues)
def test_statsmodels_agrees(name: str, p: list[float]) -> None:
    np.testing.assert_allclose(FUNCTIONS[name](p).adjusted, multipletests(p, method=STATSMODELS[name])[1], rtol=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_statsmodels_agrees_on_holm(seed: int) -> None:
    """A few lists only: statsmodels collects all garbage on every call."""
    rng = np.random.default_rng(seed)
    p = np.round(rng.uniform(size=rng.integers(1, 40)) ** 3, 2)
    np.testing.assert_allclose(holm(p).adjusted, multipletests(p, method="holm")[1], rtol=1e-10)


@given(pvalues)
def test_scipy_agrees(p: list[float]) -> None:
    np.testing.assert_allclose(benjamini_hochberg(p).adjusted, false_discovery_control(p), rtol=1e-10)
    np.testing.assert_allclose(benjamini_yekutieli(p).adjusted, false_discovery_control(p, method="by"), rtol=1e-10)


def test_by_hand() -> None:
    p = [0.01, 0.04, 0.03, 0.005]
    assert bonferroni(p).adjusted == pytest.approx((0.04, 0.16, 0.12, 0.02))
    assert holm(p).adjusted == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert benjamini_hochberg(p).adjusted == pytest.approx((0.02, 0.04, 0.04, 0.02))
    assert benjamini_yekutieli(p).adjusted == pytest.approx([25 / 12 * one for one in (0.02, 0.04, 0.04, 0.02)])


# Properties


@every
@given(p=pvalues, alpha=st.floats(0.001, 0.5, exclude_max=True))
def test_reject_is_adjusted_not_above_the_level(name: str, p: list[float], alpha: float) -> None:
    answer = FUNCTIONS[name](p, alpha)
    assert answer.reject == tuple(adjusted <= alpha for adjusted in answer.adjusted)
    assert answer.k_star == sum(answer.reject)
    assert all(before <= after <= 1 for before, after in zip(p, answer.adjusted, strict=True))


@every
@given(p=pvalues)
def test_adjusted_rises_with_p(name: str, p: list[float]) -> None:
    adjusted = np.array(FUNCTIONS[name](p).adjusted)[np.argsort(p, kind="stable")]
    assert (np.diff(adjusted) >= 0).all()


@every
@given(p=pvalues, random=st.randoms(use_true_random=False))
def test_order_of_tests_does_not_matter(name: str, p: list[float], random: Any) -> None:
    order = random.sample(range(len(p)), len(p))
    shuffled = FUNCTIONS[name]([p[i] for i in order])
    assert [FUNCTIONS[name](p).adjusted[i] for i in order] == list(shuffled.adjusted)


@given(pvalues)
def test_who_rejects_more(p: list[float]) -> None:
    """Holm and Benjamini-Hochberg reject whatever Bonferroni does; Yekutieli rejects only what Hochberg does."""
    plain, stepwise, hochberg, yekutieli = (np.array(FUNCTIONS[name](p).adjusted) for name in FUNCTIONS)
    assert (stepwise <= plain).all()
    assert (hochberg <= stepwise).all()
    assert (hochberg <= yekutieli).all()


@pytest.mark.parametrize("m", [11, 22, 44, 59])
def test_no_contradiction_on_the_boundary(m: int) -> None:
    """At p = alpha / m, two ways of comparing disagree in floating point; here there is only one."""
    p = [0.05 / m] + [1.0] * (m - 1)
    for name in FUNCTIONS:
        answer = FUNCTIONS[name](p)
        assert answer.reject[0] == (answer.adjusted[0] <= 0.05)


# Simulation: 4000 families of 20 tests, of which 5 have a real effect. Bands are four Monte Carlo standard errors.


def families() -> tuple[np.ndarray, np.ndarray]:
    from scipy.stats import norm

    rng = np.random.default_rng(7)
    z = rng.normal(size=(4000, 20)) + 3.0 * (np.arange(20) < 5)
    return 2 * norm.sf(np.abs(z)), np.arange(20) >= 5


def test_promises_hold() -> None:
    p, null = families()
    any_false = {"bonferroni": 0, "holm": 0}
    false_share = np.zeros(len(p))
    for row, family in enumerate(p):
        for name in any_false:
            any_false[name] += bool(np.array(FUNCTIONS[name](family).reject)[null].any())
        reject = np.array(benjamini_hochberg(family).reject)
        false_share[row] = reject[null].sum() / max(1, reject.sum())
    band = 4 * math.sqrt(0.05 * 0.95 / len(p))
    assert any_false["bonferroni"] / len(p) == pytest.approx(1 - (1 - 0.05 / 20) ** 15, abs=band)
    assert any_false["bonferroni"] < any_false["holm"] < (0.05 + band) * len(p)
    # Independent tests: the false discovery rate is exactly q times the share of true nulls.
    assert false_share.mean() == pytest.approx(0.05 * 15 / 20, abs=4 * false_share.std() / math.sqrt(len(p)))


# The result


def test_reads_like_the_dictionary_of_the_seed() -> None:
    p = [0.001, 0.01, 0.03, 0.2, 0.5]
    answer = benjamini_hochberg(p, q=0.05)
    as_dictionary = dict(answer)
    assert as_dictionary["reject"] == [True, True, True, False, False]
    assert as_dictionary["adjusted"] == pytest.approx([0.005, 0.025, 0.05, 0.25, 0.5])
    assert (answer["k_star"], answer["q"], answer["m"], answer["method"]) == (3, 0.05, 5, "benjamini_hochberg")
    assert (bonferroni(p)["alpha"], bonferroni(p)["m"], bonferroni(p)["method"]) == (0.05, 5, "bonferroni")
    assert "reject" in answer
    assert "nonsense" not in answer
    with pytest.raises(KeyError):
        answer["nonsense"]


@every
def test_result_is_frozen_and_travels(name: str) -> None:
    answer = FUNCTIONS[name]([0.001, 0.2], name="all pairs")
    assert {answer: 1}[answer] == 1
    assert answer.name == "all pairs"
    assert Correction.from_dict(json.loads(json.dumps(answer.to_dict()))) == answer
    assert pickle.loads(pickle.dumps(answer)) == answer
    answer["reject"].append(True)
    assert len(answer["reject"]) == 2
    with pytest.raises(AttributeError):
        answer.alpha = 0.1
    with pytest.raises(TypeError):
        answer["alpha"] = 0.1


def test_mlflow() -> None:
    split = holm([0.001, 0.2], name="all pairs").as_mlflow()
    assert split["metrics"] == {"all pairs.k_star": 1, "all pairs.m": 2}
    assert split["params"]["all pairs.reject"] == "[true, false]"
    assert split["params"]["all pairs.adjusted"] == "[0.002, 0.2]"
    assert split["params"]["all pairs.controls"] == "family-wise error rate"


@every
@pytest.mark.parametrize(
    ("p", "message"),
    [
        ([], "pvalues must hold at least 1 value, got 0"),
        ([0.1, math.nan], "pvalues must be finite, got nan at position 1"),
        ([0.1, 1.5], r"pvalues\[1\] must be a finite number in \[0, 1\], got 1.5"),
        ([0.1, 1.5, -2.0], r"pvalues\[1\] must be a finite number in \[0, 1\], got 1.5"),
        ([-0.2], r"pvalues\[0\] must be a finite number in \[0, 1\], got -0.2"),
        (["0.1"], "pvalues must hold numbers, got '0.1' at position 0"),
        (0.1, "pvalues must be a one-dimensional sequence of numbers, got 0 dimensions"),
    ],
)
def test_refuses_p_values(name: str, p: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        FUNCTIONS[name](p)


@every
@pytest.mark.parametrize("level", [0, 1, 5, -0.05, math.nan])
def test_refuses_levels(name: str, level: float) -> None:
    with pytest.raises(ValueError, match=r"^(alpha|q) must"):
        FUNCTIONS[name]([0.1], level)


@every
@pytest.mark.parametrize("name_of_family", ["", "  ", 3])
def test_refuses_a_family_without_a_name(name: str, name_of_family: Any) -> None:
    with pytest.raises(ValueError, match="name must be a non-empty string"):
        FUNCTIONS[name]([0.1], name=name_of_family)


@every
@given(p=pvalues)
def test_the_constructor_accepts_what_the_functions_make(name: str, p: list[float]) -> None:
    """They do not go through it, so that a thousand p-values are not checked twice."""
    answer = FUNCTIONS[name](p)
    again = Correction(answer.method, answer.pvalues, answer.adjusted, answer.alpha, answer.controls)
    assert again == answer
    assert hash(again) == hash(answer)
    assert vars(again) == vars(answer) | {"warning": None}


@every
@pytest.mark.parametrize("where", [0, 1, 4])
def test_trap_2_a_nan_among_the_p_values_is_refused(name: str, where: int) -> None:
    """A peer returns 0.005, 0.01, 0.02, 1.0, 0.051: it invents a value and shrinks the others (peers.md 4b, trap 2)."""
    p: list[float] = [0.001, 0.004, 0.012, 0.041, 0.2]
    p[where] = math.nan
    with pytest.raises(ValueError, match=f"pvalues must be finite, got nan at position {where}"):
        FUNCTIONS[name](p)


def test_trap_1_a_nan_among_the_scores_is_refused_by_max_t() -> None:
    """abs(nan) >= x is False, so that nothing is counted and p is 1/(B + 1) in five peers (peers.md 4b, trap 1)."""
    systems, baseline = shared(50, 2)
    systems["s1"][7] = math.nan
    with pytest.raises(ValueError, match=r"systems\['s1'\] must be finite, got nan at position 7"):
        max_t_asymptotic(systems, baseline)


def test_trap_6_max_t_broadcasts_nothing() -> None:
    systems, baseline = shared(20, 2)
    for short in (baseline[:1], baseline[:19]):
        with pytest.raises(ValueError, match="baseline"):
            max_t_asymptotic(systems, short)
    with pytest.raises(ValueError, match="groups must name one cluster for each of the 20 rows, got 19"):
        max_t_asymptotic(systems, baseline, groups=range(19))


def test_refuses_unequal_lengths() -> None:
    with pytest.raises(ValueError, match=r"needs one entry in each column, got \{'pvalues': 1, 'adjusted': 2\}"):
        Correction("mine", (0.1,), (0.1, 0.2), 0.05, "family-wise error rate")


# Max-T: systems that share items


def shared(n: int, k: int, seed: int = 0, gaps: tuple[float, ...] = ()) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """k systems and a baseline on n items that are hard or easy for all."""
    rng = np.random.default_rng(seed)
    easy = rng.normal(size=n)
    skills = [*gaps, *[0.0] * (k - len(gaps))]
    return {f"s{j}": easy + rng.normal(size=n) + skill for j, skill in enumerate(skills)}, easy + rng.normal(size=n)


def by_loop(differences: np.ndarray, codes: np.ndarray, n_boot: int) -> tuple[list[float], list[float]]:
    """Max-T as the textbook says it, one resample and one system at a time."""
    rng, units = np.random.default_rng(99), codes.max() + 1
    members = [np.flatnonzero(codes == unit) for unit in range(units)]

    def t(column: np.ndarray, groups: np.ndarray, centre: float) -> float:
        totals = np.bincount(groups, weights=column - column.mean())
        error = math.sqrt(units / (units - 1) * (totals**2).sum()) / column.size
        return abs(column.mean() - centre) / error

    observed = [t(column, codes, 0.0) for column in differences.T]
    replicates = np.empty((n_boot, len(observed)))
    for replicate in replicates:
        chosen = rng.integers(0, units, units)
        rows = np.concatenate([members[unit] for unit in chosen])
        fresh = np.repeat(np.arange(units), [members[unit].size for unit in chosen])
        replicate[:] = [t(column[rows], fresh, column.mean()) for column in differences.T]
    order = sorted(range(len(observed)), key=lambda j: -observed[j])
    adjusted, floor = [0.0] * len(observed), 0.0
    for place, j in enumerate(order):
        floor = max(floor, (1 + (replicates[:, order[place:]].max(axis=1) >= observed[j]).sum()) / (1 + n_boot))
        adjusted[j] = floor
    return observed, adjusted


@pytest.mark.parametrize("sizes", [[1] * 60, [3] * 20, [1, 5, 2, 8, 3, 3, 1, 6, 2, 4] * 2])
def test_max_t_agrees_with_a_plain_loop(sizes: list[int]) -> None:
    codes = np.repeat(np.arange(len(sizes)), sizes)
    systems, baseline = shared(codes.size, 3, 4, (0.55, 0.3))
    differences = np.column_stack(list(systems.values())) - baseline[:, None]
    observed, adjusted = by_loop(differences, codes, 3000)
    answer = max_t_asymptotic(systems, baseline, groups=codes if max(sizes) > 1 else None)
    assert np.abs(answer.extra["t"]) == pytest.approx(observed)
    # Four standard errors of the two simulations at their widest.
    assert answer.adjusted == pytest.approx(adjusted, abs=4 * math.sqrt(0.25 / 3000 + 0.25 / 10_000))


def test_max_t_approaches_the_multivariate_t() -> None:
    systems, baseline = shared(2000, 3, 1, (0.09, 0.06, 0.03))
    answer = max_t_asymptotic(systems, baseline)
    differences = np.column_stack(list(systems.values())) - baseline[:, None]
    for name, t, p in zip(systems, answer.extra["t"], answer.pvalues, strict=True):
        plain = ttest_rel(systems[name], baseline)
        assert t == pytest.approx(plain.statistic)
        assert p == pytest.approx(plain.pvalue, abs=4 * math.sqrt(0.25 / 10_000))
    largest = np.abs(answer.extra["t"]).max()
    limit = multivariate_t(shape=np.corrcoef(differences.T), df=1999)
    beyond = 1 - limit.cdf(np.full(3, largest), lower_limit=np.full(3, -largest), random_state=1)
    assert min(answer.adjusted) == pytest.approx(beyond, abs=4 * math.sqrt(beyond / 10_000) + 0.002)


def test_max_t_standard_error_is_that_of_equal_clusters() -> None:
    systems, baseline = shared(60, 1)
    groups = np.repeat(np.arange(20), 3)
    answer = max_t_asymptotic(systems, baseline, groups, n_boot=99)
    assert answer.extra["t"][0] == pytest.approx(paired_cluster_t(systems["s0"], baseline, groups).statistic)
    assert answer.extra["drawn"] == "20 clusters"


@given(st.integers(0, 10_000), st.integers(1, 4), st.booleans())
def test_max_t_properties(seed: int, k: int, binary: bool) -> None:
    systems, baseline = shared(30, k, seed, (0.5,))
    if binary:
        systems, baseline = {name: scores > 0 for name, scores in systems.items()}, baseline > 0
    rng = np.random.default_rng(seed)
    order, groups = rng.permutation(30), np.arange(30) // 2
    answer = max_t_asymptotic(systems, baseline, groups, n_boot=99, seed=seed)
    assert all(
        1 / 100 <= alone <= adjusted <= 1 for alone, adjusted in zip(answer.pvalues, answer.adjusted, strict=True)
    )
    assert answer.reject == tuple(adjusted <= 0.05 for adjusted in answer.adjusted)
    by_t = np.array(answer.adjusted)[np.argsort(-np.abs(answer.extra["t"]), kind="stable")]
    assert (np.diff(by_t) >= 0).all()
    shuffled = {name: systems[name][order] for name in reversed(systems)}
    assert max_t_asymptotic(shuffled, baseline[order], groups[order], n_boot=99, seed=seed).adjusted == answer.adjusted


def test_max_t_is_the_same_for_any_number_of_workers() -> None:
    systems, baseline = shared(2000, 2)
    alone = max_t_asymptotic(systems, baseline, n_boot=1200)
    for workers in (1, 2, 8):
        with ThreadPoolExecutor(workers) as executor:
            assert max_t_asymptotic(systems, baseline, n_boot=1200, executor=executor) == alone
    with ProcessPoolExecutor(2, mp_context=get_context("forkserver")) as processes:
        assert max_t_asymptotic(systems, baseline, n_boot=1200, executor=processes) == alone
    assert max_t_asymptotic(systems, baseline, n_boot=1200, seed=1) != alone
    assert Correction.from_dict(json.loads(json.dumps(alone.to_dict()))) == alone


def test_max_t_of_equal_systems() -> None:
    """Two copies of one system are one test, not two; a copy of the baseline is never rejected."""
    systems, baseline = shared(50, 1, 0, (0.5,))
    one = max_t_asymptotic(systems, baseline)
    copies = max_t_asymptotic({"a": systems["s0"], "b": systems["s0"], "c": baseline}, baseline)
    assert copies.adjusted[0] == copies.adjusted[1] == one.adjusted[0]
    assert (copies.extra["t"][2], copies.pvalues[2], copies.adjusted[2]) == (0.0, 1.0, 1.0)


def test_max_t_warns_of_few_units() -> None:
    systems, baseline = shared(19, 1)
    assert "only 19 items" in str(max_t_asymptotic(systems, baseline, n_boot=99).warning)
    systems, baseline = shared(40, 1)
    assert max_t_asymptotic(systems, baseline, n_boot=99).warning is None
    assert "only 10 clusters" in str(max_t_asymptotic(systems, baseline, np.arange(40) // 4, n_boot=99).warning)


@pytest.mark.parametrize(
    ("systems", "baseline", "settings", "message"),
    [
        ([[1, 0]], [1, 0], {}, "systems must be a mapping from system to scores, got a list"),
        ({}, [1, 0], {}, "systems must hold at least 1 system, got 0"),
        ({"a": [1, 0], 2: [1, 0]}, [1, 0], {}, "each name in systems must be a non-empty string, got 2"),
        ({"a": [1, 0], "b": [1]}, [1, 0], {}, r"systems\['b'\] must hold at least 2 values, got 1"),
        ({"a": [1, 0], "b": [1, 0, 1]}, [1, 0], {}, r"systems\['a'\] and systems\['b'\] must describe the same items"),
        ({"a": [1, 0]}, [1, 0, 1], {}, r"baseline and systems\['a'\] must describe the same items, got 3 and 2 values"),
        ({"a": [1, math.nan]}, [1, 0], {}, r"systems\['a'\] must be finite, got nan at position 1"),
        ({"a": [1, 0]}, [1, math.nan], {}, "baseline must be finite, got nan at position 1"),
        ({"a": [2, 1]}, [1, 0], {}, "'a' differs from the baseline by 1 throughout"),
        ({"a": [1, 0]}, [0, 0], {"alpha": 1}, "alpha must lie strictly between 0 and 1, got 1"),
        ({"a": [1, 0]}, [0, 0], {"n_boot": 18}, "n_boot must be an integer of at least 19, got 18"),
        ({"a": [1, 0]}, [0, 0], {"seed": -1}, "seed must be an integer of at least 0, got -1"),
        ({"a": [1, 0]}, [0, 0], {"groups": ["x", "x"]}, "groups must name at least 2 clusters, got 1"),
        ({"a": [1, 0]}, [0, 0], {"executor": 5}, "executor must be None or a concurrent.futures.Executor, got 5"),
        (
            {"a": [1, 0]},
            [0, 0],
            {"alpha": 1e-320, "n_boot": 99},
            "n_boot must be an integer of at least 9999999999, got 99",
        ),
    ],
)
def test_max_t_refuses(systems: Any, baseline: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        max_t_asymptotic(systems, baseline, **settings)
