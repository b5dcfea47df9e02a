"""Which marks belong to the same item? Logs read as they are, and matched by item id, never by position.

Readers for inspect-ai, lm-evaluation-harness and plain tables use the standard library alone (Parquet needs pyarrow).
They refuse what they would have to guess: an answer without a score, an id that comes twice, a choice of metric.
HELM and promptfoo have no reader: write their scores as a table, one row an answer.
"""

from __future__ import annotations

import csv
import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from importlib import import_module
from itertools import product
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import IO, Any, ClassVar, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _checks as checks
from ._checks import short
from ._visible import visible
from .result import Extra

Scores = NDArray[np.float64]
Names = tuple[Hashable, ...]
Unscored = Literal["refuse", "leave out", "wrong"]
ALIKE = "some leftovers differ only in type, spaces, case or Unicode form"
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}  # inspect-ai: correct, partial, incorrect, no answer
SPELT = {"": None, "true": True, "false": False}
CUT = "Key removed from summary (> 1k)"  # what inspect-ai puts in place of long metadata
MOST_BYTES = 2**29  # bytes of a file, or of what is unpacked from it
MOST_ROWS = 10_000_000
TENFOLD = 10  # scores that reach so many times as far are hardly on one scale
SHOWN = 5  # so many ids are named in a report; the rest are counted


class _Record:
    """What alignments and logs have in common: plain values, and copies that cannot be changed either."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values that `json.dumps` writes; ids that JSON does not have, such as dates, as text."""
        return {each.name: _unfrozen(getattr(self, each.name)) for each in fields(self)}

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies are made anew, as numpy would let the arrays of a copy be written."""
        return type(self), tuple(getattr(self, each.name) for each in fields(self))

    def _put(self, **values: Any) -> None:
        """Store read-only values while the object is being made."""
        for key, value in values.items():
            object.__setattr__(self, key, value)


class _Columns(Extra):
    """A read-only mapping of columns, which stay what they are."""

    __slots__ = ()

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self._values = dict(columns)


@dataclass(frozen=True, eq=False)
class Alignment(_Record):
    """The marks of two systems on the items that both have, and a report of what did not match.

    `compare_paired`, `noninferiority_test` and `equivalence_test` take it in place of a and b, and heed its clusters
    and strata; so do the tests and intervals for marks drawn one by one, which refuse it where it has clusters or
    strata. All others take its two arrays: `paired_t(matched.a, matched.b)`.

    Attributes
    ----------
    items : tuple
        The ids that both systems have, in the order of the first.
    a, b : read-only arrays
        The scores of the two systems; position i belongs to `items[i]`.
    only_a, only_b : tuple
        The ids that only the first, or only the second, has.
    clusters, strata : tuple or None
        The label of each matched item, where a log that was read has them: `groups` and `strata` for a test.
    notes : tuple of str
        What to know of the scores: means of several answers, answers without a score.
    warning : str or None
        What to beware of: metrics that differ, and scores of which one system's reach ten times as far as the other's.

    Examples
    --------
    >>> both = align({"q1": 1, "q2": 0, "q3": 1}, {"q3": 0, "q1": 1})
    >>> both.items, both.a.tolist(), both.b.tolist(), both.only_a
    (('q1', 'q3'), [1.0, 1.0], [1.0, 0.0], ('q2',))
    """

    items: Names
    a: Scores
    b: Scores
    only_a: Names = ()
    only_b: Names = ()
    clusters: Names | None = None
    strata: Names | None = None
    notes: tuple[str, ...] = ()
    warning: str | None = None

    def __post_init__(self) -> None:
        checks.one_each("item", self, "items", "a", "b", "clusters", "strata")
        self._put(a=_read_only("a", self.a), b=_read_only("b", self.b))

    @property
    def n(self) -> int:
        """Number of items that both systems have."""
        return len(self.items)

    @property
    def complete(self) -> bool:
        """Whether every item of either system was matched."""
        return not self.only_a and not self.only_b

    def __str__(self) -> str:
        left = {name: ids for name, ids in (("A", self.only_a), ("B", self.only_b)) if ids}
        return _report(f"{self.n} item{'s' * (self.n > 1)} matched by id", "only", left, self.notes, self.warning)


@dataclass(frozen=True, eq=False)
class AlignedSystems(_Record):
    """The marks of several systems on the items that all have, and a report of what did not match.

    Attributes
    ----------
    items : tuple
        The ids that all systems have, in the order of the first.
    scores : read-only mapping from name to read-only array
        The scores of each system; position i belongs to `items[i]`. It is what `rank_intervals`,
        `simultaneous_differences`, `pairwise_mcnemar_exact`, `shrunken_winner` and `max_t_asymptotic` take.
    left_over : read-only mapping from name to tuple
        The ids of each system that not all others have.
    clusters, strata : tuple or None
        The label of each matched item, where a log that was read has them: `groups` and `strata` for these functions.
    notes, warning
        As in `Alignment`.

    Raises
    ------
    ValueError
        For columns of unequal lengths.

    Examples
    --------
    >>> logs = {"old": {"q1": 1, "q2": 0}, "new": {"q2": 1, "q1": 1}, "big": {"q1": 1, "q2": 1, "q3": 0}}
    >>> all_three = align_all(logs)
    >>> all_three.items, all_three.left_over["big"], all_three.scores["new"].tolist()
    (('q1', 'q2'), ('q3',), [1.0, 1.0])
    """

    items: Names
    scores: Mapping[str, Scores]
    left_over: Mapping[str, Names]
    clusters: Names | None = None
    strata: Names | None = None
    notes: tuple[str, ...] = ()
    warning: str | None = None

    def __post_init__(self) -> None:
        checks.one_each("item", self, "items", "clusters", "strata")
        for name, column in self.scores.items():
            if len(column) != self.n:
                raise ValueError(f"scores[{short(name)}] must hold one score for each of {self.n} items")
        columns = {name: _read_only(f"scores[{short(name)}]", column) for name, column in self.scores.items()}
        self._put(scores=_Columns(columns), left_over=_Columns(self.left_over))

    @property
    def n(self) -> int:
        """Number of items that all systems have."""
        return len(self.items)

    @property
    def complete(self) -> bool:
        """Whether every item of every system was matched."""
        return not any(self.left_over.values())

    def __str__(self) -> str:
        head = f"{self.n} item{'s' * (self.n > 1)} matched by id in {len(self.scores)} systems"
        left = {name: ids for name, ids in self.left_over.items() if ids}
        return _report(head, "not in all, but", left, self.notes, self.warning)


def _report(head: str, word: str, left: Mapping[str, Names], notes: Iterable[str], warning: str | None) -> str:
    """What was matched, what each log has left over, and what to know."""
    alike = _alike(left.values())
    shown = short if alike else str
    lines = [f"{len(of_log)} {word} in {name}: {_named(map(shown, of_log))}" for name, of_log in left.items()]
    lines += [ALIKE] if alike else []
    lines = [head, *(lines or ["nothing left over"]), *notes, *([f"warning: {warning}"] if warning else [])]
    return "\n".join(map(visible, lines))


Matched = TypeVar("Matched", Alignment, AlignedSystems)


def _unfrozen(value: Any) -> Any:
    """Tuples and arrays as lists, also in a mapping, and numbers of numpy as Python's; what JSON has not, as text."""
    if isinstance(value, Mapping):
        return {key: _unfrozen(one) for key, one in value.items()}
    value = value.tolist() if isinstance(value, (np.ndarray, np.number, np.bool_)) else value
    if isinstance(value, (tuple, list)):
        return [_unfrozen(one) for one in value]
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


