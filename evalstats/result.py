"""What an answer is: a number that carries its interval, method, size, seed and warning.

Every public function of `evalstats` returns one of these frozen objects, so a figure can always say how it was made.
They compare and hash by value, travel between processes, survive JSON, and split into what MLflow calls metrics and
parameters.
"""

from __future__ import annotations

import json
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np

from ._checks import instance, integer, number, share, short, text


class Extra(Mapping[str, Any]):
    """Which further facts came with this answer? A read-only, hashable mapping.

    Parameters
    ----------
    values : mapping from str to None, bool, int, float, str, or sequences and mappings of those.
        Lists and arrays become tuples, numpy scalars become Python's.

    Raises
    ------
    ValueError
        For what is no mapping, a key that is not a string, a value that JSON cannot hold, or one that is not finite:
        "cannot say" is written None, never NaN.

    Examples
    --------
    >>> extra = Extra({"b": 45, "c": 25})
    >>> extra["b"] - extra["c"]
    20
    >>> extra == {"b": 45, "c": 25}
    True
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        given = {} if values is None else values
        if not isinstance(given, Mapping):
            raise ValueError(f"extra must be a mapping from names to facts, got {short(given)}")
        self._values = {_checked_key(key): _frozen(value, key) for key, value in given.items()}

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return repr(self._values)


def _checked_key(key: object) -> str:
    if not isinstance(key, str):
        raise ValueError(f"names in extra must be strings, got {short(key)}")
    return key


def _frozen(value: Any, key: str) -> Any:
    """The same value in a form that cannot change and that JSON can hold."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if value is None or isinstance(value, (bool, str, int)):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"extra[{short(key)}] must be finite (None for 'cannot say'), got {short(value)}")
        return float(value)
    if isinstance(value, Mapping):
        return Extra(value)
    if isinstance(value, (list, tuple)):
        return tuple(_frozen(one, key) for one in value)
    allowed = "None, a bool, a number, a string, or a list or mapping of these"
    raise ValueError(f"extra[{short(key)}] must be {allowed}, got {short(value)}")


def _thawed(value: Any) -> Any:
    """The inverse of `_frozen`: plain lists, dicts and numbers, ready for `json.dumps`."""
    if isinstance(value, Mapping):
        return {key: _thawed(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_thawed(one) for one in value]
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def mlflow_key(name: str, part: str) -> str:
    """`name.part` in the characters that MLflow accepts on every system."""
    return re.sub(r"[^\w\-. /]", "_", f"{name}.{part}")


def _mlflow_split(name: str, facts: Mapping[str, Any], metrics: set[str]) -> dict[str, dict[str, Any]]:
    """The facts named in `metrics` as metrics, and all others as parameters; a metric that is None is one of these."""
    split: dict[str, dict[str, Any]] = {"metrics": {}, "params": {}}
    written: dict[str, str] = {}
    for part, value in facts.items():
        kind, key = "metrics" if part in metrics and value is not None else "params", mlflow_key(name, part)
        if (other := written.setdefault(key, part)) != part:
            both = f"{short(other)} and {short(part)}"
            raise ValueError(f"names must differ in MLflow's characters too, but {both} become {key}; rename one")
        split[kind][key] = json.dumps(_thawed(value)) if isinstance(value, (Mapping, tuple)) else value
    return split


# What a field must be that means the same in every result.
FIELD_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    **dict.fromkeys(
        ("name", "method", "test", "decision", "reason", "caveat", "interval", "note", "warning", "controls"), text
    ),
    **dict.fromkeys(("level", "alpha"), share),
    "power": partial(number, low=0, high=1),
    **dict.fromkeys(("n", "n_boot", "n_clusters", "n_seeds", "n_items", "n_decodes"), partial(integer, low=1)),
    "seed": partial(integer, low=0),
    "extra": lambda _, value: Extra(value),
}


