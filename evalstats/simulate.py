"""Evals with a known truth: does a method find what was put in?

Two ways to make marks. `simulate_beta` draws the chance of each cluster and item of one system from beta distributions.
`simulate_systems` draws several systems on the same items: a mark is right when a sum of normal parts (how hard the
cluster and the item are, the luck of the seed, of the decode) stays below the system's threshold. In both, the
accuracies and the correlations asked for are the true ones, not approximations. `join_strata` puts kinds side by side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import integrate, optimize, special

from . import _checks as checks
from .result import Extra

MOST_MARKS = 10**9


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
        checks.instance("truth", self.truth, Mapping)
        checks.integer("seed", self.seed, 0)
        for owner in ("marks", "groups", "strata"):
            checks.instance(owner, getattr(self, owner), np.ndarray)
            getattr(self, owner).setflags(write=False)

    def scores(self, system: int = 0) -> checks.Vector:
        """One score an item: the mean of its marks over seeds and decodes."""
        means: checks.Vector = self.marks[system].mean(axis=(1, 2))
        return means

    def rows(self, system: int = 0) -> tuple[checks.Counts, checks.Counts]:
        """Every mark as a row of its own, and the item of each row."""
        marks = self.marks[system].reshape(len(self.groups), -1)
        return marks.ravel().astype(np.int64), np.repeat(np.arange(len(marks)), marks.shape[1])


def _whole(**sizes: int) -> list[int]:
    """The sizes of an eval, refused where it would hold more marks than a memory does."""
    checked = [checks.integer(owner, size, 1) for owner, size in sizes.items()]
    if math.prod(checked) > MOST_MARKS:
        raise ValueError(f"{' x '.join(sizes)} must be at most {MOST_MARKS}, got {' x '.join(map(str, checked))}")
    return checked


def _clusters(n_items: int, cluster_size: int | Sequence[int]) -> checks.Counts:
    """The cluster of each item; a list of sizes is repeated until the items are used up."""
    listed: list[Any] = list(cluster_size) if isinstance(cluster_size, Sequence) else [cluster_size]
    sizes = [min(checks.integer("cluster_size", size, 1), n_items) for size in listed or [cluster_size]]
    ends = np.cumsum(np.resize(sizes, n_items))
    return np.searchsorted(ends, np.arange(n_items), side="right").astype(np.int64)


def _beta(rng: np.random.Generator, mean: NDArray[np.float64], icc: float) -> NDArray[np.float64]:
    """Chances with these means, whose variance is icc mean (1 - mean)."""
    if icc in (0, 1):
        return mean if icc == 0 else (rng.random(mean.shape) < mean).astype(np.float64)
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
    n, decodes = _whole(n_items=n_items, n_decodes=n_decodes)
    mean, groups = checks.share("accuracy", accuracy), _clusters(n, cluster_size)
    shared = checks.number("icc", icc, 0, 1)
    whole = shared if item_icc is None else checks.number("item_icc", item_icc, shared, 1)
    rng = np.random.default_rng(checks.integer("seed", seed, 0))
    of_cluster = _beta(rng, np.full(groups[-1] + 1, mean), shared)
    chances = _beta(rng, of_cluster[groups], (whole - shared) / (1 - shared) if shared < 1 else 0.0)
    marks = (rng.random((1, n, 1, decodes)) < chances[None, :, None, None]).astype(np.int8)
    truth = {"model": "beta", "accuracies": [mean], "icc": shared, "item_icc": whole}
    return SimulatedEval(marks, groups, np.zeros(n, dtype=np.int64), Extra(truth), seed)


# --- several systems on the same items -------------------------------------------------------------------------------


def _covariance(a: float, b: float, r: float) -> float:
    """Of two marks that are right where standard normals of correlation r in [0, 1] stay below a and below b."""
    if r >= 1:
        return float(special.ndtr(min(a, b)) - special.ndtr(a) * special.ndtr(b))

    def density(angle: float) -> float:
        return math.exp(-(a * a + b * b - 2 * a * b * math.sin(angle)) / (2 * math.cos(angle) ** 2))

    return float(integrate.quad(density, 0, math.asin(r), epsabs=1e-13)[0]) / (2 * math.pi)


System = tuple[float, list[float]]  # the threshold below which a mark is right, and the shares of its normal sum


def _root(function: Callable[[float], float]) -> float:
    return float(optimize.brentq(function, 0, 1, xtol=1e-14))


def _normal_share(threshold: float, icc: float) -> float:
    """The share of the normal sum that must be common for the marks of one system to be correlated by icc."""
    wanted = icc * _covariance(threshold, threshold, 1)
    return icc if icc in (0, 1) else _root(lambda r: _covariance(threshold, threshold, r) - wanted)


def _system(mean: float, icc: float, item_icc: float, seed_icc: float, repeat_icc: float | None) -> System:
    """The threshold, and the shares of the normal sum: cluster, item, seed, seed with item, decode."""
    threshold = float(special.ndtri(mean))
    cluster, fixed, luck = (_normal_share(threshold, each) for each in (icc, item_icc, seed_icc))
    whole = fixed + luck if repeat_icc is None else _normal_share(threshold, repeat_icc)
    if not fixed + luck - 1e-12 <= whole <= 1 + 1e-12:
        room = "" if repeat_icc is None else f", or raise repeat_icc {repeat_icc:g}"
        raise ValueError(f"item_icc {item_icc:g} and seed_icc {seed_icc:g} need more than there is: lower them{room}")
    shares = (cluster, fixed - cluster, luck, whole - fixed - luck, 1 - whole)
    return threshold, [max(share, 0.0) for share in shares]


def _across(one: System, other: System, likeness: float, same_item: bool) -> float:
    """The covariance of a mark of one system and a mark of the other, on one item or on two of a cluster."""
    (a, (cluster_a, item_a, *_)), (b, (cluster_b, item_b, *_)) = one, other
    r = likeness * (math.sqrt(cluster_a * cluster_b) + same_item * math.sqrt(item_a * item_b))
    return _covariance(a, b, min(r, 1.0))


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
    n, runs, decodes = _whole(n_items=n_items, n_seeds=n_seeds, n_decodes=n_decodes)
    groups = _clusters(n, cluster_size)
    means = [checks.share("accuracies", each) for each in checks.finite_vector("accuracies", accuracies).tolist()]
    shared = checks.number("icc", icc, 0, 1)
    item, luck = checks.number("item_icc", item_icc, shared, 1), checks.number("seed_icc", seed_icc, 0, 1)
    again = None if repeat_icc is None else checks.number("repeat_icc", repeat_icc, max(item, luck), 1)
    systems = [_system(mean, shared, item, luck, again) for mean in means]
    likeness = 0.0 if len(means) == 1 and discordance is None else _likeness(means, systems, discordance)
    rng = np.random.default_rng(checks.integer("seed", seed, 0))
    common = [rng.standard_normal(size) for size in (groups[-1] + 1, n)]
    marks = np.empty((len(means), n, runs, decodes), dtype=np.int8)
    for drawn, (threshold, shares) in zip(marks, systems, strict=True):
        own = [math.sqrt(likeness) * c + math.sqrt(1 - likeness) * rng.standard_normal(c.shape) for c in common]
        total = (math.sqrt(shares[0]) * own[0][groups] + math.sqrt(shares[1]) * own[1])[:, None, None]
        for share, shape in zip(shares[2:], [(1, runs, 1), (n, runs, 1), (n, runs, decodes)], strict=True):
            total = total + math.sqrt(share) * rng.standard_normal(shape)
        drawn[:] = total <= threshold
    truth = {"model": "threshold", "accuracies": means, "icc": shared, "item_icc": item, "seed_icc": luck}
    truth |= _variances(*systems[0], item, luck) | (_pair_truth(means, systems, likeness) if len(means) > 1 else {})
    return SimulatedEval(marks, groups, np.zeros(n, dtype=np.int64), Extra(truth), seed)


def _discordance(means: list[float], systems: list[System], likeness: float) -> float:
    """How often exactly one of the first two systems is right."""
    return means[0] + means[1] - 2 * (means[0] * means[1] + _across(systems[0], systems[1], likeness, True))


def _likeness(means: list[float], systems: list[System], discordance: float | None) -> float:
    """How alike the systems find an item (correlation of its hardness), so that the first two disagree as often."""
    if len(means) < 2:
        raise ValueError(f"a discordance needs at least 2 accuracies, got {len(means)}")
    low, high = (_discordance(means, systems, likeness) for likeness in (1, 0))
    wanted = math.nan if discordance is None else checks.number("discordance", discordance)
    if not low - 1e-12 <= wanted <= high + 1e-12:
        raise ValueError(f"discordance must lie in [{low:.6g}, {high:.6g}] for these systems, got {discordance!r}")
    return _root(lambda likeness: _discordance(means, systems, likeness) - min(max(wanted, low), high))


def _pair_truth(means: list[float], systems: list[System], likeness: float) -> dict[str, Any]:
    """What is true of A - B: its size, how often A and B disagree, and how alike it is within a cluster."""
    difference, disagreement = means[0] - means[1], _discordance(means, systems, likeness)
    (one, other), spread = systems[:2], disagreement - difference**2
    shared = _across(one, one, 1, False) + _across(other, other, 1, False) - 2 * _across(one, other, likeness, False)
    return dict(difference=difference, discordance=disagreement, icc_difference=shared / spread if spread > 0 else None)


def _variances(threshold: float, shares: list[float], item_icc: float, seed_icc: float) -> dict[str, Any]:
    """The components of one mark's variance: seed, item, their interaction, and decode."""
    variance, repeated = (_covariance(threshold, threshold, r) for r in (1, 1 - shares[-1]))
    again = repeated / variance
    parts = {"seed": seed_icc, "item": item_icc, "seed_item": again - item_icc - seed_icc, "decode": 1 - again}
    # A share that is nothing may come out as a rounding hair below it.
    return {"repeat_icc": again} | {f"variance_{name}": max(share, 0.0) * variance for name, share in parts.items()}


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
    checks.instance("kinds", kinds, Mapping)
    parts = list(kinds.values())
    for name, part in kinds.items():
        checks.instance(f"kinds[{name!r}]", part, SimulatedEval)
    if len(parts) < 2 or len({part.seed for part in parts}) < len(parts):
        raise ValueError(f"join_strata needs at least 2 kinds of different seeds, got {[part.seed for part in parts]}")
    shapes = {(part.marks.shape[0], *part.marks.shape[2:]) for part in parts}
    if len(shapes) > 1 or parts[0].marks.shape[2] > 1:
        raise ValueError(f"kinds need the same systems and decodes and 1 run each, got {sorted(shapes)}")
    sizes = [len(part.groups) for part in parts]
    first = np.cumsum([0] + [part.groups[-1] + 1 for part in parts[:-1]])
    groups = np.concatenate([part.groups + start for part, start in zip(parts, first, strict=True)])
    accuracies = np.average([part.truth["accuracies"] for part in parts], axis=0, weights=sizes).round(15)
    each = {name: dict(part.truth) for name, part in kinds.items()}
    truth = Extra({"model": "strata", "accuracies": accuracies, "strata": each})
    marks = np.concatenate([part.marks for part in parts], axis=1)
    return SimulatedEval(marks, groups, np.repeat(list(kinds), sizes), truth, parts[0].seed)
