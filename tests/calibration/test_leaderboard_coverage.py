"""Do the promises over many systems hold, by simulation? Run with `make slow`.

Systems share items: the chance of a right answer rises with the ease of the item. All bands are 4 Monte Carlo standard
errors; each table gives the least (or most) that is tolerated, and the worst case bounds the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from evalstats import (
    Estimate,
    benjamini_hochberg,
    bootstrap_kappa,
    cohen_kappa,
    holm,
    max_t_asymptotic,
    pairwise_mcnemar_exact,
    rank_intervals,
    rogan_gladen_accuracy,
    simultaneous_differences,
)

pytestmark = pytest.mark.slow
REPEATS = 1500

Scores = dict[str, np.ndarray]


def band(share: float, repeats: int = REPEATS) -> float:
    return 4 * math.sqrt(share * (1 - share) / repeats)


def draw(rng: np.random.Generator, accuracies: np.ndarray, shared: float, clusters: int, size: int = 1) -> Scores:
    """0/1 scores on clusters of items; `shared` is the correlation of two systems' (and two rows') latent scores."""
    n = clusters * size
    ease = math.sqrt(shared) * np.repeat(rng.normal(size=clusters), size)
    bars = stats.norm.ppf(accuracies)
    latent = ease + math.sqrt(1 - shared) * rng.normal(size=(len(bars), n))
    if size > 1:  # what a cluster shares for one system alone
        own = np.repeat(rng.normal(size=(len(bars), clusters)), size, axis=1)
        latent = math.sqrt(0.5) * (latent + own)
    return {f"s{j:02}": (latent[j] < bars[j]).astype(float) for j in range(len(bars))}


def true_ranks(accuracies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The best and the worst rank that equal truths allow."""
    better = (accuracies[None, :] > accuracies[:, None]).sum(axis=1)
    worse = (accuracies[None, :] < accuracies[:, None]).sum(axis=1)
    return 1 + better, len(accuracies) - worse


def ranks_covered(accuracies: np.ndarray, shared: float, clusters: int, size: int, blind: bool = False) -> float:
    """How often all rank intervals hold at once; `blind` takes rows for clusters."""
    rng, hits = np.random.default_rng(1), 0
    best, worst = true_ranks(accuracies)
    groups = None if size == 1 or blind else np.repeat(np.arange(clusters), size)
    for _ in range(REPEATS):
        board = rank_intervals(draw(rng, accuracies, shared, clusters, size), groups, n_draws=2000)
        at = [int(system[1:]) for system in board.systems]
        hits += bool((np.array(board.rank_low) <= best[at]).all() and (np.array(board.rank_high) >= worst[at]).all())
    return hits / REPEATS


@pytest.mark.parametrize(
    ("accuracies", "shared", "clusters", "size", "least", "most"),
    [
        (np.full(8, 0.85), 0.0, 500, 1, 0.94, 0.96),
        (np.full(8, 0.85), 0.5, 500, 1, 0.94, 0.96),
        (np.full(20, 0.85), 0.5, 500, 1, 0.94, 0.97),
        (np.linspace(0.8, 0.9, 8), 0.5, 500, 1, 0.95, 1.0),
        (np.full(8, 0.97), 0.5, 100, 1, 0.95, 1.0),
        (np.full(8, 0.5), 0.0, 20, 1, 0.93, 0.97),
        (np.full(8, 0.7), 0.3, 40, 5, 0.93, 0.97),
        (np.full(8, 0.7), 0.3, 12, 5, 0.90, 0.94),  # too seldom, with a warning
    ],
)
def test_rank_intervals_hold_together(accuracies, shared, clusters, size, least, most) -> None:
    found = ranks_covered(accuracies, shared, clusters, size)
    assert least - band(least) < found < min(1.0, most + band(most)) + 1e-9


def test_rows_taken_for_clusters_fail() -> None:
    assert ranks_covered(np.full(8, 0.7), 0.3, 40, 5, blind=True) < 0.85


NEAR_THE_CEILING = np.array([0.944, 0.944, 0.944, 0.971, 0.989])


