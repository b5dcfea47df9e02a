"""What input is refused, said once: every message names the value and the allowed range."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Set, ValuesView
from itertools import islice
from numbers import Real
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pathlib import Path

Vector = NDArray[np.float64]
Labels = Iterable[Hashable]  # one for each row: the cluster, stratum or rating it belongs to
Groups = Labels | None
Counts = NDArray[np.int64]

# What each argument is that must stay small, and is easily given as 1 minus itself.
ERROR_RATES = {"alpha": "the level of the test", "q": "the false discovery rate"}
SCORES = ("a", "b", "scores", "systems", "baseline")  # arguments that hold what items scored
MARKS = "write 1 for right and 0 for wrong"
SHOWN = 80  # characters of a value in a message
LARGEST = 1e100  # a score: sums of its squares are floats too


class _Repr(reprlib.Repr):
    """Python's own, with dicts in their order."""

    def repr_dict(self, x: dict[Any, Any], level: int) -> str:
        shown = [f"{self.repr1(key, level - 1)}: {self.repr1(x[key], level - 1)}" for key in islice(x, self.maxdict)]
        return f"{{{', '.join(shown)}{', ...' * (len(x) > self.maxdict)}}}"


_REPR = _Repr()
_REPR.maxlist = _REPR.maxtuple = _REPR.maxdict = _REPR.maxset = _REPR.maxfrozenset = _REPR.maxarray = 12
_REPR.maxstring = _REPR.maxlong = _REPR.maxother = SHOWN + 2
# How large a whole number may be: floats count so far, replicates end one day, and nothing is counted with a seed.
MOST_COUNTED = 2**53
MOST = {"seed": math.inf} | dict.fromkeys(("n_boot", "n_draws", "n_resamples"), 10**9)


def short(value: Any) -> str:
    """A value as Python writes it, on one line and cut where it is long."""
    try:
        words = " ".join(_REPR.repr(value).split())
    except ValueError:  # a whole number of more digits than Python writes
        words = kind_of(value)
    return words if len(words) <= SHOWN else f"{words[: SHOWN - 3]}..."


def number(owner: str, value: Any, low: float = -math.inf, high: float = math.inf, infinite: bool = False) -> float:
    """`value` as a float; refused when it is not a number in [low, high], as True is not."""
    real = _real(value)
    if math.isnan(real) or (math.isinf(real) and not infinite) or not low <= real <= high:
        bounds = "" if math.isinf(low) and math.isinf(high) else f" in [{low:g}, {high:g}]"
        kind = "a number" if infinite else "a finite number"
        hint = "; what a pilot says goes into pilot_required_n_mcnemar" if hasattr(value, "discordant") else ""
        raise ValueError(f"{owner} must be {kind}{bounds}, got {short(value)}{hint}")
    return real


def _real(value: Any) -> float:
    """`value` as a float, NaN where it is no number."""
    try:
        return float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    except OverflowError:  # a whole number beyond all floats
        return math.nan


def positive(owner: str, value: Any) -> float:
    """`value` as a float above 0."""
    real = _real(value)
    if not 0 < real < math.inf:
        raise ValueError(f"{owner} must be {'' if real <= 0 else 'a finite number '}above 0, got {short(value)}")
    return real


def share(owner: str, value: Any) -> float:
    """`value` as a float strictly between 0 and 1; an alpha or q is below .5, and a level is not."""
    real = _real(value)
    if not 0 < real < 1:
        raise ValueError(f"{owner} must lie strictly between 0 and 1, got {short(value)}")
    meant = "" if real == 0.5 else f"; did you mean {1 - real:.12g}?"
    if owner in ERROR_RATES and real >= 0.5:
        raise ValueError(f"{owner} is {ERROR_RATES[owner]}, such as 0.05, got {short(value)}{meant}")
    if owner == "level" and real < 0.5:
        raise ValueError(f"level is the confidence, such as 0.95, got {short(value)}{meant}")
    return real


