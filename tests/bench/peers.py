"""What the peers' functions leave to the user, written as a textbook would: the other side of some comparisons."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats

Numbers = NDArray[np.float64]
Labels = NDArray[np.int64]
Ends = tuple[float, float]

LEVEL = 0.95


def percentile_ends(replicates: Numbers) -> Ends:
    low, high = np.quantile(replicates, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def bootstrap_loop(scores: Numbers, n_boot: int) -> Ends:
    """The percentile bootstrap as first written down: draw positions, take the mean, again and again."""
    rng = np.random.default_rng(0)
    replicates = np.empty(n_boot)
    for replicate in range(n_boot):
        replicates[replicate] = scores[rng.integers(0, scores.size, scores.size)].mean()
    return percentile_ends(replicates)


def cluster_bootstrap_loop(scores: Numbers, groups: Labels, n_boot: int) -> Ends:
    """The same with whole clusters: draw labels, put the rows of each together, take the mean."""
    rng = np.random.default_rng(0)
    rows_of = {label: np.flatnonzero(groups == label) for label in np.unique(groups)}
    labels = np.array(list(rows_of))
    replicates = np.empty(n_boot)
    for replicate in range(n_boot):
        drawn = labels[rng.integers(0, labels.size, labels.size)]
        replicates[replicate] = scores[np.concatenate([rows_of[label] for label in drawn])].mean()
    return percentile_ends(replicates)


def tango_by_likelihood(b: int, c: int, n: int) -> Ends:
    """Tango's interval without his closed form, for b and c above 0: a root in a root.

    The inner root is where the log likelihood of P(only B right) = q is largest, given that
    P(only A right) = q + delta; the outer one is the difference delta at which the score statistic reaches z.
    """
    z = float(stats.norm.isf((1 - LEVEL) / 2))

    def slope(q: float, delta: float) -> float:
        return b / (q + delta) + c / q - 2 * (n - b - c) / (1 - 2 * q - delta)

    def score(delta: float) -> float:
        least, most = max(0.0, -delta), (1 - delta) / 2
        hair = 1e-12 * (most - least)
        q = optimize.brentq(slope, least + hair, most - hair, args=(delta,), xtol=1e-15)
        return (b - c - n * delta) / math.sqrt(n * (2 * q + delta * (1 - delta)))

    point = (b - c) / n
    low = optimize.brentq(lambda delta: score(delta) - z, -0.99, point, xtol=1e-14)
    high = optimize.brentq(lambda delta: score(delta) + z, point, 0.99, xtol=1e-14)
    return float(low), float(high)
