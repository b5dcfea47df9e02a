"""How sure are we of any metric? Redraw the items, compute again, and look at the spread.

What is drawn is the item, or the cluster of rows when `groups` are given; what is fixed is named by `strata`.
Where the answer depends on a few totals (a mean on the sum of the scores and the number of rows, F1 on four counts),
rows are first collapsed to the distinct units and their counts, so it does not depend on the order of the rows.
Replicates are computed in blocks of a size that depends on the data alone, each with its own stream of random numbers:
the same seed gives the same answer with any executor, and memory stays bounded.

Two intervals are offered, each under its own name: percentile (`bootstrap_*`) and bias-corrected and accelerated
(`bca_*`).
Functions of a small table of counts (`*_table_statistic`) draw the counts and never touch a row; for right or wrong
answers `ideal_bootstrap_*` counts all resamples instead of drawing some, and needs no seed.
None of them can repair what the data do not show: small samples, few clusters and scores near 0 or 1 come with a
warning that names the better tool.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from . import _checks as checks
from ._checks import Counts, Groups, Vector
from ._replicates import CELLS_PER_BLOCK, replicates
from ._twins import takes_arguments_of
from .result import Estimate

Statistic = Callable[[list[Any]], float]
Facts = Mapping[str, Any]
Doubt = tuple[str, str | None]  # the function that answers better, and what a bootstrap cannot see in these data
TableStatistic = Callable[[Any], Any]  # of an array of totals with one further axis; an array of numbers

FEW_UNITS = 20  # below this many items or clusters (a stratum) the spread itself is poorly known
FEW_OF_A_KIND = 10  # with fewer right, wrong or differing answers, percentile coverage falls below .90
COVERAGE = "that of the percentile interval, which is approximate"
FEW_REPLICATES = 1000  # below this the ends of the interval move visibly with the seed

_standard_normal = NormalDist()


@dataclass(frozen=True)
class Run:
    """How the replicates are made: checked settings that go into the result."""

    level: float
    n_boot: int
    seed: int
    name: str
    executor: Executor | None
    interval: str = "percentile"  # or "bca"

    def __post_init__(self) -> None:
        checks.share("level", self.level)
        checks.integer("n_boot", self.n_boot, 2)
        checks.integer("seed", self.seed, 0)
        checks.text("name", self.name)


# --- what is drawn ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Units:
    """The distinct units of a stratum, how often each occurs, and what each adds to every total."""

    counts: Counts  # of shape (units,)
    adds: NDArray[Any] | None = None  # of shape (totals, units); None where each adds 1 to a total of its own

    @property
    def size(self) -> int:
        return int(self.counts.sum())

    @property
    def few(self) -> bool:
        """Is it quicker to draw how often each distinct unit comes up than to draw the units?"""
        return self.adds is None or self.counts.size <= max(3, self.size // 20)

    def totals(self, counts: NDArray[Any]) -> NDArray[Any]:
        """The totals where unit u is there `counts[..., u]` times, along the first axis."""
        return counts.T if self.adds is None else np.stack([counts @ each for each in self.adds])

    def draw(self, rng: Generator, n: int) -> NDArray[Any]:
        """The totals of `n` resamples of as many units as there are (equation `eq-bootstrap-resample`)."""
        if self.adds is None or self.few:
            return self.totals(rng.multinomial(self.size, self.counts / self.size, size=n))
        index = rng.integers(0, self.size, size=(n, self.size))
        rows = [np.repeat(each, self.counts) for each in self.adds]
        return np.stack([row[index].sum(axis=1) if np.ptp(row) else np.full(n, self.size * row[0]) for row in rows])


@dataclass(frozen=True)
class Totals:
    """Data of which only a few totals matter, and the statistic of these totals, laid out in a table of `shape`."""

    statistic: TableStatistic
    shape: tuple[int, ...]
    strata: list[Units]
    n: int
    clustered: bool

    @property
    def width(self) -> int:
        """Numbers held for one replicate."""
        return max(math.prod(self.shape), *(part.counts.size if part.few else part.size for part in self.strata))

    @property
    def totals(self) -> NDArray[Any]:
        return np.asarray(sum(part.totals(part.counts) for part in self.strata))[:, None]

    def values(self, totals: NDArray[Any]) -> Vector:
        """The statistic of each column of totals."""
        tables = totals.reshape(*self.shape, -1)
        with np.errstate(divide="ignore", invalid="ignore"):  # 0/0 is NaN: an undefined replicate, which is counted
            found = np.asarray(self.statistic(tables))
        if found.shape != tables.shape[-1:] or found.dtype.kind not in "biuf":
            wanted = f"one number a table, so an array of shape {tables.shape[-1:]}"
            raise ValueError(f"stat_fn must return {wanted}, got {found.dtype} of shape {found.shape}")
        return found.astype(np.float64)

    def value(self) -> float:
        return float(self.values(self.totals)[0])

    def draw(self, rng: Generator, n: int) -> Vector:
        return self.values(np.asarray(sum(part.draw(rng, n) for part in self.strata)))

    def left_out(self) -> list[Vector]:
        """The statistic without each unit in turn, by stratum; one stratum of several keeps its weight."""
        found = []
        for part in self.strata:
            there = part.counts > 0
            adds = (np.eye(there.size, dtype=np.int64) if part.adds is None else part.adds)[:, there]
            change = -adds
            if len(self.strata) > 1:
                change = (part.totals(part.counts)[:, None] - part.size * adds) / (part.size - 1)
            found.append(np.repeat(self.values(self.totals + change), part.counts[there]))
        return found


@dataclass(frozen=True)
class Records:
    """Records of any kind, the positions of those that are drawn together, and the units of each stratum."""

    statistic: Statistic
    records: list[Any]
    members: list[Counts]
    strata: list[Counts]
    n: int
    clustered: bool
    width: ClassVar[int] = CELLS_PER_BLOCK // 250  # so many replicates of a Python function are a block

    @classmethod
    def of(cls, data: Iterable[Any], statistic: Statistic, groups: Groups, strata: Groups) -> Records:
        records = checks.records("data", data)
        checks.function("stat_fn", statistic)
        checks.same_rows(data=data, groups=groups, strata=strata)
        codes, stratum = _layout(len(records), groups, strata)
        return cls(statistic, records, _split_by(codes), _split_by(stratum), len(records), groups is not None)

    def value(self) -> float:
        return self._of(self.records)

    def draw(self, rng: Generator, n: int) -> Vector:
        """From each stratum as many units as it has, each with all its records, `n` times."""
        drawn = ([units[rng.integers(0, units.size, units.size)] for units in self.strata] for _ in range(n))
        return np.array([self._of(self._picked(np.concatenate(units))) for units in drawn])

    def left_out(self) -> list[Vector]:
        """The statistic without each unit in turn, by stratum."""
        every = np.arange(len(self.members))
        return [np.array([self._of(self._picked(np.delete(every, u))) for u in units]) for units in self.strata]

    def _picked(self, units: Counts) -> list[Any]:
        rows = np.concatenate([self.members[unit] for unit in units.tolist()]) if self.clustered else units
        return [self.records[row] for row in rows.tolist()]

    def _of(self, records: list[Any]) -> float:
        value = self.statistic(records)
        try:
            return float(value + 0.0)  # text that spells a number is none
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"stat_fn must return one number, got {checks.short(value)}") from error


def _layout(n: int, groups: Groups, strata: Groups) -> tuple[Counts, Counts]:
    """The unit of each row, an item or a cluster, and the stratum of each unit."""
    if groups is strata is None:
        return np.arange(n), np.zeros(n, dtype=np.int64)
    from .sums import make_design

    design = make_design(n, groups, strata)
    return design.codes, design.stratum


def _split_by(codes: Counts) -> list[Counts]:
    """The positions of each code 0, 1, ..., in order."""
    return np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])


# --- the intervals ---------------------------------------------------------------------------------------------------


def resampled(
    data: Totals | Records, run: Run, kind: str = "", doubt: Doubt = ("more data", None), facts: Facts | None = None
) -> Estimate:
    """The point, its replicates (equation `eq-bootstrap-replicate`), and the interval that they give."""
    units, stratified = _n_units(data), len(data.strata) > 1
    if run.interval == "bca" and units < 2:
        raise ValueError(f"BCa needs at least 2 {_unit(data)}, got 1")
    point = checks.number("the statistic", data.value())
    drawn = replicates(data.draw, run.n_boot, run.seed, run.executor, data.width)
    defined, missing = _defined(drawn, run.level)
    levels = [(1 - run.level) / 2, (1 + run.level) / 2]
    moved: dict[str, float] = {}
    if run.interval == "bca":
        moved["acceleration"] = _acceleration(data.left_out(), point)
        moved["bias_correction"] = _bias_correction(defined, point)
        levels = [_moved(level, **moved) for level in levels]
    low, high = np.quantile(defined, levels).tolist()  # equation `eq-percentile-interval`
    found = {"boot_se": float(defined.std(ddof=1)), "undefined_replicates": missing, **(facts or {}), **moved}
    found |= {"drawn": _unit(data) + " within fixed strata" * stratified, "n_strata": len(data.strata)}
    method = f"{kind}{'stratified_' * stratified}{'cluster_' * data.clustered}bootstrap_{run.interval}"
    flat = "no resample changed the statistic: the interval has no width" * (low == high)
    left_out = f"{missing} of {run.n_boot} replicates were undefined and left out" * (missing > 0)
    few = f"only {run.n_boot} replicates: the ends move with the seed, use 10000" * (run.n_boot < FEW_REPLICATES)
    warning = _warning(data, doubt[0], doubt[1] or flat, left_out, few)
    made = (run.level, method, data.n, run.n_boot, run.seed, found, units if data.clustered else None, warning)
    return Estimate(run.name, point, low, high, *made)


def _defined(drawn: Vector, level: float) -> tuple[Vector, int]:
    """The finite replicates and the number of others, which must not be able to hide a tail."""
    finite, tail = drawn[np.isfinite(drawn)], (1 - level) / 2
    if (missing := drawn.size - finite.size) >= drawn.size * tail:
        found = f"the statistic has no finite value on {missing} of {drawn.size} resamples"
        raise ValueError(f"{found}; the interval could miss a whole tail: choose one that is defined there")
    return finite, missing


def _moved(level: float, acceleration: float, bias_correction: float) -> float:
    """The level of a quantile, moved by bias and skew (equation `eq-bca-interval`)."""
    shifted = bias_correction + _standard_normal.inv_cdf(level)
    if acceleration * shifted >= 1:
        raise ValueError(f"BCa is undefined here: acceleration {acceleration:.3g} times {shifted:.3g} reaches 1")
    return _standard_normal.cdf(bias_correction + shifted / (1 - acceleration * shifted))


def _bias_correction(drawn: Vector, point: float) -> float:
    """Where the point lies among the replicates, as a normal quantile; a tie counts as half below."""
    tie = 1e-12 * float(np.abs(drawn).max())  # sums in another order differ in their last digits
    below = float(np.mean(drawn < point - tie) + np.mean(drawn <= point + tie)) / 2
    if not 0 < below < 1:
        raise ValueError(f"BCa needs replicates on both sides of the point {point:g}, got a share {below:g} below it")
    return _standard_normal.inv_cdf(below)


def _acceleration(left_out: list[Vector], point: float) -> float:
    """The skew of the statistic: the sum of cubes of the units' pulls, over six times the sum of squares to the 3/2.

    A unit's pull is (G - 1)/G times the move of the statistic when it is left out of the G of its stratum (jackknife).
    """
    pulls = np.concatenate([(1 - 1 / values.size) * (values.mean() - values) for values in left_out])
    largest = float(np.abs(pulls).max())
    if not math.isfinite(largest):
        raise ValueError("BCa is undefined: the statistic has no finite value when one unit is left out")
    if largest <= 1e-13 * abs(point):  # rounding, not a pull
        raise ValueError("BCa is undefined where no unit changes anything (0/0): use wilson_interval or mean_interval")
    return float(((pulls / largest) ** 3).sum()) / float(6 * ((pulls / largest) ** 2).sum() ** 1.5)


def _unit(data: Totals | Records) -> str:
    return "clusters" if data.clustered else "items"


def _n_units(data: Totals | Records) -> int:
    return sum(part.size for part in data.strata)


def _units_words(data: Totals | Records) -> str:
    """So many items, or clusters; on average in a stratum, if there are several."""
    per_stratum = f"{_n_units(data) / len(data.strata):.1f}".removesuffix(".0")
    return f"{per_stratum} {_unit(data)}" + " a stratum" * (len(data.strata) > 1)


def _warning(data: Totals | Records, better: str, *doubts: str | None) -> str | None:
    """The doubts that apply, and whether there are few units, as one text."""
    few = f"only {_units_words(data)}: the bootstrap gives too narrow an interval, prefer {better}"
    return "; ".join(filter(None, (*doubts, few * (_n_units(data) < FEW_UNITS * len(data.strata))))) or None


# --- means -----------------------------------------------------------------------------------------------------------


def _ratio(totals: Vector) -> Vector:
    """The mean over rows of many resamples: the sum of their scores over the number of their rows."""
    return np.asarray(totals[0] / totals[1])


def _distinct(scores: Vector) -> tuple[Vector, Counts]:
    """The different scores and how often each occurs; right and wrong are counted and need no sorting."""
    right, wrong = np.count_nonzero(scores == 1), np.count_nonzero(scores == 0)
    if right + wrong == scores.size and right and wrong:
        return np.array([0.0, 1.0]), np.array([wrong, right])
    return np.unique(scores, return_counts=True)


def _mean_units(scores: Vector, codes: Counts | None) -> Units:
    """Units that add their sum of scores and their number of rows: items, or the clusters that `codes` name."""
    if codes is None:
        values, counts = _distinct(scores)
        return Units(counts, np.stack([values, np.ones_like(values)]))
    order = np.lexsort((scores, codes))  # so that rounding does not depend on the order of the rows
    sums, sizes = np.bincount(codes[order], weights=scores[order]), np.bincount(codes).astype(np.float64)
    pairs, counts = np.unique((sums + 1j * sizes)[sizes > 0], return_counts=True)  # pairs of numbers, quickly sorted
    return Units(counts, np.stack([pairs.real, pairs.imag]))


def _mean_totals(scores: Vector, groups: Groups, strata: Groups) -> Totals:
    if groups is None and strata is None:
        return Totals(_ratio, (2,), [_mean_units(scores, None)], scores.size, False)
    codes, stratum = _layout(scores.size, groups, strata)
    inside = [stratum[codes] == kind for kind in range(stratum.max() + 1)]
    parts = [_mean_units(scores[rows], None if groups is None else codes[rows]) for rows in inside]
    parts.sort(key=lambda part: (part.size, np.asarray(part.adds).tolist(), part.counts.tolist()))
    return Totals(_ratio, (2,), parts, scores.size, groups is not None)


def _mean_estimate(columns: dict[str, ArrayLike], groups: Groups, strata: Groups, run: Run) -> Estimate:
    """The shared body of the four intervals for a mean: of one column, or of the differences of two."""
    checks.same_rows(**columns, groups=groups, strata=strata)
    vectors = [checks.finite_vector(owner, column) for owner, column in columns.items()]
    if paired := len(vectors) == 2:
        checks.equal_lengths("a", vectors[0], "b", vectors[1])
    scores = vectors[0] - vectors[1] if paired else vectors[0]
    data = _mean_totals(scores, groups, strata)
    facts: dict[str, Any] = {"estimand": "mean over items"} | ({"contrast": "A - B"} if paired else {})
    if data.clustered:
        of_clusters = [part.counts @ _ratio(part.adds) for part in data.strata if part.adds is not None]
        facts["estimand"] = "mean over rows, each row weighted equally"
        facts["mean_of_cluster_means"] = float(sum(of_clusters)) / _n_units(data)
    return resampled(data, run, "paired_" * paired, _weakness(scores, data, paired), facts)


def _weakness(scores: Vector, data: Totals, paired: bool) -> Doubt:
    """The function that answers better, and what is beyond a bootstrap in these scores (differences, if `paired`)."""
    kinds = scores if data.clustered else np.concatenate([np.asarray(part.adds)[0] for part in data.strata])
    binary = bool(np.isin(kinds, (-1, 0, 1) if paired else (0, 1)).all())
    alone = not data.clustered and len(data.strata) == 1
    if paired:
        better = ("mcnemar and tango_interval" if binary else "paired_t") if alone else "paired_cluster_interval"
    else:
        better = "wilson_interval" if binary and alone else "mean_interval"
    what = "differences" if paired else "scores"
    nonzero = np.count_nonzero(scores != 0) if paired else data.totals[0, 0]  # of 0/1 scores: their sum
    scarce = nonzero if paired else min(nonzero, scores.size - nonzero)
    if kinds.min() == kinds.max():
        return better, f"all {scores.size} {what} are {scores[0]:g}: no resample can differ, use {better}"
    if all(units.counts.size == 1 for units in data.strata):
        return better, f"all {_units_words(data)} are alike: no resample can differ, use {better}"
    if binary and scarce < FEW_OF_A_KIND:
        return better, f"only {scarce:.0f} of {scores.size} {what} are unlike the rest, prefer {better}"
    return better, None


# --- tables of counts ------------------------------------------------------------------------------------------------


def table_totals(table: ArrayLike, statistic: TableStatistic, groups: Groups = None) -> Totals:
    """A table of counts whose items are drawn; or, with groups, one table for each label, drawn by cluster."""
    checks.function("stat_fn", statistic)
    counts = checks.table("table", table)
    shape = counts.shape if groups is None else counts.shape[1:]
    whole = counts.dtype.kind in "iu" and math.prod(shape) >= 2 and counts.size > 0
    if not whole or (counts := counts.astype(np.int64)).min() < 0 or counts.sum() <= 0:
        each = "" if groups is None else " for each label of groups"
        allowed = f"hold at least 2 whole counts of at least 0{each}, not all 0"
        raise ValueError(f"table must {allowed}, got {checks.short(table)}")
    n = int(counts.sum())
    if groups is None:
        return Totals(statistic, shape, [Units(counts.ravel())], n, False)
    codes, n_clusters = checks.cluster_codes(groups, len(counts))
    tables = np.zeros((n_clusters, math.prod(shape)), dtype=np.int64)
    np.add.at(tables, codes, counts.reshape(len(counts), -1))
    distinct, times = np.unique(tables, axis=0, return_counts=True)
    return Totals(statistic, shape, [Units(times, np.ascontiguousarray(distinct.T))], n, True)


def bootstrap_mean(
    scores: ArrayLike,
    groups: Groups = None,
    level: float = 0.95,
    n_boot: int = 10000,
    seed: int = 0,
    name: str = "accuracy",
    *,
    strata: Groups = None,
    executor: Executor | None = None,
) -> Estimate:
    """How sure are we of a mean score? The percentile bootstrap.

    Items are drawn with replacement as often as there are items, the mean is taken again, and the interval runs
    between two quantiles of the replicates.
    With `groups`, whole clusters are drawn and all their rows come along; give the item as the group when it was
    answered several times.

    The estimand with groups is the mean over rows: each row weighs the same, and a replicate is the ratio of the drawn
    scores to the drawn rows.
    With clusters of unequal size that is not the mean over clusters: if hard items were sampled more often, it leans
    towards the hard ones however many there are.
    `extra["mean_of_cluster_means"]` shows the other mean; for an interval around it, average within clusters first and
    pass these averages without groups.

    With `strata` the kinds are fixed and only what lies within them is drawn: differences between kinds are then no
    part of the uncertainty.

    Parameters
    ----------
    scores : array of shape (n,)
        One finite score a row, in any unit; 0/1 for accuracy.
    groups : sequence of n hashable labels, optional
        The cluster of each row: at least two different ones.
    level : float
        Confidence level in [0.5, 1).
    n_boot : int
        Number of replicates, at least 2.
    seed : int
        Seed of the random numbers, at least 0. Two metrics of the same length and seed share their resamples.
    name : str
        What is estimated.
    strata : sequence of n hashable labels, optional
        The fixed kind of each row (a task, a kind of question): as many units are drawn from each stratum as it has.
        A cluster lies inside one stratum, and a stratum holds at least two units.
    executor : concurrent.futures.Executor, optional
        Where blocks of replicates run: threads, processes, or `client.get_executor()` of a dask cluster. The answer
        does not depend on it.

    Returns
    -------
    Estimate
        `extra` holds `boot_se`, the standard deviation of the replicates, the estimand, and what was drawn.
        A `warning` names a better tool where there are few items or clusters, or scores near 0 or 1.

    Raises
    ------
    ValueError
        For NaN, empty or non-numeric scores, groups of another length, one cluster, a level outside [0.5, 1),
        and an executor that is none.

    Notes
    -----
    Equations `eq-bootstrap-resample`, `eq-bootstrap-replicate`, `eq-bootstrap-se` and `eq-percentile-interval` of
    chapter `bootstrap`.
    Source: B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap" (1993), as cited by
    `scipy.stats.bootstrap`.

    Examples
    --------
    System A of the chapter `paired` has 855 of 1000 items right:

    >>> from evalstats import bootstrap_mean
    >>> right = [1] * 855 + [0] * 145
    >>> print(bootstrap_mean(right))
    accuracy = 0.855, 95% interval [0.833, 0.876] (bootstrap_percentile, n = 1000)

    When five rows in turn belong to one passage, the passage is drawn:

    >>> print(bootstrap_mean(right, groups=[row // 5 for row in range(1000)]))
    accuracy = 0.855, 95% interval [0.805, 0.9] (cluster_bootstrap_percentile, n = 1000 in 200 clusters)

    All right is not certainty:

    >>> bootstrap_mean([1] * 30).warning
    'all 30 scores are 1: no resample can differ, use wilson_interval'
    """
    return _mean_estimate({"scores": scores}, groups, strata, Run(level, n_boot, seed, name, executor))


@takes_arguments_of(bootstrap_mean)
def bca_mean(scores: ArrayLike, groups: Groups, strata: Groups, **settings: Any) -> Estimate:
    """How sure are we of a mean score that is skewed? The bias-corrected and accelerated bootstrap.

    As `bootstrap_mean`, with the quantiles moved for bias and skew; the acceleration comes from leaving out one item
    (one cluster) at a time.
    It is second-order accurate for smooth statistics, and no better than the percentile interval for 0/1 scores near
    0 or 1: there use `wilson_interval`.

    Parameters
    ----------
    scores, groups, level, n_boot, seed, name, strata, executor
        As in `bootstrap_mean`.

    Returns
    -------
    Estimate
        `extra` also holds `bias_correction` and `acceleration`.

    Raises
    ------
    ValueError
        As `bootstrap_mean`, for a single row, and for constant scores (or alike clusters), where the acceleration is
        0/0.

    Notes
    -----
    Equation `eq-bca-interval` of chapter `bootstrap`.
    A replicate equal to the point counts as half below it, as in `scipy.stats.bootstrap`.

    Examples
    --------
    >>> from evalstats import bca_mean
    >>> print(bca_mean([1] * 855 + [0] * 145))
    accuracy = 0.855, 95% interval [0.832, 0.876] (bootstrap_bca, n = 1000)
    """
    return _mean_estimate({"scores": scores}, groups, strata, Run(**settings, interval="bca"))


def bootstrap_paired_diff(
    a: ArrayLike,
    b: ArrayLike,
    groups: Groups = None,
    level: float = 0.95,
    n_boot: int = 10000,
    seed: int = 0,
    name: str = "delta",
    *,
    strata: Groups = None,
    executor: Executor | None = None,
) -> Estimate:
    """How much better is A than B on the same items? The paired percentile bootstrap.

    The two scores of an item stay together: what is drawn is the item (or the cluster) with its difference A - B.

    Parameters
    ----------
    a, b : arrays of shape (n,)
        The scores of the two systems, row by row on the same items in the same order, same unit.
    groups, level, n_boot, seed, name, strata, executor
        As in `bootstrap_mean`; with groups the estimand is the mean difference over rows.

    Returns
    -------
    Estimate
        Of the mean of A - B; positive where A is better. `extra["contrast"]` says so.

    Raises
    ------
    ValueError
        As `bootstrap_mean`, and when a and b differ in length.

    Notes
    -----
    Equation `eq-percentile-interval` of chapter `bootstrap`, applied to the differences of chapter `paired`.

    Examples
    --------
    A is right and B wrong on 45 items, the reverse on 25, and they agree on 930:

    With ever more replicates the ends settle at .004 and .036; 10000 leave the upper end at .036 or .037, by the seed.

    >>> from evalstats import bootstrap_paired_diff
    >>> a = [1] * 810 + [1] * 45 + [0] * 25 + [0] * 120
    >>> b = [1] * 810 + [0] * 45 + [1] * 25 + [0] * 120
    >>> print(bootstrap_paired_diff(a, b, n_boot=100_000))
    delta = 0.02, 95% interval [0.004, 0.036] (paired_bootstrap_percentile, n = 1000)
    """
    return _mean_estimate({"a": a, "b": b}, groups, strata, Run(level, n_boot, seed, name, executor))


@takes_arguments_of(bootstrap_paired_diff)
def bca_paired_diff(a: ArrayLike, b: ArrayLike, groups: Groups, strata: Groups, **settings: Any) -> Estimate:
    """How much better is A than B on the same items, when differences are skewed? The paired BCa bootstrap.

    Parameters
    ----------
    a, b, groups, level, n_boot, seed, name, strata, executor
        As in `bootstrap_paired_diff`.

    Returns
    -------
    Estimate
        Of the mean of A - B; `extra` also holds `bias_correction` and `acceleration`.

    Raises
    ------
    ValueError
        As `bootstrap_paired_diff`, and when all differences (or clusters) are alike.

    Notes
    -----
    Equation `eq-bca-interval` of chapter `bootstrap`.

    Examples
    --------
    >>> from evalstats import bca_paired_diff
    >>> a = [1] * 810 + [1] * 45 + [0] * 25 + [0] * 120
    >>> b = [1] * 810 + [0] * 45 + [1] * 25 + [0] * 120
    >>> print(bca_paired_diff(a, b))
    delta = 0.02, 95% interval [0.004, 0.037] (paired_bootstrap_bca, n = 1000)
    """
    return _mean_estimate({"a": a, "b": b}, groups, strata, Run(**settings, interval="bca"))


def bootstrap_statistic(
    data: Iterable[Any],
    stat_fn: Statistic,
    level: float = 0.95,
    n_boot: int = 10000,
    seed: int = 0,
    name: str = "stat",
    *,
    groups: Groups = None,
    strata: Groups = None,
    executor: Executor | None = None,
) -> Estimate:
    """How sure are we of any metric: F1, kappa, a difference of F1s, a corpus score? The percentile bootstrap.

    Parameters
    ----------
    data : sequence of n records
        One record an item, of any kind: for a comparison, a pair with the outcomes of both systems.
    stat_fn : callable
        Takes a list of records, returns one number; NaN where the metric is undefined.
        What it raises is not caught.
    level, n_boot, seed, name
        As in `bootstrap_mean`.
    groups : sequence of n hashable labels, optional
        The cluster of each record; whole clusters are drawn and the list holds all their records.
    strata : sequence of n hashable labels, optional
        The fixed kind of each record, as in `bootstrap_mean`.
    executor : concurrent.futures.Executor, optional
        Where blocks of replicates run; with processes, `stat_fn` must be a function of a module.

    Returns
    -------
    Estimate
        `extra` holds `boot_se` and `undefined_replicates`: how many resamples had no finite value and were left out.

    Raises
    ------
    ValueError
        For no data, one cluster, a statistic that is not a finite number on the data, and when so many replicates are
        undefined (half of 1 - level) that a whole tail of the interval could be missing.

    Notes
    -----
    Equations `eq-bootstrap-replicate` and `eq-percentile-interval` of chapter `bootstrap`.
    The seed draws positions, so the replicates depend on the order of the records; the mean has functions of its own
    that do not.

    Examples
    --------
    The relative error reduction of A over B, which no formula of the chapter covers:

    >>> from evalstats import bootstrap_statistic
    >>> pairs = [(1, 1)] * 810 + [(1, 0)] * 45 + [(0, 1)] * 25 + [(0, 0)] * 120
    >>> def error_reduction(pairs):
    ...     errors_a = sum(1 - a for a, b in pairs)
    ...     errors_b = sum(1 - b for a, b in pairs)
    ...     return 1 - errors_a / errors_b
    >>> print(bootstrap_statistic(pairs, error_reduction, n_boot=1000, name="error reduction, A over B"))
    error reduction, A over B = 0.1212, 95% interval [0.03222, 0.2058] (bootstrap_percentile, n = 1000)
    """
    return resampled(Records.of(data, stat_fn, groups, strata), Run(level, n_boot, seed, name, executor))


@takes_arguments_of(bootstrap_statistic)
def bca_statistic(data: Iterable[Any], stat_fn: Statistic, groups: Groups, strata: Groups, **settings: Any) -> Estimate:
    """How sure are we of any smooth metric that is skewed? The bias-corrected and accelerated bootstrap.

    Beside the replicates it computes the statistic once without each record (each cluster).

    Parameters
    ----------
    data, stat_fn, level, n_boot, seed, name, groups, strata, executor
        As in `bootstrap_statistic`.

    Returns
    -------
    Estimate
        `extra` also holds `bias_correction` and `acceleration`.

    Raises
    ------
    ValueError
        As `bootstrap_statistic`, and when the acceleration or the bias correction is undefined.

    Notes
    -----
    Equation `eq-bca-interval` of chapter `bootstrap`.

    Examples
    --------
    >>> from evalstats import bca_statistic
    >>> latency = [0.2, 0.3, 0.3, 0.4, 0.5, 0.6, 0.8, 1.1, 1.9, 4.2] * 3
    >>> mean = lambda seconds: sum(seconds) / len(seconds)
    >>> print(bca_statistic(latency, mean, n_boot=2000, name="seconds"))
    seconds = 1.03, 95% interval [0.7033, 1.581] (bootstrap_bca, n = 30)
    """
    return resampled(Records.of(data, stat_fn, groups, strata), Run(**settings, interval="bca"))


def bootstrap_table_statistic(
    table: ArrayLike,
    stat_fn: TableStatistic,
    level: float = 0.95,
    n_boot: int = 10000,
    seed: int = 0,
    name: str = "stat",
    *,
    groups: Groups = None,
    executor: Executor | None = None,
) -> Estimate:
    """How sure are we of F1, precision, kappa, or any function of a small table? The percentile bootstrap of counts.

    What `bootstrap_statistic` does with rows, in a time that does not depend on the number of items: their counts are
    drawn at once (multinomial), and the statistic is computed for many tables together.

    Parameters
    ----------
    table : array of counts, any shape
        How many items fell into each cell; items independent, at least one of them. With groups, one such table for
        each label, stacked along the first axis: of a row (a single 1), or of all rows of a cluster.
    stat_fn : callable
        Gets one array of the shape of a table with one further axis at the end, along which the resampled tables lie,
        and returns one number for each. Arithmetic on the cells does that by itself, as in the example.
    level, n_boot, seed, name
        As in `bootstrap_mean`.
    groups : sequence of hashable labels, optional
        The cluster of each table; tables of one cluster are added up, and whole clusters are drawn.
    executor : concurrent.futures.Executor, optional
        Where blocks of replicates run; with processes, `stat_fn` must be a function of a module.

    Returns
    -------
    Estimate
        `extra["undefined_replicates"]` counts the resamples where stat_fn is not finite (0/0 gives NaN); they are left
        out.

    Raises
    ------
    ValueError
        For counts that are negative or not whole, a table without items, one cluster, a stat_fn that does not return
        one number a table or is not finite on the table itself, and when so many replicates are undefined (half of
        1 - level) that a whole tail of the interval could be missing.

    Notes
    -----
    Equations `eq-bootstrap-replicate` and `eq-percentile-interval` of chapter `bootstrap`.

    Examples
    --------
    The F1 of a classifier with 40 true positives, 10 false ones, 15 missed and 135 rightly passed over:

    >>> from evalstats import bootstrap_table_statistic
    >>> def f1(table):
    ...     (both, false), (missed, neither) = table
    ...     return 2 * both / (2 * both + false + missed)
    >>> print(bootstrap_table_statistic([[40, 10], [15, 135]], f1, name="F1"))
    F1 = 0.7619, 95% interval [0.6607, 0.8448] (table_bootstrap_percentile, n = 200)

    The same counts from 25 documents of 8 rows each, five of which hold all the errors, when the document is drawn:

    >>> documents = [[[0, 2], [3, 3]]] * 5 + [[[2, 0], [0, 6]]] * 20
    >>> print(bootstrap_table_statistic(documents, f1, groups=range(25), name="F1"))
    F1 = 0.7619, 95% interval [0.5872, 0.9505] (table_cluster_bootstrap_percentile, n = 200 in 25 clusters)
    """
    return resampled(table_totals(table, stat_fn, groups), Run(level, n_boot, seed, name, executor), "table_")


@takes_arguments_of(bootstrap_table_statistic)
def bca_table_statistic(table: ArrayLike, stat_fn: TableStatistic, groups: Groups, **settings: Any) -> Estimate:
    """How sure are we of a skewed function of a small table? The bias-corrected and accelerated bootstrap of counts.

    Parameters
    ----------
    table, stat_fn, level, n_boot, seed, name, groups, executor
        As in `bootstrap_table_statistic`.

    Returns
    -------
    Estimate
        `extra` also holds `bias_correction` and `acceleration`.

    Raises
    ------
    ValueError
        As `bootstrap_table_statistic`, and when the acceleration or the bias correction is undefined.

    Notes
    -----
    Equation `eq-bca-interval` of chapter `bootstrap`.

    Examples
    --------
    >>> from evalstats import bca_table_statistic
    >>> precision = lambda table: table[0] / table.sum(axis=0)
    >>> print(bca_table_statistic([45, 5], precision, name="precision"))
    precision = 0.9, 95% interval [0.8, 0.96] (table_bootstrap_bca, n = 50)
    """
    return resampled(table_totals(table, stat_fn, groups), Run(**settings, interval="bca"), "table_")


# --- all resamples instead of some -----------------------------------------------------------------------------------


def _ideal_quantile(up: int, down: int, n: int, q: ArrayLike) -> NDArray[Any]:
    """The smallest d with P(U - D <= d) >= q, where U and D count ups and downs among n items drawn with replacement.

    The characteristic function of one draw is known, that of n draws is its n-th power, and a Fourier transform turns
    that into the chance of each d within nine standard deviations of the middle; those further out weigh under 1e-15.
    """
    variance = (n * (up + down) - (up - down) ** 2) / n**2
    reach = 10 + int(9 * math.sqrt(n * variance))
    first = max(up - down - reach, -n if down else 0)
    t = np.arange(reach + 1) * (2 * math.pi / (2 * reach + 1))
    half = np.sin(t / 2) ** 2
    size = np.log1p(np.maximum(4 * half * (4 * up * down * half / n**2 - variance), 1e-16 - 1)) / 2
    angle = np.arctan2((up - down) * np.sin(t), n - 2 * (up + down) * half)
    chances = np.fft.irfft(np.exp(n * (size - 1j * angle) + 1j * first * t), 2 * reach + 1)
    return first + np.searchsorted(chances.cumsum(), np.asarray(q) * (1 - 1e-12))  # rounding must not miss a tie


def _ideal_estimate(scores: Vector, level: float, name: str, paired: bool = False) -> Estimate:
    """The percentile interval of infinitely many replicates, for scores or differences in -1, 0 and 1."""
    checks.share("level", level)
    data = _mean_totals(scores, None, None)
    tally = dict(zip(np.asarray(data.strata[0].adds)[0].tolist(), data.strata[0].counts.tolist(), strict=True))
    if not paired and tally.keys() - {0, 1}:
        checks.binary_vector("scores", scores)  # says which one
    n, up, down = scores.size, tally.get(1, 0), tally.get(-1, 0)
    low, high = (_ideal_quantile(up, down, n, [(1 - level) / 2, (1 + level) / 2]) / n).tolist()
    spread = math.sqrt(n * (up + down) - (up - down) ** 2) / n
    facts = {"boot_se": spread / n**0.5, "drawn": "items"} | ({"contrast": "A - B"} if paired else {})
    facts |= {"monte_carlo_error": "none: all resamples are counted, so there is no seed", "coverage": COVERAGE}
    warning = _warning(data, *_weakness(scores, data, paired))
    method = "paired_" * paired + "ideal_bootstrap_percentile"
    return Estimate(name, (up - down) / n, low, high, level, method, n, extra=facts, warning=warning)


def ideal_bootstrap_mean(scores: ArrayLike, level: float = 0.95, name: str = "accuracy") -> Estimate:
    """What would `bootstrap_mean` say of right and wrong answers after infinitely many replicates?

    The number right in a resample is binomial, so its quantiles are computed and nothing is drawn: no Monte Carlo
    error, no seed (`seed` and `n_boot` are None). That makes the bootstrap ideal, not its interval exact: it covers as
    seldom near 0 and 1 as any percentile interval does, and there `wilson_interval` is the better tool.

    Parameters
    ----------
    scores : array of 0 and 1
        One a item.
    level : float
        Confidence level in [0.5, 1).
    name : str
        What is estimated.

    Returns
    -------
    Estimate

    Raises
    ------
    ValueError
        For anything but 0 and 1, NaN, no scores, a level outside [0.5, 1).

    Notes
    -----
    Equation `eq-percentile-interval` of chapter `bootstrap`, with all resamples for the replicates.

    Examples
    --------
    >>> from evalstats import ideal_bootstrap_mean
    >>> print(ideal_bootstrap_mean([1] * 855 + [0] * 145))
    accuracy = 0.855, 95% interval [0.833, 0.876] (ideal_bootstrap_percentile, n = 1000)
    """
    return _ideal_estimate(checks.finite_vector("scores", scores), level, name)


def ideal_bootstrap_paired_diff(
    a: ArrayLike, b: ArrayLike | None = None, level: float = 0.95, name: str = "delta"
) -> Estimate:
    """What would `bootstrap_paired_diff` say of two 0/1 scores after infinitely many replicates?

    Wins and losses in a resample are trinomial: the quantiles of their difference are computed and nothing is drawn.

    Parameters
    ----------
    a, b : arrays of 0 and 1, or one PairedTable, or one Alignment
        Position i is the same item in both.
    level, name
        As in `ideal_bootstrap_mean`.

    Returns
    -------
    Estimate
        `seed` and `n_boot` are None. With few disagreements it covers as seldom as `bootstrap_paired_diff`; see
        `tango_interval`.

    Raises
    ------
    ValueError
        For anything but 0 and 1, NaN, empty or unequal vectors, an Alignment with clusters or strata, a level
        outside [0.5, 1).

    Notes
    -----
    Equation `eq-percentile-interval` of chapter `bootstrap`, applied to the differences of chapter `paired`.

    Examples
    --------
    >>> from evalstats import PairedTable, ideal_bootstrap_paired_diff
    >>> print(ideal_bootstrap_paired_diff(PairedTable(810, 45, 25, 120)))
    delta = 0.02, 95% interval [0.004, 0.036] (paired_ideal_bootstrap_percentile, n = 1000)
    """
    from .paired import table_of

    table = table_of(a, b)
    scores = np.repeat([1.0, -1.0, 0.0], [table.a_only, table.b_only, table.n - table.discordant])
    return _ideal_estimate(scores, level, name, paired=True)
