"""How sure are we of any metric? Redraw the items, compute again, and look at the spread.

What is drawn is the item, or the cluster of rows when `groups` are given; what is fixed is named by `strata`.
The mean has its own fast engine: rows are first collapsed to the distinct units and their counts, so the answer does
not depend on the order of the rows, and memory stays bounded.
Replicates are computed in blocks of a size that depends on the data alone, each with its own stream of random numbers:
the same seed gives the same answer with any executor.

Two intervals are offered, each under its own name: percentile (`bootstrap_*`) and bias-corrected and accelerated
(`bca_*`).
Functions of a small table of counts (`*_table_statistic`) draw the counts and never touch a row; for right or wrong
answers `ideal_bootstrap_*` counts all resamples instead of drawing some, and needs no seed.
None of them can repair what the data do not show: small samples, few clusters and scores near 0 or 1 come with a
warning that names the better tool.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import ArrayLike

from ._checks import (
    Counts,
    Vector,
    binary_vector,
    cluster_codes,
    equal_lengths,
    finite_vector,
    integer,
    number,
    same_rows,
    share,
    text,
)
from .result import Estimate

__all__ = [
    "bca_mean",
    "bca_paired_diff",
    "bca_statistic",
    "bca_table_statistic",
    "bootstrap_mean",
    "bootstrap_paired_diff",
    "bootstrap_statistic",
    "bootstrap_table_statistic",
    "ideal_bootstrap_mean",
    "ideal_bootstrap_paired_diff",
]

Groups = Iterable[Hashable]

CELLS_PER_BLOCK = 1_000_000  # numbers held at once while a block of replicates is drawn
STATISTICS_PER_BLOCK = 250  # replicates of a Python function between two visits to the executor
FEW_UNITS = 20  # below this many items or clusters (a stratum) the spread itself is poorly known
FEW_OF_A_KIND = 10  # with fewer right, wrong or differing answers, percentile coverage falls below .90
FEW_REPLICATES = 1000  # below this the ends of the interval move visibly with the seed

standard_normal = NormalDist()


@dataclass(frozen=True)
class _Run:
    """How the replicates are made: checked settings that go into the result."""

    level: float
    n_boot: int
    seed: int
    name: str
    executor: Executor | None

    @classmethod
    def checked(cls, level: float, n_boot: int, seed: int, name: str, executor: Executor | None) -> _Run:
        return cls(
            share("level", level), integer("n_boot", n_boot, 2), integer("seed", seed, 0), text("name", name), executor
        )

    def replicates(self, draw: Callable[[tuple[int, SeedSequence]], Vector], block: int) -> Vector:
        """All replicates, from blocks that do not know of one another (equation `eq-bootstrap-replicate`)."""
        sizes = [block] * (self.n_boot // block) + ([self.n_boot % block] if self.n_boot % block else [])
        jobs = list(zip(sizes, SeedSequence(self.seed).spawn(len(sizes)), strict=True))
        return np.concatenate(list(map(draw, jobs) if self.executor is None else self.executor.map(draw, jobs)))


@dataclass(frozen=True)
class _Units:
    """What is drawn: the distinct units in order, how often each occurs, and what each adds to the mean."""

    sums: Vector  # sum of the scores in the unit
    sizes: Vector  # number of rows in the unit: 1 for an item
    counts: Counts  # how many units are alike in both

    @classmethod
    def of(cls, scores: Vector, codes: Counts | None) -> _Units:
        if codes is None:
            values, counts = np.unique(scores, return_counts=True)
            return cls(values, np.ones_like(values), counts)
        _, codes = np.unique(codes, return_inverse=True)
        order = np.lexsort((scores, codes))  # so that rounding does not depend on the order of the rows
        sums = np.bincount(codes[order], weights=scores[order])
        sizes = np.bincount(codes).astype(np.float64)
        pairs, counts = np.unique(np.column_stack([sums, sizes]), axis=0, return_counts=True)
        return cls(pairs[:, 0].copy(), pairs[:, 1].copy(), counts)

    @property
    def total(self) -> int:
        return int(self.counts.sum())

    @property
    def few(self) -> bool:
        """Is it quicker to draw how often each distinct unit comes up than to draw the units?"""
        return self.counts.size <= max(3, self.total // 20)

    @property
    def width(self) -> int:
        """Numbers drawn for one replicate."""
        return self.counts.size if self.few else self.total

    def draw(self, rng: np.random.Generator, size: int) -> tuple[Vector, Vector]:
        """The sum of scores and the number of rows in each of `size` resamples (equation `eq-bootstrap-resample`)."""
        if self.few:
            drawn = rng.multinomial(self.total, self.counts / self.total, size=size)
            return drawn @ self.sums, drawn @ self.sizes
        index = rng.integers(0, self.total, size=(size, self.total))
        sums, sizes = np.repeat(self.sums, self.counts), np.repeat(self.sizes, self.counts)
        return sums[index].sum(axis=1), sizes[index].sum(axis=1)


@dataclass(frozen=True)
class _Sample:
    """The units of each stratum, from which as many are drawn as it has; one stratum if nothing is fixed."""

    strata: tuple[_Units, ...]

    @classmethod
    def of(cls, scores: Vector, groups: Groups | None, strata: Groups | None) -> _Sample:
        if strata is None:
            codes = None if groups is None else cluster_codes(groups, scores.size)[0]
            return cls((_Units.of(scores, codes),))
        from .cluster import make_design

        design = make_design(scores.size, groups, strata)
        inside = [design.stratum[design.codes] == stratum for stratum in range(design.n_strata)]
        parts = [_Units.of(scores[rows], None if groups is None else design.codes[rows]) for rows in inside]
        return cls(tuple(sorted(parts, key=lambda part: (part.total, part.sums.tolist(), part.counts.tolist()))))

    def over(self, of_units: Callable[[_Units], Any]) -> Any:
        """A quantity added up over the strata."""
        return sum(of_units(units) for units in self.strata)

    @property
    def total(self) -> int:
        return int(self.over(lambda units: units.total))

    @property
    def alike(self) -> bool:
        """Does every resample give the same mean?"""
        return all(units.counts.size == 1 for units in self.strata)

    @property
    def mean(self) -> float:
        return float(self.over(lambda u: u.counts @ u.sums) / self.over(lambda u: u.counts @ u.sizes))

    def influence(self) -> Vector:
        """How far each unit pulls the mean, from leaving it out while its stratum keeps its weight (jackknife)."""
        scores, rows = self.over(lambda u: u.counts @ u.sums), self.over(lambda u: u.counts @ u.sizes)
        pulls = []
        for units in self.strata:
            grow = units.total / (units.total - 1) if units.total > 1 else 0.0
            without_scores = scores + (grow - 1) * (units.counts @ units.sums) - grow * units.sums
            without_rows = rows + (grow - 1) * (units.counts @ units.sizes) - grow * units.sizes
            pulls.append(_pulls(np.repeat(without_scores / without_rows, units.counts)))
        return np.concatenate(pulls)


def _pulls(left_out: Vector) -> Vector:
    """What each of G units adds to the error of the statistic: (G - 1) / G times its move when the unit is left out."""
    return np.asarray((1 - 1 / left_out.size) * (left_out.mean() - left_out), dtype=np.float64)


def _mean_block(sample: _Sample, job: tuple[int, SeedSequence]) -> Vector:
    """One block of replicated means."""
    size, seed = job
    rng = np.random.default_rng(seed)
    scores, rows = zip(*(units.draw(rng, size) for units in sample.strata), strict=True)
    return np.asarray(sum(scores) / sum(rows), dtype=np.float64)


def _mean_replicates(sample: _Sample, run: _Run) -> Vector:
    width = max(units.width for units in sample.strata)
    return run.replicates(partial(_mean_block, sample), max(1, CELLS_PER_BLOCK // width))


def _percentile_ends(replicates: Vector, level: float) -> tuple[float, float]:
    """The quantiles of the replicates (equation `eq-percentile-interval`)."""
    low, high = np.quantile(replicates, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _bca_ends(
    replicates: Vector, point: float, influence: Vector, level: float
) -> tuple[float, float, dict[str, float]]:
    """The quantiles of the replicates at levels moved by bias and skew (equation `eq-bca-interval`)."""
    acceleration = _acceleration(influence, point)
    bias = _bias_correction(replicates, point)
    levels = []
    for quantile in ((1 - level) / 2, (1 + level) / 2):
        shifted = bias + standard_normal.inv_cdf(quantile)
        if acceleration * shifted >= 1:
            raise ValueError(f"BCa is undefined here: acceleration {acceleration:.3g} times {shifted:.3g} reaches 1")
        levels.append(standard_normal.cdf(bias + shifted / (1 - acceleration * shifted)))
    low, high = np.quantile(replicates, levels)
    return float(low), float(high), {"bias_correction": bias, "acceleration": acceleration}


def _bias_correction(replicates: Vector, point: float) -> float:
    """Where the point lies among the replicates, as a normal quantile; a tie counts as half below."""
    tie = 1e-12 * float(np.abs(replicates).max())  # sums in another order differ in their last digits
    below = float(np.mean(replicates < point - tie) + np.mean(replicates <= point + tie)) / 2
    if not 0 < below < 1:
        raise ValueError(f"BCa needs replicates on both sides of the point {point:g}, got a share {below:g} below it")
    return standard_normal.inv_cdf(below)


def _acceleration(influence: Vector, point: float) -> float:
    """The skew of the statistic: the sum of cubes of the units' pulls, over six times the sum of squares to the 3/2."""
    if np.abs(influence).max() <= 1e-13 * abs(point):  # rounding, not a pull
        raise ValueError(
            "BCa is undefined when leaving out a unit changes nothing, as with constant scores: "
            "its acceleration is 0/0; use wilson_interval for 0/1 scores, mean_interval with groups"
        )
    pull = influence / np.abs(influence).max()
    return float((pull**3).sum()) / float(6 * (pull**2).sum() ** 1.5)


