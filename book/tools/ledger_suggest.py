"""Rows to begin with: TOML for the numerals that have no row, with expressions offered where one at hand fits."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import InvalidOperation
from typing import TYPE_CHECKING

import numpy as np

from book.tools.ledger_expressions import Namespace, evaluate, repeats_its_value
from book.tools.numerals import Numeral
from book.tools.reader_text import Passage

if TYPE_CHECKING:
    from book.tools.ledger import Report, Row


def _numbers_in(name: str, value: object, depth: int = 0) -> Iterator[tuple[str, float]]:
    """Expressions for the numbers a namespace holds, looking into results, mappings and short sequences."""
    if depth > 2 or isinstance(value, bool | str):
        return
    if isinstance(value, int | float | np.number):
        yield name, float(value)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _numbers_in(f"{name}[{key!r}]", item, depth + 1)
    elif isinstance(value, tuple | list | np.ndarray) and np.ndim(value) and len(value) <= 24:
        for i, item in enumerate(value):
            yield from _numbers_in(f"{name}[{i}]", item, depth + 1)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for attribute in dataclasses.fields(value):
            yield from _numbers_in(f"{name}.{attribute.name}", getattr(value, attribute.name), depth + 1)


def _candidates(names: Namespace, rows: Iterable[Row]) -> list[tuple[str, float]]:
    """Expressions that are at hand: what `setup` has made, also in percentage points, and those of other rows."""
    own = [pair for name, value in list(names.items()) if not name.startswith("_") for pair in _numbers_in(name, value)]
    points = [(f"100 * {name}", 100 * value) for name, value in own if 0 < abs(value) < 1]
    at_hand = []
    for expression in dict.fromkeys(e for row in rows for e in row.gives.values()):
        try:
            at_hand.append((expression, evaluate(expression, names)))
        except ValueError:
            continue  # reported by the check
    return own + points + at_hand


def _window(passage: Passage, numerals: list[Numeral]) -> str:
    """The words around some neighbouring numerals: up to three before and three after, within the sentence."""
    before = re.split(r"(?<=[.!?:;]) ", passage.text[: numerals[0].start])[-1].split(" ")[-4:]
    after = re.split(r"[.!?:;](?: |$)", passage.text[numerals[-1].end :])[0].split(" ")[:4]
    words = " ".join(before) + passage.text[numerals[0].start : numerals[-1].end] + " ".join(after)
    return words.strip().rstrip(".,;:!?")


def _clusters(passage: Passage, numerals: list[Numeral]) -> Iterator[list[Numeral]]:
    """Numerals of a passage that stand in one sentence, near each other."""
    group: list[Numeral] = []
    for numeral in numerals:
        gap = passage.text[group[-1].end : numeral.start] if group else ""
        if group and (len(gap) > 60 or re.search(r"[.!?]\s", gap)):
            yield group
            group = []
        group.append(numeral)
    if group:
        yield group


def suggest(report: Report, rows: Iterable[Row]) -> str:
    """Rows, in TOML, for the numerals that have none.

    Where something at hand gives the number it is offered; where `setup` only holds the number, it was chosen.
    """
    rows = list(rows)
    at_hand = _candidates(report.names, rows)
    taken = {row.id for row in rows}
    blocks, seen = [], set()
    by_passage: dict[int, tuple[Passage, list[Numeral]]] = {}
    for passage, numeral in report.uncovered:
        by_passage.setdefault(id(passage), (passage, []))[1].append(numeral)
    for passage, numerals in by_passage.values():
        for group in _clusters(passage, numerals):
            words = _window(passage, group)
            if words not in seen:
                seen.add(words)
                backed = {numeral.printed: _offers(numeral, at_hand, report.names) for numeral in group}
                blocks.append(_skeleton(words, backed, taken, f"{passage.file}:{passage.line_at(group[0].start)}"))
    return "\n".join(blocks)


def _offers(numeral: Numeral, at_hand: list[tuple[str, float]], names: Namespace) -> list[str] | None:
    """Up to four expressions that give a numeral; None if `setup` holds it as it is, so that it was chosen."""
    fits = list(dict.fromkeys(expression for expression, value in at_hand if _worth_offering(numeral, value)))
    computing = [expression for expression in fits if repeats_its_value(expression, numeral, names) is None]
    is_held = len(computing) < len(fits)
    return None if is_held and not (computing and numeral.is_decimal) else computing[:4]


def _skeleton(words: str, backed: dict[str, list[str] | None], taken: set[str], where: str) -> str:
    base = "-".join(re.findall(r"[a-z]+", words.lower())[:4]) or "row"
    row_id = next(name for i in range(1, 999) if (name := base if i == 1 else f"{base}-{i}") not in taken)
    taken.add(row_id)
    gives = [
        f"{_quoted(printed)} = {_quoted(fits[0] if fits else '')}"
        for printed, fits in backed.items()
        if fits is not None
    ]
    chosen = [f'{_quoted(printed)} = "an input: "' for printed, fits in backed.items() if fits is None]
    notes = [f"# {printed}: or {', '.join(fits[1:])}" for printed, fits in backed.items() if fits and len(fits) > 1]
    lines = [f"# {where}", *notes, "[[row]]", f'id = "{row_id}"', f"words = {_quoted(words)}"]
    lines += [f"gives = {{ {', '.join(gives)} }}"] if gives else []
    lines += [f"chosen = {{ {', '.join(chosen)} }}"] if chosen else []
    return "\n".join([*lines, ""])


def _worth_offering(numeral: Numeral, value: float) -> bool:
    try:
        return (numeral.significant_digits >= 2 or numeral.value >= 3) and numeral.agrees_with(value)
    except InvalidOperation:
        return False


def _quoted(text: str) -> str:
    """A TOML string: literal where it can be, so that TeX needs no escapes."""
    if "'" not in text:
        return f"'{text}'" if "\\" in text or '"' in text else f'"{text}"'
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
