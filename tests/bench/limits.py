"""The attainable limit: each question answered in a few lines of numpy, with nothing checked and nothing said.

Resamples of data with few values are drawn as counts, those of a table as its cells, all pairs come from one product of
matrices. What a library adds to this (checks, warnings, a result that says how it was made) is to cost at most as much.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

Numbers = np.ndarray
Ends = tuple[float, float]

TAILS = (0.025, 0.975)


def ends(replicates: Numbers) -> Ends:
    low, high = np.quantile(replicates, TAILS)
    return float(low), float(high)


def mean(right: Numbers, n_boot: int, rng: np.random.Generator) -> Numbers:
    """Replicates of the mean of 0/1 scores: one pass to count, then binomial draws."""
    return rng.binomial(right.size, np.count_nonzero(right) / right.size, size=n_boot) / right.size


def ideal_mean(right: Numbers) -> Ends:
    """What the ends of the percentile interval tend to with more and more resamples: quantiles of a binomial."""
    n, k = right.size, np.count_nonzero(right)
    p = k / n
    reach = 12 * np.sqrt(n * p * (1 - p)) + 2
    j = np.arange(max(0, int(k - reach)), min(n, int(k + reach)) + 1)
    log_weight = np.concatenate([[0.0], np.cumsum(np.log((n - j[:-1]) / (j[:-1] + 1) * p / (1 - p)))])
    below = np.cumsum(np.exp(log_weight - log_weight.max()))
    low, high = j[np.searchsorted(below / below[-1], TAILS)] / n
    return float(low), float(high)


def cluster_mean(scores: Numbers, groups: Numbers, n_boot: int, rng: np.random.Generator) -> Numbers:
    """Clusters with equal sum and size are one kind: how often each kind comes up is multinomial."""
    codes = np.unique(groups, return_inverse=True)[1]
    sums_and_sizes = np.stack([np.bincount(codes, scores), np.bincount(codes)], axis=1)
    kinds, counts = np.unique(sums_and_sizes, axis=0, return_counts=True)
    totals = rng.multinomial(counts.sum(), counts / counts.sum(), size=n_boot) @ kinds
    return totals[:, 0] / totals[:, 1]


def difference(a: Numbers, b: Numbers, n_boot: int, rng: np.random.Generator) -> Numbers:
    values, counts = np.unique(a - b, return_counts=True)
    return rng.multinomial(a.size, counts / a.size, size=n_boot) @ values / a.size


def f1(truth: Numbers, found: Numbers, n_boot: int, rng: np.random.Generator) -> Numbers:
    counts = np.bincount(2 * truth + found, minlength=4)
    _, false, missed, both = rng.multinomial(truth.size, counts / truth.size, size=n_boot).T
    return 2 * both / (2 * both + false + missed)


def kappa(a: Numbers, b: Numbers, kinds: int, n_boot: int, rng: np.random.Generator) -> Numbers:
    counts = np.bincount(a * kinds + b, minlength=kinds**2)
    shares = rng.multinomial(a.size, counts / a.size, size=n_boot).reshape(n_boot, kinds, kinds) / a.size
    observed = np.einsum("bii->b", shares)
    expected = (shares.sum(axis=2) * shares.sum(axis=1)).sum(axis=1)
    return (observed - expected) / (1 - expected)


def bca_mean(right: Numbers, n_boot: int, rng: np.random.Generator) -> Ends:
    """The acceleration of a mean has a closed form: a sixth of its skewness."""
    replicates, point, normal = mean(right, n_boot, rng), right.mean(), NormalDist()
    gap = right - point
    acceleration = (gap**3).sum() / (6 * (gap**2).sum() ** 1.5)
    bias = normal.inv_cdf(((replicates < point).sum() + (replicates <= point).sum()) / (2 * n_boot))
    shifted = [bias + normal.inv_cdf(tail) for tail in TAILS]
    low, high = np.quantile(replicates, [normal.cdf(bias + z / (1 - acceleration * z)) for z in shifted])
    return float(low), float(high)


def all_pairs(board: Numbers) -> tuple[Numbers, Numbers]:
    """Exact McNemar p of every pair and what Benjamini-Hochberg makes of them, from one product of matrices."""
    from scipy.special import bdtr

    scores = board.astype(np.float32)
    both = (scores @ scores.T).astype(np.float64)
    one, other = np.triu_indices(len(board), 1)
    totals = np.diag(both)
    only_one, only_other = (totals[one] - both[one, other]), (totals[other] - both[one, other])
    discordant = only_one + only_other
    tail = bdtr(np.minimum(only_one, only_other), np.maximum(discordant, 1).astype(int), 0.5)
    p = np.where(discordant == 0, 1.0, np.minimum(1.0, 2 * tail))
    order = np.argsort(p)
    stepped = p[order] * p.size / np.arange(1, p.size + 1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.minimum.accumulate(stepped[::-1])[::-1], 1.0)
    return p, adjusted


def ranks(board: Numbers, n_boot: int, rng: np.random.Generator, block: int = 2000) -> Numbers:
    """Percentile intervals of ranks: how often each item is drawn, times the scores."""
    scores = board.T.astype(np.float32)
    found = np.empty((n_boot, len(board)), np.int16)
    for start in range(0, n_boot, block):
        part = found[start : start + block]
        drawn = [rng.integers(0, len(scores), size=len(scores), dtype=np.int32) for _ in part]
        weights = np.array([np.bincount(items, minlength=len(scores)) for items in drawn], dtype=np.float32)
        part[:] = np.argsort(np.argsort(-(weights @ scores), axis=1, kind="stable"), axis=1) + 1
    return np.quantile(found, TAILS, axis=0)
