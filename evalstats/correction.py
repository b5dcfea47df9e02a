"""Many tests at once: which of the small p-values may be believed?

Bonferroni and Holm bound the chance of even one false rejection (the family-wise error rate); Benjamini-Hochberg and
Benjamini-Yekutieli bound the expected share of false ones among the rejections (the false discovery rate), a weaker
promise.
Each function computes adjusted p-values and rejects those not above the level, so the two can never disagree.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ._checks import Vector, finite_vector, number, share, text
from .result import Extra, Result, mlflow_key

__all__ = ["Correction", "benjamini_hochberg", "benjamini_yekutieli", "bonferroni", "holm"]

FAMILY_WISE = "family-wise error rate"
FALSE_DISCOVERY = "false discovery rate"


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
        The level in (0, 1) at which `controls` is held.
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
        For p-values outside [0, 1], unequal lengths, a level outside (0, 1).

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
        The family-wise error rate to hold, in (0, 1).
    name : str
        Of the family of tests.

    Returns
    -------
    Correction

    Raises
    ------
    ValueError
        For no p-values, NaN, a p-value outside [0, 1], alpha outside (0, 1).

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
        The false discovery rate to hold, in (0, 1).
    name : str
        Of the family of tests.

    Returns
    -------
    Correction
        `k_star` is the number rejected.

    Raises
    ------
    ValueError
        For no p-values, NaN, a p-value outside [0, 1], q outside (0, 1).

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
