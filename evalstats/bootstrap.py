"""How sure are we of any metric? Redraw the items, compute again, and look at the spread.

What is drawn is the item, or the cluster of rows when `groups` are given.
The mean has its own fast engine: rows are first collapsed to the distinct units and their counts, so the answer does
not depend on the order of the rows, and memory stays bounded.
Replicates are computed in blocks of a size that depends on the data alone, each with its own stream of random numbers:
the same seed gives the same answer with any executor.

Two intervals are offered, each under its own name: percentile (`bootstrap_*`) and bias-corrected and accelerated
(`bca_*`).
Neither can repair what the data do not show: small samples, few clusters and scores near 0 or 1 come with a warning
that names the better tool.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import ArrayLike, NDArray

from ._checks import Counts, Vector, cluster_codes, equal_lengths, finite_vector, integer, number, share, text
from .result import Estimate

__all__ = [
    "bca_mean",
    "bca_paired_diff",
    "bca_statistic",
    "bootstrap_mean",
    "bootstrap_paired_diff",
    "bootstrap_statistic",
]

Groups = Iterable[Hashable]

CELLS_PER_BLOCK = 1_000_000  # numbers held at once while a block of replicates is drawn
STATISTICS_PER_BLOCK = 250  # replicates of a Python function between two visits to the executor
FEW_UNITS = 20  # below this many items or clusters the spread itself is poorly known
FEW_OF_A_KIND = 10  # with fewer right, wrong or differing answers, percentile coverage falls below .91
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
    def of(cls, scores: Vector, groups: Groups | None) -> _Units:
        if groups is None:
            values, counts = np.unique(scores, return_counts=True)
            return cls(values, np.ones_like(values), counts)
        codes, _ = cluster_codes(groups, scores.size)
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
    def mean(self) -> float:
        return float((self.counts @ self.sums) / (self.counts @ self.sizes))

    def jackknife(self) -> Vector:
        """The mean without each unit in turn; repeated as often as the unit occurs."""
        without = (self.counts @ self.sums - self.sums) / (self.counts @ self.sizes - self.sizes)
        return np.repeat(without, self.counts)


def _mean_block(units: _Units, job: tuple[int, SeedSequence]) -> Vector:
    """One block of replicated means (equation `eq-bootstrap-resample`)."""
    size, seed = job
    rng = np.random.default_rng(seed)
    if units.few:
        drawn = rng.multinomial(units.total, units.counts / units.total, size=size)
        return np.asarray((drawn @ units.sums) / (drawn @ units.sizes), dtype=np.float64)
    index = rng.integers(0, units.total, size=(size, units.total))
    sums, sizes = np.repeat(units.sums, units.counts), np.repeat(units.sizes, units.counts)
    return np.asarray(sums[index].sum(axis=1) / sizes[index].sum(axis=1), dtype=np.float64)


def _mean_replicates(units: _Units, run: _Run) -> Vector:
    width = units.counts.size if units.few else units.total
    return run.replicates(partial(_mean_block, units), max(1, CELLS_PER_BLOCK // width))


def _percentile_ends(replicates: Vector, level: float) -> tuple[float, float]:
    """The quantiles of the replicates (equation `eq-percentile-interval`)."""
    low, high = np.quantile(replicates, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _bca_ends(
    replicates: Vector, point: float, jackknife: Vector, level: float
) -> tuple[float, float, dict[str, float]]:
    """The quantiles of the replicates at levels moved by bias and skew (equation `eq-bca-interval`)."""
    bias = _bias_correction(replicates, point)
    acceleration = _acceleration(jackknife)
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
    tie = 1e-12 * max(1.0, float(np.abs(replicates).max()))  # sums in another order differ in their last digits
    below = float(np.mean(replicates < point - tie) + np.mean(replicates <= point + tie)) / 2
    if not 0 < below < 1:
        raise ValueError(f"BCa needs replicates on both sides of the point {point:g}, got a share {below:g} below it")
    return standard_normal.inv_cdf(below)


def _acceleration(jackknife: Vector) -> float:
    """The skew of the statistic, from leaving out one unit at a time."""
    pull = jackknife.mean() - jackknife
    spread = float((pull**2).sum())
    if spread <= 1e-24 * max(1.0, float(np.abs(jackknife).max())) ** 2:
        raise ValueError(
            "BCa is undefined when leaving out a unit changes nothing, as with constant scores: "
            "its acceleration is 0/0; use wilson_interval for 0/1 scores, mean_interval with groups"
        )
    return float((pull**3).sum()) / float(6 * spread**1.5)


def _join(*warnings: str | None) -> str | None:
    """The warnings that apply, as one text."""
    return "; ".join(one for one in warnings if one) or None


def _few_units(units: int, clustered: bool, better: str) -> str | None:
    if units >= FEW_UNITS:
        return None
    kind = "clusters" if clustered else "items"
    return f"only {units} {kind}: the bootstrap gives too narrow an interval, prefer {better}"


def _few_replicates(n_boot: int) -> str | None:
    return f"only {n_boot} replicates: the ends move with the seed, use 10000" if n_boot < FEW_REPLICATES else None


def _better(paired: bool, clustered: bool, binary: bool) -> str:
    """The function that answers the same question where the bootstrap answers badly."""
    if paired:
        return "paired_cluster_interval" if clustered else "mcnemar and tango_interval" if binary else "paired_t"
    return "wilson_interval" if binary and not clustered else "mean_interval"


def _mean_warning(scores: Vector, units: _Units, run: _Run, clustered: bool, paired: bool) -> str | None:
    """Are these scores (these differences, if `paired`) beyond what a bootstrap can say?"""
    binary = bool(np.isin(scores, (-1, 0, 1) if paired else (0, 1)).all())
    better = _better(paired, clustered, binary)
    what = "differences" if paired else "scores"
    scarce = int(np.count_nonzero(scores) if paired else min(scores.sum(), scores.size - scores.sum()))
    boundary = None
    if scores.min() == scores.max():
        boundary = f"all {scores.size} {what} are {scores[0]:g}: no resample can differ, use {better}"
    elif units.counts.size == 1:
        boundary = f"all {units.total} clusters are alike: no resample can differ, use {better}"
    elif binary and scarce < FEW_OF_A_KIND:
        boundary = f"only {scarce} of {scores.size} {what} are unlike the rest, prefer {better}"
    return _join(boundary, _few_units(units.total, clustered, better), _few_replicates(run.n_boot))


def _mean_facts(units: _Units, replicates: Vector, clustered: bool) -> dict[str, Any]:
    """What else to know of a mean: its bootstrap SE (`eq-bootstrap-se`), and which mean it is."""
    facts: dict[str, Any] = {"boot_se": float(replicates.std(ddof=1))}
    if not clustered:
        return facts | {"estimand": "mean over items"}
    of_clusters = float(units.counts @ (units.sums / units.sizes)) / units.total
    return facts | {"estimand": "mean over rows, each row weighted equally", "mean_of_cluster_means": of_clusters}


def _mean_estimate(scores: Vector, groups: Groups | None, run: _Run, bca: bool, paired: bool) -> Estimate:
    """The shared body of the four intervals for a mean."""
    clustered = groups is not None
    units = _Units.of(scores, groups)
    replicates = _mean_replicates(units, run)
    facts = _mean_facts(units, replicates, clustered) | ({"contrast": "A - B"} if paired else {})
    if bca:
        low, high, corrections = _bca_ends(replicates, units.mean, units.jackknife(), run.level)
        facts |= corrections
    else:
        low, high = _percentile_ends(replicates, run.level)
    return Estimate(
        name=run.name,
        point=units.mean,
        ci_low=low,
        ci_high=high,
        level=run.level,
        method=_label(bca, paired, clustered),
        n=scores.size,
        n_boot=run.n_boot,
        seed=run.seed,
        extra=facts,
        n_clusters=units.total if clustered else None,
        warning=_mean_warning(scores, units, run, clustered, paired),
    )


def _label(bca: bool, paired: bool, clustered: bool) -> str:
    return ("paired_" * paired) + ("cluster_" * clustered) + ("bootstrap_bca" if bca else "bootstrap_percentile")


def _differences(a: ArrayLike, b: ArrayLike) -> Vector:
    first, second = finite_vector("a", a), finite_vector("b", b)
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

    Parameters
    ----------
    scores : array of shape (n,)
        One finite score a row, in any unit; 0/1 for accuracy.
    groups : sequence of n hashable labels, optional
        The cluster of each row: at least two different ones.
    level : float
        Confidence level in (0, 1).
    n_boot : int
        Number of replicates, at least 2.
    seed : int
        Seed of the random numbers, at least 0. Two metrics of the same length and seed share their resamples.
    name : str
        What is estimated.
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
    return _mean_estimate(finite_vector("scores", scores), groups, run, bca=False, paired=False)


def bca_mean(
    scores: ArrayLike,
    groups: Groups | None = None,
    level: float = 0.95,
    n_boot: int = 10000,
    seed: int = 0,
    name: str = "accuracy",
    *,
    executor: Executor | None = None,
) -> Estimate:
    """How sure are we of a mean score that is skewed? The bias-corrected and accelerated bootstrap.

    As `bootstrap_mean`, with the quantiles moved for bias and skew; the acceleration comes from leaving out one item
    (one cluster) at a time.
    It is second-order accurate for smooth statistics, and no better than the percentile interval for 0/1 scores near
    0 or 1: there use `wilson_interval`.

    Parameters
    ----------
    scores, groups, level, n_boot, seed, name, executor
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
    return _mean_estimate(finite_vector("scores", scores), groups, run, bca=True, paired=False)