def _named(ids: Iterable[Hashable]) -> str:
    """The first few ids, and how many more there are."""
    listed = [visible(str(one)) for one in ids]
    more = f", and {len(listed) - SHOWN} more" if len(listed) > SHOWN else ""
    return ", ".join(listed[:SHOWN]) + more


def _alike(logs: Iterable[Iterable[Hashable]]) -> bool:
    """Whether ids that differ would be the same if they were written out as text, in one case and Unicode form."""
    ids = {each for of_log in logs for each in of_log}
    return len({_folded(_written(each)) for each in ids}) < len(ids)


def _folded(words: str) -> str:
    """Text without case, forms that only look different, and characters of no width."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", words).casefold())
    return "".join(one for one in folded if unicodedata.category(one) != "Cf").strip()


def _written(item: Hashable) -> str:
    """An id as text without surrounding spaces; 7.0, which pandas makes of 7, is written 7."""
    whole = isinstance(item, float) and item.is_integer()
    return str(int(item) if whole else item).strip()  # type: ignore[call-overload]


def align(a: Any, b: Any, *, on: str = "item", value: str = "correct", strict: bool = False) -> Alignment:
    """Which items do both systems have, and what did each score on them?

    Two logs rarely hold the same items in the same order. Items are matched by id; what did not match is reported and
    left out. Look at the report before you test: items that one system lost (a time-out, a refusal) are seldom lost at
    random.

    Parameters
    ----------
    a, b : EvalLog, mapping or pandas Series from id to score, sequence of records, or table with columns
        An `EvalLog` is what the readers of this module return; an item that was answered several times has the mean of
        its scores, and a note says so. A record is a mapping that has the keys `on` and `value`. A table is anything
        whose columns `on` and `value` can be taken with square brackets, such as a pandas DataFrame (pandas is not
        needed otherwise); the index may be the column `on`. A pandas Series is taken as scores, and its index as ids.
    on : str
        The column that holds the item id.
    value : str
        The column that holds the score, a number.
    strict : bool
        Refuse if any item did not match.

    Returns
    -------
    Alignment
        Items in the order of `a`; `print` it for the report. Ids 7 and "7", "q1" and "q1 ", or "q1" and "Q1" do not
        match, and the report says so.

    Raises
    ------
    ValueError
        For an id that a log holds twice (average repeated runs per item first, or keep them and name the item as
        `groups`), a missing id or one of bytes, a score that is missing or not a number, logs without a common item,
        and with `strict=True` any item without a partner. For two `EvalLog` also where an id stands for two different
        questions, and where an item has another cluster or stratum in the other log.

    Notes
    -----
    Chapter `paired`.

    Examples
    --------
    >>> log_a = {"q1": 1, "q2": 0, "q3": 1, "q5": 1}
    >>> log_b = [{"item": "q3", "correct": 1}, {"item": "q1", "correct": 0}, {"item": "q4", "correct": 1}]
    >>> both = align(log_a, log_b)
    >>> print(both)
    2 items matched by id
    2 only in A: q2, q5
    1 only in B: q4
    >>> both.items, both.a - both.b
    (('q1', 'q3'), array([1., 0.]))
    """
    _check_columns(on, value, strict)
    logs = {"a": a, "b": b}
    scores = {owner: _scores_by_item(owner, log, on, value) for owner, log in logs.items()}
    items = _common("a and b", scores)
    (in_a, in_b), named = scores.values(), dict(zip("AB", scores.values(), strict=True))
    found = Alignment(
        items,
        np.array([in_a[item] for item in items]),
        np.array([in_b[item] for item in items]),
        tuple(item for item in in_a if item not in in_b),
        tuple(item for item in in_b if item not in in_a),
        **_facts_of_logs({"A": a, "B": b}, items),
        warning=_warning({"A": a, "B": b}, named),
    )
    return _strictly(found, strict)


def align_all(
    logs: Mapping[str, Any], *, on: str = "item", value: str = "correct", strict: bool = False
) -> AlignedSystems:
    """Which items do all systems have, and what did each score on them?

    `align` for three systems and more, or for two that go into a leaderboard: an item that one system lost is left out
    for all, and the report says which.

    Parameters
    ----------
    logs : mapping from the name of a system to its log
        At least two, each in one of the forms that `align` takes.
    on, value, strict
        As in `align`.

    Returns
    -------
    AlignedSystems
        Items in the order of the first log; `print` it for the report.

    Raises
    ------
    ValueError
        For fewer than two logs, names that are no text, and as `align`.

    Notes
    -----
    Chapter `leaderboards`.

    Examples
    --------
    >>> from evalstats import rank_intervals
    >>> logs = {
    ...     "old": {f"q{i}": int(i % 3 > 0) for i in range(120)},
    ...     "new": {f"q{i}": int(i % 9 > 0) for i in range(120)},
    ...     "big": {f"q{i}": int(i % 3 > 0 or i % 2 > 0) for i in range(110)},
    ... }
    >>> matched = align_all(logs)
    >>> print(matched)
    110 items matched by id in 3 systems
    10 not in all, but in old: q110, q111, q112, q113, q114, and 5 more
    10 not in all, but in new: q110, q111, q112, q113, q114, and 5 more
    >>> rank_intervals(matched.scores, groups=matched.clusters, strata=matched.strata).systems
    ('new', 'big', 'old')
    """
    _check_columns(on, value, strict)
    if not isinstance(logs, Mapping) or len(logs) < 2:
        got = f"{len(logs)}" if isinstance(logs, Mapping) else checks.kind_of(logs)
        raise ValueError(f"logs must be a mapping from at least 2 names to logs, got {got}")
    for name in logs:
        checks.text("each name in logs", name)
    scores = {name: _scores_by_item(f"logs[{short(name)}]", log, on, value) for name, log in logs.items()}
    items = _common("the systems", scores)
    matched = set(items)
    columns = {name: np.array([own[item] for item in items]) for name, own in scores.items()}
    left = {name: tuple(item for item in own if item not in matched) for name, own in scores.items()}
    found = AlignedSystems(items, columns, left, **_facts_of_logs(logs, items), warning=_warning(logs, scores))
    return _strictly(found, strict)


def _check_columns(on: Any, value: Any, strict: Any) -> None:
    for owner, column in {"on": on, "value": value}.items():
        if not checks.hashes(column):
            raise ValueError(f"{owner} must be the name of a column, got {short(column)}")
    checks.one_of((True, False), strict=strict)


def _common(whose: str, scores: Mapping[str, Mapping[Hashable, float]]) -> Names:
    """The items that all logs have, in the order of the first; refused where there are none."""
    first, *others = scores.values()
    items = tuple(item for item in first if all(item in other for other in others))
    if not items:
        listed = "; ".join(f"{log} has {_named(map(short, own))}" for log, own in scores.items())
        alike = f" ({ALIKE})" if _alike(scores.values()) else ""
        who = "both" if len(scores) == 2 else "all"
        raise ValueError(
            f"{whose} have no item in common: {listed}. Do {who} use the same ids, of the same type?{alike}"
        )
    return items


def _strictly(found: Matched, strict: bool) -> Matched:
    """What was found; refused where every item should have been matched and was not."""
    if strict and not found.complete:
        raise ValueError(f"with strict=True every item needs a partner, got {'; '.join(str(found).splitlines())}")
    return found


def _facts_of_logs(logs: Mapping[str, Any], items: Names) -> dict[str, Any]:
    """Labels and notes that only logs have; refused where two logs do not say the same of an item."""
    known = {name: log for name, log in logs.items() if isinstance(log, EvalLog)}
    found: dict[str, Names | None] = {}
    for column in ("contents", "clusters", "strata"):
        labelled = {name: labels for name, log in known.items() if (labels := log.by_item(column)) is not None}
        first = next(iter(labelled), None)
        for name, item in product(labelled, items):
            if first is not None and labelled[name][item] != labelled[first][item]:
                what = "stands for two questions" if column == "contents" else f"has two {column}"
                both = f"{short(labelled[first][item])} in {first}, {short(labelled[name][item])} in {name}"
                raise ValueError(f"item {short(item)} {what}: {both}")
        found[column] = None if first is None else tuple(labelled[first][item] for item in items)
    notes = tuple(f"{name}: {note}" for name, log in known.items() for note in log.notes)
    return {"clusters": found["clusters"], "strata": found["strata"], "notes": notes}


def _warning(logs: Mapping[str, Any], scores: Mapping[str, Mapping[Hashable, float]]) -> str | None:
    """Metrics that differ, and scores that can hardly be on one scale."""
    metrics = {name: log.metric for name, log in logs.items() if isinstance(log, EvalLog)}
    differ = ", ".join(f"{metric} in {name}" for name, metric in metrics.items())
    warnings = [f"the metrics differ: {differ}"] if len(set(metrics.values())) > 1 else []
    reach = {name: max(map(abs, own.values())) for name, own in scores.items()}
    lowest, highest = (
        pick((name for name in reach if reach[name]), key=reach.__getitem__, default="") for pick in (min, max)
    )
    if lowest and reach[highest] >= TENFOLD * reach[lowest]:
        far = f"{reach[lowest]:g} in {lowest} and {reach[highest]:g} in {highest}"
        warnings.append(f"the largest scores are {far}: are both on one scale?")
    return "; ".join(warnings) or None


def _read_only(owner: str, scores: ArrayLike) -> Scores:
    """A copy of checked scores that cannot be changed."""
    array = np.array(checks.finite_vector(owner, scores, 0), dtype=np.float64)
    array.setflags(write=False)
    return array


def _scores_by_item(log: str, data: Any, on: str, value: str) -> dict[Hashable, float]:
    """The score of each item of one log, in the log's order; refused if an id is missing or comes twice."""
    scores: dict[Hashable, float] = {}
    twice: dict[Hashable, None] = {}
    for row, (item, score) in enumerate(_pairs(log, data, on, value)):
        if not isinstance(item, Hashable) or checks.missing(item):
            raise ValueError(f"{log}: every item needs an id, got {short(item)} at position {row}")
        if isinstance(item, bytes):
            raise ValueError(
                f"{log}: an id is text or a number, got the bytes {short(item)} at position {row}; decode them"
            )
        if item in scores:
            twice[item] = None
        scores[item] = _score(log, item, score)
    if not scores:
        raise ValueError(f"{log} must hold at least 1 item, got none")
    if twice:
        raise ValueError(
            f"{log} holds {len(twice)} item{'s' * (len(twice) > 1)} more than once: {_named(twice)}. "
            "Average repeated runs per item first, or keep the rows and name the item as groups"
        )
    return scores


