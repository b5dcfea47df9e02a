"""The release for nbgrader: its metadata by nbgrader's rules, what it gives away, and (slow) nbgrader itself on it."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from exercises import catalogue
from exercises.grading import course
from exercises.grading.exports import nbgrader
from tests.bench.environments import ready

COURSE = """
[assignment.paired]
title = "Two systems, the same items"
exercises = [
    { exercise = "paired/exact_mcnemar", points = 3 },
    { exercise = "paired/paired_table", points = 2.5 },
    { exercise = "paired/verdict", points = 2 },
    { manual = "What would you report?", points = 4 },
]
"""
# What nbgrader 0.9.6 asks of a cell's metadata (its documentation, and nbgraderformat/v3.json), in our own words.
METADATA = {
    "type": "object",
    "properties": {
        "schema_version": {"const": 3},
        "grade": {"type": "boolean"},
        "locked": {"type": "boolean"},
        "solution": {"type": "boolean"},
        "task": {"type": "boolean"},
        "grade_id": {"type": "string", "pattern": "^[a-zA-Z0-9_-]+$"},
        "points": {"type": "number", "minimum": 0},
    },
    "required": ["schema_version", "grade", "locked", "solution", "grade_id"],
    "additionalProperties": False,
}


@pytest.fixture
def course_file(tmp_path: Path) -> Path:
    file = tmp_path / "course.toml"
    file.write_text(COURSE, encoding="utf-8")
    return file


def cells(place: Path) -> dict[str, dict[str, Any]]:
    """The cells of a notebook by their grade_id, their source in one text."""
    found = json.loads(place.read_text(encoding="utf-8"))["cells"]
    joined = [{**cell, "source": "".join(cell["source"])} for cell in found]
    return {cell["metadata"]["nbgrader"]["grade_id"]: cell for cell in joined}


def test_metadata_follow_the_schema(course_file: Path, tmp_path: Path) -> None:
    place = nbgrader.write("paired", course_file, tmp_path)
    raw = json.loads(place.read_text(encoding="utf-8"))["cells"]
    assert len({cell["metadata"]["nbgrader"]["grade_id"] for cell in raw}) == len(raw) == 1 + 3 * 3 + 2
    for cell in raw:
        said = cell["metadata"]["nbgrader"]
        jsonschema.validate(said, METADATA)
        assert ("points" in said) == said["grade"]
        assert said["solution"] != said["locked"]


def test_points_and_ids_are_those_of_the_course(course_file: Path, tmp_path: Path) -> None:
    place = nbgrader.write(None, course_file, tmp_path)
    graded = {name: cell for name, cell in cells(place).items() if cell["metadata"]["nbgrader"]["grade"]}
    assert {name: cell["metadata"]["nbgrader"]["points"] for name, cell in graded.items()} == {
        "paired-exact_mcnemar-test": 3,
        "paired-paired_table-test": 2.5,
        "paired-verdict-test": 2,
        "What-would-you-report--answer": 4,
    }
    before = place.read_bytes()
    nbgrader.write("paired", course_file, tmp_path)
    assert place.read_bytes() == before


def test_public_checks_only_and_it_says_so(course_file: Path, tmp_path: Path) -> None:
    place = nbgrader.write("paired", course_file, tmp_path)
    found = cells(place)
    assert "public checks only" in found["opening"]["source"]
    assert 'exercises.check("paired/verdict", verdict)' in found["paired-verdict-test"]["source"]
    text = place.read_text(encoding="utf-8")
    for word in ("seed", "secret", "drawn", "solutions"):
        assert not re.search(rf"\b{word}\b", text)


@pytest.mark.parametrize("name", catalogue.names())
def test_an_answer_cell_is_the_starter_between_marks(name: str) -> None:
    """What nbgrader makes of it for students is the starter, and no line of the model answer is in it."""
    starter = catalogue.text(name, "starter.py").strip()
    marked = nbgrader._marked(starter)
    region = re.compile(r"^( *)### BEGIN SOLUTION\n.*\n *### END SOLUTION$", re.MULTILINE)
    assert region.sub(lambda match: match[1] + nbgrader.STUB, marked) == starter
    assert compile(marked, name, "exec")


def test_settings_of_the_instructor_are_left_alone(course_file: Path, tmp_path: Path) -> None:
    config = tmp_path / "nbgrader_config.py"
    config.write_text("c = get_config()\n", encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(f"add this line: {nbgrader.STUB_SETTING}")):
        nbgrader.write("paired", course_file, tmp_path)
    own = f"c = get_config()\n{nbgrader.STUB_SETTING}\nc.mine = 1\n"
    config.write_text(own, encoding="utf-8")
    nbgrader.write("paired", course_file, tmp_path)
    assert config.read_text(encoding="utf-8") == own


def test_test_cells_give_the_points(course_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The value that a test cell ends with, for an answer that passes some checks and talks to stderr."""
    worth = course.read(course_file).assignment("paired").exercises[0]
    test = next(cell.source for cell in nbgrader._checked(worth) if cell.metadata["nbgrader"]["grade"])
    body, value = test.rsplit("\n", 1)

    def points(answer: Any) -> Any:
        names = {"exact_mcnemar": answer}
        exec(body, names)
        return eval(value, names)

    right: dict[str, Any] = {}
    exec((catalogue.SOLUTIONS / "paired" / "exact_mcnemar.py").read_text(encoding="utf-8"), right)
    assert points(right["exact_mcnemar"]) == 3
    assert 0 < points(lambda b, c: print("a word", file=sys.stderr) or 1.0) < 3
    assert points(lambda b, c: 1 / 0) == 0
    assert not capsys.readouterr().err  # a word there would cost all points


