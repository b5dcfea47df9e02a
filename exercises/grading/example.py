"""A made-up class, to try grading on: a gradebook and a zip of notebooks as Canvas exports them.

The people are invented. Their answers are our model answers and the wrong answers that our checks are tested with, so
this works in a copy of the repository only.
"""

from __future__ import annotations

import json
import random
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from exercises import catalogue, generate
from exercises.grading.course import Assignment
from exercises.grading.points import decimal_text
from exercises.grading.text import csv_text

WRONG = catalogue.CHECKOUT / "tests" / "graders"
SEED = 5
STOPPED = "def {}(*anything):\n    raise ValueError('I could not make this work')\n"
FIRST_NUMBER = 4101  # in Canvas
ASSIGNMENT_NUMBER = 77

Answers = Mapping[str, str]  # code by exercise


def _model(name: str) -> str:
    return (catalogue.SOLUTIONS / f"{name}.py").read_text(encoding="utf-8")


def _wrong(name: str, chance: random.Random) -> str:
    return chance.choice(sorted((WRONG / name).glob("wrong_*.py"))).read_text(encoding="utf-8")


def _starter(name: str) -> str:
    return catalogue.text(name, "starter.py")


def _mixed(share_right: float) -> Callable[[str, random.Random], str]:
    return lambda name, chance: _model(name) if chance.random() < share_right else _wrong(name, chance)


def _copied(name: str, chance: random.Random) -> str:
    """What somebody else wrote, with other names for things."""
    return re.sub(r"\b([a-z])\b", r"\1_", _wrong(name, random.Random(name)))


# who, and how each answers
PEOPLE: dict[str, Callable[[str, random.Random], str] | None] = {
    "Adjei, Abena": lambda name, chance: _model(name),
    "Berg, Nils": _mixed(0.8),
    "Castro, Lucia": _mixed(0.7),
    "Demir, Elif": _mixed(0.5),
    "Eze, Chidi": _mixed(0.4),
    "Fischer, Jana": _mixed(0.3),
    "Gupta, Rohan": _mixed(0.1),
    "Haddad, Samir": lambda name, chance: _wrong(name, random.Random(name)),
    "Ivanova, Daria": _copied,
    "Jansen, Piet": lambda name, chance: STOPPED.format(name.partition("/")[2]),
    "Kim, Minseo": lambda name, chance: _starter(name),
    "Laurent, Zoe": None,  # handed in nothing
}
LATE = "Demir, Elif"


def write(assignment: Assignment, folder: Path) -> list[Path]:
    """Write the gradebook and the zip; refuses to overwrite."""
    if not WRONG.is_dir() or not catalogue.SOLUTIONS.is_dir():
        raise ValueError("the made-up class needs a copy of the repository: its answers are not in the package")
    folder.mkdir(parents=True, exist_ok=True)
    gradebook, handed_in = folder / "gradebook.csv", folder / "submissions.zip"
    for path in (gradebook, handed_in):
        if path.exists():
            raise ValueError(f"{path} is there already; name another folder")
    gradebook.write_text(_gradebook(assignment), encoding="utf-8")
    with zipfile.ZipFile(handed_in, "x", zipfile.ZIP_DEFLATED) as archive:
        for number, (person, answer) in enumerate(PEOPLE.items()):
            if answer is not None:
                chance = random.Random(SEED + number)
                answers = {name: answer(name, chance) for name in assignment.checked}
                archive.writestr(_file_name(number, person, assignment), _notebook(answers))
        archive.writestr("unknownperson_9999_60099_homework.ipynb", _notebook({}))
    return [gradebook, handed_in]


def _gradebook(assignment: Assignment) -> str:
    """As Canvas exports it: a line of points above the students, a test student below."""
    column = f"{assignment.title} ({ASSIGNMENT_NUMBER})"
    rows = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", column]]
    rows.append(["    Points Possible", "", "", "", "", decimal_text(assignment.total)])
    for number, person in enumerate(PEOPLE):
        login = person.partition(",")[0].lower()
        rows.append([person, str(FIRST_NUMBER + number), f"s{1001 + number}", login, "Evals 1", ""])
    rows.append(["Student, Test", "4199", "", "test", "Evals 1", ""])
    return csv_text(rows)


def _file_name(number: int, person: str, assignment: Assignment) -> str:
    """As Canvas names what it exports: name, LATE, number of the person and of the submission, the file's own name."""
    letters = re.sub("[^a-z]", "", person.lower())
    late = "LATE_" if person == LATE else ""
    return f"{letters}_{late}{FIRST_NUMBER + number}_{60_001 + number}_{assignment.stem}.ipynb"


def _notebook(answers: Answers) -> str:
    """The worksheets of the chapters with these answers in their cells."""
    chapters = dict.fromkeys(name.partition("/")[0] for name in answers)
    sheets = [json.loads(generate.worksheet(chapter)) for chapter in chapters]
    cells = [cell for sheet in sheets for cell in sheet["cells"]]
    places = {generate.answer_cell(name): code for name, code in answers.items()}
    for cell in cells:
        if cell["id"] in places:
            cell["source"] = places[cell["id"]].splitlines(keepends=True)
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
