"""evalstats.simulate: what was put in comes out, within Monte Carlo error."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evalstats.cluster import intraclass_correlation
from evalstats.simulate import _covariance, _normal_share, join_strata, simulate_beta, simulate_systems

SEEDS = range(1, 41)


def holds(values: list[float], truth: float) -> None:
    """The mean of independent runs lies within 4 standard errors of the truth, and these are small enough to tell."""
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    assert error < 0.02
    assert abs(np.mean(values) - truth) <= 4 * error + 1e-12, (np.mean(values), truth, error)


# --- the normal sum ---


@pytest.mark.parametrize(("a", "b"), [(0.3, 0.3), (1.2, -0.4), (-2, 0.1), (0, 0)])
@pytest.mark.parametrize("r", [0.0, 0.2, 0.7, 0.99])
def test_covariance_against_scipy(a, b, r):
    theirs = stats.multivariate_normal.cdf([a, b], cov=[[1, r], [r, 1]]) - stats.norm.cdf(a) * stats.norm.cdf(b)
    assert _covariance(a, b, r) == pytest.approx(theirs, abs=2e-6)


def test_covariance_where_it_is_known():
    """Sheppard: at the median both are below with a quarter and the angle; at correlation 1 the lower one decides."""
    for r in (0.1, 0.5, 0.9):
        assert _covariance(0, 0, r) == pytest.approx(np.arcsin(r) / (2 * np.pi), abs=1e-14)
    assert _covariance(0.5, 1, 1) == pytest.approx(stats.norm.cdf(0.5) * stats.norm.sf(1))
    assert _covariance(0.5, 1, 0) == 0
    assert _covariance(0.5, 0.5, 1 - 1e-9) == pytest.approx(stats.norm.cdf(0.5) * stats.norm.sf(0.5), abs=1e-4)


@given(st.floats(0.02, 0.98), st.floats(0, 1))
@settings(max_examples=40)
def test_the_share_gives_the_correlation(mean, icc):
    threshold = float(stats.norm.ppf(mean))
    found = _covariance(threshold, threshold, _normal_share(threshold, icc)) / (mean * (1 - mean))
    assert found == pytest.approx(icc, abs=1e-9)


# --- one system ---


@pytest.mark.parametrize(("icc", "item_icc", "decodes"), [(0.0, 0.5, 4), (0.3, 0.3, 1), (0.2, 0.6, 3), (1.0, 1.0, 2)])
def test_beta_mean_and_correlations(icc, item_icc, decodes):
    runs = [
        simulate_beta(1200, 0.7, icc=icc, cluster_size=4, item_icc=item_icc, n_decodes=decodes, seed=seed)
        for seed in SEEDS
    ]
    holds([run.marks.mean() for run in runs], 0.7)
    first = [run.marks[0, :, 0, 0] for run in runs]
    holds([float(intraclass_correlation(one, run.groups)) for one, run in zip(first, runs, strict=True)], icc)
    if decodes > 1:
        holds([float(intraclass_correlation(*run.rows())) for run in runs], item_icc)
    assert runs[0].truth["item_icc"] == item_icc


def test_the_chances_of_e78():
    """Mean .85 and ICC 1/3 are Beta(1.7, .3): the spread of an item's mean over very many decodes."""
    run = simulate_beta(4000, 0.85, item_icc=1 / 3, n_decodes=400, seed=2)
    theirs = stats.beta(1.7, 0.3)
    grid = np.array([0.1, 0.5, 0.9])
    found = np.quantile(run.scores(), grid)
    assert found == pytest.approx(theirs.ppf(grid), abs=0.03)


def test_sizes_are_repeated_and_seeds_repeat():
    run = simulate_beta(30, 0.5, cluster_size=[1, 1, 1, 20], seed=3)
    assert np.bincount(run.groups).tolist() == [1, 1, 1, 20, 1, 1, 1, 4]
    again, other = (simulate_beta(30, 0.5, cluster_size=[1, 1, 1, 20], seed=seed) for seed in (3, 4))
    assert (run.marks == again.marks).all()
    assert (run.marks != other.marks).any()
    assert set(np.unique(run.marks)) <= {0, 1}
    with pytest.raises(ValueError, match="read-only"):
        run.marks[0, 0] = 1