def _score(log: str, item: Hashable, score: Any) -> float:
    real = isinstance(score, (Real, np.bool_)) and not isinstance(score, np.timedelta64)  # to numpy a whole number
    try:
        number = float(score) if real else math.nan
    except OverflowError:  # a whole number beyond all floats
        number = math.nan
    if not math.isfinite(number):
        hint = f"; {checks.MARKS}" if isinstance(score, str) else ""
        raise ValueError(f"{log}: the score of item {short(item)} must be a finite number, got {short(score)}{hint}")
    return number


def _pairs(log: str, data: Any, on: str, value: str) -> list[tuple[Any, Any]]:
    """(id, score) for each row of a mapping, a table, a labelled column or a sequence of records."""
    if isinstance(data, EvalLog):
        return list(data.means().items())
    if hasattr(data, "columns"):
        return _pairs_of_table(log, data, on, value)
    if isinstance(data, Mapping):
        return list(data.items())
    if checks.row_names(data) is not None:
        return list(zip(_plain(data.index), _plain(data), strict=True))
    if isinstance(data, (str, bytes, PathLike)):
        raise ValueError(
            f"{log} must be a mapping, a table or a sequence of records, got {short(data)}; "
            "read the file first, e.g. json.load(open(path)), or with read_log"
        )
    if not checks.has_rows(data):
        raise ValueError(f"{log} must be a mapping, a table or a sequence of records, got {type(data).__name__}")
    pairs = []
    for row, record in enumerate(data):
        if not isinstance(record, Mapping) or on not in record or value not in record:
            raise ValueError(f"{log}: a record needs {on!r} and {value!r}, got {short(record)} at position {row}")
        pairs.append((record[on], record[value]))
    return pairs


