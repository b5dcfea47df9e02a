"""Files that are generated and kept: worksheets, and the copy of the misconceptions that exercises name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from exercises import catalogue
from exercises.expect import GENERAL_SLIPS

OPENING = """\
# Worksheet

Write each function in place of the line that raises `NotImplementedError`, run the cell, and run the check below it.
A check tells you what it called, what came back and what should have held.
`exercises.hint(name, 1)` gives a little away, higher numbers more, and `exercises.solution(name)` everything.
"""


def worksheet_file(chapter: str) -> Path:
    """Where a chapter's worksheet is kept."""
    return catalogue.PACKAGE / chapter / "worksheet.ipynb"


def worksheet(chapter: str) -> str:
    """A chapter's worksheet as the text of a notebook."""
    names = catalogue.names(chapter)
    if not names:
        raise ValueError(f"no exercises for {chapter!r}; chapters with some: {', '.join(catalogue.chapters())}")
    cells = [_markdown("worksheet", OPENING), _code("set-up", "import exercises")]
    for name in names:
        cells += _exercise_cells(name)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def answer_cell(name: str) -> str:
    """The id of the cell in which the learner writes the answer."""
    return _cell_id(f"{name.partition('/')[2]}-answer")


def _exercise_cells(name: str) -> list[dict[str, Any]]:
    exercise = catalogue.load(name)
    function = exercise.function
    statement = catalogue.text(name, "statement.md").strip()
    return [
        _markdown(function, f"## {exercise.title}\n\n{statement}\n"),
        _code(answer_cell(name), catalogue.text(name, "starter.py").strip()),
        _code(f"{function}-check", f'exercises.check("{name}", {function})'),
        _code(f"{function}-hint", f'# exercises.hint("{name}", 1)'),
    ]


def _markdown(identifier: str, text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": _cell_id(identifier), "metadata": {}, "source": _lines(text.strip())}


def _code(identifier: str, text: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": _cell_id(identifier),
        "metadata": {},
        "outputs": [],
        "source": _lines(text),
    }


def _cell_id(identifier: str) -> str:
    return identifier.replace("_", "-")[:64]


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def misconceptions() -> str:
    """The entries of `book/misconceptions.yml` that exercises name, as JSON: the installed package has no book."""
    import yaml

    catalogue_file = catalogue.CHECKOUT / "book" / "misconceptions.yml"
    entries = yaml.safe_load(catalogue_file.read_text(encoding="utf-8"))
    needed = sorted({*GENERAL_SLIPS, *(slip for name in catalogue.names() for slip in catalogue.load(name).diagnoses)})
    unknown = [slip for slip in needed if slip not in entries]
    if unknown:
        raise ValueError(f"not in {catalogue_file.name}: {', '.join(unknown)}")
    fields = ("title", "say", "ask", "because")
    kept = {slip: {field: str(entries[slip][field]).strip() for field in fields} for slip in needed}
    return json.dumps(kept, indent=1, ensure_ascii=False) + "\n"