# ---- nbgrader itself -------------------------------------------------------------------------------------------------

SHARED_MISTAKE = """\
import sys

def exact_mcnemar(b, c):
    print("a word to stderr", file=sys.stderr)
    return 1.0
"""


class Instructor:
    """Runs nbgrader in an environment of its own, in the folder of a course."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = ready("nbgrader")

    def run(self, *words: str) -> str:
        own = {"PYTHONPATH": str(catalogue.CHECKOUT), "PATH": f"{self.environment.python.parent}:{os.environ['PATH']}"}
        kept = {f"JUPYTER_{name}_DIR": str(self.folder / ".jupyter") for name in ("DATA", "CONFIG", "RUNTIME")}
        done = subprocess.run(
            [str(self.environment.python), "-m", "nbgrader", *words],
            cwd=self.folder,
            env=os.environ | own | kept,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def submit(self, student: str, answers: dict[str, str]) -> str:
        """Hand in the release with these answers; where the notebook is."""
        released = json.loads((self.folder / "release/paired/paired.ipynb").read_text(encoding="utf-8"))
        for cell in released["cells"]:
            cell["source"] = answers.get(cell["metadata"]["nbgrader"]["grade_id"], cell["source"])
        place = self.folder / "submitted" / student / "paired" / "paired.ipynb"
        place.parent.mkdir(parents=True)
        place.write_text(json.dumps(released), encoding="utf-8")
        return str(place.relative_to(self.folder))


@pytest.mark.slow
def test_nbgrader_itself(course_file: Path, tmp_path: Path) -> None:
    """Release, validation and marks, by the nbgrader of the registry."""
    nbgrader.write("paired", course_file, tmp_path)
    instructor = Instructor(tmp_path)
    instructor.run("generate_assignment", "paired")
    assert (
        cells(tmp_path / "release/paired/paired.ipynb")["paired-verdict-answer"]["source"]
        == catalogue.text("paired/verdict", "starter.py").strip()
    )
    names = course.read(course_file).assignment("paired").checked
    right = {
        f"{name.replace('/', '-')}-answer": (catalogue.SOLUTIONS / f"{name}.py").read_text(encoding="utf-8")
        for name in names
    } | {"What-would-you-report--answer": "The gap and its interval."}
    told = instructor.run("validate", instructor.submit("right", right))
    assert "passes all the tests" in told
    told = instructor.run(
        "validate", instructor.submit("wrong", right | {"paired-exact_mcnemar-answer": SHARED_MISTAKE})
    )
    assert "FAILED ON 1 CELL" in told
    instructor.submit("stub", {})
    instructor.submit("broken", right | {"paired-verdict-answer": "def verdict(:"})
    instructor.run("autograde", "paired", "--create")
    instructor.run("export", "--to", "marks.csv")
    with open(tmp_path / "marks.csv", encoding="utf-8") as file:
        marks = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    some = nbgrader_share(SHARED_MISTAKE)
    assert marks == pytest.approx({"right": 7.5, "wrong": 4.5 + 3 * some, "stub": 0, "broken": 5.5})


def nbgrader_share(answer: str) -> float:
    """The share of the public checks of exact_mcnemar that an answer passes."""
    from exercises import check

    names: dict[str, Any] = {}
    exec(answer, names)
    results = check("paired/exact_mcnemar", names["exact_mcnemar"]).results
    passed = sum(result.verdict == "passed" for result in results)
    assert 0 < passed < len(results)
    return passed / len(results)