def integer(owner: str, value: Any, low: int, most: float | None = None) -> int:
    """`value` as an int; refused when it is not whole, is below `low`, or is too large to count with."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or value < low:
        raise ValueError(f"{owner} must be an integer of at least {low}, got {short(value)}")
    if value > (largest := most or MOST.get(owner, MOST_COUNTED)):
        raise ValueError(f"{owner} must be at most {largest}, got {short(value)}")
    return int(value)


def right_of(k_owner: str, k: Any, n_owner: str, n: Any) -> tuple[int, int]:
    """k right out of n, refused unless both are whole, 0 <= k <= n and n >= 1."""
    total, right = counted(n_owner, n, 1), counted(k_owner, k, 0)
    if right > total:
        raise ValueError(f"{k_owner} must be at most {n_owner}, got {right} of {total}")
    return right, total


def counted(owner: str, value: Any, low: int) -> int:
    """`value` as `integer` has it, also where adding up marks made it a float; but 1.0 may be a share of all."""
    if isinstance(value, (float, np.floating)) and value >= 0 and value % 1 == 0:
        if value == 1:
            hint = f"got {short(value)}, which may be a share; write int({owner})"
            raise ValueError(f"{owner} must be an integer of at least {low}, {hint}")
        value = int(value)
    return integer(owner, value, low)


def hits_of(owner: str, pair: Any) -> tuple[int, int]:
    """(k, n): how many out of how many, whole numbers with 0 <= k <= n and n >= 1."""
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise ValueError(f"{owner} must be a pair (how many, out of how many), got {short(pair)}")
    total, hits = counted(f"{owner}[1]", pair[1], 1), counted(f"{owner}[0]", pair[0], 0)
    if hits > total:
        raise ValueError(f"{owner} must be how many out of how many, got {hits} of {total}")
    return hits, total


def text(owner: str, value: Any) -> str:
    """`value`, refused when it is not a string or is blank."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{owner} must be a non-empty string, got {short(value)}")
    return value


def names(**given: Any) -> dict[str, str]:
    """Those that are given, refused where one is no string or blank."""
    return {owner: text(owner, value) for owner, value in given.items() if value is not None}


def path_of(path: Any) -> Path:
    """The path, refused where it could not name a file."""
    if not isinstance(path, (str, PathLike)) or "\0" in str(path):
        raise ValueError(f"path must be the path of a file, got {short(path)}")
    from pathlib import Path  # three milliseconds that only readers need

    return Path(path)


def function(owner: str, value: Any) -> None:
    """Refuse what cannot be called."""
    if not callable(value):
        raise ValueError(f"{owner} must be a function, got {short(value)}")


def one_of(allowed: tuple[str | bool, ...], **given: Any) -> None:
    """Refuse what is none of these words, or neither True nor False."""
    for owner, value in given.items():
        if not isinstance(value, (str, bool, np.bool_)) or value not in allowed:
            raise ValueError(f"{owner} must be one of {allowed}, got {short(value)}")


def instance(owner: str, value: Any, wanted: type) -> None:
    """Refuse what is not an object of this class."""
    if not isinstance(value, wanted):
        raise ValueError(f"{owner} must be {_an(wanted.__name__)}, got {kind_of(value)}")


def table(owner: str, values: Any) -> NDArray[Any]:
    """`values` as an array of any number of dimensions, refused where its rows differ in length."""
    try:
        return np.asarray(values)
    except ValueError:
        raise ValueError(f"{owner} must hold rows of one length, got rows of several") from None


