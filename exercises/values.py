"""What an answer may be: plain JSON values, converted strictly.

A check never compares what a learner's function returned. It compares a plain copy, so that an object with its own idea
of equality, a NaN or a `True` posing as a number cannot pass. The same copy is what a sandbox would send back.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

type_names = {bool: "yes/no", int: "whole number", float: "number", str: "text", list: "list", dict: "dictionary"}

MAX_DEPTH = 20
MAX_LEAVES = 200_000
MAX_SHOWN = 140
LONG = 16  # a list or dictionary with more entries than this is long,
FIRST = 5  # and its first ones will do


class BadValueError(Exception):
    """The answer returned something that cannot be a plain value; the text says what, in the learner's terms."""


def plain(value: object) -> Any:
    """Copy `value` into None, bool, int, float, str, list and dict, or raise `BadValueError`.

    NumPy scalars and arrays, tuples and fractions are converted, because right answers return them.

    >>> plain((np.float64(0.5), np.int64(2), True))
    [0.5, 2, True]
    """
    copied = _copy(value, MAX_DEPTH)
    if _leaves(copied) > MAX_LEAVES:
        raise BadValueError(f"more than {MAX_LEAVES:,} values")
    return copied


def _copy(value: object, depth: int) -> Any:
    if depth == 0:
        raise BadValueError(f"lists within lists more than {MAX_DEPTH} deep")
    if isinstance(value, np.generic | np.ndarray):
        value = np.ndarray.tolist(np.asarray(value))
    if type(value) is Fraction:
        value = value.numerator / value.denominator
    if value is None or type(value) in (bool, str):
        return value
    if type(value) is int or type(value) is float:
        return _finite(value)
    if type(value) is list:
        return [_copy(item, depth - 1) for item in value]
    if isinstance(value, tuple):
        return [_copy(item, depth - 1) for item in tuple.__iter__(value)]
    if type(value) is dict:
        return {_key(key): _copy(item, depth - 1) for key, item in value.items()}
    raise BadValueError(f"an object of type {type(value).__name__}")


def _finite(value: int | float) -> int | float:
    try:
        finite = math.isfinite(value)
    except OverflowError:
        finite = False
    if not finite:
        what = f"{value}, which is not finite" if type(value) is float else "one too large to use"
        raise BadValueError(f"a number, but {what}")
    return value


def _key(key: object) -> str:
    if type(key) is not str:
        raise BadValueError(f"a dictionary whose keys are not all text ({type(key).__name__} found)")
    return key


def _leaves(value: Any) -> int:
    if isinstance(value, list):
        return sum(_leaves(item) for item in value) if value else 1
    if isinstance(value, dict):
        return sum(_leaves(item) for item in value.values()) if value else 1
    return 1


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
        pairs = (f"{key!r}: {shown(item, room // 2)}" for key, item in value.items())
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
