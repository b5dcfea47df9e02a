"""How often the clustered intervals hold the truth, by simulation; run with `make slow`.

Chances of clusters are Beta with mean and ICC as given, rows Bernoulli. Bounds are figures found with more
repetitions (for equal clusters by the project's audit), give or take 4 Monte Carlo standard errors.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from evalstats.cluster import (
    cluster_standard_error_cr1,
    mean_interval,
    paired_cluster_interval,
    wilson_cluster_interval,
)

pytestmark = pytest.mark.slow
REPEATS = 4000


def margin(share: float, repeats: int = REPEATS) -> float:
    return 4 * math.sqrt(share * (1 - share) / repeats)


def draw(rng: np.random.Generator, groups: np.ndarray, mean: float, icc: float) -> np.ndarray:
    concentration = (1 - icc) / icc
    chance = rng.beta(mean * concentration, (1 - mean) * concentration, groups.max() + 1)
    return (rng.random(groups.size) < chance[groups]).astype(float)


def covered(interval, groups: np.ndarray, mean: float, icc: float, seed: int) -> float:
    rng, hits = np.random.default_rng(seed), 0
    for _ in range(REPEATS):
        low, high = interval(draw(rng, groups, mean, icc), groups)
        hits += low <= mean <= high
    return hits / REPEATS


def ends_of(function):
    def ends(scores, groups):
        answer = function(scores, groups)
        return answer.ci_low, answer.ci_high

    return ends


def cr1_ends(scores, groups):
    error = cluster_standard_error_cr1(scores, groups)
    half = stats.t.isf(0.025, error.extra["df"]) * float(error)
    return scores.mean() - half, scores.mean() + half


def iid_ends(scores, groups):
    answer = mean_interval(scores)
    return answer.ci_low, answer.ci_high


@pytest.mark.parametrize(
    ("n_clusters", "iid", "clustered"), [(10, 0.776, 0.926), (20, 0.740, 0.941), (50, 0.764, 0.945)]
)
def test_equal_clusters(n_clusters, iid, clustered):
    groups = np.repeat(np.arange(n_clusters), 5)
    found = covered(ends_of(mean_interval), groups, 0.7, 0.5, 1)
    assert found == pytest.approx(clustered, abs=margin(clustered) + 0.003)
    # Wilson without clusters, where the figures are of the bootstrap without clusters: close, not equal.
    assert covered(iid_ends, groups, 0.7, 0.5, 2) == pytest.approx(iid, abs=margin(iid) + 0.03)


@pytest.mark.parametrize(
    ("n_clusters", "cr1", "cr2", "wilson"),
    [(10, 0.693, 0.915, 0.987), (20, 0.854, 0.905, 0.933), (50, 0.916, 0.934, 0.946)],
)
def test_unequal_clusters_need_cr2(n_clusters, cr1, cr2, wilson):
    """Sizes 1, 1, 1, 20, 1, 1, 1, 20, ..., ICC .3; the figures are from 10,000 repetitions of this generator."""
    groups = np.repeat(np.arange(n_clusters), np.resize([1, 1, 1, 20], n_clusters))
    ways = {cr1_ends: cr1, ends_of(mean_interval): cr2, ends_of(wilson_cluster_interval): wilson}
    for interval, share in ways.items():
        assert covered(interval, groups, 0.7, 0.3, 3) == pytest.approx(share, abs=1.2 * margin(share))


@pytest.mark.parametrize("n_clusters", [10, 20, 50])
def test_near_the_boundary_wilson_is_the_better_tool(n_clusters):
    groups = np.repeat(np.arange(n_clusters), 5)
    assert covered(ends_of(wilson_cluster_interval), groups, 0.95, 0.2, 4) > 0.93
    plain = covered(cr1_ends, groups, 0.95, 0.2, 4)
    assert plain < (0.93 if n_clusters == 50 else 0.88)


def test_strata_are_taken_out():
    """Six kinds of 10 clusters with means .1 to .9: stratified intervals cover; unstratified ones are too wide."""
    means, groups = np.linspace(0.1, 0.9, 6), np.repeat(np.arange(60), 5)
    kinds, rng = groups // 10, np.random.default_rng(5)
    hits, widths = np.zeros(2), np.zeros(2)
    for _ in range(REPEATS):
        chance = rng.beta(means.repeat(10) * 4, (1 - means.repeat(10)) * 4)  # ICC .2 within kinds
        scores = (rng.random(300) < chance[groups]).astype(float)
        for way, answer in enumerate((mean_interval(scores, groups, kinds), mean_interval(scores, groups))):
            hits[way] += answer.ci_low <= 0.5 <= answer.ci_high
            widths[way] += answer.ci_high - answer.ci_low
    stratified, plain = hits / REPEATS
    assert stratified == pytest.approx(0.95, abs=margin(0.95) + 0.005)
    assert plain > 0.985
    assert widths[0] < 0.8 * widths[1]


@pytest.mark.parametrize(("share_differing", "least_when_warned"), [(0.1, 0.70), (0.2, 0.80)])
def test_paired_interval_warns_where_it_covers_too_seldom(share_differing, least_when_warned):
    """Few clusters differ, mostly one way: without the warning at least .93, with it much less."""
    rng, groups = np.random.default_rng(6), np.repeat(np.arange(60), 5)
    truth = share_differing * 0.6 * 3 / 5
    hits = {True: [], False: []}
    for _ in range(REPEATS):
        sign = np.where(rng.random(60) < 0.8, 1, -1) * (rng.random(60) < share_differing)
        rows = np.arange(5)[None, :] < rng.integers(1, 6, 60)[:, None]
        difference = (sign[:, None] * rows).ravel().astype(float)
        if not difference.any():
            continue
        answer = paired_cluster_interval(np.maximum(difference, 0), np.maximum(-difference, 0), groups)
        hits[answer.warning is None].append(answer.ci_low <= truth <= answer.ci_high)
    warned = np.mean(hits[False])
    assert least_when_warned < warned < 0.94
    if len(hits[True]) > 1000:
        assert np.mean(hits[True]) > 0.93