def bootstrap_paired_diff(
    a: ArrayLike,
    b: ArrayLike,
    groups: Groups | None = None,
    level: float = 0.95,
    n_boot: int = 10000,
    seed: int = 0,
    name: str = "delta",
    *,
    executor: Executor | None = None,
) -> Estimate:
    """How much better is A than B on the same items? The paired percentile bootstrap.

    The two scores of an item stay together: what is drawn is the item (or the cluster) with its difference A - B.

    Parameters
    ----------
    a, b : arrays of shape (n,)
        The scores of the two systems, row by row on the same items in the same order, same unit.
    groups, level, n_boot, seed, name, executor
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
    return _mean_estimate(_differences(a, b), groups, run, bca=False, paired=True)


def bca_paired_diff(
    a: ArrayLike,
    b: ArrayLike,
    groups: Groups | None = None,
    level: float = 0.95,
    n_boot: int = 10000,
    seed: int = 0,
    name: str = "delta",
    *,
    executor: Executor | None = None,
) -> Estimate:
    """How much better is A than B on the same items, when differences are skewed? The paired BCa bootstrap.

    Parameters
    ----------
    a, b, groups, level, n_boot, seed, name, executor
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
    return _mean_estimate(_differences(a, b), groups, run, bca=True, paired=True)