class Result:
    """What do all answers have in common? Plain dictionaries, JSON and MLflow, nothing dropped.

    Subclasses are frozen dataclasses with a `name` and an `extra`, and list in `METRICS` the fields that are results
    (the other fields say how they were made). Where fields are columns, one entry for each of several systems,
    `COLUMNS` lists them, that of the systems first.

    Examples
    --------
    >>> issubclass(Estimate, Result) and issubclass(TestResult, Result)
    True
    """

    METRICS: ClassVar[tuple[str, ...]] = ()
    COLUMNS: ClassVar[tuple[str, ...]] = ()
    __dataclass_fields__: ClassVar[dict[str, Any]]
    name: str
    extra: Mapping[str, Any]

    def __post_init__(self) -> None:
        """Check every field that means the same in all results; one that defaults to None may be None."""
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name in FIELD_CHECKS and not (value is None and each.default is None):
                self._put(**{each.name: FIELD_CHECKS[each.name](each.name, value)})

    def _put(self, **values: Any) -> None:
        """Store checked values while the object is being made."""
        for key, value in values.items():
            object.__setattr__(self, key, value)

    def _but(self, **values: Any) -> Self:
        """A copy in which these values, already checked, stand instead; nothing else is checked again."""
        made = copy(self)
        made._put(**values)
        return made

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain values that `json.dumps` writes and `from_dict` reads back."""
        return {each.name: _thawed(getattr(self, each.name)) for each in fields(self)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The result that `to_dict` described.

        Raises
        ------
        ValueError
            When `values` has a field too many or too few, or holds a value the class refuses.
        """
        known = {each.name for each in fields(cls)}
        if unknown := sorted(set(values) - known):
            raise ValueError(f"{cls.__name__} has no field {', '.join(unknown)}; its fields are {sorted(known)}")
        infinite = {"Infinity": math.inf, "-Infinity": -math.inf}
        plain = {key: infinite.get(str(one), one) if key in cls.METRICS else one for key, one in values.items()}
        try:
            return cls(**plain)
        except TypeError as error:
            raise ValueError(f"cannot make a {cls.__name__}: {error}") from error

    def as_mlflow(self) -> dict[str, dict[str, Any]]:
        """The same facts as `{"metrics": ..., "params": ...}`, keys prefixed with the name.

        Results and the numbers in `extra` are metrics; everything else (level, method, n, seed, warning, words, and
        a result that is None) is a parameter.
        Nothing is dropped: log them with `mlflow.log_metrics` and `mlflow.log_params`.

        Raises
        ------
        ValueError
            When two names become one in the characters that MLflow accepts.
        """
        facts = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in ("name", "extra")}
        facts |= {f"extra.{key}": value for key, value in self.extra.items()}
        numbers = {f"extra.{key}" for key, value in self.extra.items() if type(value) in (int, float)}
        if self.COLUMNS:
            rows, *columns = (facts[column] for column in self.COLUMNS)
            keys = [column.removesuffix("s") for column in self.COLUMNS[1:]]
            each = {
                f"{row}.{key}": value
                for key, c in zip(keys, columns, strict=True)
                for row, value in zip(rows, c, strict=True)
            }
            if both := sorted(facts.keys() & each.keys()):
                raise ValueError(f"a system's name must leave {self.name}.{both[0]} to what is known of all; rename it")
            facts, numbers = facts | each, numbers | set(each)
        return _mlflow_split(self.name, facts, numbers | set(self.METRICS))


def _checked_interval(low: Any, high: Any) -> tuple[float, float]:
    """Both ends as floats in order; either may be infinite, as in a one-sided interval."""
    ci_low, ci_high = number("ci_low", low, infinite=True), number("ci_high", high, infinite=True)
    if ci_low > ci_high:
        raise ValueError(f"ci_low must not exceed ci_high, got {short(low)} and {short(high)}")
    return ci_low, ci_high