def _join(*warnings: str | None) -> str | None:
    """The warnings that apply, as one text."""
    return "; ".join(one for one in warnings if one) or None


def _units_words(units: int, clustered: bool, n_strata: int) -> str:
    """So many items, or clusters; on average in a stratum, if there are several."""
    kind = "clusters" if clustered else "items"
    return f"{units} {kind}" if n_strata == 1 else f"{units / n_strata:.3g} {kind} a stratum"


def _few_units(units: int, clustered: bool, n_strata: int, better: str) -> str | None:
    if units >= FEW_UNITS * n_strata:
        return None
    words = _units_words(units, clustered, n_strata)
    return f"only {words}: the bootstrap gives too narrow an interval, prefer {better}"


def _few_replicates(n_boot: int) -> str | None:
    return f"only {n_boot} replicates: the ends move with the seed, use 10000" if n_boot < FEW_REPLICATES else None


def _better(paired: bool, drawn_alone: bool, binary: bool) -> str:
    """The function that answers the same question where the bootstrap answers badly."""
    if paired and drawn_alone:
        return "mcnemar and tango_interval" if binary else "paired_t"
    if paired:
        return "paired_cluster_interval"
    return "wilson_interval" if binary and drawn_alone else "mean_interval"


def _mean_warning(scores: Vector, sample: _Sample, run: _Run, clustered: bool, paired: bool) -> str | None:
    """Are these scores (these differences, if `paired`) beyond what a bootstrap can say?"""
    binary = bool(np.isin(scores, (-1, 0, 1) if paired else (0, 1)).all())
    better = _better(paired, not clustered and len(sample.strata) == 1, binary)
    what = "differences" if paired else "scores"
    scarce = int(np.count_nonzero(scores) if paired else min(scores.sum(), scores.size - scores.sum()))
    boundary, n_strata = None, len(sample.strata)
    if scores.min() == scores.max():
        boundary = f"all {scores.size} {what} are {scores[0]:g}: no resample can differ, use {better}"
    elif sample.alike:
        boundary = (
            f"all {_units_words(sample.total, clustered, n_strata)} are alike: no resample can differ, use {better}"
        )
    elif binary and scarce < FEW_OF_A_KIND:
        boundary = f"only {scarce} of {scores.size} {what} are unlike the rest, prefer {better}"
    return _join(boundary, _few_units(sample.total, clustered, n_strata, better), _few_replicates(run.n_boot))