def all_differences_held(sizes: np.ndarray, alike: float, shared: float, repeats: int = REPEATS) -> tuple[float, float]:
    """How often all intervals of differences hold near the ceiling, and what share of those that fail had warned.

    `alike` is the correlation of two rows of a cluster, `shared` that of two systems on a row, both latent.
    """
    rng, clusters, held, failed = np.random.default_rng(3), np.repeat(np.arange(sizes.size), sizes), 0, []
    shape, bars = (len(NEAR_THE_CEILING) + 1, clusters.size), stats.norm.ppf(NEAR_THE_CEILING)[:, None]
    for _ in range(repeats):
        of_clusters = rng.normal(size=(shape[0], sizes.size))[:, clusters]
        ease, *own = math.sqrt(alike) * of_clusters + math.sqrt(1 - alike) * rng.normal(size=shape)
        right = math.sqrt(shared) * ease + math.sqrt(1 - shared) * np.array(own) < bars
        scores = {f"s{j}": row.astype(float) for j, row in enumerate(right)}
        found = simultaneous_differences(scores, clusters, n_draws=2000)
        truths = (one - other for one, other in combinations(NEAR_THE_CEILING, 2))
        missed = [one for one, truth in zip(found.values(), truths, strict=True) if abs(one.point - truth) > half(one)]
        held += not missed
        failed += [one.warning is not None for one in missed]
    return held / repeats, float(np.mean(failed))


def half(answer: Estimate) -> float:
    return (answer.ci_high - answer.ci_low) / 2


@pytest.mark.parametrize(
    ("sizes", "alike", "shared", "least", "most", "warned"),
    [
        (np.ones(1500, dtype=int), 0.0, 0.5, 0.94, 0.96, 0.0),
        (np.ones(500, dtype=int), 0.0, 0.5, 0.93, 0.95, 0.35),
        (np.tile([2, 3, 4, 5, 6, 8, 10, 20], 12), 0.3, 0.5, 0.90, 0.92, 0.75),  # too seldom, with a warning
        (np.tile([2, 3, 4, 5, 6, 8, 10, 20], 12), 0.5, 0.8, 0.84, 0.86, 0.95),
    ],
)
def test_differences_near_the_ceiling_hold_or_warn(sizes, alike, shared, least, most, warned) -> None:
    held, said = all_differences_held(sizes, alike, shared)
    assert least - band(least) < held < most + band(most)
    assert said >= warned