def _pairs_of_table(log: str, table: Any, on: str, value: str) -> list[tuple[Any, Any]]:
    """(id, score) for each row of a table; the ids may be its index."""
    columns = list(table.columns)
    ids = table.index if on not in columns and getattr(getattr(table, "index", None), "name", None) == on else None
    if missing := [name for name in (on, value) if name not in columns and (name != on or ids is None)]:
        raise ValueError(f"{log} has no column {short(missing[0])}; its columns are {_named(columns)}")
    if twice := [name for name in (on, value) if columns.count(name) > 1]:
        raise ValueError(f"{log} has column {short(twice[0])} more than once")
    return list(zip(_plain(table[on] if ids is None else ids), _plain(table[value]), strict=True))


def _plain(column: Any) -> list[Any]:
    """A column as a list of Python's own values, so that ids of two tables can be compared."""
    return list(column.tolist() if hasattr(column, "tolist") else column)


# --- logs as they are ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class EvalLog(_Record):
    """What did one system score, answer by answer? Made by the readers of this module, and taken by `align`.

    Its accuracy is `mean_interval(log.scores)`, or where items were answered more than once
    `mean_interval(log.scores, groups=log.items)`.

    Attributes
    ----------
    source : str
        The file.
    system, metric : str
        Whose answers, and which of the scores in the file.
    items : tuple of str or int
        The id of the item that each answer is to.
    epochs : tuple of int
        Which of several answers to its item each is.
    scores : read-only array
        The score of each answer.
    clusters, strata : tuple or None
        The label of each answer's item, where they were asked for.
    contents : tuple or None
        What tells whether an id stands for the same question in another log: the target, or a hash.
    unscored : tuple of str
        Answers without a score, and why.
    unscored_as : str
        What became of them: "refuse", "leave out" or "wrong".

    Raises
    ------
    ValueError
        For columns of unequal lengths, or none.

    Examples
    --------
    >>> log = EvalLog("a.csv", "A", "correct", ("q1", "q1", "q2"), (1, 2, 1), np.array([1.0, 0.0, 1.0]))
    >>> log.means()
    {'q1': 0.5, 'q2': 1.0}
    >>> print(log)
    A, correct: 2 items, 3 answers (a.csv)
    mean of 1 to 2 answers an item
    >>> from evalstats import mean_interval
    >>> log = EvalLog("b.csv", "B", "correct", tuple(range(20)), (1,) * 20, np.array([1.0] * 17 + [0.0] * 3))
    >>> print(mean_interval(log.scores, name="accuracy"))
    accuracy = 0.85, 95% interval [0.6396, 0.9476] (wilson, n = 20)
    """

    source: str
    system: str
    metric: str
    items: Names
    epochs: tuple[int, ...]
    scores: Scores
    clusters: Names | None = None
    strata: Names | None = None
    contents: Names | None = None
    unscored: tuple[str, ...] = ()
    unscored_as: Unscored = "refuse"

    def __post_init__(self) -> None:
        self._put(scores=_read_only("scores", checks.finite_vector("scores", self.scores)))
        checks.one_each("answer", self, "items", "epochs", "scores", "clusters", "strata", "contents")

    def answers(self) -> dict[Hashable, tuple[float, ...]]:
        """The scores of each item, in the order of their epochs."""
        found: dict[Hashable, list[tuple[int, float]]] = {}
        for item, epoch, score in zip(self.items, self.epochs, self.scores.tolist(), strict=True):
            found.setdefault(item, []).append((epoch, score))
        return {item: tuple(score for _, score in sorted(pairs)) for item, pairs in found.items()}

    def means(self) -> dict[Hashable, float]:
        """The mean score of each item."""
        return {item: math.fsum(scores) / len(scores) for item, scores in self.answers().items()}

    def by_item(self, column: str) -> dict[Hashable, Hashable] | None:
        """The label of each item; `column` is "clusters", "strata" or "contents"."""
        labels = getattr(self, column)
        return None if labels is None else dict(zip(self.items, labels, strict=True))

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know before its scores are used as one score an item."""
        counts = sorted(set(Counter(self.items).values()))
        many = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
        notes = [f"mean of {many} answers an item"] if counts[-1] > 1 else []
        if self.unscored:
            fate = "left out" if self.unscored_as == "leave out" else "counted as wrong"
            notes.append(f"{len(self.unscored)} without a score {fate}: {_named(self.unscored)}")
        return tuple(notes)

    def __str__(self) -> str:
        size = f"{len(set(self.items))} items, {len(self.items)} answers"
        return "\n".join(map(visible, [f"{self.system}, {self.metric}: {size} ({self.source})", *self.notes]))


class _Answer(NamedTuple):
    """One answer as the file has it, not yet checked; a value of None is no score."""

    where: str
    item: Any
    epoch: Any
    value: Any
    labels: tuple[Any, ...]  # cluster, stratum, and what tells its question from others
    reason: str = ""


def _log_of(path: Path, system: str | None, metric: str, answers: Iterable[_Answer], unscored: Unscored) -> EvalLog:
    """The checked answers of one system; what has no score is refused, left out or counted as wrong."""
    checks.one_of(("refuse", "leave out", "wrong"), unscored=unscored)
    first: dict[tuple[Hashable, int], _Answer] = {}
    kept: list[tuple[_Answer, float]] = []
    lost: list[str] = []
    for answer in answers:
        epoch = checks.integer(f"{answer.where}: epoch", answer.epoch, 0)
        if (earlier := first.setdefault((_checked_id(answer), epoch), answer)) is not answer:
            raise ValueError(
                f"{answer.where}: item {short(answer.item)} has a score already ({earlier.where}); "
                "name the column that tells repeated answers apart, or read one run"
            )
        if (score := _checked_score(answer)) is None:
            lost.append(f"{answer.where.removeprefix(f'{path.name}, ')}{answer.reason and ': '}{answer.reason}")
            if unscored != "wrong":
                continue
        kept.append((answer, 0.0 if score is None else score))
    if lost and unscored == "refuse":
        raise ValueError(
            f"{path.name}: {len(lost)} of {len(first)} answers have no score ({_named(lost)}); "
            "say unscored='leave out' or unscored='wrong' to go on"
        )
    if not kept:
        raise ValueError(f"{path.name} must hold at least 1 answer with a score, got none")
    rows = [answer for answer, _ in kept]
    if odd := next((row for row in rows if type(row.item) is not type(rows[0].item)), None):
        raise ValueError(f"{odd.where}: ids must be of one type, got {short(odd.item)} after {short(rows[0].item)}")
    items, epochs = (tuple(getattr(row, column) for row in rows) for column in ("item", "epoch"))
    scores = np.array([score for _, score in kept])
    clusters, strata, contents = (_labels_of_items(rows, column) for column in range(3))
    name = checks.text("system", system or path.stem)
    return EvalLog(str(path), name, metric, items, epochs, scores, clusters, strata, contents, tuple(lost), unscored)


def _labels_of_items(rows: list[_Answer], column: int) -> Names | None:
    """A column of labels; None where the file was not asked for it, and refused unless an item has one label."""
    of_item: dict[Hashable, Hashable] = {}
    for row in rows:
        if (label := row.labels[column]) != of_item.setdefault(row.item, label):
            before = short(of_item[row.item])
            raise ValueError(f"{row.where}: item {short(row.item)} has {short(label)}, and had {before} before")
    labels = tuple(of_item[row.item] for row in rows)
    return None if labels[0] is None else labels


def _checked_id(answer: _Answer) -> str | int:
    item = answer.item
    if isinstance(item, bool) or not isinstance(item, (str, int)) or not str(item).strip():
        raise ValueError(f"{answer.where}: an id is text or a whole number, got {short(item)}")
    return item


def _checked_score(answer: _Answer) -> float | None:
    """The score as a number; None for no score, which JSON writes as null or NaN."""
    if answer.value is None or (isinstance(answer.value, float) and math.isnan(answer.value)):
        return None
    if not isinstance(answer.value, (bool, int, float)) or abs(answer.value) > 1e300:
        hint = f"; {checks.MARKS}" if isinstance(answer.value, str) else ""
        raise ValueError(f"{answer.where}: a score must be a finite number, got {short(answer.value)}{hint}")
    return float(answer.value)


def _label(where: str, row: Any, column: str | None) -> Any:
    """The cluster or stratum in a row; None where none is asked for."""
    label = None if column is None else _at(where, row, column)
    if column is not None and (not isinstance(label, (str, int, float)) or label != label or label in ("", CUT)):
        raise ValueError(f"{where}: {short(column)} must be a label, text or a number, got {short(label)}")
    return label


def _at(where: str, value: Any, *keys: str) -> Any:
    """What is found under these keys, one inside the other; None where there is nothing."""
    for key in keys:
        if not isinstance(value, Mapping):
            raise ValueError(f"{where}: {key!r} must stand in an object, got {short(value)}")
        if (value := value.get(key)) is None:
            return None
    return value


def _list_of(where: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{where} must be a list, got {short(value)}")
    return value


def _chosen(where: str, what: str, wanted: str | None, found: Iterable[Any]) -> str:
    """The one that is wanted, or the only one; a choice is never guessed."""
    names = list(dict.fromkeys(map(str, found)))
    if wanted is None and len(names) == 1:
        return names[0]
    if wanted is None or wanted not in names:
        raise ValueError(
            f"{where}: name one {what} of {_named(name[:60] for name in names) or 'none'}; got {short(wanted)}"
        )
    return wanted


# --- files: bounded, and every failure says where --------------------------------------------------------------------


def _file(path: str | PathLike[str]) -> Path:
    """The path of a file that is not too large to be read."""
    source = checks.path_of(path)
    size = source.stat().st_size
    if not source.is_file():
        raise ValueError(f"{source} must be a file, and is a folder or a device")
    if size > MOST_BYTES:
        raise ValueError(f"{source.name} must have at most {MOST_BYTES} bytes, got {size}")
    return source


def _object(pairs: list[tuple[str, Any]], where: str = "") -> dict[str, Any]:
    """An object from its pairs; a key that comes twice is refused, as it would be guessed which one is meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise ValueError(f"{where}{short(twice)} comes twice in one object")
    return found


