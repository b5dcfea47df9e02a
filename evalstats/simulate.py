"""Evals with a known truth: does a method find what was put in?

Two ways to make marks. `simulate_beta` draws the chance of each cluster and item of one system from beta distributions.
`simulate_systems` draws several systems on the same items: a mark is right when a sum of normal parts (how hard the
cluster and the item are, the luck of the seed, of the decode) stays below the system's threshold. In both, the
accuracies and the correlations asked for are the true ones, not approximations. `join_strata` puts kinds side by side.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import integrate, optimize, special

from . import _checks as checks
from .result import Extra

__all__ = ["SimulatedEval", "join_strata", "simulate_beta", "simulate_systems"]


@dataclass(frozen=True, eq=False)
class SimulatedEval:
    """What did each system answer, what hangs together, and what is true? Made by the functions of this module.

    Attributes
    ----------
    marks : array of 0 and 1, shape (systems, items, seeds, decodes)
    groups, strata : arrays, shape (items,)
        Cluster and stratum of each item.
    truth : mapping
        `accuracies` and, by name, everything else that was put in.
    seed : int
        Seed of the random numbers.

    Examples
    --------
    >>> eval_ = simulate_beta(100, 0.7, icc=0.2, cluster_size=5, seed=1)
    >>> eval_.marks.shape, eval_.truth["accuracies"], int(eval_.groups.max())
    ((1, 100, 1, 1), (0.7,), 19)
    """

    marks: NDArray[np.int8]
    groups: checks.Counts
    strata: NDArray[Any]
    truth: Extra
    seed: int

    def __post_init__(self) -> None:
        for array in (self.marks, self.groups, self.strata):
            array.setflags(write=False)

    def scores(self, system: int = 0) -> NDArray[Any]:
        """One score an item: the mark, or its mean over seeds and decodes."""
        marks: NDArray[np.int8] = self.marks[system]
        if marks.shape[1:] == (1, 1):
            return marks[:, 0, 0].astype(np.int64)
        means: NDArray[Any] = marks.mean(axis=(1, 2))
        return means

    def rows(self, system: int = 0) -> tuple[checks.Counts, checks.Counts]:
        """Every mark as a row of its own, and the item of each row."""
        marks = self.marks[system].reshape(len(self.groups), -1)
        return marks.ravel().astype(np.int64), np.repeat(np.arange(len(marks)), marks.shape[1])


def _clusters(n_items: int, cluster_size: int | Sequence[int]) -> checks.Counts:
    """The cluster of each item; a list of sizes is repeated until the items are used up."""
    listed = [cluster_size] if isinstance(cluster_size, (int, np.integer)) else list(cluster_size)
    if not listed:
        raise ValueError("cluster_size must be an integer or a list of integers, got an empty list")
    sizes = [checks.integer("cluster_size", size, 1) for size in listed]
    return np.repeat(np.arange(n_items), np.resize(sizes, n_items))[:n_items].astype(np.int64)


def _correlation(owner: str, value: Any, at_least: float = 0.0) -> float:
    return checks.number(owner, value, at_least, 1)


def _beta(rng: np.random.Generator, mean: NDArray[np.float64], icc: float) -> NDArray[np.float64]:
    """Chances with these means, whose variance is icc mean (1 - mean)."""
    if icc == 0:
        return mean
    if icc == 1:
        return (rng.random(mean.shape) < mean).astype(np.float64)
    # A chance drawn as 0 or 1 (to the last digit) stays there.
    inside = np.clip(mean, 1e-12, 1 - 1e-12)
    drawn = rng.beta(inside * (1 - icc) / icc, (1 - inside) * (1 - icc) / icc)
    return np.where(inside == mean, drawn, mean)


def simulate_beta(
    n_items: int,
    accuracy: float,
    *,
    icc: float = 0.0,
    cluster_size: int | Sequence[int] = 1,
    item_icc: float | None = None,
    n_decodes: int = 1,
    seed: int = 0,
) -> SimulatedEval:
    r"""One system on items whose chances differ, drawn from beta distributions.

    The chance of a cluster is Beta with mean $\mu$ and variance $\rho\mu(1-\mu)$, $\rho$ being the `icc`; the chance of
    an item is Beta around that of its cluster. Two marks are then correlated by exactly `icc` when they share only the
    cluster, and by exactly `item_icc` when they are answers to one item.

    Parameters
    ----------
    n_items : int
        Number of items.
    accuracy : float
        The true accuracy, in (0, 1).
    icc : float
        Correlation of the marks of two items of one cluster, in [0, 1].
    cluster_size : int, or list of int
        Items in a cluster; a list is repeated until the items are used up.
    item_icc : float, optional
        Correlation of two decodes of one item, from icc to 1; by default icc.
    n_decodes : int
        Answers to each item.
    seed : int
        Seed of the random numbers.

    Returns
    -------
    SimulatedEval
        Of one system.

    Raises
    ------
    ValueError
        For values out of range.

    Notes
    -----
    Chapter `simulation`, eq-beta-chances.

    Examples
    --------
    >>> eval_ = simulate_beta(2000, 0.7, item_icc=0.5, n_decodes=5, seed=1)
    >>> scores, items = eval_.rows()
    >>> round(float(scores.mean()), 3), len(items)
    (0.704, 10000)
    """
    n, mean = checks.integer("n_items", n_items, 1), checks.share("accuracy", accuracy)
    shared = _correlation("icc", icc)
    whole = shared if item_icc is None else _correlation("item_icc", item_icc, shared)
    decodes, groups = checks.integer("n_decodes", n_decodes, 1), _clusters(n, cluster_size)
    rng = np.random.default_rng(checks.integer("seed", seed, 0))
    of_cluster = _beta(rng, np.full(groups[-1] + 1, mean), shared)
    chances = _beta(rng, of_cluster[groups], (whole - shared) / (1 - shared) if shared < 1 else 0.0)
    marks = (rng.random((1, n, 1, decodes)) < chances[None, :, None, None]).astype(np.int8)
    truth = {"model": "beta", "accuracies": [mean], "icc": shared, "item_icc": whole}
    return SimulatedEval(marks, groups, np.zeros(n, dtype=np.int64), Extra(truth), seed)


# --- several systems on the same items -------------------------------------------------------------------------------


def _both_below(a: float, b: float, r: float) -> float:
    """P(X <= a, Y <= b) for standard normal X and Y with correlation r in [0, 1]."""
    if r >= 1:
        return float(special.ndtr(min(a, b)))

    def density(angle: float) -> float:
        return math.exp(-(a * a + b * b - 2 * a * b * math.sin(angle)) / (2 * math.cos(angle) ** 2))

    area, _ = integrate.quad(density, 0, math.asin(r), epsabs=1e-13)
    return float(special.ndtr(a) * special.ndtr(b)) + area / (2 * math.pi)


def _correlation_of_marks(threshold: float, r: float) -> float:
    """What a correlation r of the normal sums makes of the marks of one system."""
    mean = float(special.ndtr(threshold))
    return (_both_below(threshold, threshold, r) - mean**2) / (mean * (1 - mean))


def _normal_share(threshold: float, icc: float) -> float:
    """The share of the normal sum that must be common for marks to be correlated by icc."""
    if icc in (0.0, 1.0):
        return icc
    return float(optimize.brentq(lambda r: _correlation_of_marks(threshold, r) - icc, 0, 1, xtol=1e-14))


@dataclass(frozen=True)
class _Parts:
    """The shares of one system's normal sum: cluster, item, seed, seed with item, and decode."""

    cluster: float
    item: float
    seed: float
    seed_item: float
    decode: float

    @classmethod
    def of(cls, threshold: float, icc: float, item_icc: float, seed_icc: float, repeat_icc: float | None) -> _Parts:
        cluster, fixed, luck = (_normal_share(threshold, each) for each in (icc, item_icc, seed_icc))
        whole = fixed + luck if repeat_icc is None else _normal_share(threshold, repeat_icc)
        if whole > 1 + 1e-12 or whole < fixed + luck - 1e-12:
            raise ValueError(
                f"item_icc {item_icc:g} and seed_icc {seed_icc:g} need more than there is: lower them"
                + ("" if repeat_icc is None else f", or raise repeat_icc {repeat_icc:g}")
            )
        return cls(cluster, max(fixed - cluster, 0.0), luck, max(whole - fixed - luck, 0.0), max(1 - whole, 0.0))