@dataclass(frozen=True)
class Estimate(Result):
    """How large is it, and how sure are we? A point estimate with its interval and provenance.

    Parameters
    ----------
    name : str
        What is estimated, for instance "accuracy".
    point : float
        The estimate, in the unit of the scores.
    ci_low, ci_high : float
        The ends of the interval, same unit; infinite where the interval is one-sided.
    level : float
        Confidence level in (0, 1), for instance 0.95.
    method : str
        The named method, for instance "cluster_bootstrap_percentile".
    n : int
        Number of items (with groups: of rows).
    n_boot : int or None
        Number of bootstrap replicates, where there were any.
    seed : int or None
        Seed of the random numbers, where there were any.
    extra : mapping
        Further facts, stored read-only.
    n_clusters : int or None
        Number of clusters drawn, where items hang together.
    warning : str or None
        What to beware of, and the better tool.

    Raises
    ------
    ValueError
        For NaN, ends in the wrong order, a level outside (0, 1), n below 1, empty names.

    Examples
    --------
    >>> from evalstats import Estimate
    >>> answer = Estimate("accuracy", 0.855, 0.832, 0.8755, level=0.95, method="wilson", n=1000)
    >>> print(answer)
    accuracy = 0.855, 95% interval [0.832, 0.8755] (wilson, n = 1000)
    >>> Estimate.from_dict(answer.to_dict()) == answer
    True
    """

    METRICS: ClassVar[tuple[str, ...]] = ("point", "ci_low", "ci_high")

    name: str
    point: float
    ci_low: float
    ci_high: float
    level: float
    method: str
    n: int
    n_boot: int | None = None
    seed: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    n_clusters: int | None = None
    warning: str | None = None

    def __post_init__(self) -> None:
        ci_low, ci_high = _checked_interval(self.ci_low, self.ci_high)
        self._put(point=number("point", self.point), ci_low=ci_low, ci_high=ci_high)
        super().__post_init__()

    def __str__(self) -> str:
        return (
            f"{self.name} = {self.point:.4g}, {_interval_words(self.ci_low, self.ci_high, self.level)} "
            f"({self.method}, {_size_words(self.n, self.n_clusters)}){_warning_words(self.warning)}"
        )


@dataclass(frozen=True)
class TestResult(Result):
    """Could chance alone have done this? A test's statistic, p-value, effect and provenance.

    Parameters
    ----------
    name : str
        What is tested.
    statistic : float
        The test statistic; may be infinite.
    pvalue : float
        In [0, 1].
    effect : float
        The estimated difference A - B, in the unit of the scores.
    method : str
        The named method, for instance "mcnemar_exact".
    n : int
        Number of items.
    extra : mapping
        Further facts, stored read-only.
    ci_low, ci_high, level : float or None
        An interval for the effect, where the method has one: all three or none.
    n_clusters, seed, warning
        As in `Estimate`.

    Raises
    ------
    ValueError
        For NaN, a p-value outside [0, 1], half an interval, n below 1, empty names.

    Examples
    --------
    >>> from evalstats import TestResult
    >>> answer = TestResult("A - B", 25, 0.0225, 0.02, "mcnemar_exact", 1000, {"b": 45, "c": 25})
    >>> print(answer)
    A - B = 0.02, p = 0.0225 (mcnemar_exact, statistic 25, n = 1000)
    >>> answer.as_mlflow()["metrics"]["A - B.pvalue"]
    0.0225
    """

    __test__: ClassVar[bool] = False  # the name starts with "Test": pytest must not collect it
    METRICS: ClassVar[tuple[str, ...]] = ("statistic", "pvalue", "effect", "ci_low", "ci_high")

    name: str
    statistic: float
    pvalue: float
    effect: float
    method: str
    n: int
    extra: Mapping[str, Any] = field(default_factory=dict)
    ci_low: float | None = None
    ci_high: float | None = None
    level: float | None = None
    n_clusters: int | None = None
    seed: int | None = None
    warning: str | None = None

    def __post_init__(self) -> None:
        self._put(
            statistic=number("statistic", self.statistic, infinite=True),
            pvalue=number("pvalue", self.pvalue, 0, 1),
            effect=number("effect", self.effect),
        )
        self._check_interval()
        super().__post_init__()

    def _check_interval(self) -> None:
        given = [self.ci_low is not None, self.ci_high is not None, self.level is not None]
        if any(given) and not all(given):
            low, high, level = map(short, (self.ci_low, self.ci_high, self.level))
            raise ValueError(f"ci_low, ci_high and level come together, got {low}, {high} and {level}")
        if all(given):
            ci_low, ci_high = _checked_interval(self.ci_low, self.ci_high)
            self._put(ci_low=ci_low, ci_high=ci_high)

    def __str__(self) -> str:
        interval = ""
        if self.ci_low is not None and self.ci_high is not None and self.level is not None:
            interval = f", {_interval_words(self.ci_low, self.ci_high, self.level)}"
        return (
            f"{self.name} = {self.effect:.4g}{interval}, p = {self.pvalue:.3g} ({self.method}, "
            f"statistic {self.statistic:.4g}, {_size_words(self.n, self.n_clusters)}){_warning_words(self.warning)}"
        )


