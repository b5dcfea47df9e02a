"""Many tests at once: which of the small p-values may be believed?

Bonferroni and Holm bound the chance of even one false rejection (the family-wise error rate); Benjamini-Hochberg and
Benjamini-Yekutieli bound the expected share of false ones among the rejections (the false discovery rate), a weaker
promise.
Max-T keeps the first promise at a lower price for systems that were run on the same items, once these are many.
Each function computes adjusted p-values and rejects those not above the level, so the two can never disagree.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import ArrayLike, NDArray

from ._checks import (
    Vector,
    cluster_codes,
    equal_lengths,
    finite_vector,
    integer,
    number,
    same_rows,
    score_table,
    share,
    text,
)
from .result import Extra, Result, mlflow_key

__all__ = ["Correction", "benjamini_hochberg", "benjamini_yekutieli", "bonferroni", "holm", "max_t_asymptotic"]

FAMILY_WISE = "family-wise error rate"
FALSE_DISCOVERY = "false discovery rate"

CELLS_PER_BLOCK = 1_000_000  # numbers held at once while a block of replicates is drawn
FEW_UNITS = 20  # with fewer items or clusters max-T hardly ever rejects: tests/calibration


@dataclass(frozen=True)
class Correction(Result, Mapping[str, Any]):
    """Which tests are rejected once all are counted? Adjusted p-values with their provenance.

    It can be read by attribute or like a dictionary: `result["reject"]` is a list, `result.reject` a tuple.
    As a dictionary it has the keys reject, adjusted, k_star, q, alpha, m and method; q and alpha are the same level.

    Parameters
    ----------
    method : str
        The named method.
    pvalues : tuple of m floats
        As given, in [0, 1].
    adjusted : tuple of m floats
        In the same order, in [0, 1]: the smallest level at which the method rejects that test.
    alpha : float
        The level in (0, 0.5) at which `controls` is held.
    controls : str
        "family-wise error rate" or "false discovery rate".
    name : str
        Of the family of tests.
    extra : mapping
        Further facts, stored read-only.
    warning : str or None
        What to beware of.

    Raises
    ------
    ValueError
        For p-values outside [0, 1], unequal lengths, a level outside (0, 0.5).

    Examples
    --------
    >>> from evalstats import bonferroni
    >>> answer = bonferroni([0.001, 0.01, 0.03, 0.2, 0.5])
    >>> answer["reject"], answer.k_star
    ([True, True, False, False, False], 2)
    >>> print(answer)
    2 of 5 rejected (bonferroni, family-wise error rate 0.05)
    """

    METRICS: ClassVar[tuple[str, ...]] = ()

    method: str
    pvalues: tuple[float, ...]
    adjusted: tuple[float, ...]
    alpha: float
    controls: str
    name: str = "tests"
    extra: Mapping[str, Any] = field(default_factory=dict)
    warning: str | None = None

    def __post_init__(self) -> None:
        pvalues, adjusted = _probabilities("pvalues", self.pvalues), _probabilities("adjusted", self.adjusted)
        if pvalues.size != adjusted.size:
            raise ValueError(
                f"pvalues and adjusted must have one length, got {pvalues.size} and {adjusted.size} values"
            )
        self._put(
            method=text("method", self.method),
            pvalues=tuple(pvalues.tolist()),
            adjusted=tuple(adjusted.tolist()),
            alpha=share("alpha", self.alpha),
            controls=text("controls", self.controls),
            name=text("name", self.name),
            extra=Extra(self.extra),
            warning=None if self.warning is None else text("warning", self.warning),
        )

    @property
    def reject(self) -> tuple[bool, ...]:
        """True where the adjusted p-value is not above the level."""
        return tuple(adjusted <= self.alpha for adjusted in self.adjusted)

    @property
    def m(self) -> int:
        """Number of tests."""
        return len(self.pvalues)

    @property
    def k_star(self) -> int:
        """Number of tests rejected."""
        return sum(self.reject)

    @property
    def q(self) -> float:
        """The level, by the name it has for the false discovery rate."""
        return self.alpha

    KEYS: ClassVar[tuple[str, ...]] = ("reject", "adjusted", "k_star", "q", "alpha", "m", "method")

    def __getitem__(self, key: str) -> Any:
        if key not in self.KEYS:
            raise KeyError(key)
        value = getattr(self, key)
        return list(value) if isinstance(value, tuple) else value

    def __iter__(self) -> Iterator[str]:
        return iter(self.KEYS)

    def __len__(self) -> int:
        return len(self.KEYS)

    def as_mlflow(self) -> dict[str, dict[str, Any]]:
        """As for every result, and with the number of tests and of rejections as metrics."""
        split = super().as_mlflow()
        split["metrics"] |= {mlflow_key(self.name, "k_star"): self.k_star, mlflow_key(self.name, "m"): self.m}
        split["params"][mlflow_key(self.name, "reject")] = json.dumps(self["reject"])
        return split

    def __str__(self) -> str:
        return f"{self.k_star} of {self.m} rejected ({self.method}, {self.controls} {self.alpha:g})"


def _probabilities(owner: str, values: ArrayLike) -> Vector:
    """A vector of p-values, refused where one is NaN or outside [0, 1]."""
    vector = finite_vector(owner, values)
    if (outside := np.flatnonzero((vector < 0) | (vector > 1))).size:
        number(f"{owner}[{outside[0]}]", float(vector[outside[0]]), 0, 1)
    return vector


def _in_order_of(p: Vector, adjusted_of_sorted: Vector) -> tuple[float, ...]:
    """Adjusted p-values of the sorted list, put back where they came from, capped at 1."""
    adjusted = np.empty_like(p)
    adjusted[np.argsort(p, kind="stable")] = np.minimum(adjusted_of_sorted, 1.0)
    return tuple(adjusted.tolist())


def bonferroni(pvalues: ArrayLike, alpha: float = 0.05, *, name: str = "tests") -> Correction:
    """Which tests survive if not even one false rejection is wanted? The simplest answer.

    Every p-value is multiplied by the number of tests.
    It holds under any dependence, and `holm` rejects at least as much under the same promise.

    Parameters
    ----------
    pvalues : array of shape (m,)
        In [0, 1], one a test: all tests that were run, not only the promising ones.
    alpha : float
        The family-wise error rate to hold, in (0, 0.5).
    name : str
        Of the family of tests.

    Returns
    -------
    Correction

    Raises
    ------
    ValueError
        For no p-values, NaN, a p-value outside [0, 1], alpha outside (0, 0.5).

    Notes
    -----
    Equation `eq-bonferroni` of chapter `many-tests`; the proof is Boole's inequality.

    Examples
    --------
    >>> from evalstats import bonferroni
    >>> bonferroni([0.001, 0.01, 0.03, 0.2, 0.5])["adjusted"]
    [0.005, 0.05, 0.15, 1.0, 1.0]
    """
    p = _probabilities("pvalues", pvalues)
    adjusted = np.minimum(p * p.size, 1.0)
    return Correction("bonferroni", tuple(p.tolist()), tuple(adjusted.tolist()), alpha, FAMILY_WISE, name)


def holm(pvalues: ArrayLike, alpha: float = 0.05, *, name: str = "tests") -> Correction:
    """Which tests survive if not even one false rejection is wanted? The stronger answer.

    The smallest p-value is multiplied by m, the next by m - 1, and so on; none may be adjusted below its predecessor.
    It holds under any dependence and rejects whatever `bonferroni` rejects.

    Parameters
    ----------
    pvalues, alpha, name
        As in `bonferroni`.

    Returns
    -------
    Correction

    Raises
    ------
    ValueError
        As `bonferroni`.

    Notes
    -----
    Equation `eq-holm` of chapter `many-tests`.
    Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6
    (1979), 65-70.

    Examples
    --------
    >>> from evalstats import holm
    >>> holm([0.001, 0.01, 0.02, 0.2, 0.5])["adjusted"]
    [0.005, 0.04, 0.06, 0.4, 0.5]
    """
    p = _probabilities("pvalues", pvalues)
    times = np.arange(p.size, 0, -1)
    adjusted = np.maximum.accumulate(np.sort(p) * times)
    return Correction("holm", tuple(p.tolist()), _in_order_of(p, adjusted), alpha, FAMILY_WISE, name)


def _step_up(p: Vector, inflation: float) -> tuple[float, ...]:
    """p_(k) m / k from the largest down, none above its successor."""
    adjusted = np.sort(p) * inflation * (p.size / np.arange(1, p.size + 1))
    return _in_order_of(p, np.minimum.accumulate(adjusted[::-1])[::-1])


def benjamini_hochberg(pvalues: ArrayLike, q: float = 0.05, *, name: str = "tests") -> Correction:
    """Which tests survive if a share q of false ones among them is bearable?

    It finds the largest k for which the k-th smallest p-value is at most k q / m, and rejects these k.
    It rejects whatever `bonferroni` rejects, under a weaker promise: the expected share of false rejections is at most
    q for independent tests, and for some positively dependent ones; see `benjamini_yekutieli` for any dependence.

    Parameters
    ----------
    pvalues : array of shape (m,)
        In [0, 1], one a test: all tests that were run.
    q : float
        The false discovery rate to hold, in (0, 0.5).
    name : str
        Of the family of tests.

    Returns
    -------
    Correction
        `k_star` is the number rejected.

    Raises
    ------
    ValueError
        For no p-values, NaN, a p-value outside [0, 1], q outside (0, 0.5).

    Notes
    -----
    Equation `eq-benjamini-hochberg` of chapter `many-tests`.
    Source: Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate: a practical and powerful approach to
    multiple testing", Journal of the Royal Statistical Society, Series B 57 (1995), 289-300.

    Examples
    --------
    >>> from evalstats import benjamini_hochberg
    >>> answer = benjamini_hochberg([0.001, 0.01, 0.03, 0.2, 0.5])
    >>> answer["reject"], answer["k_star"]
    ([True, True, True, False, False], 3)
    """
    p = _probabilities("pvalues", pvalues)
    level = share("q", q)
    return Correction("benjamini_hochberg", tuple(p.tolist()), _step_up(p, 1.0), level, FALSE_DISCOVERY, name)


def benjamini_yekutieli(pvalues: ArrayLike, q: float = 0.05, *, name: str = "tests") -> Correction:
    """Which tests survive at false discovery rate q, however the tests hang together?

    As `benjamini_hochberg` with every p-value multiplied by 1 + 1/2 + ... + 1/m: the price of any dependence.

    Parameters
    ----------
    pvalues, q, name
        As in `benjamini_hochberg`.

    Returns
    -------
    Correction

    Raises
    ------
    ValueError
        As `benjamini_hochberg`.

    Notes
    -----
    Equation `eq-benjamini-yekutieli` of chapter `many-tests`.
    Source: Y. Benjamini and D. Yekutieli, "The control of the false discovery rate in multiple testing under
    dependency", Annals of Statistics (2001), 1165-1188.

    Examples
    --------
    >>> from evalstats import benjamini_yekutieli
    >>> benjamini_yekutieli([0.001, 0.01, 0.03, 0.2, 0.5])["k_star"]
    1
    """
    p = _probabilities("pvalues", pvalues)
    level = share("q", q)
    inflation = float((1 / np.arange(1, p.size + 1)).sum())
    return Correction("benjamini_yekutieli", tuple(p.tolist()), _step_up(p, inflation), level, FALSE_DISCOVERY, name)


# --- systems that share items ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _SharedItems:
    """Differences from the baseline, added up over what is drawn: one row an item, or a cluster of items."""

    sums: NDArray[np.float64]
    sizes: Vector

    @classmethod
    def of(cls, differences: NDArray[np.float64], groups: Iterable[Hashable] | None) -> _SharedItems:
        sums, sizes = differences, np.ones(len(differences))
        if groups is not None:
            codes, _ = cluster_codes(groups, len(differences))
            sums = np.column_stack([np.bincount(codes, weights=column) for column in differences.T])
            sizes = np.bincount(codes).astype(np.float64)
        order = np.lexsort((*sums.T[::-1], sizes))  # so that the answer does not depend on the order of the rows
        return cls(sums[order], sizes[order])

    def means_and_errors(self, counts: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean differences and their (cluster-robust) standard errors when unit g is there `counts[:, g]` times."""
        units, rows = len(self.sizes), (counts @ self.sizes)[:, None]
        means = counts @ self.sums / rows
        squares = counts @ self.sums**2
        spread = squares - 2 * means * (counts @ (self.sums * self.sizes[:, None]))
        spread += means**2 * (counts @ self.sizes**2)[:, None]
        spread[spread <= 1e-12 * squares] = 0.0  # rounding, not a spread
        return means, np.sqrt(spread * units / (units - 1)) / rows

    def replicates(self, centre: Vector, job: tuple[int, SeedSequence]) -> NDArray[np.float64]:
        """|t| about the observed means in resamples of the units; a resample without spread counts as extreme."""
        size, seed = job
        units = len(self.sizes)
        drawn = np.random.default_rng(seed).integers(0, units, size=(size, units))
        cells = drawn + units * np.arange(size)[:, None]
        counts = np.bincount(cells.ravel(), minlength=size * units).reshape(size, units).astype(np.float64)
        means, errors = self.means_and_errors(counts)
        off = np.abs(means - centre)
        off[off <= 1e-12 * np.abs(centre)] = 0.0
        return np.divide(off, errors, out=np.where(off > 0, np.inf, 0.0), where=errors > 0)