def finite_vector(owner: str, values: Any, at_least: int = 1) -> Vector:
    """`values` as a one-dimensional array of finite floats, a copy that the caller may sort."""
    _in_order(owner, values, "number", iterators=False)
    array = table(owner, values)
    if array.ndim != 1:
        plain = array.ndim or isinstance(values, (Real, np.ndarray))
        got = f"{array.ndim} dimensions" if plain else kind_of(values)
        raise ValueError(f"{owner} must be a one-dimensional sequence of numbers, got {got}")
    if array.dtype.kind not in "biuf":
        array = _from_objects(owner, np.asarray(values, dtype=object))
    try:
        array = np.array(array, dtype=np.float64)
    except OverflowError:
        raise ValueError(f"{owner} must hold numbers of at most {LARGEST:g}, got one beyond all floats") from None
    if isinstance(values, np.ma.MaskedArray):
        array[np.ma.getmaskarray(values)] = np.nan
    if array.size < at_least:
        raise ValueError(f"{owner} must hold at least {at_least} value{'s' * (at_least > 1)}, got {array.size}")
    if array.size and not -LARGEST <= array.min() <= array.max() <= LARGEST:
        where = int(np.flatnonzero(~(np.abs(array) <= LARGEST))[0])
        allowed = f"hold numbers of at most {LARGEST:g}" if np.isfinite(array[where]) else "be finite"
        raise ValueError(f"{owner} must {allowed}, got {array[where]} at position {where}")
    return array


def _from_objects(owner: str, array: NDArray[Any]) -> NDArray[Any]:
    """Numbers that numpy keeps as objects; text is refused, even text that spells a number."""
    for where, value in enumerate(array.tolist()):
        if not isinstance(value, Real):
            hint = f"; {MARKS}" if isinstance(value, str) and owner.split("[")[0] in SCORES else ""
            raise ValueError(f"{owner} must hold numbers, got {short(value)} at position {where}{hint}")
    return array


def _in_order(owner: str, values: Any, unit: str, iterators: bool = True) -> None:
    """Refuse what holds no row after row: a dict, a set, a text, a table, and for numbers what can be read once."""
    if isinstance(values, Mapping) or any(hasattr(values, of_a_log) for of_a_log in LOG_HINTS):
        hint = _log_hint(owner, values)
    elif isinstance(values, (Set, str, bytes)):
        hint = f"write a list with one {unit} for each row"
    elif hasattr(values, "columns"):
        hint = "give one column of it"
    elif isinstance(values, (Iterator, ValuesView)) and not iterators:
        hint = "make it a list first"
    else:
        return
    raise ValueError(f"{owner} must be one {unit} per row, in the order of the rows, got {kind_of(values)}; {hint}")


# What to do with a log, or with two that were matched, where one row after another is wanted: by what only these have.
LOG_HINTS = {
    "by_item": "give its scores, and its items as groups where these were answered more than once",
    "only_a": "give the marks of one system, such as matched.a",
    "left_over": "give the scores of one system in it",
}


def _log_hint(owner: str, values: Any) -> str:
    """How scores by item come into the order of rows."""
    if owner in ("a", "b"):
        return "give (matched.a, matched.b)" if hasattr(values, "only_a") else "match two logs with align first"
    if owner.startswith(("scores[", "systems[", "baseline")):
        return "match the systems with align_all first"
    if owner == "scores" and isinstance(values, Mapping):
        return "write list(scores.values()), and what else you give in the same order"
    hints = (hint for of_a_log, hint in LOG_HINTS.items() if hasattr(values, of_a_log))
    return next(hints, f"write [{owner}[i] for i in matched.items]")


def kind_of(value: Any) -> str:
    """The name of its type after "a" or "an"."""
    return _an(type(value).__name__)


def _an(word: str) -> str:
    return f"{'an' if word[0].lower() in 'aeiou' else 'a'} {word}"


def has_rows(data: Any) -> bool:
    """Can it be gone through? A number in an array says so and cannot."""
    return isinstance(data, Iterable) and getattr(data, "shape", None) != ()


def records(owner: str, data: Any) -> list[Any]:
    """`data` as a list of at least one record of any kind; refused where it holds no record after record."""
    if hasattr(data, "columns") or not has_rows(data) or isinstance(data, (str, bytes, Mapping, Set)):
        hint = f"; for a table pass {owner}.to_dict('records')" if hasattr(data, "columns") else ""
        raise ValueError(f"{owner} must be a sequence of records, got {kind_of(data)}{hint}")
    listed = list(data)
    if not listed:
        raise ValueError(f"{owner} must hold at least 1 record, got 0")
    return listed