def _json(where: str, text: str | bytes, pairs: Any = _object) -> Any:
    """What a JSON text holds; `pairs` makes something of the pairs of an object other than a dict."""
    try:
        return json.loads(text, object_pairs_hook=pairs)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where}: not JSON that can be read: {error}") from None


def _json_lines(path: Path) -> Iterator[tuple[str, Any]]:
    """Where each line of a JSONL file stands, and what it holds; empty lines are passed over."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip(b"\xef\xbb\xbf \t\r\n"):
                where = f"{path.name}, line {number}"
                yield where, _json(where, line)


def _unpacked(path: Path, names: tuple[str, ...]) -> list[Any]:
    """JSON files of an archive, unpacked within bounds."""
    from zipfile import ZipFile

    with suppress(ImportError):
        import_module("zipfile_zstd")  # teaches zipfile what Python 3.14 knows
    try:
        with ZipFile(path) as archive:
            sizes = {info.filename: info.file_size for info in archive.infolist() if info.filename in names}
            bounded = all(size <= MOST_BYTES for size in sizes.values())
            texts = {name: b"".join(_pieces(archive.open(name))) for name in sizes} if bounded else {}
    except Exception as error:  # each way to pack has errors of its own
        hint = (
            "; for zstandard use Python 3.14, install zipfile-zstd, or turn the log into JSON with inspect log convert"
        )
        hint = hint if isinstance(error, NotImplementedError) else ""
        raise ValueError(f"{path.name} cannot be unpacked: {str(error)[:200]}{hint}") from error
    for name in names:
        if name not in sizes:
            raise ValueError(f"{path.name} has no {name}: the run did not finish, or this is no log of inspect-ai")
        if sizes[name] > MOST_BYTES:
            raise ValueError(f"{path.name}, {name} must unpack to at most {MOST_BYTES} bytes, got {sizes[name]}")
    return [_json(f"{path.name}, {name}", texts[name]) for name in names]


def _pieces(member: IO[bytes]) -> Iterator[bytes]:
    """A member in small pieces, as one that lies about its size may unpack to very much at a time."""
    while piece := member.read(4096):
        yield piece


# --- readers ---------------------------------------------------------------------------------------------------------


def read_inspect(
    path: str | PathLike[str],
    *,
    metric: str | None = None,
    system: str | None = None,
    cluster: str | None = None,
    stratum: str | None = None,
    unscored: Unscored = "refuse",
) -> EvalLog:
    """What did a system score in a log of inspect-ai?

    The scores "C", "P", "I" and "N" (no answer) are 1, 0.5, 0 and 0, as inspect-ai counts them. A sample that failed
    has no score; inspect-ai leaves such samples out of its accuracy without a word.

    Parameters
    ----------
    path : path
        A finished log, .eval or .json. Packed with zstandard, it needs Python 3.14 or the package zipfile-zstd.
    metric : str, optional
        The scorer, or scorer/key where a scorer gives several values; needed where there is a choice.
    system : str, optional
        A name; without it the model's.
    cluster, stratum : str, optional
        The metadata of a sample that hold its cluster and its stratum.
    unscored : str
        What to do with samples that have no score: "refuse", "leave out" (they are listed), or "wrong" (counted as 0).

    Returns
    -------
    EvalLog

    Raises
    ------
    ValueError
        For an unfinished log, samples that are missing or come twice, a metric that is not named where there are
        several, scores that are no numbers, and archives that unpack to too much.

    Notes
    -----
    Chapter `paired`. The format of logs is that of inspect-ai 0.3.285.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> samples = [{"id": f"q{i}", "epoch": 1, "scores": {"match": {"value": "CI"[i % 2]}}} for i in range(4)]
    >>> path = Path(mkdtemp()) / "log.json"
    >>> _ = path.write_text(json.dumps({"status": "success", "eval": {"model": "m"}, "samples": samples}))
    >>> read_inspect(path).means()
    {'q0': 1.0, 'q1': 0.0, 'q2': 1.0, 'q3': 0.0}
    """
    checks.names(metric=metric, system=system, cluster=cluster, stratum=stratum)
    source = _file(path)
    if source.suffix == ".eval":  # the summaries hold the scores, and no transcripts
        header, samples = _unpacked(source, ("header.json", "summaries.json"))
    else:
        header = _json(source.name, source.read_bytes())
        samples = _at(source.name, header, "samples")
    if (status := _at(source.name, header, "status")) != "success":
        raise ValueError(f"{source.name}: the run must have finished with status 'success', got {short(status)}")
    if _at(source.name, header, "invalidated"):
        raise ValueError(f"{source.name}: samples of it were declared invalid; read a log without them")
    rows = _list_of(f"{source.name}: samples", samples)
    if (total := _at(source.name, header, "results", "total_samples")) not in (None, len(rows)):
        raise ValueError(f"{source.name}: the log says {short(total)} samples and holds {len(rows)}")
    scored = [_at(source.name, row, "scores") for row in rows]
    scorers = [name for scores in scored if isinstance(scores, dict) for name in scores]
    scorer, key = metric, ""
    if metric is not None and metric not in scorers and "/" in metric:
        scorer, key = metric.rsplit("/", 1)
    scorer = _chosen(source.name, "scorer as metric", scorer, scorers)
    answers = (_inspect_answer(source.name, row, scorer, key, cluster, stratum) for row in rows)
    system = system or _at(source.name, header, "eval", "model")
    return _log_of(source, system, metric or scorer, answers, unscored)


def _inspect_answer(file: str, row: Any, scorer: str, key: str, cluster: str | None, stratum: str | None) -> _Answer:
    item, epoch = _at(file, row, "id"), _at(file, row, "epoch")
    where = f"{file}, sample {short(item)} epoch {short(epoch)}"
    value = _at(where, row, "scores", scorer, "value", *([key] if key else []))
    if isinstance(value, Mapping):
        raise ValueError(f"{where}: name one value as {scorer}/key, of {_named(value)}")
    error = row.get("error")
    reason = error if isinstance(error, str) else _at(where, row, "error", "message")
    labels = [_label(where, _at(where, row, "metadata") or {}, column) for column in (cluster, stratum)]
    value = LETTERS.get(value, value) if isinstance(value, str) else value
    return _Answer(where, item, epoch, value, (*labels, str(row.get("target"))[:200]), str(reason or "")[:80])


def read_lm_eval(
    path: str | PathLike[str],
    *,
    metric: str | None = None,
    filter_name: str | None = None,
    system: str | None = None,
    cluster: str | None = None,
    stratum: str | None = None,
    unscored: Unscored = "refuse",
) -> EvalLog:
    """What did a model score in a samples file of lm-evaluation-harness?

    Items are the harness's `doc_id`; its `doc_hash` tells `align` whether an id is the same question in two files.
    With `repeats` the harness scores what its filter makes of the answers, so a file has one score an item.

    Parameters
    ----------
    path : path
        A file `samples_<task>_<date>.jsonl`, as `--log_samples` writes it.
    metric, filter_name : str, optional
        Which metric of the task (such as "acc" or "acc_norm") after which filter; needed where there is a choice.
    system : str, optional
        A name; without it the folder's, which the harness calls after the model.
    cluster, stratum : str, optional
        The fields of the document (`doc`) that hold the cluster and the stratum.
    unscored : str
        As in `read_inspect`.

    Returns
    -------
    EvalLog

    Raises
    ------
    ValueError
        As `read_inspect`; and for metrics of a whole corpus, whose entries are no numbers.

    Notes
    -----
    Chapter `paired`. The format is that of lm-evaluation-harness 0.4.13, read in its source.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "samples_sums.jsonl"
    >>> rows = [{"doc_id": i, "doc": {}, "filter": "none", "metrics": ["acc"], "acc": i % 2} for i in range(4)]
    >>> _ = path.write_text("".join(json.dumps(row) + chr(10) for row in rows))
    >>> read_lm_eval(path, system="A").means()
    {0: 0.0, 1: 1.0, 2: 0.0, 3: 1.0}
    """
    checks.names(metric=metric, filter_name=filter_name, system=system, cluster=cluster, stratum=stratum)
    source = _file(path)
    lines = list(_json_lines(source))
    chosen = _chosen(source.name, "filter_name", filter_name, (_at(where, row, "filter") for where, row in lines))
    rows = [(where, row) for where, row in lines if str(row.get("filter")) == chosen]
    names = [_list_of(f"{where}: metrics", row.get("metrics")) for where, row in rows]
    score = _chosen(source.name, "metric", metric, (name for listed in names for name in listed))
    answers = []
    for where, row in rows:
        labels = (_label(where, _at(where, row, "doc"), column) for column in (cluster, stratum))
        answers.append(_Answer(where, row.get("doc_id"), 1, row.get(score), (*labels, row.get("doc_hash"))))
    return _log_of(source, system or source.resolve().parent.name, score, answers, unscored)


def read_table(
    path: str | PathLike[str],
    *,
    item: str = "item",
    score: str = "correct",
    system: str | None = None,
    only: str | None = None,
    epoch: str | None = None,
    cluster: str | None = None,
    stratum: str | None = None,
    unscored: Unscored = "refuse",
) -> EvalLog:
    """What did a system score in a table, one row an answer?

    Parameters
    ----------
    path : path
        A file .csv (with a header), .jsonl (an object a line), .json (a list of objects, or one object from item id to
        score) or .parquet (needs pyarrow), in UTF-8.
    item, score : str
        The columns that hold the item id and the score: a number, true or false. An empty cell, null and NaN are no
        score. Ids in CSV are text.
    system, only : str, optional
        The column that names the system, and whose rows to read; the latter is needed where there are several.
    epoch, cluster, stratum : str, optional
        The columns that hold which of several answers a row is (a whole number), its cluster and its stratum.
    unscored : str
        As in `read_inspect`.

    Returns
    -------
    EvalLog

    Raises
    ------
    ValueError
        For missing columns, rows that are too short or too long, ids that are missing or come twice, scores that are
        no numbers; file, line and value are named.
    ImportError
        For Parquet without pyarrow.

    Notes
    -----
    Chapter `paired`.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "runs.csv"
    >>> _ = path.write_text("item,run,correct,kind" + chr(10) + "q1,1,1,easy" + chr(10) + "q1,2,0,easy")
    >>> log = read_table(path, epoch="run", stratum="kind")
    >>> log.answers(), log.by_item("strata")
    ({'q1': (1.0, 0.0)}, {'q1': 'easy'})
    """
    if only is not None and system is None:
        raise ValueError(f"only = {short(only)} needs system, the column that names the systems")
    source = _file(path)
    columns = {"item": checks.text("item", item), "score": checks.text("score", score)}
    columns |= checks.names(system=system, epoch=epoch, cluster=cluster, stratum=stratum)
    wanted = list(columns.values())
    rows = list(_table_rows(source, wanted))
    read = _from_text if source.suffix.lower() == ".csv" else lambda cell: cell
    name = None if system is None else _chosen(source.name, "system as only", only, (row[system] for _, row in rows))
    answers = []
    for where, row in rows:
        if system is None or str(row[system]) == name:
            number = 1 if epoch is None else read(row[epoch])
            labels = (_label(where, row, cluster), _label(where, row, stratum), None)
            answers.append(_Answer(where, row[item], number, read(row[score]), labels))
    return _log_of(source, name, score, answers, unscored)


def _table_rows(path: Path, wanted: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Where each row stands, and its cells in the wanted columns."""
    kind = path.suffix.lower()
    if kind not in (".csv", ".json", ".jsonl", ".parquet"):
        raise ValueError(f"{path.name}: a table is .csv, .json, .jsonl or .parquet, got {short(kind)}")
    if kind == ".csv":
        yield from _csv_rows(path, wanted)
    elif kind == ".json":
        yield from _json_rows(path, wanted)
    elif kind == ".parquet":
        yield from _parquet_rows(path, wanted)
    else:
        for where, row in _json_lines(path):
            _at(where, row, wanted[0])  # an object
            _has_columns(where, row, wanted)
            yield where, row


