"""A class on paper: what its students wrote for the nine exercises of one chapter, and how many of them pass."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from book.tools.places import ROOT
from exercises import catalogue

CHAPTER = "paired"
EXERCISES = tuple(catalogue.names(CHAPTER))
CASES = ROOT / "tests" / "graders"
PLAIN = {  # model answers that import scipy, and right ones that do not
    "paired/unpaired_z": "right_standard_library",
    "paired/exact_mcnemar": "right_by_counting",
    "paired/mid_p": "right_by_counting",
    "paired/chi_square_forms": "right_normal",
}
Students = Sequence[tuple[str, str]]  # name, and kind of notebook


def model(exercise: str) -> str:
    return (catalogue.SOLUTIONS / f"{exercise}.py").read_text(encoding="utf-8")


def plain(exercise: str) -> str:
    """A right answer without scipy."""
    other = PLAIN.get(exercise)
    return (CASES / exercise / f"{other}.py").read_text(encoding="utf-8") if other else model(exercise)


def wrong(exercise: str) -> str:
    """The first of the wrong answers that the checks are tested with."""
    return min((CASES / exercise).glob("wrong_*.py")).read_text(encoding="utf-8")


def untouched(exercise: str) -> str:
    return catalogue.text(exercise, "starter.py")


def crashing(exercise: str) -> str:
    """Right, but one cell ends in an error, and one function does when it is called."""
    if exercise == "paired/mid_p":
        return "def mid_p(b, c):\n    return b / 0\n"
    more = '\nraise RuntimeError("in the middle of the notebook")\n' if exercise == "paired/paired_table" else ""
    return model(exercise) + more


KINDS: dict[str, Callable[[str], str]] = {
    "right": model,
    "right, without scipy": plain,
    "wrong": wrong,
    "not started": untouched,
    "crashes in places": crashing,
}
PASS = {"right": 9, "right, without scipy": 9, "wrong": 0, "not started": 0, "crashes in places": 8}


def one(kind: str) -> Students:
    """A class of one."""
    return [("student00", kind)]


def everyone(each: int) -> Students:
    """A class with so many of each kind."""
    kinds = [kind for _ in range(each) for kind in KINDS]
    return [(f"student{number:02}", kind) for number, kind in enumerate(kinds)]


# ---- notebooks -------------------------------------------------------------------------------------------------------


def code(source: str, **metadata: Any) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "metadata": metadata, "execution_count": None, "outputs": []}


def text(source: str, cell_type: str = "markdown") -> dict[str, Any]:
    return {"cell_type": cell_type, "source": source, "metadata": {}}


def notebook(cells: list[dict[str, Any]]) -> str:
    """Of version 4.4, whose cells need no ids."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    about = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": about, "cells": cells})


def save(cells: list[dict[str, Any]], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(notebook(cells), encoding="utf-8")


def function(exercise: str) -> str:
    return exercise.partition("/")[2]


def verdict(exercise: str) -> str:
    """What a peer runs in the student's process: every check of ours, on fixed and on drawn inputs."""
    return f'assert exercises.check("{exercise}", {function(exercise)}).verdict == "passed"'


def worksheet(kind: str, exercises: tuple[str, ...] = EXERCISES) -> list[dict[str, Any]]:
    """Our worksheet as it is handed in: the self-checks are still there."""
    cells = [text("# Worksheet"), code("import exercises")]
    for exercise in exercises:
        cells += [text(catalogue.text(exercise, "statement.md")), code(KINDS[kind](exercise))]
        cells += [code(f'exercises.check("{exercise}", {function(exercise)})')]
    return cells