# --- several systems ---

PAIR = {"accuracies": [0.8, 0.7], "discordance": 0.24, "icc": 0.2, "cluster_size": 5, "item_icc": 0.7}


def test_difference_discordance_and_icc_are_those_asked_for():
    runs = [simulate_systems(1500, **PAIR, seed=seed) for seed in SEEDS]
    truth = runs[0].truth
    assert (truth["difference"], truth["discordance"]) == pytest.approx((0.1, 0.24))
    a, b = ([run.scores(system) for run in runs] for system in (0, 1))
    holds([one.mean() for one in a], 0.8)
    holds([(one - other).mean() for one, other in zip(a, b, strict=True)], 0.1)
    holds([(one != other).mean() for one, other in zip(a, b, strict=True)], 0.24)
    for scores in (a, b):
        holds([float(intraclass_correlation(one, run.groups)) for one, run in zip(scores, runs, strict=True)], 0.2)
    found = [float(intraclass_correlation(x - y, run.groups)) for x, y, run in zip(a, b, runs, strict=True)]
    holds(found, truth["icc_difference"])
    assert truth["icc_difference"] < 0.2


def test_decodes_share_an_item_as_asked():
    runs = [simulate_systems(400, [0.6], item_icc=0.4, n_decodes=4, seed=seed) for seed in SEEDS]
    holds([float(intraclass_correlation(*run.rows())) for run in runs], 0.4)
    assert runs[0].truth["variance_decode"] == pytest.approx(0.6 * 0.24)


def test_seed_item_and_decode_components():
    """The covariance of two marks that share a run, an item, or both, from many small evals."""
    design = {"item_icc": 0.3, "seed_icc": 0.1, "repeat_icc": 0.6, "n_seeds": 2, "n_decodes": 2}
    products = {"run": [], "item": [], "both": []}
    for seed in range(400):
        marks = simulate_systems(60, [0.7], **design, seed=seed).marks[0].astype(float) - 0.7
        products["both"].append((marks[..., 0] * marks[..., 1]).mean())
        products["item"].append((marks[:, 0, 0] * marks[:, 1, 1]).mean())
        products["run"].append((marks[::2, 0, 0] * marks[1::2, 0, 0]).mean())
    truth = simulate_systems(60, [0.7], **design).truth
    holds(products["run"], truth["variance_seed"])
    holds(products["item"], truth["variance_item"])
    holds(products["both"], truth["variance_seed"] + truth["variance_item"] + truth["variance_seed_item"])
    total = sum(truth[f"variance_{part}"] for part in ("seed", "item", "seed_item", "decode"))
    assert total == pytest.approx(0.21)
    assert truth["variance_decode"] == pytest.approx(0.4 * 0.21)


def test_no_interaction_unless_asked_for():
    truth = simulate_systems(10, [0.5], item_icc=0.3, seed_icc=0.05, n_seeds=3).truth
    assert 0 < truth["repeat_icc"] - 0.35 < 0.05  # of the normal sum there is none; the marks show a little
    settled = simulate_systems(50, [0.5], item_icc=0.3, seed_icc=0.05, repeat_icc=1.0, n_seeds=2, n_decodes=3)
    assert (settled.marks == settled.marks[..., :1]).all()
    assert settled.truth["variance_decode"] == pytest.approx(0)


def test_lopsided_disagreement_and_many_systems():
    nested = simulate_systems(500, [0.8, 0.7], discordance=0.1, seed=1)  # the least there can be: B never wins
    assert (nested.scores(0) >= nested.scores(1)).all()
    many = simulate_systems(20_000, [0.8, 0.7, 0.7, 0.6], discordance=0.3, seed=1)
    assert many.marks.mean(axis=(1, 2, 3)) == pytest.approx([0.8, 0.7, 0.7, 0.6], abs=0.015)
    correlations = [np.corrcoef(many.scores(i), many.scores(j))[0, 1] for i, j in itertools.combinations(range(4), 2)]
    assert min(correlations) > 0.15


# --- strata ---


