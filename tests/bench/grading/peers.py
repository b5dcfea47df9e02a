"""The other graders: the same assignment in their form, and the commands that grade it."""

from __future__ import annotations

import csv
import functools
import json
import operator
import shutil
from pathlib import Path
from typing import Any

from exercises import catalogue
from tests.bench.environments import Environment
from tests.bench.grading.classroom import EXERCISES, KINDS, Students, code, function, model, save, text, verdict
from tests.bench.grading.meter import Taken, metered

NAME = "ps1"


class Nbgrader:
    """`nbgrader autograde`, which goes through a class in one process and starts a kernel for each notebook."""

    who = "nbgrader"
    settings = 'c = get_config()\nc.CourseDirectory.course_id = "bench"\nc.Exchange.root = ""\n'

    def __init__(self, place: Environment, folder: Path) -> None:
        self.program, self.folder = str(place.program("nbgrader")), folder
        self.settings_of = {"JUPYTER_PLATFORM_DIRS": "1", "HOME": str(folder), "PATH": path_of(place)}

    def cells(self, answers: dict[str, str]) -> list[dict[str, Any]]:
        cells = [text("# Worksheet"), code("import exercises")]
        for exercise in EXERCISES:
            name = function(exercise)
            answer = cell_of(name, solution=True, locked=False, grade=False)
            test = cell_of(f"test-{name}", solution=False, locked=True, grade=True, points=1)
            cells += [text(catalogue.text(exercise, "statement.md"))]
            cells += [code(answers[exercise], nbgrader=answer), code(verdict(exercise), nbgrader=test)]
        return cells

    def release(self) -> None:
        """Make the assignment, as an instructor does once."""
        course = self.folder / "course"
        solved = {name: f"### BEGIN SOLUTION\n{model(name)}\n### END SOLUTION" for name in EXERCISES}
        save(self.cells(solved), course / "source" / NAME / f"{NAME}.ipynb")
        (course / "nbgrader_config.py").write_text(self.settings, encoding="utf-8")
        metered([self.program, "generate_assignment", NAME], course, self.settings_of)

    def hand_in(self, students: Students, place: Path) -> None:
        shutil.copytree(self.folder / "course", place)
        for student, kind in students:
            save(
                self.cells({name: KINDS[kind](name) for name in EXERCISES}),
                place / "submitted" / student / NAME / f"{NAME}.ipynb",
            )

    def grade(self, place: Path) -> Taken:
        return metered([self.program, "autograde", NAME], place, self.settings_of)

    def grade_and_tell(self, place: Path) -> Taken:
        """With a page for each student, as our command writes it."""
        return self.grade(place) + metered([self.program, "generate_feedback", NAME], place, self.settings_of)

    def passed(self, place: Path) -> dict[str, int]:
        metered([self.program, "export"], place, self.settings_of)
        with (place / "grades.csv").open(encoding="utf-8", newline="") as file:
            return {row["student_id"]: round(float(row["score"])) for row in csv.DictReader(file)}


def cell_of(name: str, **more: Any) -> dict[str, Any]:
    """What nbgrader keeps with a cell."""
    return {"grade_id": name, "schema_version": 3, "task": False, "cell_type": "code", **more}


def path_of(place: Environment) -> str:
    """Programs of the peer's environment first: its kernel is looked for there."""
    return f"{place.python.parent}:/usr/bin:/bin"


class Otter:
    """`otter run`, which grades one notebook; a class is as many runs."""

    who = "otter-grader"

    def __init__(self, place: Environment, folder: Path) -> None:
        self.program, self.folder = str(place.program("otter")), folder
        self.settings_of = {"HOME": str(folder), "PATH": path_of(place)}

    def release(self) -> None:
        """Make the assignment, as an instructor does once."""
        head = {"init_cell": False, "check_all_cell": False, "export_cell": False, "tests": {"files": False}}
        head["generate"] = {"pdf": False}
        cells = [text(f"# ASSIGNMENT CONFIG\n{json.dumps(head)}", "raw"), code("import exercises")]
        for exercise in EXERCISES:
            question = {"name": function(exercise), "points": 1, "check_cell": False}
            cells += [text(f"# BEGIN QUESTION\n{json.dumps(question)}", "raw")]
            cells += [text(catalogue.text(exercise, "statement.md")), text("# BEGIN SOLUTION", "raw")]
            cells += [code(model(exercise)), text("# END SOLUTION", "raw"), text("# BEGIN TESTS", "raw")]
            cells += [code(verdict(exercise)), text("# END TESTS", "raw"), text("# END QUESTION", "raw")]
        save(cells, self.folder / f"{NAME}.ipynb")
        metered([self.program, "assign", "--no-run-tests", f"{NAME}.ipynb", "dist"], self.folder, self.settings_of)

    def cells(self, kind: str) -> list[dict[str, Any]]:
        cells = [text("# Worksheet"), code("import exercises")]
        for exercise in EXERCISES:
            cells += [text(catalogue.text(exercise, "statement.md")), code(KINDS[kind](exercise))]
        return cells

    def hand_in(self, students: Students, place: Path) -> None:
        for student, kind in students:
            save(self.cells(kind), place / student / f"{NAME}.ipynb")

    def grade(self, place: Path) -> Taken:
        (autograder,) = (self.folder / "dist" / "autograder").glob("*.zip")
        command = [self.program, "run", "-a", str(autograder), f"{NAME}.ipynb"]
        runs = (metered(command, student, self.settings_of) for student in sorted(place.iterdir()))
        return functools.reduce(operator.add, runs)

    def passed(self, place: Path) -> dict[str, int]:
        found = {}
        for student in sorted(place.iterdir()):
            result = json.loads((student / "results.json").read_text(encoding="utf-8"))
            found[student.name] = round(sum(test["score"] for test in result["tests"] if "score" in test))
        return found