def percentile_ranks(scores: Scores, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """What leaderboards print: quantiles of the resampled ranks, ties broken by position."""
    table = np.column_stack(list(scores.values()))
    n = len(table)
    counts = rng.multinomial(n, np.full(n, 1 / n), size=300)
    ranks = np.argsort(np.argsort(-(counts @ table), axis=1, kind="stable"), axis=1) + 1
    low, high = np.quantile(ranks, [0.025, 0.975], axis=0)
    return low, high


@pytest.mark.parametrize(("k", "audit", "of_best"), [(8, 0.32, 0.68), (20, 0.016, 0.39)])
def test_percentile_bootstrap_of_ranks_fails(k: int, audit: float, of_best: float) -> None:
    """Near-identical systems, a hair apart so that each has one true rank, on 500 items of their own."""
    rng, all_held, best_held, repeats = np.random.default_rng(3), 0, 0, 500
    accuracies = 0.85 - 1e-6 * np.arange(k)
    for _ in range(repeats):
        low, high = percentile_ranks(draw(rng, accuracies, 0.0, 500), rng)
        held = (low <= np.arange(1, k + 1)) & (np.arange(1, k + 1) <= high)
        all_held += bool(held.all())
        best_held += bool(held[0])
    assert all_held / repeats == pytest.approx(audit, abs=band(audit, repeats) + 0.03)
    assert best_held / repeats == pytest.approx(of_best, abs=band(of_best, repeats) + 0.03)


# Max-T: the chance of even one false rejection


def false_rejections(k: int, accuracy: float, shared: float, clusters: int, size: int, real: int = 0) -> float:
    """k systems against a baseline as good as all but the first `real` of them."""
    rng, false, repeats = np.random.default_rng(2), 0, 1000
    accuracies = np.full(k + 1, accuracy)
    accuracies[1 : real + 1] -= 0.2
    groups = None if size == 1 else np.repeat(np.arange(clusters), size)
    for _ in range(repeats):
        scores = draw(rng, accuracies, shared, clusters, size)
        answer = max_t_asymptotic(scores, scores.pop("s00"), groups, n_boot=399)
        false += any(answer.reject[real:])
    return false / repeats


@pytest.mark.parametrize(
    ("k", "accuracy", "shared", "clusters", "size", "real", "least", "most"),
    [
        (8, 0.85, 0.5, 500, 1, 0, 0.04, 0.06),
        (8, 0.85, 0.5, 500, 1, 3, 0.03, 0.06),
        (20, 0.85, 0.7, 300, 1, 0, 0.03, 0.06),
        (8, 0.85, 0.5, 40, 1, 0, 0.0, 0.06),
        (8, 0.97, 0.5, 40, 1, 0, 0.0, 0.05),
        (8, 0.5, 0.0, 20, 1, 0, 0.02, 0.06),
        (8, 0.7, 0.3, 40, 5, 0, 0.02, 0.06),
        (8, 0.7, 0.3, 10, 5, 0, 0.0, 0.02),
    ],
)
def test_max_t_bounds_false_rejections(k, accuracy, shared, clusters, size, real, least, most) -> None:
    found = false_rejections(k, accuracy, shared, clusters, size, real)
    assert max(least - band(least, 1000), 0) <= found < most + band(most, 1000)


# All pairs by McNemar's test


def test_pairwise_corrections_keep_their_promises_and_plain_p_values_do_not() -> None:
    """Six equal systems and two worse ones on 300 shared items: the share and the chance of false rejections."""
    rng, repeats, share, chance, plain = np.random.default_rng(6), 1000, 0.0, 0.0, 0.0
    accuracies = np.array([0.85] * 6 + [0.75] * 2)
    equal = np.array([accuracies[a] == accuracies[b] for a, b in combinations(range(8), 2)])
    for _ in range(repeats):
        scores = draw(rng, accuracies, 0.5, 300)
        found = np.array(pairwise_mcnemar_exact(scores, benjamini_hochberg).reject)
        share += (found & equal).sum() / max(found.sum(), 1) / repeats
        strict = pairwise_mcnemar_exact(scores, holm)
        chance += (np.array(strict.reject) & equal).any() / repeats
        plain += (np.array(strict.pvalues) <= 0.05)[equal].any() / repeats
    assert 0 < share < 0.05 + band(0.05, repeats)
    assert 0 < chance < 0.05 + band(0.05, repeats)
    assert plain > 0.2


# Judges


def kappa_covered(interval: Callable[..., object], table: np.ndarray, n: int) -> float:
    """Coverage of kappa's interval; samples in which kappa has no value are drawn again."""
    rng, hits, runs = np.random.default_rng(4), 0, 0
    k = len(table)
    chance = float((table.sum(axis=0) * table.sum(axis=1)).sum())
    truth = (table.trace() - chance) / (1 - chance)
    while runs < REPEATS:
        cells = rng.choice(k * k, size=n, p=table.ravel())
        try:
            answer = interval(cells // k, cells % k)
        except ValueError:
            continue
        runs += 1
        hits += answer.ci_low <= truth <= answer.ci_high  # type: ignore[attr-defined]
    return hits / REPEATS


@pytest.mark.parametrize(
    ("table", "n", "least"),
    [
        ([[0.45, 0.15], [0.1, 0.3]], 100, 0.93),
        ([[0.45, 0.15], [0.1, 0.3]], 30, 0.90),
        ([[0.8, 0.05], [0.05, 0.1]], 200, 0.92),
        ([[0.3, 0.05, 0.02], [0.04, 0.25, 0.04], [0.02, 0.03, 0.25]], 100, 0.93),
    ],
)
def test_kappa_covers(table: list[list[float]], n: int, least: float) -> None:
    for interval in (cohen_kappa, lambda a, b: bootstrap_kappa(a, b, n_boot=1000)):
        assert least - band(least) < kappa_covered(interval, np.array(table), n) < 0.97 + band(0.97)


@pytest.mark.parametrize("theta", [0.1, 0.5, 0.85, 0.97])
@pytest.mark.parametrize(("se", "sp", "calibration"), [(0.9, 0.8, 100), (0.95, 0.7, 50), (0.8, 0.6, 30)])
def test_rogan_gladen_covers_and_known_error_rates_do_not(theta: float, se: float, sp: float, calibration: int) -> None:
    """On 1000 answers; taking the calibration for the truth is the mistake that the interval is there to prevent.

    Calibrations in which the judge looks no better than chance are refused, and drawn again.
    """
    rng, held, naive, runs = np.random.default_rng(5), 0, 0, 0
    while runs < REPEATS:
        k = int(rng.binomial(1000, theta * se + (1 - theta) * (1 - sp)))
        k_se, k_sp = int(rng.binomial(calibration, se)), int(rng.binomial(calibration, sp))
        if k_se + k_sp <= calibration:
            continue
        runs += 1
        answer = rogan_gladen_accuracy((k, 1000), (k_se, calibration), (k_sp, calibration))
        held += answer.ci_low <= theta <= answer.ci_high
        half = 1.96 * math.sqrt(k / 1000 * (1 - k / 1000) / 1000) / (k_se / calibration + k_sp / calibration - 1)
        naive += abs(answer.extra["raw"] - theta) <= half
    assert held / REPEATS > 0.95 - band(0.95)
    assert naive / REPEATS < 0.80