Statistic = Callable[[list[Any]], float]


@dataclass(frozen=True)
class _Records:
    """Records of any kind, and which of them are drawn together."""

    records: list[Any]
    members: list[NDArray[np.intp]] | None  # positions of each cluster's records

    @classmethod
    def of(cls, data: Iterable[Any], groups: Groups | None) -> _Records:
        if hasattr(data, "columns") or isinstance(data, (str, bytes, dict)):
            raise ValueError(
                f"data must be a sequence of records, got a {type(data).__name__}; "
                "for a table pass table.to_dict('records')"
            )
        records = list(data)
        if not records:
            raise ValueError("data must hold at least 1 record, got 0")
        if groups is None:
            return cls(records, None)
        codes, k = cluster_codes(groups, len(records))
        order = np.argsort(codes, kind="stable")
        return cls(records, np.split(order, np.cumsum(np.bincount(codes, minlength=k))[:-1]))

    @property
    def total(self) -> int:
        return len(self.records) if self.members is None else len(self.members)

    def pick(self, units: NDArray[np.int64]) -> list[Any]:
        rows = units if self.members is None else np.concatenate([self.members[unit] for unit in units])
        return [self.records[row] for row in rows.tolist()]

    def jackknife(self, statistic: Statistic) -> Vector:
        """The statistic without each unit in turn."""
        if self.total < 2:
            raise ValueError(f"BCa needs at least 2 records, got {self.total}")
        every = np.arange(self.total)
        values = [_value_of(statistic, self.pick(np.delete(every, unit))) for unit in every]
        if not np.isfinite(values).all():
            raise ValueError(
                "BCa is undefined: stat_fn has no finite value when one unit is left out; use bootstrap_statistic"
            )
        return np.array(values)


def _value_of(statistic: Statistic, records: list[Any]) -> float:
    value = statistic(records)
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"stat_fn must return one number, got {value!r}") from error


def _statistic_block(data: _Records, statistic: Statistic, job: tuple[int, SeedSequence]) -> Vector:
    size, seed = job
    rng = np.random.default_rng(seed)
    return np.array([_value_of(statistic, data.pick(rng.integers(0, data.total, data.total))) for _ in range(size)])


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


def _statistic_estimate(data: _Records, statistic: Statistic, run: _Run, bca: bool) -> Estimate:
    """The shared body of the two intervals for a statistic."""
    clustered = data.members is not None
    point = number("stat_fn(data)", _value_of(statistic, data.records))
    drawn = run.replicates(partial(_statistic_block, data, statistic), STATISTICS_PER_BLOCK)
    replicates, missing = _defined(drawn, run.level)
    facts: dict[str, Any] = {"boot_se": float(replicates.std(ddof=1)), "undefined_replicates": missing}
    if bca:
        low, high, corrections = _bca_ends(replicates, point, data.jackknife(statistic), run.level)
        facts |= corrections
    else:
        low, high = _percentile_ends(replicates, run.level)
    flat = "no resample changed the statistic: the interval has no width" if low == high else None
    left_out = f"{missing} of {run.n_boot} replicates were undefined and left out" if missing else None
    few = _few_units(data.total, clustered, "more data")
    return Estimate(
        name=run.name,
        point=point,
        ci_low=low,
        ci_high=high,
        level=run.level,
        method=_label(bca, False, clustered),
        n=len(data.records),
        n_boot=run.n_boot,
        seed=run.seed,
        extra=facts,
        n_clusters=data.total if clustered else None,
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
    return _statistic_estimate(_Records.of(data, groups), stat_fn, run, bca=False)


def bca_statistic(
    data: Iterable[Any],
    stat_fn: Statistic,
    level: float = 0.95,
    n_boot: int = 10000,
    seed: int = 0,
    name: str = "stat",
    *,
    groups: Groups | None = None,
    executor: Executor | None = None,
) -> Estimate:
    """How sure are we of any smooth metric that is skewed? The bias-corrected and accelerated bootstrap.

    Beside the replicates it computes the statistic once without each record (each cluster).

    Parameters
    ----------
    data, stat_fn, level, n_boot, seed, name, groups, executor
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
    return _statistic_estimate(_Records.of(data, groups), stat_fn, run, bca=True)
