"""A class of made-up students: who hands in starters, model answers and answers that are wrong in known ways."""

from __future__ import annotations

import json
import random
from pathlib import Path

from exercises import catalogue
from exercises.grading import secret

CHAPTER = "paired"
GRADERS = Path(__file__).parents[1] / "graders"


def answers(name: str) -> list[str]:
    """What students may write for an exercise."""
    graders = sorted((GRADERS / name).glob("*.py"))
    files = [catalogue.PACKAGE / name / "starter.py", catalogue.SOLUTIONS / f"{name}.py", *graders]
    return [path.read_text(encoding="utf-8") for path in files]


def cells(dice: random.Random) -> list[str]:
    """One student's cells: some exercises are missing, and one student in five has a cell that fails."""
    found = [dice.choice(answers(name)) for name in catalogue.names(CHAPTER) if dice.random() < 0.9]
    if dice.random() < 0.2:
        found.insert(len(found) // 2, "1 / 0")
    return ["import math", *found]


def notebook(sources: list[str]) -> str:
    """A Jupyter notebook with these cells."""
    code = [{"cell_type": "code", "source": source, "metadata": {}, "outputs": []} for source in sources]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": code})


def write_class(folder: Path, count: int, seed: int = 1) -> list[str]:
    """Write submissions, roster and secret into a folder; the words of the command that grades them."""
    dice = random.Random(seed)
    (folder / "submissions").mkdir(parents=True)
    students = [f"s{number:03}" for number in range(1, count + 1)]
    for student in students:
        sources = cells(dice)
        if dice.random() < 0.7:
            (folder / "submissions" / f"{student}.ipynb").write_text(notebook(sources))
        else:
            (folder / "submissions" / f"{student}.py").write_text("# %%\n" + "\n\n# %%\n".join(sources))
    (folder / "roster.csv").write_text("id,name\n" + "".join(f"{each},Student {each}\n" for each in students))
    if not (folder / "grading.secret").exists():
        secret.create(folder / "grading.secret")
    return [
        *("grade", str(folder / "submissions"), "--roster", str(folder / "roster.csv"), "--assignment", CHAPTER),
        *("--secret", str(folder / "grading.secret")),
    ]