def same_rows(**columns: Any) -> None:
    """Refuse columns that name their rows (as a pandas Series does) and name them differently.

    They would be put together by position. Columns without names, such as arrays and lists, are taken as they are.
    """
    named = [(owner, index) for owner, column in columns.items() if (index := row_names(column)) is not None]
    for owner, index in named[1:]:
        first, names = named[0]
        if not names.equals(index):
            hint = "match them with align first" if owner == "b" else f"bring {owner} into the order of {first} first"
            raise ValueError(f"{first} and {owner} are labelled differently; {hint}")


def row_names(column: Any) -> Any:
    """The index of a pandas Series, known by its `equals`; lists have an `index` too, which is a method."""
    index = getattr(column, "index", None)
    return index if hasattr(index, "equals") else None


def binary_vector(owner: str, values: Any, at_least: int = 1, better: str = "") -> Counts:
    """`values` as integers, refused unless each is 0 or 1 (False or True); `better` is the tool for other scores."""
    array = finite_vector(owner, values, at_least)
    odd = (array != 0) & (array != 1)
    if odd.any():
        where = int(np.flatnonzero(odd)[0])
        hint = f"; for other scores use {better}" if better else ""
        raise ValueError(f"{owner} must be 0 or 1 for each item, got {array[where]:g} at position {where}{hint}")
    return array.astype(np.int64)


def probabilities(owner: str, values: Any) -> Vector:
    """p-values, refused where one is NaN, outside [0, 1], or True or False, which is a decision and no p-value."""
    vector = finite_vector(owner, values)
    decided = np.zeros(vector.size, dtype=np.bool_)
    if getattr(values, "dtype", None) != np.float64:
        decided[:] = [isinstance(value, (bool, np.bool_)) for value in values]
    if (odd := np.flatnonzero((vector < 0) | (vector > 1) | decided)).size:
        where = int(odd[0])
        number(f"{owner}[{where}]", bool(decided[where]) or float(vector[where]), 0, 1)
    return vector


def whole_numbers(owner: str, values: Vector, low: Any, high: Any, allowed: str) -> Vector:
    """`values`, refused unless each is whole, at least `low` and at most `high` (numbers, or one for each value)."""
    if (odd := np.flatnonzero((values % 1 != 0) | (values < low) | (values > high))).size:
        raise ValueError(f"{owner} must hold {allowed}, got {values[odd[0]]:g} at position {odd[0]}")
    return values


def equal_lengths(first: str, a: NDArray[Any], second: str, b: NDArray[Any]) -> None:
    """Refuse two vectors that cannot describe the same items."""
    if a.size != b.size:
        raise ValueError(f"{first} and {second} must describe the same items, got {a.size} and {b.size} values")


def pair(a: Any, b: Any, at_least: int = 1, **labels: Any) -> tuple[Vector, Vector]:
    """The scores of two systems on the same rows, with labels that name these rows no other way."""
    scores_a, scores_b = finite_vector("a", a, at_least), finite_vector("b", b, at_least)
    same_rows(a=a, b=b, **labels)
    equal_lengths("a", scores_a, "b", scores_b)
    return scores_a, scores_b


def score_table(owner: str, scores: Any, at_least: int) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """The names of the systems in alphabetical order, and their scores as columns of one table with a row an item."""
    if not isinstance(scores, Mapping):
        hint = "; give its scores, and its clusters as groups" if hasattr(scores, "left_over") else ""
        raise ValueError(f"{owner} must be a mapping from system to scores, got {kind_of(scores)}{hint}")
    if len(scores) < at_least:
        raise ValueError(f"{owner} must hold at least {at_least} system{'s' * (at_least > 1)}, got {len(scores)}")
    names = tuple(sorted(text(f"each name in {owner}", name) for name in scores))
    columns = [finite_vector(f"{owner}[{name!r}]", scores[name], at_least=2) for name in names]
    same_rows(**{f"{owner}[{name!r}]": scores[name] for name in names})
    for name, column in zip(names, columns, strict=True):
        equal_lengths(f"{owner}[{names[0]!r}]", columns[0], f"{owner}[{name!r}]", column)
    return names, np.column_stack(columns)