def _drawn(clustered: bool, n_strata: int | None) -> dict[str, Any]:
    """What was drawn and what is fixed."""
    unit = "clusters" if clustered else "items"
    return {"drawn": unit} if n_strata is None else {"drawn": f"{unit} within fixed strata", "n_strata": n_strata}


def _mean_facts(sample: _Sample, replicates: Vector, clustered: bool) -> dict[str, Any]:
    """What else to know of a mean: its bootstrap SE (`eq-bootstrap-se`), and which mean it is."""
    facts: dict[str, Any] = {"boot_se": float(replicates.std(ddof=1))}
    if not clustered:
        return facts | {"estimand": "mean over items"}
    of_clusters = float(sample.over(lambda u: u.counts @ (u.sums / u.sizes))) / sample.total
    return facts | {"estimand": "mean over rows, each row weighted equally", "mean_of_cluster_means": of_clusters}


def _mean_estimate(
    scores: Vector, groups: Groups | None, strata: Groups | None, run: _Run, bca: bool, paired: bool
) -> Estimate:
    """The shared body of the four intervals for a mean."""
    clustered, stratified = groups is not None, strata is not None
    sample = _Sample.of(scores, groups, strata)
    replicates = _mean_replicates(sample, run)
    facts = _mean_facts(sample, replicates, clustered) | ({"contrast": "A - B"} if paired else {})
    facts |= _drawn(clustered, len(sample.strata) if stratified else None)
    if bca:
        low, high, corrections = _bca_ends(replicates, sample.mean, sample.influence(), run.level)
        facts |= corrections
    else:
        low, high = _percentile_ends(replicates, run.level)
    return Estimate(
        name=run.name,
        point=sample.mean,
        ci_low=low,
        ci_high=high,
        level=run.level,
        method=_label(bca, paired, stratified, clustered),
        n=scores.size,
        n_boot=run.n_boot,
        seed=run.seed,
        extra=facts,
        n_clusters=sample.total if clustered else None,
        warning=_mean_warning(scores, sample, run, clustered, paired),
    )