def simulate_systems(
    n_items: int,
    accuracies: Sequence[float],
    *,
    discordance: float | None = None,
    icc: float = 0.0,
    cluster_size: int | Sequence[int] = 1,
    item_icc: float = 1.0,
    n_seeds: int = 1,
    seed_icc: float = 0.0,
    repeat_icc: float | None = None,
    n_decodes: int = 1,
    seed: int = 0,
) -> SimulatedEval:
    r"""Several systems on the same items, with the accuracies, the difference and the discordance chosen.

    All correlations are those of the marks of one system, and hold for each. As they stand, an item is right or wrong
    for good (`item_icc` 1); lower it for systems that answer by chance.

    Parameters
    ----------
    n_items : int
        Number of items.
    accuracies : sequence of float
        The true accuracies, in (0, 1).
    discordance : float
        Needed with two systems or more: the share of items on which the first two disagree. All pairs of systems share
        the normal correlation that this takes.
    icc : float
        Two items of one cluster, in runs with different seeds; within one run the seed adds to it.
    cluster_size : int, or list of int
        As in `simulate_beta`.
    item_icc : float
        One item in two runs with different seeds, from icc to 1.
    n_seeds, n_decodes : int
        Runs of each system, and answers to each item in a run.
    seed_icc : float
        Two items of different clusters in one run: the luck of the seed.
    repeat_icc : float, optional
        Two decodes of one item in one run; by default what item and seed make of it. Higher, and seed and item
        interact; 1, and decoding is deterministic.
    seed : int
        Seed of the random numbers.

    Returns
    -------
    SimulatedEval
        `truth` holds the accuracies and correlations; of the first two systems `difference`, `discordance` and
        `icc_difference` (of the differences of two items of a cluster, one mark each); of the first system the
        variance components `variance_seed`, `variance_item`, `variance_seed_item` and `variance_decode`.

    Raises
    ------
    ValueError
        For values out of range, a discordance that these systems cannot have, and correlations that do not fit
        together.

    Notes
    -----
    Chapter `simulation`, eq-threshold-model.

    Examples
    --------
    >>> pair = simulate_systems(50_000, [0.855, 0.835], discordance=0.07, seed=1)
    >>> a, b = pair.scores(0), pair.scores(1)
    >>> round(pair.truth["difference"], 2), round(float((a - b).mean()), 2), round(float((a != b).mean()), 2)
    (0.02, 0.02, 0.07)
    """
    n, runs = checks.integer("n_items", n_items, 1), checks.integer("n_seeds", n_seeds, 1)
    decodes, groups = checks.integer("n_decodes", n_decodes, 1), _clusters(n, cluster_size)
    means = [checks.share("accuracies", each) for each in accuracies]
    shared = _correlation("icc", icc)
    item, luck = _correlation("item_icc", item_icc, shared), _correlation("seed_icc", seed_icc)
    again = None if repeat_icc is None else _correlation("repeat_icc", repeat_icc, max(item, luck))
    thresholds = [float(special.ndtri(mean)) for mean in means]
    parts = [_Parts.of(threshold, shared, item, luck, again) for threshold in thresholds]
    likeness = _likeness(means, thresholds, parts, discordance)
    rng = np.random.default_rng(checks.integer("seed", seed, 0))
    common = [rng.standard_normal(size) for size in (groups[-1] + 1, n)]
    marks = np.empty((len(means), n, runs, decodes), dtype=np.int8)
    for system, (threshold, part) in enumerate(zip(thresholds, parts, strict=True)):
        own = [rng.standard_normal(each.shape) for each in common]
        cluster, alone = (
            math.sqrt(likeness) * c + math.sqrt(1 - likeness) * o for c, o in zip(common, own, strict=True)
        )
        hard = math.sqrt(part.cluster) * cluster[groups] + math.sqrt(part.item) * alone
        total = hard[:, None, None] + math.sqrt(part.seed) * rng.standard_normal((1, runs, 1))
        total = total + math.sqrt(part.seed_item) * rng.standard_normal((n, runs, 1))
        marks[system] = total + math.sqrt(part.decode) * rng.standard_normal((n, runs, decodes)) <= threshold
    truth = {"model": "threshold", "accuracies": means, "icc": shared, "item_icc": item, "seed_icc": luck}
    truth |= _variances(means[0], thresholds[0], parts[0], item, luck)
    if len(means) > 1:
        truth |= _pair_truth(means, thresholds, parts, likeness)
    return SimulatedEval(marks, groups, np.zeros(n, dtype=np.int64), Extra(truth), seed)