def missing(label: Hashable) -> bool:
    """None, or a NaN of any library: what does not equal itself, or will not say; and a tuple that holds one."""
    if isinstance(label, tuple):
        return any(missing(part) for part in label)
    try:
        return label is None or not bool(label == label)
    except TypeError:
        return True


def labels_of(owner: str, labels: Iterable[Hashable]) -> list[Hashable]:
    """The label of each row in a list; refused where the labels have no order of rows."""
    _in_order(owner, labels, "label")
    if not has_rows(labels):
        raise ValueError(f"{owner} must be a list with one label for each row, got {short(labels)}")
    return labels.tolist() if isinstance(labels, np.ndarray) else list(labels)


def one_each(row: str, table: Any, *columns: str) -> None:
    """Refuse columns of which not each has one entry for every row; one that is None is left out."""
    given = {column: getattr(table, column) for column in columns}
    lengths = {owner: len(labels_of(owner, one)) for owner, one in given.items() if one is not None}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"every {row} needs one entry in each column, got {lengths}")


def label_codes(owner: str, unit: str, labels: Iterable[Hashable], n: int) -> tuple[Counts, int]:
    """The label of each of `n` rows as 0, 1, ... in order of appearance, and the number of labels."""
    listed = labels_of(owner, labels)
    if len(listed) != n:
        raise ValueError(f"{owner} must name one {unit} for each of the {n} rows, got {len(listed)}")
    try:
        seen = {label: code for code, label in enumerate(dict.fromkeys(listed))}
    except TypeError:
        row = next(row for row, label in enumerate(listed) if not hashes(label))
        raise ValueError(f"{owner} must hold one label a row, got {short(listed[row])} at position {row}") from None
    if any(map(missing, seen)):
        row = next(row for row, label in enumerate(listed) if missing(label))
        raise ValueError(f"{owner} must not be missing, got {short(listed[row])} at position {row}")
    told_apart(owner, seen)
    return np.fromiter(map(seen.__getitem__, listed), np.int64, n), len(seen)


def told_apart(owner: str, labels: Collection[Hashable]) -> None:
    """Refuse labels that a reader would take for one and the same, or for none, and objects that say nothing."""
    if set(map(type, labels)) <= {bool, int, float}:
        return  # numbers that are written alike are equal
    first: dict[Hashable, Hashable] = {}
    for label in labels:
        if type(label).__hash__ is object.__hash__:
            raise ValueError(f"{owner} must hold labels such as numbers or words, got {kind_of(label)}")
        if _blank(label):
            raise ValueError(f"{owner} must not be blank, got {short(label)}; write what it means, such as 'none'")
        if (same := first.setdefault(_written(label), label)) is not label:
            both = f"{short(same)} and {short(label)}"
            raise ValueError(f"{owner} must write each label in one way, got {both}, alike but for type or spaces")


def _blank(label: Hashable) -> bool:
    """Text without a character that shows; and a tuple that holds one."""
    return any(map(_blank, label)) if isinstance(label, tuple) else isinstance(label, str) and not label.strip()


def _written(label: Hashable) -> Hashable:
    """A label as text without surrounding spaces; 7.0, which pandas makes of 7, is written 7."""
    if isinstance(label, tuple):
        return tuple(map(_written, label))
    return str(int(label) if isinstance(label, float) and label.is_integer() else label).strip()


def hashes(label: Any) -> bool:
    """Can it be a label? Not a list, nor a tuple that holds one."""
    try:
        hash(label)
    except TypeError:
        return False
    return True


def cluster_codes(groups: Iterable[Hashable], n: int) -> tuple[Counts, int]:
    """The cluster of each of `n` rows as 0, 1, ..., and the number of clusters, at least two."""
    codes, found = label_codes("groups", "cluster", groups, n)
    if found < 2:
        raise ValueError(f"groups must name at least 2 clusters, got {found}: one cluster says nothing of the next")
    return codes, found
