"""What an answer may be: plain JSON values, converted strictly.

A check never compares what a learner's function returned. It compares a plain copy, so that an object with its own idea
of equality, a NaN or a `True` posing as a number cannot pass. The same copy is what a sandbox would send back.
What an object says of itself is not asked: its type decides, and the methods of the built-in types read it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

Place = tuple[str | int, ...]  # keys and positions, from the outside in

type_names = {bool: "yes/no", int: "whole number", float: "number", str: "text", list: "list", dict: "dictionary"}

MAX_DEPTH = 20
MAX_VALUES = 200_000
MAX_TEXT = 10_000
MAX_CHARACTERS = 1_000_000  # of all texts together
MAX_MESSAGE = 300
MAX_SHOWN = 140
LONG = 16  # a list or dictionary with more entries than this is long,
FIRST = 5  # and its first ones will do


class BadValueError(Exception):
    """The answer returned something that cannot be a plain value; the text says what, in the learner's terms."""


class NotFiniteError(BadValueError):
    """A number that is not finite; `place` says where in the answer."""

    def __init__(self, what: str, place: Place = ()) -> None:
        found = "".join(f"[{step!r}]" for step in place)[:MAX_SHOWN]
        within = "a dictionary" if place and isinstance(place[0], str) else "a list"
        super().__init__(f"{within}, but its {found} is {what}" if place else f"a number, but {what}")
        self.what = what
        self.place = place


def plain(value: object) -> Any:
    """Copy `value` into None, bool, int, float, str, list and dict, or raise `BadValueError`.

    NumPy scalars and arrays, tuples, fractions, decimals, and the relatives of text, lists and dictionaries (such as
    `Counter` or `StrEnum`) are converted, because right answers return them.

    >>> plain((np.float64(0.5), np.int64(2), True))
    [0.5, 2, True]
    """
    return _Copier().copy(value, MAX_DEPTH)


class _Copier:
    """Copies one value and counts while it goes: what is shared inside may be small in memory and endless when read."""

    def __init__(self) -> None:
        self.values = 0
        self.characters = 0

    def copy(self, value: object, depth: int) -> Any:
        if depth == 0:
            raise BadValueError(f"lists within lists more than {MAX_DEPTH} deep")
        self._count(1)
        own = type(value)
        if issubclass(own, np.generic | np.ndarray):
            value = self._from_numpy(value)
        elif own in (Fraction, Decimal):
            value = _ratio(value)
        if value is None or type(value) is bool:
            return value
        if type(value) is int or type(value) is float:
            return _finite(value)
        if issubclass(type(value), str):
            return self._text(value)
        return self._copy_collection(value, depth)

    def _copy_collection(self, value: Any, depth: int) -> Any:
        if issubclass(type(value), list):
            return [self._copy_at(place, item, depth) for place, item in enumerate(list.__iter__(value))]
        if issubclass(type(value), tuple):
            return [self._copy_at(place, item, depth) for place, item in enumerate(tuple.__iter__(value))]
        if issubclass(type(value), dict):
            return {name: self._copy_at(name, item, depth) for name, item in self._named(value)}
        raise BadValueError(f"an object of type {type_name(value)}")

    def _copy_at(self, place: str | int, item: object, depth: int) -> Any:
        try:
            return self.copy(item, depth - 1)
        except NotFiniteError as bad:
            raise NotFiniteError(bad.what, (place, *bad.place)) from None

    def _named(self, value: dict[Any, Any]) -> Iterable[tuple[str, Any]]:
        return ((self._key(key), item) for key, item in dict.items(value))

    def _key(self, key: object) -> str:
        if not issubclass(type(key), str):
            raise BadValueError(f"a dictionary whose keys are not all text ({type_name(key)} found)")
        return self._text(key)

    def _text(self, value: Any) -> str:
        copied = str.__str__(value)
        if len(copied) > MAX_TEXT:
            raise BadValueError(f"a text of more than {MAX_TEXT:,} characters")
        self.characters += len(copied)
        if self.characters > MAX_CHARACTERS:
            raise BadValueError(f"texts of more than {MAX_CHARACTERS:,} characters together")
        return copied

    def _count(self, more: int) -> None:
        self.values += more
        if self.values > MAX_VALUES:
            raise BadValueError(f"more than {MAX_VALUES:,} values")

    def _from_numpy(self, value: Any) -> object:
        try:
            array = np.ndarray.view(value, np.ndarray) if issubclass(type(value), np.ndarray) else np.asarray(value)
            size, kind_of_number = array.size, array.dtype.kind
            self._count(0 if size <= MAX_VALUES else size)
            # a long double would come back as itself
            return (array.astype(np.float64) if kind_of_number == "f" else array).tolist()
        except (TypeError, ValueError, AttributeError, RuntimeError):
            raise BadValueError(f"an object of type {type_name(value)}") from None