def _likeness(means: list[float], thresholds: list[float], parts: list[_Parts], discordance: float | None) -> float:
    """How alike the systems find an item (correlation of its hardness), so that the first two disagree as often."""
    if len(means) < 2:
        if not means or discordance is not None:
            raise ValueError(f"a discordance needs at least 2 accuracies, got {len(means)}")
        return 0.0

    def disagree(likeness: float) -> float:
        return _discordance(means, thresholds, parts, likeness)

    low, high = disagree(1.0), disagree(0.0)
    wanted = None if discordance is None else checks.number("discordance", discordance)
    if wanted is None or not low - 1e-12 <= wanted <= high + 1e-12:
        raise ValueError(f"discordance must lie in [{low:.6g}, {high:.6g}] for these systems, got {discordance!r}")
    if wanted <= low or wanted >= high:
        return 1.0 if wanted <= low else 0.0
    return float(optimize.brentq(lambda likeness: disagree(likeness) - wanted, 0, 1, xtol=1e-14))


def _across(parts: list[_Parts], item: bool) -> float:
    """The normal correlation of the first two systems on one item, or on two items of a cluster, if likeness is 1."""
    first, second = parts[:2]
    return math.sqrt(first.cluster * second.cluster) + (math.sqrt(first.item * second.item) if item else 0.0)


