"""Which marks belong to the same item? Two logs, matched by item id and never by position."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _checks as checks

__all__ = ["Alignment", "align"]

Scores = NDArray[np.float64]
ALIKE = "some leftovers differ only in type or spaces"
SHOWN = 5  # so many ids are named in a report; the rest are counted


@dataclass(frozen=True, eq=False)
class Alignment:
    """The marks of two systems on the items that both have, and a report of what did not match.

    Attributes
    ----------
    items : tuple
        The ids that both systems have, in the order of the first.
    a, b : read-only arrays
        The scores of the two systems; position i belongs to `items[i]`.
    only_a, only_b : tuple
        The ids that only the first, or only the second, has.

    Examples
    --------
    >>> both = align({"q1": 1, "q2": 0, "q3": 1}, {"q3": 0, "q1": 1})
    >>> both.items, both.a.tolist(), both.b.tolist(), both.only_a
    (('q1', 'q3'), [1.0, 1.0], [1.0, 0.0], ('q2',))
    """

    items: tuple[Hashable, ...]
    a: Scores
    b: Scores
    only_a: tuple[Hashable, ...] = ()
    only_b: tuple[Hashable, ...] = ()

    @property
    def n(self) -> int:
        """Number of items that both systems have."""
        return len(self.items)

    @property
    def complete(self) -> bool:
        """Whether every item of either system was matched."""
        return not self.only_a and not self.only_b

    def __str__(self) -> str:
        alike = _alike(self.only_a, self.only_b)
        shown = repr if alike else str
        lines = [f"{self.n} item{'s' * (self.n > 1)} matched by id"]
        lines += [f"{len(ids)} only in {log}: {_named(map(shown, ids))}" for log, ids in self._unmatched()]
        lines += [ALIKE] if alike else []
        if self.complete:
            lines.append("nothing left over")
        return "\n".join(lines)

    def _unmatched(self) -> list[tuple[str, tuple[Hashable, ...]]]:
        return [(log, ids) for log, ids in (("A", self.only_a), ("B", self.only_b)) if ids]


def _named(ids: Iterable[Hashable]) -> str:
    """The first few ids, and how many more there are."""
    listed = [str(one) for one in ids]
    more = f", and {len(listed) - SHOWN} more" if len(listed) > SHOWN else ""
    return ", ".join(listed[:SHOWN]) + more


def _alike(first: Iterable[Hashable], second: Iterable[Hashable]) -> bool:
    """Whether an id of the first would match one of the second if both were written out as text."""
    return not {_written(one) for one in first}.isdisjoint(_written(one) for one in second)


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
    a, b : mapping or pandas Series from id to score, sequence of records, or table with columns
        A record is a mapping that has the keys `on` and `value`. A table is anything whose columns `on` and `value` can
        be taken with square brackets, such as a pandas DataFrame (pandas is not needed otherwise); the index may be the
        column `on`. A pandas Series is taken as scores, and its index as ids. Read a file first.
    on : str
        The column that holds the item id.
    value : str
        The column that holds the score, a number.
    strict : bool
        Refuse if any item did not match.

    Returns
    -------
    Alignment
        Items in the order of `a`; `print` it for the report. Ids 7 and "7", or "q1" and "q1 ", do not match, and the
        report says so.

    Raises
    ------
    ValueError
        For an id that a log holds twice (average repeated runs per item first, or keep them and name the item as
        `groups`), a missing id, a score that is missing or not a number, logs without a common item, and with
        `strict=True` any item without a partner.

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
    scores_a, scores_b = _scores_by_item("a", a, on, value), _scores_by_item("b", b, on, value)
    items = tuple(item for item in scores_a if item in scores_b)
    if not items:
        raise ValueError(
            f"a and b have no item in common: a has {_named(map(repr, scores_a))}; "
            f"b has {_named(map(repr, scores_b))}. Do both use the same ids, of the same type?"
            + (f" ({ALIKE})" if _alike(scores_a, scores_b) else "")
        )
    found = Alignment(
        items,
        _read_only([scores_a[item] for item in items]),
        _read_only([scores_b[item] for item in items]),
        tuple(item for item in scores_a if item not in scores_b),
        tuple(item for item in scores_b if item not in scores_a),
    )
    if strict and not found.complete:
        raise ValueError(f"with strict=True every item needs a partner, got {'; '.join(str(found).splitlines())}")
    return found


def _read_only(scores: list[float]) -> Scores:
    array = np.array(scores, dtype=np.float64)
    array.setflags(write=False)
    return array


def _scores_by_item(log: str, data: Any, on: str, value: str) -> dict[Hashable, float]:
    """The score of each item of one log, in the log's order; refused if an id is missing or comes twice."""
    scores: dict[Hashable, float] = {}
    twice: dict[Hashable, None] = {}
    for row, (item, score) in enumerate(_pairs(log, data, on, value)):
        if not isinstance(item, Hashable) or checks.missing(item):
            raise ValueError(f"{log}: every item needs an id, got {item!r} at position {row}")
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
    try:
        number = math.nan if isinstance(score, str) else float(score)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        hint = f"; {checks.MARKS}" if isinstance(score, str) else ""
        raise ValueError(f"{log}: the score of item {item!r} must be a finite number, got {score!r}{hint}")
    return number


def _pairs(log: str, data: Any, on: str, value: str) -> list[tuple[Any, Any]]:
    """(id, score) for each row of a mapping, a table, a labelled column or a sequence of records."""
    if hasattr(data, "columns"):
        return _pairs_of_table(log, data, on, value)
    if isinstance(data, Mapping):
        return list(data.items())
    if checks.row_names(data) is not None:
        return list(zip(_plain(data.index), _plain(data), strict=True))
    if isinstance(data, (str, bytes, PathLike)):
        raise ValueError(
            f"{log} must be a mapping, a table or a sequence of records, got {data!r}; "
            "read the file first, e.g. json.load(open(path))"
        )
    if not isinstance(data, Iterable):
        raise ValueError(f"{log} must be a mapping, a table or a sequence of records, got {type(data).__name__}")
    pairs = []
    for row, record in enumerate(data):
        if not isinstance(record, Mapping) or on not in record or value not in record:
            raise ValueError(f"{log}: a record needs {on!r} and {value!r}, got {record!r} at position {row}")
        pairs.append((record[on], record[value]))
    return pairs


def _pairs_of_table(log: str, table: Any, on: str, value: str) -> list[tuple[Any, Any]]:
    """(id, score) for each row of a table; the ids may be its index."""
    columns = list(table.columns)
    ids = table.index if on not in columns and getattr(getattr(table, "index", None), "name", None) == on else None
    if missing := [name for name in (on, value) if name not in columns and (name != on or ids is None)]:
        raise ValueError(f"{log} has no column {missing[0]!r}; its columns are {_named(columns)}")
    return list(zip(_plain(table[on] if ids is None else ids), _plain(table[value]), strict=True))


def _plain(column: Any) -> list[Any]:
    """A column as a list of Python's own values, so that ids of two tables can be compared."""
    return list(column.tolist() if hasattr(column, "tolist") else column)
