"""Many tests at once: which of the small p-values may be believed?

Bonferroni and Holm bound the chance of even one false rejection (the family-wise error rate); Benjamini-Hochberg and
Benjamini-Yekutieli bound the expected share of false ones among the rejections (the false discovery rate), a weaker
promise.
Max-T keeps the first promise at a lower price for systems that were run on the same items, once these are many.
Each function computes adjusted p-values and rejects those not above the level, so the two can never disagree.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _checks as checks
from ._checks import Groups, Vector
from ._replicates import replicates
from .result import Extra, Result, TestResult, mlflow_key
from .sums import added, make_design

FAMILY_WISE = "family-wise error rate"
FALSE_DISCOVERY = "false discovery rate"
PValues = ArrayLike | Mapping[str, float | TestResult]
Factors = Callable[[Vector], Vector | float]  # of how many tests are left

SHOWN = 20  # so many tests are printed, and the others counted
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
    tests : tuple of m names
        What each test is of, where that was said; else empty.

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

    method: str
    pvalues: tuple[float, ...]
    adjusted: tuple[float, ...]
    alpha: float
    controls: str
    name: str = "tests"
    extra: Mapping[str, Any] = field(default_factory=dict)
    warning: str | None = None
    tests: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        tests = tuple(checks.text("each name in tests", test) for test in self.tests)
        checks.one_each("test", self, "pvalues", "adjusted", *(["tests"] if tests else []))
        pvalues, adjusted = (checks.probabilities(owner, getattr(self, owner)) for owner in ("pvalues", "adjusted"))
        self._put(pvalues=tuple(pvalues.tolist()), adjusted=tuple(adjusted.tolist()), tests=tests)

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
        lines = [f"{self.k_star} of {self.m} rejected ({self.method}, {self.controls} {self.alpha:g})"]
        tests = sorted(zip(self.adjusted, self.pvalues, self.tests, strict=False))
        for adjusted, p, test in tests[:SHOWN]:
            lines.append(f"{test}: p = {p:.3g}, adjusted {adjusted:.3g}" + ", rejected" * (adjusted <= self.alpha))
        return "\n".join(lines + [f"and {len(tests) - SHOWN} more"] * (len(tests) > SHOWN))


def _stepwise(method: str, pvalues: PValues, level: float, name: str, times: Factors, step_up: bool) -> Correction:
    """From the smallest p-value up (step up: from the largest down), each p times its factor, never out of order."""
    tests: tuple[str, ...] = ()
    if isinstance(pvalues, Mapping):
        tests = tuple(checks.text("each name in pvalues", test) for test in pvalues)
        pvalues = [one.pvalue if isinstance(one, TestResult) else one for one in pvalues.values()]
    p = checks.probabilities("pvalues", pvalues)
    order = p.argsort(kind="stable")
    owner, controls, run = ("q", FALSE_DISCOVERY, np.minimum) if step_up else ("alpha", FAMILY_WISE, np.maximum)
    order = order[:: -1 if step_up else 1]
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(run.accumulate(p[order] * times(np.arange(p.size, 0.0, -1))), 1.0)
    answer = object.__new__(Correction)  # its constructor would check again what is known, at twice the cost
    answer._put(method=method, pvalues=tuple(p.tolist()), adjusted=tuple(adjusted.tolist()), controls=controls)
    answer._put(alpha=checks.share(owner, level), name=checks.text("name", name), extra=Extra(), tests=tests)
    return answer


def bonferroni(pvalues: PValues, alpha: float = 0.05, *, name: str = "tests") -> Correction:
    """Which tests survive if not even one false rejection is wanted? The simplest answer.

    Every p-value is multiplied by the number of tests.
    It holds under any dependence, and `holm` rejects at least as much under the same promise.

    Parameters
    ----------
    pvalues : array of shape (m,), or mapping from the name of a test to its p-value or TestResult
        In [0, 1], one a test: all tests that were run, not only the promising ones. Names come back in print and in
        `tests`.
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
    Equation `eq-bonferroni` of chapter `many_tests`; the proof is Boole's inequality.

    Examples
    --------
    >>> from evalstats import bonferroni
    >>> bonferroni([0.001, 0.01, 0.03, 0.2, 0.5])["adjusted"]
    [0.005, 0.05, 0.15, 1.0, 1.0]
    >>> print(bonferroni({"maths": 0.03, "code": 0.001}))
    1 of 2 rejected (bonferroni, family-wise error rate 0.05)
    code: p = 0.001, adjusted 0.002, rejected
    maths: p = 0.03, adjusted 0.06
    """
    return _stepwise("bonferroni", pvalues, alpha, name, len, False)


def holm(pvalues: PValues, alpha: float = 0.05, *, name: str = "tests") -> Correction:
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
    Equation `eq-holm` of chapter `many_tests`.
    Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6
    (1979), 65-70.

    Examples
    --------
    >>> from evalstats import holm
    >>> holm([0.001, 0.01, 0.02, 0.2, 0.5])["adjusted"]
    [0.005, 0.04, 0.06, 0.4, 0.5]
    """
    return _stepwise("holm", pvalues, alpha, name, lambda left: left, False)