def _replicates(
    draw: Callable[[tuple[int, SeedSequence]], NDArray[np.float64]],
    n_boot: int,
    seed: int,
    block: int,
    executor: Executor | None,
) -> NDArray[np.float64]:
    """All replicates, from blocks with streams of random numbers of their own."""
    sizes = [min(block, n_boot - start) for start in range(0, n_boot, block)]
    jobs = list(zip(sizes, SeedSequence(seed).spawn(len(sizes)), strict=True))
    return np.concatenate(list(map(draw, jobs) if executor is None else executor.map(draw, jobs)))


def _max_t_pvalues(observed: Vector, replicates: NDArray[np.float64]) -> tuple[Vector, Vector]:
    """Each p-value alone, and adjusted in steps: the largest of the replicated |t| of all systems not yet passed."""
    order = np.argsort(-observed, kind="stable")
    sorted_t, sorted_replicates = observed[order], replicates[:, order]
    largest = np.maximum.accumulate(sorted_replicates[:, ::-1], axis=1)[:, ::-1]
    reached = sorted_t * (1 - 1e-12)
    alone, adjusted = np.empty_like(observed), np.empty_like(observed)
    alone[order] = (1 + (sorted_replicates >= reached).sum(axis=0)) / (1 + len(replicates))
    adjusted[order] = np.maximum.accumulate((1 + (largest >= reached).sum(axis=0)) / (1 + len(replicates)))
    return alone, adjusted