def _ratio(value: Any) -> object:
    try:
        return float(value) if type(value) is Decimal else value.numerator / value.denominator
    except OverflowError:
        raise BadValueError("a number, but one too large to use") from None
    except (TypeError, ValueError, ArithmeticError, AttributeError):
        raise BadValueError(f"an object of type {type_name(value)} that is no number") from None


def type_name(value: object) -> str:
    """The name of the type of `value`, whatever its class says of itself."""
    return str(vars(type)["__name__"].__get__(type(value)))[:MAX_SHOWN]


def error_text(error: BaseException) -> str:
    """An error's type and message, at most a few lines of it; an error that cannot say what it is has no message."""
    try:
        message = str.__str__(str(error))
    except Exception:
        return type_name(error)
    cut = message if len(message) <= MAX_MESSAGE else f"{message[:MAX_MESSAGE]}..."
    text = f"{type_name(error)}: {cut}" if cut else type_name(error)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")  # half a surrogate pair cannot be printed


def _finite(value: int | float) -> int | float:
    try:
        finite = math.isfinite(value)
    except OverflowError:
        finite = False
    if not finite:
        what = f"{value}, which is not finite" if type(value) is float else "one too large to use"
        raise NotFiniteError(what)
    return value


def sent(arguments: tuple[Any, ...]) -> list[Any]:
    """A fresh copy of the arguments, as they would arrive in a sandbox: a learner who changes them harms nobody.

    >>> sent(([1, 2], {"a": 0.5}))
    [[1, 2], {'a': 0.5}]
    """
    copied: list[Any] = json.loads(json.dumps(arguments, allow_nan=False))
    return copied


def shown(value: Any, room: int = MAX_SHOWN) -> str:
    """`value` as one would type it, in about `room` characters: numbers to six digits, long things cut.

    >>> shown({"z": 1.2361896, "p": 0.5})
    "{'z': 1.23619, 'p': 0.5}"
    >>> shown([0.1] * 30, room=40)
    '[0.1, 0.1, 0.1, 0.1, 0.1, ... (30 in all)]'
    """
    if isinstance(value, float):
        return min(repr(value), f"{value:.6g}", key=len) if value % 1 else repr(value)
    if isinstance(value, list):
        return f"[{_shown_items((shown(item, room // 2) for item in value), len(value), room)}]"
    if isinstance(value, dict):
        pairs = (f"{shown(key, room // 2)}: {shown(item, room // 2)}" for key, item in value.items())
        return f"{{{_shown_items(pairs, len(value), room)}}}"
    full = repr(value)
    return full if len(full) <= room else f"{full[:room]}..."


def _shown_items(texts: Iterable[str], count: int, room: int) -> str:
    most = count if count <= LONG else FIRST
    items: list[str] = []
    for text in texts:
        if items and (len(items) == most or len(", ".join([*items, text])) > room):
            return f"{', '.join(items)}, ... ({count} in all)"
        items.append(text)
    return ", ".join(items)


def shown_call(function: str, arguments: tuple[Any, ...]) -> str:
    """The call as one would type it.

    >>> shown_call("exact_mcnemar", (45, 25))
    'exact_mcnemar(45, 25)'
    """
    return f"{function}({', '.join(shown(argument) for argument in arguments)})"


def kind(value: Any) -> str:
    """The word for the type of a plain value, for messages."""
    return "nothing (None)" if value is None else f"a {type_names[type(value)]}"
