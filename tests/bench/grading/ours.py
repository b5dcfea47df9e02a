"""Our grader: the command on a class, and, to see where its time goes, the same submission graded again and again.

python -m tests.bench.grading.ours TIMES EXERCISES KIND
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

from book.tools.places import ROOT, venv_python
from exercises.grading.grade import grade
from exercises.grading.records import Job
from exercises.grading.sandbox import end_nurseries, start
from exercises.grading.store import RECORDS, Record
from exercises.run import Verdict
from tests.bench.grading.classroom import CHAPTER, EXERCISES, Students, notebook, save, worksheet
from tests.bench.grading.meter import Taken, metered


class Ours:
    """`python -m exercises grade`, with one worker or more."""

    who = "exercises"

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def release(self) -> None:
        """The secret, as an instructor makes it once."""
        metered([str(venv_python()), "-m", "exercises", "secret", "grading.secret"], self.folder)

    def hand_in(self, students: Students, place: Path) -> None:
        place.mkdir()
        with (place / "roster.csv").open("w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["id", "name"])
            for student, kind in students:
                rows.writerow([student, student])
                save(worksheet(kind), place / "submissions" / f"{student}.ipynb")

    def grade(self, place: Path) -> Taken:
        return self.grade_by(1, place)

    def grade_by_two(self, place: Path) -> Taken:
        return self.grade_by(2, place)

    def grade_by(self, workers: int, place: Path) -> Taken:
        secret = ["--secret", str(self.folder / "grading.secret"), "--course", str(ROOT / "course.toml")]
        words = ["submissions", "--roster", "roster.csv", "--out", "results", "--assignment", CHAPTER, *secret]
        return metered([str(venv_python()), "-m", "exercises", "grade", *words, "-j", str(workers)], place)

    def passed(self, place: Path) -> dict[str, int]:
        """How many exercises each student passed, by the records of the run."""
        found = {}
        for path in sorted((place / "results" / RECORDS).glob("*.json")):
            record = Record.from_json(json.loads(path.read_text(encoding="utf-8")))
            marks = record.graded.exercises if record.graded else ()
            found[record.student] = sum(mark.verdict is Verdict.PASSED for mark in marks)
        return found


def repeat(times: int, exercises: int, kind: str) -> None:
    """Grade one submission so many times; of no exercise, start sandboxes; of fewer, each in a nursery of its own."""
    names = EXERCISES[: max(exercises, 0)]
    job = Job("student", "ps1.ipynb", notebook(worksheet(kind, names)).encode(), names, tuple(range(len(names))))
    for _ in range(times):
        if exercises > 0:
            grade(job)
            continue
        start(job.mode, job.limits, ("numpy", "scipy"), ("scipy.stats",)).close()
        if exercises < 0:
            end_nurseries()


if __name__ == "__main__":
    repeat(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