def _has_columns(where: str, found: Iterable[str], wanted: list[str]) -> None:
    names = list(found)
    if missing := [column for column in wanted if column not in names]:
        shown = _named(name[:60] for name in names)
        raise ValueError(f"{where} has no column {short(missing[0])}; its columns are {shown}")
    if len(set(names)) < len(names):
        raise ValueError(f"{where}: every column needs a name of its own, got {names}")


def _json_rows(path: Path, wanted: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a list, or the id and the score of each item in one object."""
    table = _json(path.name, path.read_bytes(), pairs=list)  # an object as its pairs: an id may come twice
    if not isinstance(table, list) or not table:
        raise ValueError(f"{path.name} must hold a list of objects, or an object from item id to score")
    if isinstance(table[0], tuple):
        for number, pair in enumerate(table, 1):
            where = f"{path.name}, item {number}"
            _has_columns(where, wanted[:2], wanted)
            yield where, dict(zip(wanted, pair, strict=True))
    else:
        for number, row in enumerate(table, 1):
            where = f"{path.name}, row {number}"
            if not isinstance(row, list) or not all(isinstance(pair, tuple) for pair in row):
                raise ValueError(f"{where} must be an object, got {short(row)}")
            cells = _object(row, f"{where}: ")
            _has_columns(where, cells, wanted)
            yield where, cells


def _csv_rows(path: Path, wanted: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Rows of text, as CSV knows nothing else."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.reader(file, strict=True)
        try:
            header = next(reader, [])
            _has_columns(path.name, header, wanted)
            for cells in filter(None, reader):
                where = f"{path.name}, line {reader.line_num}"
                if len(cells) != len(header):
                    raise ValueError(f"{where} must have {len(header)} cells, got {len(cells)}")
                yield where, dict(zip(header, cells, strict=True))
        except (csv.Error, UnicodeDecodeError) as error:
            raise ValueError(f"{path.name}, after line {reader.line_num}: {error}") from None


def _parquet_rows(path: Path, wanted: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        raise ImportError(
            f"{path.name}: reading Parquet needs pyarrow; install it, or write the table as CSV"
        ) from None
    try:
        file = parquet.ParquetFile(path)
        names, size = file.schema_arrow.names, file.metadata.num_rows
        known = [column for column in dict.fromkeys(wanted) if column in names]
        rows = file.read(columns=known).to_pylist() if size <= MOST_ROWS else []
    except Exception as error:  # pyarrow has errors of its own
        raise ValueError(f"{path.name} is not Parquet that can be read: {str(error)[:200]}") from error
    _has_columns(path.name, names, wanted)
    if size > MOST_ROWS:
        raise ValueError(f"{path.name} must have at most {MOST_ROWS} rows, got {size}")
    for number, row in enumerate(rows, 1):
        yield f"{path.name}, row {number}", row


def _from_text(cell: str) -> Any:
    """The number, truth value or absence that a cell of CSV spells; other text as it is."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(cell) if "_" not in cell else cell
    return SPELT.get(cell.strip().lower(), cell)


def read_log(path: str | PathLike[str], **options: Any) -> EvalLog:
    """What did a system score in this file? The reader that goes with its name, with the options of that reader.

    `read_inspect` for .eval and logs in .json, `read_lm_eval` for samples_*.jsonl, `read_table` for .csv, .parquet, and
    other .jsonl and .json.

    Parameters
    ----------
    path : path
        The file.
    options
        Of the reader; `metric` is the `score` of a table. Those that are None are as if not given.

    Returns
    -------
    EvalLog

    Raises
    ------
    ValueError
        For another kind of file, an option that its reader does not have, and as the reader.

    Notes
    -----
    Chapter `paired`.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "runs.csv"
    >>> _ = path.write_text("item,right" + chr(10) + "q1,1" + chr(10) + "q2,0")
    >>> print(align(read_log(path, metric="right"), {"q1": 1, "q2": 1}))
    2 items matched by id
    nothing left over
    """
    name = checks.path_of(path).name.lower()
    of_inspect = name.endswith(".eval") or (name.endswith(".json") and _starts_as_log(_file(path)))
    reader: Any = read_inspect if of_inspect else read_table
    if name.startswith("samples_") and name.endswith(".jsonl"):
        reader = read_lm_eval
    given = {key: value for key, value in options.items() if value is not None}
    if reader is read_table and "metric" in given:
        given["score"] = given.pop("metric")
    known = reader.__kwdefaults__
    if unknown := sorted(set(given) - set(known)):
        raise ValueError(
            f"{name} is read by {reader.__name__}, which has no {short(unknown[0])}; it has {_named(known)}"
        )
    log: EvalLog = reader(path, **given)
    return log


def _starts_as_log(path: Path) -> bool:
    """Whether a JSON file begins as those of inspect-ai do: an object with words, objects or lists under these keys."""
    with path.open("rb") as file:
        head = file.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n")
    return not head.startswith(b"[") and re.search(rb'"(status|eval|samples)"\s*:\s*["{\[]', head) is not None
