"""How often Wilson's and Clopper and Pearson's intervals for clusters hold the truth, by simulation; `make slow`.

Chances of clusters are Beta with mean and intraclass correlation as given, rows Bernoulli. "Filled" is the mean, or 1
less the mean, times the number of equal clusters that these are worth: where the rarer answers fill fewer than three,
the intervals warn, and no more is promised than that.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from evalstats.cluster import FEW_FILLED, sums_interval
from evalstats.sums import ClusterSums

pytestmark = pytest.mark.slow

REPEATS = 800
SHAPES = {"fives": [5], "twenties": [20], "1, 1, 1, 20": [1, 1, 1, 20]}
MEANS, CORRELATIONS, CLUSTERS = (0.5, 0.8, 0.95, 0.99), (0.0, 0.5, 1.0), (5, 10, 20, 50)
# Bounds on the worst ordinary and the worst sparse cell; a simulated cell gets four Monte Carlo standard errors on top.
# The worst of all are few large clusters that share everything, of which too few are wrong to show how they differ.
LEAST = {
    ("wilson", "fives"): (0.94, 0.90),
    ("wilson", "twenties"): (0.93, 0.85),
    ("wilson", "1, 1, 1, 20"): (0.90, 0.57),
    ("clopper_pearson", "fives"): (0.95, 0.93),
    ("clopper_pearson", "twenties"): (0.94, 0.87),
    ("clopper_pearson", "1, 1, 1, 20"): (0.91, 0.58),
}
ENOUGH = 0.93  # a cell below this is a sparse one, and warns in most runs


def drawn(rng: np.random.Generator, sizes: np.ndarray, mean: float, icc: float) -> np.ndarray:
    """The number right in each cluster."""
    if icc == 1:
        return sizes * (rng.random(sizes.size) < mean)
    if icc == 0:
        return rng.binomial(sizes, mean)
    concentration = (1 - icc) / icc
    return rng.binomial(sizes, rng.beta(mean * concentration, (1 - mean) * concentration, sizes.size))


def cells(method: str, shape: list[int]) -> Iterator[tuple[str, float, float, float]]:
    """For each cell its name, how many clusters the rarer answers fill, its coverage, and its share of warnings."""
    for n_clusters, icc, mean in itertools.product(CLUSTERS, CORRELATIONS, MEANS):
        sizes, rng = np.resize(shape, n_clusters), np.random.default_rng(1)
        zeros, held, warned = np.zeros(n_clusters), 0, 0
        for _ in range(REPEATS):
            sums = ClusterSums(sizes, zeros, drawn(rng, sizes, mean, icc), marks=True, scale=1)
            answer = sums_interval(sums, method=method)
            held += answer.ci_low <= mean <= answer.ci_high
            warned += answer.warning is not None
        filled = min(mean, 1 - mean) * sizes.sum() ** 2 / (sizes**2).sum()
        yield f"G = {n_clusters}, ICC {icc:g}, p = {mean:g}", filled, held / REPEATS, warned / REPEATS


@pytest.mark.parametrize(("method", "shape"), LEAST)
def test_clustered_proportions(method: str, shape: str, report: Callable[..., None]) -> None:
    found = list(cells(method, SHAPES[shape]))
    error = 4 * math.sqrt(0.05 * 0.95 / REPEATS)
    for kind, least, sparse in zip(("", " (sparse)"), LEAST[method, shape], (False, True), strict=True):
        group = [cell for cell in found if (cell[1] < FEW_FILLED) == sparse]
        name, _, worst, _ = min(group, key=lambda cell: cell[2])
        report(f"clusters, {method}, {shape}{kind}", str(len(group)), f"{worst:.3f}", name, f">= {least} - {error:.3f}")
        print(f"\n{method}, {shape}{kind}: {worst:.3f} at {name}, of {len(group)} cells")
        assert worst >= least - error, name
    for name, filled, coverage, warned in found:
        if coverage < ENOUGH - error:
            assert filled < FEW_FILLED
            assert warned > 0.5, name
