"""What a check may expect of a plain value.

Each function returns quietly, or raises `MismatchError` with what should have held. `slips` maps the id of a
misconception to the value it would have produced, or to a tuple of such values. When the answer is that value, the
feedback can name the slip; otherwise it says only what should have held. Two slips are looked for in every number:
percent in place of a share, and a number formatted as text. `remarks` maps a sentence about the answer to the value
that it is said of, where no misconception is behind it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from exercises.values import kind, shown

RELATIVE = 1e-6
ABSOLUTE = 1e-9
NEARLY = 10  # times what a check allows: off, but by too coarse a grid or too rough a rounding

PERCENT = "percent-for-share"
TEXT = "text-for-number"
GENERAL_SLIPS = (PERCENT, TEXT)


class MismatchError(Exception):
    """The answer does not hold. `slip` names the misconception, when the value gives it away; `more` is about it."""

    def __init__(self, wanted: str, slip: str | None = None, *, more: str = "", wrong_kind: bool = False) -> None:
        super().__init__(wanted + more)
        self.wanted = wanted
        self.more = more
        self.slip = slip
        self.wrong_kind = wrong_kind  # the value could not even be compared: no misconception follows from that


def number(value: Any) -> float:
    """`value` as a number; a yes/no is not one."""
    if type(value) in (int, float):
        return float(value)
    raise MismatchError(f"one number, and not {kind(value)}{_forgotten(value)}", _slip_in_text(value), wrong_kind=True)


def numbers(value: Any, names: Sequence[str]) -> list[float]:
    """`value` as a list of as many numbers as there are names."""
    wanted = f"a list of {len(names)} numbers, [{', '.join(names)}]"
    if type(value) is not list:
        raise MismatchError(f"{wanted}, and not {kind(value)}{_forgotten(value)}", wrong_kind=True)
    if len(value) != len(names) or any(type(item) not in (int, float) for item in value):
        slip = next(filter(None, map(_slip_in_text, value)), None)
        raise MismatchError(f"{wanted}, and not {shown(value)}", slip, wrong_kind=True)
    return [float(item) for item in value]


def entries(value: Any, names: Sequence[str]) -> dict[str, Any]:
    """`value` as a dictionary with exactly these keys."""
    wanted = f"a dictionary with the keys {', '.join(map(repr, names))}"
    if type(value) is not dict:
        raise MismatchError(f"{wanted}, and not {kind(value)}{_forgotten(value)}", wrong_kind=True)
    if set(value) != set(names):
        raise MismatchError(f"{wanted}, and not the keys {shown(list(value))[1:-1] or '(none)'}", wrong_kind=True)
    return value


def choice(value: Any, menu: Sequence[str]) -> str:
    """`value` as one of the menu's texts."""
    if type(value) is not str or value not in menu:
        wanted = f"one of {', '.join(map(repr, menu))}, spelt like that"
        raise MismatchError(f"{wanted}, and not {shown(value)}{_forgotten(value)}", wrong_kind=True)
    return value


def close(
    value: Any,
    right: float,
    wanted: str,
    slips: Mapping[str, float | tuple[float, ...]] | None = None,
    within: float = 0.0,
    remarks: Mapping[str, float] | None = None,
) -> None:
    """`value` is a number within rounding error of `right`, or within `within` where that is more."""
    got = number(value)
    if near(got, right, within):
        return
    for slip, wrong in (slips or {}).items():
        if any(near(got, each, within) for each in (wrong if isinstance(wrong, tuple) else (wrong,))):
            raise MismatchError(wanted, slip)
    if _in_percent([got], [right], within):
        raise MismatchError(wanted, PERCENT)
    for remark, wrong in (remarks or {}).items():
        if near(got, wrong, within):
            raise MismatchError(wanted, more=f" {remark}")
    rounded = got != 0 and any(got == round(right, decimals) for decimals in range(2, 9))
    raise MismatchError(wanted, more=" Your number is very near: return it unrounded." if rounded else "")


def all_close(
    value: Any,
    right: Sequence[float],
    names: Sequence[str],
    wanted: str,
    slips: Mapping[str, list[float] | tuple[list[float], ...]] | None = None,
    within: float = 0.0,
) -> None:
    """`value` is a list of numbers, each within rounding error (or `within`) of the one in `right`."""
    got = numbers(value, names)
    off = [name for name, one, other in zip(names, got, right, strict=True) if not near(one, other, within)]
    if not off:
        return
    for slip, wrong in (slips or {}).items():
        for each in wrong if isinstance(wrong, tuple) else (wrong,):
            if all(near(one, other, within) for one, other in zip(got, each, strict=True)):
                raise MismatchError(wanted, slip)
    percent = PERCENT if _in_percent(got, right, within) else None
    more = f" The first that is off: {off[0]}."
    if within and all(near(one, other, NEARLY * within) for one, other in zip(got, right, strict=True)):
        more += " Your numbers are near: take a finer grid, or round less."
    raise MismatchError(wanted, percent, more=more)


def same(value: Any, right: Any, wanted: str, slips: Mapping[str, Any] | None = None) -> None:
    """`value` equals `right`, where 810 equals 810.0 and 1 is not True."""
    if alike(value, right):
        return
    for slip, wrong in (slips or {}).items():
        if any(alike(value, each) for each in (wrong if isinstance(wrong, tuple) else (wrong,))):
            raise MismatchError(wanted, slip)
    raise MismatchError(wanted)


def near(one: float, other: float, within: float = 0.0) -> bool:
    """Equal but for rounding error in the computation, or for `within` where a check allows more."""
    return abs(one - other) <= max(within, ABSOLUTE + RELATIVE * abs(other))


def _in_percent(got: Sequence[float], right: Sequence[float], within: float) -> bool:
    """Some numbers are a hundred times too large, and the others are right."""
    pairs = [(one, other) for one, other in zip(got, right, strict=True) if not near(one, other, within)]
    return bool(pairs) and all(near(one, 100 * other, 100 * within) for one, other in pairs)


def _slip_in_text(value: Any) -> str | None:
    """What has gone wrong where a number came as text."""
    if type(value) is not str:
        return None
    digits = value.strip().removesuffix("%")
    try:
        float(digits)
    except ValueError:
        return None
    return TEXT if digits == value.strip() else PERCENT


def alike(one: Any, other: Any) -> bool:
    """Equality of plain values that never takes a yes/no for a number."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return set(one) == set(other) and all(alike(one[key], other[key]) for key in one)
    return bool(one == other)


def _forgotten(value: Any) -> str:
    return ". Did you forget the `return`?" if value is None else ""