def test_strata_stand_side_by_side():
    kinds = {
        "copy": simulate_systems(100, [0.9, 0.8], discordance=0.2, icc=0.1, cluster_size=5, seed=1),
        "count": simulate_systems(300, [0.5, 0.6], discordance=0.3, cluster_size=3, seed=2),
    }
    both = join_strata(kinds)
    assert both.truth["accuracies"] == pytest.approx((0.6, 0.65))
    assert both.truth["strata"]["count"]["discordance"] == pytest.approx(0.3)
    assert (both.marks[:, :100] == kinds["copy"].marks).all()
    assert len(np.unique(both.groups)) == 20 + 100
    assert both.strata[[0, 99, 100, 399]].tolist() == ["copy", "copy", "count", "count"]
    assert all(len({*both.strata[both.groups == group]}) == 1 for group in range(120))


SMALL, PLAIN = simulate_beta(5, 0.5, seed=1), simulate_systems(5, [0.5, 0.5], discordance=0.2, seed=2)
REFUSED = [
    (lambda: simulate_beta(0, 0.5), "n_items must be an integer of at least 1, got 0"),
    (lambda: simulate_beta(10, 1), "accuracy must lie strictly between 0 and 1, got 1"),
    (lambda: simulate_beta(10, 0.5, icc=1.1), "icc must be a finite number in [0, 1], got 1.1"),
    (lambda: simulate_beta(10, 0.5, icc=0.4, item_icc=0.3), "item_icc must be a finite number in [0.4, 1], got 0.3"),
    (lambda: simulate_beta(10, 0.5, cluster_size=0), "cluster_size must be an integer of at least 1, got 0"),
    (lambda: simulate_beta(10, 0.5, cluster_size=[]), "cluster_size must be an integer of at least 1, got []"),
    (lambda: simulate_beta(10, 0.5, cluster_size=2.5), "cluster_size must be an integer of at least 1, got 2.5"),
    (lambda: simulate_beta(10, 0.5, n_decodes=0), "n_decodes must be an integer of at least 1"),
    (lambda: simulate_beta(10, 0.5, seed=-1), "seed must be an integer of at least 0"),
    (lambda: simulate_systems(10, [0.8, 0.7]), "discordance must lie in [0.1, 0.38] for these systems, got None"),
    (lambda: simulate_systems(10, [0.8, 0.7], discordance=0.05), "discordance must lie in [0.1, 0.38]"),
    (lambda: simulate_systems(10, [0.8, 0.7], discordance=0.5), "discordance must lie in [0.1, 0.38]"),
    (lambda: simulate_systems(10, [0.8], discordance=0.5), "a discordance needs at least 2 accuracies, got 1"),
    (lambda: simulate_systems(10, []), "accuracies must hold at least 1 value, got 0"),
    (lambda: simulate_systems(10, 0.8), "accuracies must be a one-dimensional sequence of numbers"),
    (lambda: simulate_systems(10, [0.8, 1.0], discordance=0.2), "accuracies must lie strictly between 0 and 1, got 1"),
    (lambda: simulate_systems(10, [0.8], seed_icc=0.1, n_seeds=2), "item_icc 1 and seed_icc 0.1 need more"),
    (
        lambda: simulate_systems(10, [0.8], item_icc=0.5, repeat_icc=0.4),
        "repeat_icc must be a finite number in [0.5, 1]",
    ),
    (lambda: simulate_systems(10, [0.8], item_icc=0.5, seed_icc=0.3, repeat_icc=0.5), "or raise repeat_icc 0.5"),
    (lambda: simulate_systems(10, [0.8], n_seeds=0), "n_seeds must be an integer of at least 1"),
    (lambda: join_strata({"a": SMALL}), "at least 2 kinds of different seeds, got [1]"),
    (lambda: join_strata({"a": SMALL, "b": SMALL}), "at least 2 kinds of different seeds, got [1, 1]"),
    (lambda: join_strata({"a": SMALL, "b": PLAIN}), "the same systems and decodes and 1 run each"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED)
def test_refused(call, words):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        call()
    assert words in str(error.value)


def test_true_variances_are_never_a_hair_below_zero():
    truth = simulate_systems(100, [0.8, 0.75], discordance=0.2, icc=0.2, cluster_size=2, item_icc=0.7).truth
    assert min(value for name, value in truth.items() if name.startswith("variance_")) >= 0
