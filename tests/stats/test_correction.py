"""Corrections against statsmodels, scipy and R; their order; their promises by simulation; what they refuse."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control
from statsmodels.stats.multitest import multipletests

from evalstats import Correction, benjamini_hochberg, benjamini_yekutieli, bonferroni, holm

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
@given(p=pvalues, alpha=st.floats(0.001, 0.5))
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


def test_refuses_unequal_lengths() -> None:
    with pytest.raises(ValueError, match="pvalues and adjusted must have one length, got 1 and 2 values"):
        Correction("mine", (0.1,), (0.1, 0.2), 0.05, "family-wise error rate")
