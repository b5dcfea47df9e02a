"""An assignment for nbgrader: the same statements and starters, with public checks only.

nbgrader runs student code beside its own tests, in one process and with the course's files at hand. So nothing that
must stay hidden goes into a release: no drawn inputs of a student, and no model answer, not even in the instructor's
version. Marks that count come from `python -m exercises grade`.

The metadata follow nbgrader's schema 3 (nbgrader 0.9.6, `nbgrader/nbgraderformat/v3.json`). A test cell gives all its
points unless it raises, writes to stderr, or ends with a number, which then is the mark (`determine_grade` in
`nbgrader/utils.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from exercises import catalogue
from exercises.grading import course
from exercises.grading.course import Assignment, Worth
from exercises.local import STARTER_SAYS

SCHEMA = 3
MAX_ID = 64  # characters of a cell's id in a notebook
STUB = f'raise NotImplementedError("{STARTER_SAYS}")'
STUB_SETTING = f'c.ClearSolutions.code_stub = {{"python": {json.dumps(STUB)}}}'
CONFIG = f"""\
# For nbgrader: what stands in a release in place of a solution. The checks know by it that an answer is not started.
c = get_config()
{STUB_SETTING}
"""
OPENING = """\
# {title}

Write each function in place of the line that raises `NotImplementedError`, run the cell, and run the check below it.
A check tells you what it called, what came back and what should have held.

These are public checks only: their inputs are the same for everybody.
Passing them is a good sign and no promise, because your work may be graded with other inputs."""
TEST = """\
import contextlib
import io

import exercises

with contextlib.redirect_stderr(io.StringIO()):  # a warning there would cost all points
    report = exercises.check("{name}", {function})
print(report)
passed = [result.verdict == "passed" for result in report.results]
{points} * sum(passed) / len(passed)  # the points of this cell"""


def write(assignment: str | None, course_file: Path, out: Path) -> Path:
    """Write one assignment into the folder of an nbgrader course, and return where its notebook stands."""
    chosen = course.read(course_file).assignment(assignment)
    config = out / "nbgrader_config.py"
    if config.exists() and STUB_SETTING not in config.read_text(encoding="utf-8"):
        raise ValueError(f"{config} has settings of yours, and these are left alone; add this line: {STUB_SETTING}")
    place = out / "source" / chosen.stem / f"{chosen.stem}.ipynb"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(notebook(chosen), encoding="utf-8")
    if not config.exists():
        config.write_text(CONFIG, encoding="utf-8")
    return place


def notebook(assignment: Assignment) -> str:
    """The notebook of an assignment in nbgrader's source form, as text."""
    cells = [_cell("opening", new_markdown_cell, OPENING.format(title=assignment.title), locked=True)]
    for worth in assignment.exercises:
        cells += _by_hand(worth) if worth.manual else _checked(worth)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    made = new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})
    nbformat.validate(made)
    return f"{nbformat.writes(made)}\n"


def _checked(worth: Worth) -> list[Any]:
    name, points = worth.exercise, _plain(worth.points)
    exercise, grade_id = catalogue.load(name), name.replace("/", "-")
    statement = f"## {exercise.title}\n\n{catalogue.text(name, 'statement.md').strip()}"
    test = TEST.format(name=name, function=exercise.function, points=points)
    return [
        _cell(grade_id, new_markdown_cell, statement, locked=True),
        _cell(f"{grade_id}-answer", new_code_cell, _marked(catalogue.text(name, "starter.py")), solution=True),
        _cell(f"{grade_id}-test", new_code_cell, test, grade=True, locked=True, points=points),
    ]


def _by_hand(worth: Worth) -> list[Any]:
    """A question that a person marks: the instructor writes it below its name."""
    grade_id = re.sub(r"[^a-zA-Z0-9_-]", "-", worth.exercise)
    said = {"grade": True, "solution": True, "points": _plain(worth.points)}
    return [
        _cell(grade_id, new_markdown_cell, f"## {worth.exercise}", locked=True),
        _cell(f"{grade_id}-answer", new_markdown_cell, "Your answer goes here.", **said),
    ]


def _cell(grade_id: str, new_cell: Callable[..., Any], source: str, **said: bool | float) -> Any:
    """A cell with nbgrader's metadata; its ids are the same in every export."""
    usual = {"schema_version": SCHEMA, "grade_id": grade_id, "grade": False, "locked": False, "solution": False}
    cell_id = grade_id.replace("_", "-")[:MAX_ID]
    return new_cell(source, id=cell_id, metadata={"nbgrader": {**usual, "task": False, **said}})


def _marked(starter: str) -> str:
    """The starter with nbgrader's marks around the line that an answer replaces."""
    lines = starter.strip().splitlines()
    place = next(place for place, line in enumerate(lines) if line.strip() == STUB)
    indent = lines[place].removesuffix(STUB)
    lines[place : place + 1] = [f"{indent}### BEGIN SOLUTION", lines[place], f"{indent}### END SOLUTION"]
    return "\n".join(lines)


def _plain(points: Fraction) -> int | float:
    return int(points) if points.denominator == 1 else float(points)