def _discordance(means: list[float], thresholds: list[float], parts: list[_Parts], likeness: float) -> float:
    both = _both_below(thresholds[0], thresholds[1], min(likeness * _across(parts, True), 1.0))
    return means[0] + means[1] - 2 * both


def _pair_truth(
    means: list[float], thresholds: list[float], parts: list[_Parts], likeness: float
) -> dict[str, float | None]:
    """What is true of A - B: its size, how often A and B disagree, and how alike it is within a cluster."""
    difference, disagreement = means[0] - means[1], _discordance(means, thresholds, parts, likeness)
    pairs = [(0, 0, parts[0].cluster), (1, 1, parts[1].cluster), (0, 1, likeness * _across(parts, False))]
    same_a, same_b, mixed = (_both_below(thresholds[i], thresholds[j], r) - means[i] * means[j] for i, j, r in pairs)
    spread = disagreement - difference**2
    within = None if spread <= 0 else (same_a + same_b - 2 * mixed) / spread
    return {"difference": difference, "discordance": disagreement, "icc_difference": within}


def _variances(mean: float, threshold: float, parts: _Parts, item_icc: float, seed_icc: float) -> dict[str, float]:
    """The components of one mark's variance: seed, item, their interaction, and decode."""
    variance = mean * (1 - mean)
    again = _correlation_of_marks(threshold, min(1 - parts.decode, 1.0))
    shares = {"seed": seed_icc, "item": item_icc, "seed_item": again - item_icc - seed_icc, "decode": 1 - again}
    # A share that is nothing may come out as a rounding hair below it.
    return {"repeat_icc": again} | {f"variance_{name}": max(share, 0.0) * variance for name, share in shares.items()}


def join_strata(kinds: Mapping[str, SimulatedEval]) -> SimulatedEval:
    """Fixed kinds of items side by side, each made with its own accuracy and correlations.

    Parameters
    ----------
    kinds : mapping from name to SimulatedEval
        At least two, with the same systems and decodes and one seed each (a run's luck would not carry over). Give
        each a different `seed` when making it.

    Returns
    -------
    SimulatedEval
        `strata` holds the names; `truth` the accuracies over all rows and, under `strata`, the truth of each kind.

    Raises
    ------
    ValueError
        For fewer than two kinds, unequal systems or decodes, several runs, and kinds made with the same seed.

    Notes
    -----
    Chapter `simulation`.

    Examples
    --------
    >>> easy, hard = simulate_beta(60, 0.9, seed=1), simulate_beta(40, 0.4, seed=2)
    >>> both = join_strata({"copy": easy, "count": hard})
    >>> both.marks.shape, both.truth["accuracies"], both.strata[59:61].tolist()
    ((1, 100, 1, 1), (0.7,), ['copy', 'count'])
    """
    parts = list(kinds.values())
    if len(parts) < 2 or len({part.seed for part in parts}) < len(parts):
        raise ValueError(f"join_strata needs at least 2 kinds of different seeds, got {[part.seed for part in parts]}")
    shapes = {(part.marks.shape[0], *part.marks.shape[2:]) for part in parts}
    if len(shapes) > 1 or parts[0].marks.shape[2] > 1:
        raise ValueError(f"kinds need the same systems and decodes and 1 run each, got {sorted(shapes)}")
    sizes = [len(part.groups) for part in parts]
    first = np.cumsum([0] + [part.groups[-1] + 1 for part in parts[:-1]])
    groups = np.concatenate([part.groups + start for part, start in zip(parts, first, strict=True)])
    accuracies = np.average([part.truth["accuracies"] for part in parts], axis=0, weights=sizes)
    truth: dict[str, Any] = {"model": "strata", "accuracies": np.round(accuracies, 15), "icc": None}
    truth["strata"] = {name: dict(part.truth) for name, part in kinds.items()}
    if len(accuracies) > 1:
        truth["difference"] = accuracies[0] - accuracies[1]
    marks = np.concatenate([part.marks for part in parts], axis=1)
    return SimulatedEval(marks, groups, np.repeat(list(kinds), sizes), Extra(truth), parts[0].seed)
