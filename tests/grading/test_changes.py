"""What differs between two runs, and why."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from exercises.grading import changes
from exercises.grading.changes import as_csv, as_text, compare
from exercises.grading.course import Assignment, Course, Extension, Worth
from exercises.grading.marks import Attempt, Marks, mark, write_json
from exercises.grading.overrides import Override
from exercises.grading.records import CheckMark, ExerciseMark, Graded
from exercises.run import Verdict

DUE = datetime(2027, 3, 1, 12, tzinfo=UTC)
PAIRED = Assignment(
    "paired",
    "Two systems",
    (Worth("paired/mid_p", Fraction(2)), Worth("paired/verdict", Fraction(2))),
    due=DUE,
    penalty_of_total_per_day=Fraction(1, 4),
)
CHECKS = {"paired/mid_p": "111", "paired/verdict": "222"}
P, F = Verdict.PASSED, Verdict.FAILED


@dataclass(frozen=True)
class Student:
    id: str
    name: str


ADA, BOB = Student("ada", "Ada"), Student("bob", "")


def attempt(student: str, mid_p: tuple[Verdict, ...] = (P, F), digest: str = "one", late: int = 0) -> Attempt:
    first = ExerciseMark("paired/mid_p", tuple(CheckMark(f"check {n}", v, True) for n, v in enumerate(mid_p)))
    second = ExerciseMark("paired/verdict", (CheckMark("it decides", P, False),))
    return Attempt(student, 1, Graded((first, second)), DUE + timedelta(days=late), "x.ipynb", digest)


def run(
    *attempts: Attempt,
    assignment: Assignment = PAIRED,
    by_hand: tuple[Override, ...] = (),
    secret: str = "s1",
    checks: Mapping[str, str] = CHECKS,
    students: tuple[Student, ...] = (ADA, BOB),
) -> Marks:
    return mark(attempts, Course("stats", "", (assignment,)), assignment, students, by_hand, secret, checks)


OLD = run(attempt("ada"), attempt("bob"))


def test_the_same_run_twice_differs_in_nothing() -> None:
    found = compare(OLD, OLD)
    assert (found.students, found.between) == ((), ())
    assert as_text(found) == "0 of 2 marks differ: 0 higher, 0 lower.\n"
    assert as_csv(found).splitlines() == [",".join(changes.COLUMNS)]


def test_a_mended_check_is_named_with_the_marks_that_it_moved() -> None:
    new = run(attempt("ada", (P, P)), attempt("bob"), checks=CHECKS | {"paired/mid_p": "112"})
    assert as_text(compare(OLD, new)) == (
        "1 of 2 marks differ: 1 higher, 0 lower.\n"
        "Between the runs, checks were changed: paired/mid_p.\n"
        "\n"
        "ada  Ada  3 -> 4 (+1)\n"
        "    paired/mid_p: check 1: failed -> passed [its checks were changed]\n"
    )
    (row,) = csv.DictReader(as_csv(compare(OLD, new)).splitlines())
    assert row == {
        "student": "ada",
        "name": "Ada",
        "mark_before": "3",
        "mark_after": "4",
        "difference": "1",
        "exercise": "paired/mid_p",
        "what": "check 1",
        "before": "failed",
        "after": "passed",
        "why": "its checks were changed",
    }
    assert "0 higher, 1 lower" in as_text(compare(new, OLD))


def test_a_check_that_moved_no_mark_is_shown_too() -> None:
    new = run(attempt("ada", (F, P)), attempt("bob"), secret="s2")
    assert as_text(compare(OLD, new)) == (
        "0 of 2 marks differ: 0 higher, 0 lower.\n"
        "Between the runs, the hidden inputs were drawn from another secret.\n"
        "\n"
        "ada  Ada  3 as before\n"
        "    paired/mid_p: check 0: passed -> failed [other hidden inputs]\n"
        "    paired/mid_p: check 1: failed -> passed [other hidden inputs]\n"
    )


def lines(new: Marks, old: Marks = OLD) -> list[str]:
    return [line.strip() for line in as_text(compare(old, new)).splitlines() if line.startswith("    ")]


def test_checks_that_came_or_went() -> None:
    new = run(attempt("ada", (P, F, P)), attempt("bob"), checks=CHECKS | {"paired/mid_p": "112"})
    assert lines(new) == ["paired/mid_p: check 2: not there -> passed [its checks were changed]"]


def test_another_submission() -> None:
    new = run(attempt("ada", (P, P), digest="two"), attempt("bob"))
    assert lines(new) == ["paired/mid_p: check 1: failed -> passed [another submission]"]


def test_a_submission_that_came() -> None:
    assert lines(OLD, run(attempt("ada"))) == [
        "paired/mid_p: points: 0 -> 1 [a submission came or went]",
        "paired/verdict: points: 0 -> 2 [a submission came or went]",
        "status: no submission -> graded",
    ]


def test_a_fault_of_the_grader_that_is_gone() -> None:
    old = run(replace(attempt("ada"), graded=None), attempt("bob"))
    assert "paired/verdict: points: 0 -> 2 [the grader itself had failed]" in lines(OLD, old)


def test_marks_by_hand_and_back() -> None:
    by_hand = (
        Override("ada", "paired/mid_p", Fraction(2), "a right idea"),
        Override("bob", "total", Fraction(4), "ill"),
    )
    new = run(attempt("ada"), attempt("bob"), by_hand=by_hand)
    assert lines(new) == ["paired/mid_p: points: 1 -> 2 [by hand: a right idea]", "mark: 3 -> 4 [by hand: ill]"]
    assert lines(OLD, new) == [
        "paired/mid_p: points: 2 -> 1 [no longer by hand (a right idea)]",
        "mark: 4 -> 3 [no longer by hand (ill)]",
    ]
    same = (Override("ada", "paired/mid_p", Fraction(1), "as it is"),)
    assert lines(run(attempt("ada"), attempt("bob"), by_hand=same)) == [
        "paired/mid_p: points: 1 -> 1 [by hand: as it is]"
    ]
    other = run(attempt("ada"), attempt("bob"), by_hand=(by_hand[0], replace(by_hand[1], points=Fraction(7, 2))))
    assert lines(other, new) == ["mark: 4 -> 3.5 [by hand: ill]"]


def test_lateness() -> None:
    old = run(attempt("ada", late=2), attempt("bob"))
    extended = replace(PAIRED, extensions=(Extension("ada", DUE + timedelta(days=1), "ill"),))
    assert lines(run(attempt("ada", late=2), attempt("bob"), assignment=extended), old) == [
        "days late: 2 -> 1 [the due date was changed]",
        "penalty: 2 -> 1",
    ]
    lenient = replace(PAIRED, grace=timedelta(days=2))
    assert lines(run(attempt("ada", late=2), attempt("bob"), assignment=lenient), old) == [
        "status: late -> graded",
        "days late: 2 -> 0 [another time of handing in, or grace]",
        "penalty: 2 -> 0",
    ]


def test_other_points_and_other_exercises() -> None:
    worth_more = replace(PAIRED, exercises=(Worth("paired/mid_p", Fraction(3)), Worth("essay", Fraction(1), True)))
    new = run(attempt("ada"), attempt("bob"), assignment=worth_more)
    assert lines(new)[:3] == [
        "paired/mid_p: points: 1 -> 1.5 [worth 3 instead of 2]",
        "paired/verdict: points: 2 -> not there [taken out of the assignment]",
        "essay: points: not there -> 0 [added to it]",
    ]
    rounded = run(attempt("ada"), attempt("bob"), assignment=replace(PAIRED, rounding=Fraction(2)))
    assert lines(rounded) == ["mark: 3 -> 4 [rounding]"] * 2
    assert "the assignment gives 5 points instead of 4" in as_text(
        compare(OLD, run(assignment=replace(worth_more, exercises=(Worth("essay", Fraction(5), True),))))
    )


def test_what_no_record_explains_is_called_so() -> None:
    new = run(attempt("ada", (P, P)), attempt("bob"))
    assert lines(new) == [f"paired/mid_p: check 1: failed -> passed [{changes.UNEXPLAINED}]"]


def test_students_who_came_or_left() -> None:
    new = run(attempt("ada"), students=(ADA, Student("eve", "Eve")))
    assert [(each.student, each.before, each.after) for each in compare(OLD, new).students] == [
        ("bob", 3, None),
        ("eve", None, 0),
    ]
    assert lines(new) == [
        "student: 3 -> not there [no longer on the roster]",
        "student: not there -> 0 [new on the roster]",
    ]
    assert as_text(compare(OLD, new)).startswith(
        "0 of 1 marks differ: 0 higher, 0 lower.\n"
        "On one roster only: 1 who came, 1 who left.\n"
        "\n"
        "bob  3 -> not there\n"
        "    student: 3 -> not there [no longer on the roster]\n"
        "\n"
        "eve  Eve  not there -> 0\n"
    )
    assert [row["difference"] for row in csv.DictReader(as_csv(compare(OLD, new)).splitlines())] == ["", ""]


def test_two_assignments_are_not_compared() -> None:
    other = run(assignment=replace(PAIRED, stem="intervals"))
    with pytest.raises(
        ValueError, match=r"of two assignments, paired of stats and intervals of stats: there is nothing"
    ):
        compare(OLD, other)


def test_text_of_others_does_no_harm() -> None:
    eve = Student("=eve", "\x1b[2J=1")
    old, new = run(students=(eve,)), run(attempt("=eve"), students=(eve,))
    assert "\x1b" not in as_text(compare(old, new))
    cells = [cell for row in csv.reader(as_csv(compare(old, new)).splitlines()[1:]) for cell in row]
    assert cells[0] == "'=eve"
    assert not any(cell.startswith("=") for cell in cells)


def test_runs_are_read_from_their_folders(tmp_path: Path) -> None:
    write_json(OLD, tmp_path / "marks.json")
    assert changes.read(tmp_path) == OLD
    with pytest.raises(ValueError, match=r"nowhere/marks.json: No such file"):
        changes.read(tmp_path / "nowhere")