def _label(bca: bool, paired: bool, stratified: bool, clustered: bool) -> str:
    words = (("paired", paired), ("stratified", stratified), ("cluster", clustered), ("bootstrap", True))
    return "_".join([word for word, holds in words if holds] + ["bca" if bca else "percentile"])


def _differences(a: ArrayLike, b: ArrayLike) -> Vector:
    first, second = finite_vector("a", a), finite_vector("b", b)
    same_rows(a=a, b=b)
    equal_lengths("a", first, "b", second)
    return first - second


def bootstrap_mean(
    scores: ArrayLike,
    groups: Groups | None = None,
    level: float = 0.95,
    n_boot: int = 10000,
    seed: int = 0,
    name: str = "accuracy",
    *,
    strata: Groups | None = None,
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
        Where blocks of replicates run; the answer does not depend on it.

    Returns
    -------
    Estimate
        `extra` holds `boot_se`, the standard deviation of the replicates, and the estimand.
        A `warning` names a better tool where there are few items or clusters, or scores near 0 or 1.

    Raises
    ------
    ValueError
        For NaN, empty or non-numeric scores, groups of another length, one cluster, a level outside (0, 1).

    Notes
    -----
    Equations `eq-bootstrap-resample`, `eq-bootstrap-replicate`, `eq-bootstrap-se` and `eq-percentile-interval` of
    chapter `intervals`.
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
    run = _Run.checked(level, n_boot, seed, name, executor)
    same_rows(scores=scores, groups=groups, strata=strata)
    return _mean_estimate(finite_vector("scores", scores), groups, strata, run, bca=False, paired=False)


def bca_mean(
    scores: ArrayLike,
    groups: Groups | None = None,
    level: float = 0.95,
    n_boot: int = 10000,
    seed: int = 0,
    name: str = "accuracy",
    *,
    strata: Groups | None = None,
    executor: Executor | None = None,
) -> Estimate:
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
        As `bootstrap_mean`, and for constant scores (or alike clusters), where the acceleration is 0/0.

    Notes
    -----
    Equation `eq-bca-interval` of chapter `intervals`.
    A replicate equal to the point counts as half below it, as in `scipy.stats.bootstrap`.

    Examples
    --------
    >>> from evalstats import bca_mean
    >>> print(bca_mean([1] * 855 + [0] * 145))
    accuracy = 0.855, 95% interval [0.832, 0.876] (bootstrap_bca, n = 1000)
    """
    run = _Run.checked(level, n_boot, seed, name, executor)
    same_rows(scores=scores, groups=groups, strata=strata)
    return _mean_estimate(finite_vector("scores", scores), groups, strata, run, bca=True, paired=False)


def bootstrap_paired_diff(
    a: ArrayLike,
    b: ArrayLike,
    groups: Groups | None = None,
    level: float = 0.95,
    n_boot: int = 10000,
    seed: int = 0,
    name: str = "delta",
    *,
    strata: Groups | None = None,
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
    Equation `eq-percentile-interval` of chapter `intervals`, applied to the differences of chapter `paired`.

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
    run = _Run.checked(level, n_boot, seed, name, executor)
    same_rows(a=a, b=b, groups=groups, strata=strata)
    return _mean_estimate(_differences(a, b), groups, strata, run, bca=False, paired=True)


def bca_paired_diff(
    a: ArrayLike,
    b: ArrayLike,
    groups: Groups | None = None,
    level: float = 0.95,
    n_boot: int = 10000,
    seed: int = 0,
    name: str = "delta",
    *,
    strata: Groups | None = None,
    executor: Executor | None = None,
) -> Estimate:
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
    Equation `eq-bca-interval` of chapter `intervals`.

    Examples
    --------
    >>> from evalstats import bca_paired_diff
    >>> a = [1] * 810 + [1] * 45 + [0] * 25 + [0] * 120
    >>> b = [1] * 810 + [0] * 45 + [1] * 25 + [0] * 120
    >>> print(bca_paired_diff(a, b))
    delta = 0.02, 95% interval [0.004, 0.037] (paired_bootstrap_bca, n = 1000)
    """
    run = _Run.checked(level, n_boot, seed, name, executor)
    same_rows(a=a, b=b, groups=groups, strata=strata)
    return _mean_estimate(_differences(a, b), groups, strata, run, bca=True, paired=True)


Statistic = Callable[[list[Any]], float]
TableStatistic = Callable[[Any], Any]  # of an array of counts with one further axis; an array of numbers


@dataclass(frozen=True)
class _Records:
    """Records of any kind, which of them are drawn together, and which units make up each stratum."""

    records: list[Any]
    members: list[Counts]  # positions of each unit's records: of one, or of a cluster's
    strata: list[Counts]  # the units of each stratum
    clustered: bool
    stratified: bool

    @classmethod
    def of(cls, data: Iterable[Any], groups: Groups | None, strata: Groups | None) -> _Records:
        if hasattr(data, "columns") or isinstance(data, (str, bytes, dict)):
            raise ValueError(
                f"data must be a sequence of records, got a {type(data).__name__}; "
                "for a table pass table.to_dict('records')"
            )
        records = list(data)
        if not records:
            raise ValueError("data must hold at least 1 record, got 0")
        codes = np.arange(len(records)) if groups is None else cluster_codes(groups, len(records))[0]
        members = _split_by(codes)
        if strata is None:
            return cls(records, members, [np.arange(len(members))], groups is not None, False)
        from .cluster import make_design

        stratum = make_design(len(records), codes, strata).stratum
        return cls(records, members, _split_by(stratum), groups is not None, True)

    kind: ClassVar[str] = ""

    @property
    def n(self) -> int:
        return len(self.records)

    @property
    def total(self) -> int:
        return len(self.members)

    @property
    def n_strata(self) -> int:
        return len(self.strata)

    def value(self, statistic: Statistic) -> float:
        return _value_of(statistic, self.records)

    def replicates(self, statistic: Statistic, run: _Run) -> Vector:
        return run.replicates(partial(_statistic_block, self, statistic), STATISTICS_PER_BLOCK)

    def draw(self, rng: np.random.Generator) -> list[Any]:
        """One resample: from each stratum as many units as it has, each with all its records."""
        return self.pick(np.concatenate([units[rng.integers(0, units.size, units.size)] for units in self.strata]))

    def pick(self, units: Counts) -> list[Any]:
        rows = np.concatenate([self.members[unit] for unit in units.tolist()]) if self.clustered else units
        return [self.records[row] for row in rows.tolist()]

    def influence(self, statistic: Statistic) -> Vector:
        """How far each unit pulls the statistic, from leaving it out (jackknife)."""
        if self.total < 2:
            raise ValueError(f"BCa needs at least 2 records, got {self.total}")
        every = np.arange(self.total)
        values = np.array([_value_of(statistic, self.pick(np.delete(every, unit))) for unit in every])
        if not np.isfinite(values).all():
            raise ValueError(
                "BCa is undefined: stat_fn has no finite value when one unit is left out; use bootstrap_statistic"
            )
        return np.concatenate([_pulls(values[units]) for units in self.strata])


def _split_by(codes: Counts) -> list[Counts]:
    """The positions of each code 0, 1, ..., in order."""
    return np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])


