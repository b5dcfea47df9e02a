"""Anchor numbers: each is printed by a cell of its chapter and is the fixed case of its exercise."""

from __future__ import annotations

import re
import tomllib
from decimal import Decimal
from typing import Any

import nbformat
import numpy as np
import pytest

from book.tools.notebooks import stored
from book.tools.places import ROOT
from book.tools.structure import chapters
from exercises import catalogue

ANCHORS: list[dict[str, Any]] = tomllib.loads((ROOT / "book" / "ledger" / "anchors.toml").read_text())["anchor"]
_NUMBER = r"(?<![\w.])-?\d*\.?\d+(?:e-?\d+)?"


def decimals(number: str) -> list[Decimal]:
    """The numbers of an anchor: one, or the two ends of an interval."""
    return [Decimal(text) for text in re.findall(_NUMBER, number.replace(",", ", ").replace("[", " "))]


def agree(printed: Decimal, value: float) -> bool:
    """Whether `value` rounds to the anchor as printed."""
    unit = Decimal((0, (1,), int(printed.as_tuple().exponent)))
    return abs(Decimal(repr(float(value))) - printed) <= unit / 2


def is_printed(number: str, output: str) -> bool:
    """Whether the numbers of an anchor stand next to each other in an output, to their places or more."""
    wanted = decimals(number)
    shown = [Decimal(text) for text in re.findall(_NUMBER, output)]
    runs = (shown[i : i + len(wanted)] for i in range(len(shown) - len(wanted) + 1))
    return any(all(shows(w, s) for w, s in zip(wanted, run, strict=True)) for run in runs)


def shows(wanted: Decimal, shown: Decimal) -> bool:
    """Whether a number in an output has the places of the anchor, or more, and rounds to it."""
    return agree(wanted, float(shown)) and int(shown.as_tuple().exponent) <= int(wanted.as_tuple().exponent)


def outputs(chapter: str) -> list[str]:
    """What each code cell of a kept notebook prints."""
    notebook = nbformat.read(stored(chapter), as_version=4)  # type: ignore[no-untyped-call]
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [
        "\n".join(str(out.get("text", "")) + str(out.get("data", {}).get("text/plain", "")) for out in cell.outputs)
        for cell in cells
    ]


def test_there_are_anchors_and_each_is_named_once() -> None:
    numbers = [anchor["number"] for anchor in ANCHORS]
    assert len(numbers) >= 9
    assert len(numbers) == len(set(numbers))


def test_numbers_are_found_in_outputs() -> None:
    assert is_printed(".0225", "p = 0.0225")
    assert is_printed(".0225", "0.022462893")
    assert is_printed("[.004, .036]", "CI [0.004, 0.036], B = 10000")
    assert not is_printed(".0225", "p = 0.0226")
    assert not is_printed(".0225", "p = 0.02")
    assert not is_printed("[.004, .036]", "[0.004, 0.037]")
    assert not is_printed("[.004, .036]", "0.004")
    assert not is_printed("194", "1940")


@pytest.mark.parametrize("anchor", ANCHORS, ids=lambda anchor: anchor["number"])
def test_an_anchor_is_printed_by_a_cell_of_its_chapter(anchor: dict[str, Any]) -> None:
    assert anchor["chapter"] in chapters()
    assert any(is_printed(anchor["number"], output) for output in outputs(anchor["chapter"]))


@pytest.mark.parametrize("anchor", ANCHORS, ids=lambda anchor: anchor["number"])
def test_an_anchor_is_the_fixed_case_of_its_exercise(anchor: dict[str, Any]) -> None:
    cases = catalogue.load(anchor["exercise"]).fixed_cases()
    found = [case.anchors[anchor["number"]] for case in cases if anchor["number"] in case.anchors]
    assert found, f"no fixed case of {anchor['exercise']} carries {anchor['number']}"
    values = np.atleast_1d(found[0])
    wanted = decimals(anchor["number"])
    assert len(values) == len(wanted)
    assert all(agree(w, v) for w, v in zip(wanted, values, strict=True))


def test_every_anchor_that_an_exercise_carries_is_in_the_table() -> None:
    carried = {
        (printed, name)
        for name in catalogue.names()
        for case in catalogue.load(name).fixed_cases()
        for printed in case.anchors
    }
    listed = {(anchor["number"], anchor["exercise"]) for anchor in ANCHORS}
    assert carried <= listed