def _baseline_differences(
    systems: Mapping[str, ArrayLike], baseline: ArrayLike
) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    names, scores = score_table("systems", systems, at_least=1)
    reference = finite_vector("baseline", baseline, at_least=2)
    same_rows(baseline=baseline, **{f"systems[{name!r}]": systems[name] for name in names})
    equal_lengths("baseline", reference, f"systems[{names[0]!r}]", scores[:, 0])
    return names, scores - reference[:, None]


def max_t_asymptotic(
    systems: Mapping[str, ArrayLike],
    baseline: ArrayLike,
    groups: Iterable[Hashable] | None = None,
    alpha: float = 0.05,
    *,
    n_boot: int = 10000,
    seed: int = 0,
    name: str = "tests",
    executor: Executor | None = None,
) -> Correction:
    r"""Which of several systems differ from a baseline on the same items, if not even one false win is wanted?

    Systems that share items (and the baseline) err together, so fewer than k independent tests are being made; the
    bootstrap of the largest |t| measures how many. Items, or whole clusters, are redrawn with all their scores; in each
    resample every mean difference is centred at the observed one and divided by its own standard error.
    The p-value of the largest |t| is $(1 + \#\{\max_j |t^*_j| \ge |t|\})/(B + 1)$; the next is compared with the
    maximum over the remaining systems, and so on; none may be adjusted below its predecessor.

    The promise is **asymptotic**: it holds as items (clusters) grow in number, not exactly for any number of them, and
    not by symmetry: joint sign flips are no exact test of many systems against one.

    Parameters
    ----------
    systems : mapping from name to array of shape (n,)
        The scores of k systems, all on the same items in the same order.
    baseline : array of shape (n,)
        The scores of the one they are compared with.
    groups : sequence of n hashable labels, optional
        The cluster of each item.
    alpha : float
        The family-wise error rate to hold, in (0, 0.5).
    n_boot, seed, executor
        Number of resamples, their seed, and where blocks of them run; the answer does not depend on the last.
    name : str
        Of the family of tests.

    Returns
    -------
    Correction
        In alphabetical order of the systems, which `extra["systems"]` lists; `pvalues` are those of each system alone,
        from the same resamples. `extra` holds the differences (system - baseline) and their t.

    Raises
    ------
    ValueError
        For NaN, unequal lengths, one cluster, no system, alpha outside (0, 0.5), fewer resamples than an adjusted
        p-value of alpha needs, and a system that differs from the baseline by one number on every item.

    Notes
    -----
    Equation `eq-max-t` of chapter `many-tests`. A system that never differs from the baseline has t = 0 and p = 1.
    Source: J. P. Romano and M. Wolf, "Stepwise multiple testing as formalized data snooping", Econometrica 73 (2005),
    1237-1282.

    Examples
    --------
    >>> import numpy as np
    >>> from evalstats import max_t_asymptotic
    >>> rng = np.random.default_rng(1)
    >>> easy = rng.normal(size=400)
    >>> right = lambda skill: easy + rng.normal(size=400) + skill > 0
    >>> baseline = right(0.5)
    >>> systems = {"same": right(0.5), "new data": right(0.6), "twice the size": right(1.2)}
    >>> answer = max_t_asymptotic(systems, baseline)
    >>> dict(zip(answer.extra["systems"], answer.reject))
    {'new data': False, 'same': False, 'twice the size': True}
    """
    level, runs, first_seed = share("alpha", alpha), integer("n_boot", n_boot, 1), integer("seed", seed, 0)
    if 1 / (runs + 1) > level:
        raise ValueError(
            f"n_boot must be at least {int(np.ceil(1 / level)) - 1} to reject at alpha = {level:g}, got {runs}"
        )
    names, differences = _baseline_differences(systems, baseline)
    same_rows(baseline=baseline, groups=groups)
    shared = _SharedItems.of(differences, groups)
    units = len(shared.sizes)
    (means,), (errors,) = shared.means_and_errors(np.ones((1, units)))
    if (constant := np.flatnonzero((errors == 0) & (means != 0))).size:
        which = names[constant[0]]
        raise ValueError(f"{which!r} differs from the baseline by {means[constant[0]]:g} throughout: there is no t")
    observed = np.abs(np.divide(means, errors, out=np.zeros_like(means), where=errors > 0))
    replicates = _replicates(
        partial(shared.replicates, means), runs, first_seed, max(1, CELLS_PER_BLOCK // units), executor
    )
    alone, adjusted = _max_t_pvalues(observed, replicates)
    kind = "items" if groups is None else "clusters"
    facts = {
        "systems": names,
        "contrast": "system - baseline",
        "differences": means,
        "t": np.sign(means) * observed,
        "n": len(differences),
        "drawn": f"{units} {kind}",
        "n_boot": runs,
        "seed": first_seed,
    }
    few = (
        f"only {units} {kind}: the promise is asymptotic, and so few hardly ever show a difference"
        if units < FEW_UNITS
        else None
    )
    return Correction(
        "max_t_asymptotic", tuple(alone.tolist()), tuple(adjusted.tolist()), level, FAMILY_WISE, name, facts, few
    )