def _value_of(statistic: Statistic, records: list[Any]) -> float:
    value = statistic(records)
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"stat_fn must return one number, got {value!r}") from error


def _statistic_block(data: _Records, statistic: Statistic, job: tuple[int, SeedSequence]) -> Vector:
    size, seed = job
    rng = np.random.default_rng(seed)
    return np.array([_value_of(statistic, data.draw(rng)) for _ in range(size)])


def _defined(replicates: Vector, level: float) -> tuple[Vector, int]:
    """The finite replicates and the number of others, which must not be able to hide a tail."""
    finite = replicates[np.isfinite(replicates)]
    missing = replicates.size - finite.size
    if missing >= replicates.size * (1 - level) / 2:
        raise ValueError(
            f"stat_fn has no finite value on {missing} of {replicates.size} resamples; the interval could miss a whole "
            f"tail of {100 * (1 - level) / 2:.3g}%: define the statistic there, or choose another"
        )
    return finite, missing


@dataclass(frozen=True)
class _Table:
    """Counts of items in the cells of a table: a resample is one draw of all counts."""

    counts: Counts
    kind: ClassVar[str] = "table_"
    clustered: ClassVar[bool] = False
    stratified: ClassVar[bool] = False
    n_strata: ClassVar[int] = 1

    @classmethod
    def of(cls, table: ArrayLike) -> _Table:
        counts = np.asarray(table)
        if counts.dtype.kind not in "iu" or counts.size < 2 or counts.min() < 0 or counts.sum() == 0:
            raise ValueError(f"table must hold at least 2 whole counts of at least 0, not all 0, got {table!r}")
        return cls(counts.astype(np.int64))

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    total = n

    def values(self, statistic: TableStatistic, tables: Counts) -> Vector:
        """The statistic of many tables, of which each row of `tables` is one laid flat."""
        stacked = tables.T.reshape(*self.counts.shape, len(tables))
        with np.errstate(divide="ignore", invalid="ignore"):  # 0/0 is NaN: an undefined replicate, which is counted
            found = np.asarray(statistic(stacked), dtype=np.float64)
        if found.shape != (len(tables),):
            raise ValueError(
                f"stat_fn must return one number for each table along the last axis of {stacked.shape}, got an array "
                f"of shape {found.shape}"
            )
        return found

    def value(self, statistic: TableStatistic) -> float:
        return float(self.values(statistic, self.counts.reshape(1, -1))[0])

    def replicates(self, statistic: TableStatistic, run: _Run) -> Vector:
        return run.replicates(partial(_table_block, self, statistic), max(1, CELLS_PER_BLOCK // self.counts.size))

    def influence(self, statistic: TableStatistic) -> Vector:
        """How far each item pulls the statistic (jackknife): all items of a cell pull alike."""
        flat = self.counts.reshape(-1)
        filled = np.flatnonzero(flat)
        values = self.values(statistic, flat - np.eye(flat.size, dtype=np.int64)[filled])
        if not np.isfinite(values).all():
            raise ValueError(
                "BCa is undefined: stat_fn has no finite value when one item is left out; use bootstrap_table_statistic"
            )
        return _pulls(np.repeat(values, flat[filled]))


def _table_block(data: _Table, statistic: TableStatistic, job: tuple[int, SeedSequence]) -> Vector:
    size, seed = job
    drawn = np.random.default_rng(seed).multinomial(data.n, data.counts.reshape(-1) / data.n, size=size)
    return data.values(statistic, drawn)


def _statistic_estimate(data: _Records | _Table, statistic: TableStatistic, run: _Run, bca: bool) -> Estimate:
    """The shared body of the two intervals for a statistic."""
    point = number("stat_fn(data)", data.value(statistic))
    replicates, missing = _defined(data.replicates(statistic, run), run.level)
    facts: dict[str, Any] = {"boot_se": float(replicates.std(ddof=1)), "undefined_replicates": missing}
    facts |= _drawn(data.clustered, data.n_strata if data.stratified else None)
    if bca:
        low, high, corrections = _bca_ends(replicates, point, data.influence(statistic), run.level)
        facts |= corrections
    else:
        low, high = _percentile_ends(replicates, run.level)
    flat = "no resample changed the statistic: the interval has no width" if low == high else None
    left_out = f"{missing} of {run.n_boot} replicates were undefined and left out" if missing else None
    few = _few_units(data.total, data.clustered, data.n_strata, "more data")
    return Estimate(
        name=run.name,
        point=point,
        ci_low=low,
        ci_high=high,
        level=run.level,
        method=data.kind + _label(bca, False, data.stratified, data.clustered),
        n=data.n,
        n_boot=run.n_boot,
        seed=run.seed,
        extra=facts,
        n_clusters=data.total if data.clustered else None,
        warning=_join(flat, left_out, few, _few_replicates(run.n_boot)),
    )


def bootstrap_statistic(
    data: Iterable[Any],
    stat_fn: Statistic,
    level: float = 0.95,
    n_boot: int = 10000,
    seed: int = 0,
    name: str = "stat",
    *,
    groups: Groups | None = None,
    strata: Groups | None = None,
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
    Equations `eq-bootstrap-replicate` and `eq-percentile-interval` of chapter `intervals`.
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
    run = _Run.checked(level, n_boot, seed, name, executor)
    return _statistic_estimate(_Records.of(data, groups, strata), stat_fn, run, bca=False)


def bca_statistic(
    data: Iterable[Any],
    stat_fn: Statistic,
    level: float = 0.95,
    n_boot: int = 10000,
    seed: int = 0,
    name: str = "stat",
    *,
    groups: Groups | None = None,
    strata: Groups | None = None,
    executor: Executor | None = None,
) -> Estimate:
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
    Equation `eq-bca-interval` of chapter `intervals`.

    Examples
    --------
    >>> from evalstats import bca_statistic
    >>> latency = [0.2, 0.3, 0.3, 0.4, 0.5, 0.6, 0.8, 1.1, 1.9, 4.2] * 3
    >>> mean = lambda seconds: sum(seconds) / len(seconds)
    >>> print(bca_statistic(latency, mean, n_boot=2000, name="seconds"))
    seconds = 1.03, 95% interval [0.7033, 1.581] (bootstrap_bca, n = 30)
    """
    run = _Run.checked(level, n_boot, seed, name, executor)
    return _statistic_estimate(_Records.of(data, groups, strata), stat_fn, run, bca=True)


def bootstrap_table_statistic(
    table: ArrayLike,
    stat_fn: TableStatistic,
    level: float = 0.95,
    n_boot: int = 10000,
    seed: int = 0,
    name: str = "stat",
    *,
    executor: Executor | None = None,
) -> Estimate:
    """How sure are we of F1, precision, kappa, or any function of a small table? The percentile bootstrap of counts.

    What `bootstrap_statistic` does with rows, in a time that does not depend on the number of items: their counts are
    drawn at once (multinomial), and the statistic is computed for many tables together.

    Parameters
    ----------
    table : array of counts, any shape
        How many items fell into each cell; items independent, at least one of them.
    stat_fn : callable
        Gets one array of the shape of `table` with one further axis at the end, along which the resampled tables lie,
        and returns one number for each. Arithmetic on the cells does that by itself, as in the example.
    level, n_boot, seed, name, executor
        As in `bootstrap_mean`.

    Returns
    -------
    Estimate
        `extra["undefined_replicates"]` counts the resamples where stat_fn is not finite (0/0 gives NaN); they are left
        out.

    Raises
    ------
    ValueError
        For counts that are negative or not whole, a table without items, a stat_fn that does not return one number a
        table or is not finite on the table itself, and when so many replicates are undefined (half of 1 - level) that
        a whole tail of the interval could be missing.

    Notes
    -----
    Equations `eq-bootstrap-replicate` and `eq-percentile-interval` of chapter `intervals`.

    Examples
    --------
    The F1 of a classifier with 40 true positives, 10 false ones, 15 missed and 135 rightly passed over:

    >>> from evalstats import bootstrap_table_statistic
    >>> def f1(table):
    ...     (both, false), (missed, neither) = table
    ...     return 2 * both / (2 * both + false + missed)
    >>> print(bootstrap_table_statistic([[40, 10], [15, 135]], f1, name="F1"))
    F1 = 0.7619, 95% interval [0.6607, 0.8448] (table_bootstrap_percentile, n = 200)
    """
    run = _Run.checked(level, n_boot, seed, name, executor)
    return _statistic_estimate(_Table.of(table), stat_fn, run, bca=False)


def bca_table_statistic(
    table: ArrayLike,
    stat_fn: TableStatistic,
    level: float = 0.95,
    n_boot: int = 10000,
    seed: int = 0,
    name: str = "stat",
    *,
    executor: Executor | None = None,
) -> Estimate:
    """How sure are we of a skewed function of a small table? The bias-corrected and accelerated bootstrap of counts.

    Parameters
    ----------
    table, stat_fn, level, n_boot, seed, name, executor
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
    Equation `eq-bca-interval` of chapter `intervals`.

    Examples
    --------
    >>> from evalstats import bca_table_statistic
    >>> precision = lambda table: table[0] / table.sum(axis=0)
    >>> print(bca_table_statistic([45, 5], precision, name="precision"))
    precision = 0.9, 95% interval [0.8, 0.96] (table_bootstrap_bca, n = 50)
    """
    run = _Run.checked(level, n_boot, seed, name, executor)
    return _statistic_estimate(_Table.of(table), stat_fn, run, bca=True)


# --- all resamples instead of some ----------------------------------------------------------------------------------


def _ideal_quantile(up: int, down: int, n: int, q: float) -> int:
    """The smallest d with P(U - D <= d) >= q, where U and D count ups and downs among n items drawn with replacement.

    Of N items that are one or the other, U - D <= d means U <= (N + d)/2; N is binomial, and given N so is U.
    """
    from scipy.stats import binom

    negligible = 1e-15
    moving = (up + down) / n
    counts = np.arange(binom.ppf(negligible, n, moving), binom.isf(negligible, n, moving) + 1)
    weights = binom.pmf(counts, n, moving)
    low, high = -n, n
    while low < high:
        middle = (low + high) // 2
        reached = weights @ binom.cdf(np.floor((counts + middle) / 2), counts, up / max(up + down, 1))
        low, high = (low, middle) if reached >= q - 1e-13 else (middle + 1, high)
    return low


def _ideal_estimate(scores: Vector, level: float, name: str, paired: bool) -> Estimate:
    """The percentile interval of infinitely many replicates, for scores or differences in -1, 0 and 1."""
    run = _Run.checked(level, FEW_REPLICATES, 0, name, None)
    n, up, down = scores.size, int((scores == 1).sum()), int((scores == -1).sum())
    low, high = (_ideal_quantile(up, down, n, quantile) / n for quantile in ((1 - level) / 2, (1 + level) / 2))
    sample = _Sample.of(scores, None, None)
    facts = {
        "boot_se": float(scores.std()) / n**0.5,
        "monte_carlo_error": "none: all resamples are counted, so there is no seed",
        "coverage": "that of the percentile interval, which is approximate",
        "drawn": "items",
    }
    return Estimate(
        name=run.name,
        point=(up - down) / n,
        ci_low=low,
        ci_high=high,
        level=run.level,
        method="paired_ideal_bootstrap_percentile" if paired else "ideal_bootstrap_percentile",
        n=n,
        extra=facts | ({"contrast": "A - B"} if paired else {}),
        warning=_mean_warning(scores, sample, run, False, paired),
    )


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
        For anything but 0 and 1, NaN, no scores, a level outside (0, 1).

    Notes
    -----
    Equation `eq-percentile-interval` of chapter `intervals`, with all resamples for the replicates.

    Examples
    --------
    >>> from evalstats import ideal_bootstrap_mean
    >>> print(ideal_bootstrap_mean([1] * 855 + [0] * 145))
    accuracy = 0.855, 95% interval [0.833, 0.876] (ideal_bootstrap_percentile, n = 1000)
    """
    return _ideal_estimate(binary_vector("scores", scores).astype(np.float64), level, name, paired=False)


def ideal_bootstrap_paired_diff(
    a: ArrayLike, b: ArrayLike | None = None, level: float = 0.95, name: str = "delta"
) -> Estimate:
    """What would `bootstrap_paired_diff` say of two 0/1 scores after infinitely many replicates?

    Wins and losses in a resample are trinomial: the quantiles of their difference are computed and nothing is drawn.

    Parameters
    ----------
    a, b : arrays of 0 and 1, or one PairedTable
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
        For anything but 0 and 1, NaN, empty or unequal vectors, a level outside (0, 1).

    Notes
    -----
    Equation `eq-percentile-interval` of chapter `intervals`, applied to the differences of chapter `paired`.

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