def _interval_words(ci_low: float, ci_high: float, level: float) -> str:
    return f"{_level_words(level)} interval [{ci_low:.4g}, {ci_high:.4g}]"


def _level_words(level: float) -> str:
    """A level in percent, with as many digits as keep what is below 1 from being written 100%."""
    shown = (f"{100 * level:.{digits}g}%" for digits in range(4, 18))
    return next(words for words in shown if words != "100%")


def _size_words(n: int, n_clusters: int | None) -> str:
    return f"n = {n}" if n_clusters is None else f"n = {n} in {n_clusters} clusters"


def _warning_words(warning: str | None) -> str:
    return "" if warning is None else f"\nwarning: {warning}"


class NumberWithFacts(ABC):
    """What do a sample size and a quantity have in common? A number and how it was made, neither to be changed.

    Subclasses are an int or a float.

    Examples
    --------
    >>> issubclass(SampleSize, NumberWithFacts)
    True
    """

    def _with(self, facts: Mapping[str, Any]) -> Self:
        """Itself with checked facts, while it is being made."""
        for key, fact in facts.items():
            object.__setattr__(self, key, fact)
        return self

    def __setattr__(self, key: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed; make a new one to set {key}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_dict, (self.to_dict(),)

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Number and facts as plain values for JSON, the number first."""

    def as_mlflow(self, name: str = "") -> dict[str, dict[str, Any]]:
        """The same facts as `{"metrics": ..., "params": ...}`, keys prefixed with the name, the method or the test.

        The number and those of `extra` are metrics; everything else, the design too, is a parameter.
        """
        facts = self.to_dict()
        prefix, metrics = name or facts.get("method") or f"required_n_{facts['test']}", {next(iter(facts))}
        for key in ("extra", "design"):
            parts = {f"{key}.{part}": _frozen(value, part) for part, value in facts.pop(key, {}).items()}
            metrics |= {part for part, value in parts.items() if key == "extra" and type(value) in (int, float)}
            facts |= parts
        return _mlflow_split(prefix, facts, metrics)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The number and facts that `to_dict` described."""
        try:
            return cls(**values)
        except TypeError as error:
            raise ValueError(f"cannot make a {cls.__name__}: {error}") from error


class SampleSize(NumberWithFacts, int):
    """How many items are needed, and for which test? An integer that remembers the design.

    It counts, compares and hashes as the integer it is.

    Parameters
    ----------
    n : int
        The number needed, in the unit that `design["unit"]` names.
    test : str
        The named test whose power was computed.
    alpha, power : float
        Two-sided level and power, in (0, 1).
    design : mapping
        The assumed effect and noise, and the unit of n.

    Raises
    ------
    ValueError
        For n below 1, alpha or power outside (0, 1), an empty test.

    Examples
    --------
    >>> n = SampleSize(194, test="mcnemar_uncorrected", alpha=0.05, power=0.8, design={"delta": 0.1, "psi": 0.25})
    >>> n + 6, n.test
    (200, 'mcnemar_uncorrected')
    >>> SampleSize.from_dict(n.to_dict()).design["psi"]
    0.25
    """

    test: str
    alpha: float
    power: float
    design: Extra

    def __new__(cls, n: int, *, test: str, alpha: float, power: float, design: Mapping[str, Any]) -> Self:
        size = super().__new__(cls, integer("n", n, 1))
        instance("design", design, Mapping)
        facts = {"test": text("test", test), "alpha": share("alpha", alpha), "power": share("power", power)}
        return size._with(facts | {"design": Extra(design)})

    def __repr__(self) -> str:
        return (
            f"SampleSize({int(self)}, test={self.test!r}, alpha={self.alpha}, power={self.power}, "
            f"design={self.design!r})"
        )

    def __str__(self) -> str:
        return int.__repr__(self)

    def to_dict(self) -> dict[str, Any]:
        """n, test, alpha, power and design as plain values for JSON."""
        facts = {"test": self.test, "alpha": self.alpha, "power": self.power, "design": _thawed(self.design)}
        return {"n": int(self)} | facts