def benjamini_hochberg(pvalues: PValues, q: float = 0.05, *, name: str = "tests") -> Correction:
    """Which tests survive if a share q of false ones among them is bearable?

    It finds the largest k for which the k-th smallest p-value is at most k q / m, and rejects these k.
    It rejects whatever `bonferroni` rejects, under a weaker promise: the expected share of false rejections is at most
    q for independent tests, and for some positively dependent ones; see `benjamini_yekutieli` for any dependence.

    Parameters
    ----------
    pvalues : array of shape (m,), or mapping from the name of a test to its p-value or TestResult
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
    Equation `eq-benjamini-hochberg` of chapter `many_tests`.
    Source: Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate: a practical and powerful approach to
    multiple testing", Journal of the Royal Statistical Society, Series B 57 (1995), 289-300.

    Examples
    --------
    >>> from evalstats import benjamini_hochberg
    >>> answer = benjamini_hochberg([0.001, 0.01, 0.03, 0.2, 0.5])
    >>> answer["reject"], answer["k_star"]
    ([True, True, True, False, False], 3)
    """

    return _stepwise("benjamini_hochberg", pvalues, q, name, lambda left: left.size / left, True)


def benjamini_yekutieli(pvalues: PValues, q: float = 0.05, *, name: str = "tests") -> Correction:
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
    Equation `eq-benjamini-yekutieli` of chapter `many_tests`.
    Source: Y. Benjamini and D. Yekutieli, "The control of the false discovery rate in multiple testing under
    dependency", Annals of Statistics (2001), 1165-1188.

    Examples
    --------
    >>> from evalstats import benjamini_yekutieli
    >>> benjamini_yekutieli([0.001, 0.01, 0.03, 0.2, 0.5])["k_star"]
    1
    """

    return _stepwise("benjamini_yekutieli", pvalues, q, name, lambda left: left.size / left * (1 / left).sum(), True)


# --- systems that share items ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _SharedItems:
    """Differences from the baseline, added up over what is drawn: one row an item, or a cluster of items."""

    sums: NDArray[np.float64]
    sizes: Vector

    @classmethod
    def of(cls, differences: NDArray[np.float64], groups: Groups) -> _SharedItems:
        design = make_design(len(differences), groups, None)
        sums = np.column_stack([added(design.codes, column) for column in differences.T])
        order = np.lexsort((*sums.T[::-1], design.sizes))  # so that the answer does not depend on the order of the rows
        return cls(sums[order], design.sizes[order])

    def means_and_errors(self, counts: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean differences and their (cluster-robust) standard errors when unit g is there `counts[:, g]` times."""
        units, rows = len(self.sizes), (counts @ self.sizes)[:, None]
        means = counts @ self.sums / rows
        squares = counts @ self.sums**2
        spread = squares - 2 * means * (counts @ (self.sums * self.sizes[:, None]))
        spread += means**2 * (counts @ self.sizes**2)[:, None]
        spread[spread <= 1e-12 * squares] = 0.0  # rounding, not a spread
        return means, np.sqrt(spread * units / (units - 1)) / rows

    def centred_t(self, centre: Vector, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        """|t| about `centre` in resamples of the units; a resample without spread counts as extreme."""
        units = len(self.sizes)
        cells = rng.integers(0, units, size=(size, units)) + units * np.arange(size)[:, None]
        counts = np.bincount(cells.ravel(), minlength=size * units).reshape(size, units).astype(np.float64)
        means, errors = self.means_and_errors(counts)
        off = np.abs(means - centre)
        off[off <= 1e-12 * np.abs(centre)] = 0.0
        return np.divide(off, errors, out=np.where(off > 0, np.inf, 0.0), where=errors > 0)


def _max_t_pvalues(observed: Vector, drawn: NDArray[np.float64]) -> list[tuple[float, ...]]:
    """Each p-value alone, and adjusted in steps: the largest of the replicated |t| of all systems not yet passed."""
    order = np.argsort(-observed, kind="stable")
    alone = drawn[:, order]
    largest_left = np.maximum.accumulate(alone[:, ::-1], axis=1)[:, ::-1]
    reached = observed[order] * (1 - 1e-12)
    single, in_steps = ((1 + (t >= reached).sum(axis=0)) / (1 + len(drawn)) for t in (alone, largest_left))
    back = np.argsort(order)
    return [tuple(p[back].tolist()) for p in (single, np.maximum.accumulate(in_steps))]


def max_t_asymptotic(
    systems: Mapping[str, ArrayLike],
    baseline: ArrayLike,
    groups: Groups = None,
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
        The scores of k systems, all on the same items in the same order: of logs, some of the `scores` of `align_all`,
        of which another is the baseline.
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
    Equation `eq-max-t` of chapter `many_tests`. A system that never differs from the baseline has t = 0 and p = 1.
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
    level, first_seed = checks.share("alpha", alpha), checks.integer("seed", seed, 0)
    runs = checks.integer("n_boot", n_boot, math.ceil(min(1 / level, 1e10)) - 1)  # fewer give no p as low as alpha
    names, scores = checks.score_table("systems", systems, at_least=1)
    reference = checks.finite_vector("baseline", baseline, at_least=2)
    checks.same_rows(baseline=baseline, groups=groups, **{f"systems[{name!r}]": systems[name] for name in names})
    checks.equal_lengths("baseline", reference, f"systems[{names[0]!r}]", scores[:, 0])
    differences = scores - reference[:, None]
    shared = _SharedItems.of(differences, groups)
    units = len(shared.sizes)
    (means,), (errors,) = shared.means_and_errors(np.ones((1, units)))
    if (constant := np.flatnonzero((errors == 0) & (means != 0))).size:
        first = constant[0]
        raise ValueError(f"{names[first]!r} differs from the baseline by {means[first]:g} throughout: there is no t")
    t = np.divide(means, errors, out=np.zeros_like(means), where=errors > 0)
    drawn = replicates(partial(shared.centred_t, means), runs, first_seed, executor, width=units)
    kind = "items" if groups is None else "clusters"
    facts = {"systems": names, "contrast": "system - baseline", "differences": means, "t": t, "n": len(differences)}
    facts |= {"drawn": f"{units} {kind}", "n_boot": runs, "seed": first_seed}
    p_alone, p_in_steps = _max_t_pvalues(np.abs(t), drawn)
    few = f"only {units} {kind}: the promise is asymptotic, and so few hardly ever show a difference"
    warning = few if units < FEW_UNITS else None
    return Correction("max_t_asymptotic", p_alone, p_in_steps, level, FAMILY_WISE, name, facts, warning, names)
