"""Points, lateness, attempts, overrides and rounding."""

import csv
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.grading import overrides
from exercises.grading.course import Assignment, Course, Extension, Keep, Worth
from exercises.grading.marks import (
    Attempt,
    Marks,
    Status,
    StudentMark,
    days_started,
    mark,
    read_json,
    write_csv,
    write_json,
)
from exercises.grading.overrides import Override
from exercises.grading.points import decimal_text, round_half_up
from exercises.grading.records import CheckMark, ExerciseMark, Graded
from exercises.grading.roster import Student as Listed
from exercises.run import Verdict

DUE = datetime(2027, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
CHECKS = 3

TWO = Assignment("paired", "Two systems", (Worth("paired/mid_p", Fraction(2)), Worth("paired/verdict", Fraction(4))))
LATE = replace(TWO, due=DUE, grace=15 * MINUTE, penalty_of_total_per_day=Fraction(1, 10))


@dataclass(frozen=True)
class Student:
    id: str
    name: str = ""


ADA = Student("ada", "Ada Lovelace")


def graded(*passed: int) -> Graded:
    """So many checks passed, of three, of each exercise."""
    return Graded(
        tuple(
            ExerciseMark(
                worth.exercise,
                tuple(
                    CheckMark(f"check {number}", Verdict.PASSED if number < each else Verdict.FAILED, drawn=number > 0)
                    for number in range(CHECKS)
                ),
            )
            for worth, each in zip(TWO.exercises, passed, strict=True)
        )
    )


def attempt(*passed: int, number: int = 1, submitted: datetime | None = DUE, student: str = "ada") -> Attempt:
    return Attempt(student, number, graded(*passed), submitted, f"{student}-{number}.ipynb", f"digest{number}")


def marked(
    assignment: Assignment, *attempts: Attempt, by_hand: Sequence[Override] = (), students: Sequence[Student] = (ADA,)
) -> StudentMark:
    course = Course("stats", "Statistics", (assignment,))
    return next(
        each for each in mark(attempts, course, assignment, students, by_hand).students if each.student == "ada"
    )


UNREADABLE = Graded(unreadable="this is not a notebook")


# ---- points ----------------------------------------------------------------------------------------------------------


def test_checks_share_the_points_of_their_exercise() -> None:
    ada = marked(TWO, attempt(1, 3))
    assert (ada.sum, ada.final, ada.penalty) == (Fraction(14, 3), Fraction(467, 100), 0)
    first, second = ada.exercises
    assert (first.points, first.automatic, first.possible) == (Fraction(2, 3), Fraction(2, 3), 2)
    assert (first.verdict, second.verdict) == ("failed", "passed")
    assert first.checks == (("check 0", "passed"), ("check 1", "failed"), ("check 2", "failed"))
    assert (ada.status, ada.attempt, ada.attempts, ada.file_name) == (Status.GRADED, 1, 1, "ada-1.ipynb")
    assert not ada.provisional


def test_rounding_happens_once_at_the_end() -> None:
    """Twice 2/3 of a point is 4/3: rounded one by one to halves it would be 1, and to tenths 1.4."""
    thirds = replace(TWO, exercises=(Worth("paired/mid_p", Fraction(1)), Worth("paired/verdict", Fraction(1))))
    assert marked(replace(thirds, rounding=Fraction(1, 2)), attempt(2, 2)).final == Fraction(3, 2)
    assert marked(replace(thirds, rounding=Fraction(1, 10)), attempt(2, 2)).final == Fraction(13, 10)
    assert marked(replace(thirds, rounding=Fraction(5)), attempt(3, 3)).final == 0
    # rounded up it would be more than there is
    assert marked(replace(thirds, rounding=Fraction(3, 2)), attempt(3, 3)).final == Fraction(3, 2)
    assert marked(replace(thirds, rounding=Fraction(4)), attempt(3, 3)).final == 2


def test_those_who_handed_in_nothing_are_there_too() -> None:
    bob = Student("bob", "Bob")
    marks = mark([attempt(3, 3)], Course("stats", "", (TWO,)), TWO, [bob, ADA])
    assert [each.student for each in marks.students] == ["ada", "bob"]
    nothing = marks.students[1]
    assert (nothing.status, nothing.final, nothing.attempts, nothing.attempt) == (Status.NOTHING, 0, 0, None)
    assert [each.verdict for each in nothing.exercises] == ["missing", "missing"]
    assert nothing.name == "Bob"


def test_what_cannot_be_read_is_told_from_nothing_and_from_a_fault_of_the_grader() -> None:
    unreadable = marked(TWO, replace(attempt(0, 0), graded=UNREADABLE))
    assert (unreadable.status, unreadable.final, unreadable.provisional) == (Status.UNREADABLE, 0, False)
    assert unreadable.notes == ()  # the status says it
    failed = marked(TWO, replace(attempt(0, 0), graded=None))
    assert (failed.status, failed.final, failed.provisional) == (Status.NOT_GRADED, 0, True)


def test_an_exercise_that_was_not_graded_is_missing() -> None:
    only = Graded((graded(3, 3).exercises[1],))
    ada = marked(TWO, replace(attempt(0, 0), graded=only))
    assert [(each.verdict, each.points) for each in ada.exercises] == [("missing", 0), ("passed", 4)]


def test_a_student_who_is_not_on_the_roster_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^'adda' is not on the roster \(did you mean 'ada'\?\)$"):
        marked(TWO, attempt(3, 3, student="adda"))
    with pytest.raises(ValueError, match=r"^'bob' is not on the roster$"):
        marked(TWO, by_hand=[Override("bob", "total", Fraction(1), "x")])


def test_test_students_are_marked_and_not_counted() -> None:
    course = Course("stats", "", (TWO,), test_students=("ada", "tset"))
    marks = mark([attempt(3, 3)], course, TWO, [ADA, Student("test")])
    assert [(each.student, each.test_student) for each in marks.students] == [("ada", True), ("test", False)]
    assert [each.student for each in marks.counted] == ["test"]
    roster = [ADA, Listed("bob", "Bob", test=True)]
    assert [each.student for each in mark([], Course("", "", (TWO,)), TWO, roster).counted] == ["ada"]
    assert marks.remarks == ("course.toml, test_students: 'tset' is not on the roster (did you mean 'test'?)",)


# ---- lateness --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("late", "days"),
    [
        (-DAY, 0),
        (timedelta(0), 0),
        (15 * MINUTE, 0),
        (15 * MINUTE + timedelta(microseconds=1), 1),
        (DAY + 15 * MINUTE, 1),
        (DAY + 16 * MINUTE, 2),
        (400 * DAY, 400),
    ],
)
def test_days_that_began_after_due_and_grace(late: timedelta, days: int) -> None:
    ada = marked(LATE, attempt(3, 3, submitted=DUE + late))
    assert ada.days_late == days
    assert ada.status is (Status.LATE if days else Status.GRADED)
    assert ada.penalty == min(6, days * Fraction(6, 10))
    assert ada.final == 6 - ada.penalty


def test_the_penalty_is_a_share_of_the_total_and_takes_no_more_than_there_is() -> None:
    ada = marked(LATE, attempt(1, 0, submitted=DUE + 3 * DAY))
    assert (ada.sum, ada.days_late, ada.penalty, ada.final) == (Fraction(2, 3), 3, Fraction(2, 3), 0)


def test_time_zones_are_told_apart() -> None:
    from zoneinfo import ZoneInfo

    in_new_york = (DUE + 15 * MINUTE).astimezone(ZoneInfo("America/New_York"))
    assert marked(LATE, attempt(3, 3, submitted=in_new_york)).days_late == 0
    assert marked(LATE, attempt(3, 3, submitted=in_new_york + MINUTE)).days_late == 1


def test_an_extension_moves_due_and_cut_off() -> None:
    extended = replace(LATE, cut_off=DUE + 7 * DAY, extensions=(Extension("ada", DUE + 10 * DAY, "illness"),))
    for late, status in ((10, Status.GRADED), (11, Status.LATE), (17, Status.LATE), (18, Status.TOO_LATE)):
        ada = marked(extended, attempt(3, 3, submitted=DUE + late * DAY))
        assert (ada.status, ada.due, ada.extension) == (status, DUE + 10 * DAY, "illness")
    bob = mark([], Course("", "", (extended,)), extended, [ADA, Student("bob")]).students[1]
    assert (bob.due, bob.extension) == (DUE, "")
    other = replace(extended, extensions=(Extension("eve", DUE + DAY, "x"),))
    assert mark([], Course("", "", (other,)), other, [ADA]).remarks == (
        "course.toml, extensions of paired: 'eve' is not on the roster",
    )


def test_after_the_cut_off_nothing_is_left_and_all_can_be_seen() -> None:
    strict = replace(LATE, cut_off=DUE + 7 * DAY, penalty_of_total_per_day=Fraction(0))
    in_time = marked(strict, attempt(3, 3, submitted=DUE + 7 * DAY))
    assert (in_time.final, in_time.notes) == (6, ())
    ada = marked(strict, attempt(3, 3, submitted=DUE + 7 * DAY + MINUTE))
    assert (ada.status, ada.sum, ada.penalty, ada.final) == (Status.TOO_LATE, 6, 6, 0)
    assert ada.notes == ("attempt 1 came after the cut-off",)
    earlier = attempt(1, 0, number=1, submitted=DUE)
    ada = marked(strict, earlier, attempt(3, 3, number=2, submitted=DUE + 8 * DAY))
    assert (ada.status, ada.attempt, ada.attempts, ada.final) == (Status.GRADED, 1, 2, Fraction(67, 100))


def test_what_comes_too_late_takes_nothing_from_what_came_in_time() -> None:
    strict = replace(LATE, cut_off=DUE + 7 * DAY)
    unreadable = replace(attempt(0, 0, submitted=DUE), graded=UNREADABLE)
    by_hand = [Override("ada", "paired/mid_p", Fraction(2), "read on the screen")]
    alone = marked(strict, unreadable, by_hand=by_hand)
    both = marked(strict, unreadable, attempt(3, 3, number=2, submitted=DUE + 8 * DAY), by_hand=by_hand)
    assert (alone.status, alone.final) == (both.status, both.final) == (Status.UNREADABLE, 2)
    assert (both.attempt, both.attempts, both.notes) == (1, 2, ("attempt 2 came after the cut-off",))
    # nor does it use up an attempt
    ada = marked(
        replace(strict, attempts=1, keep=Keep.FIRST, cut_off=DUE),
        *(replace(each, number=5 - each.number) for each in THREE),
    )
    assert (ada.attempt, ada.notes) == (
        4,
        ("attempt 3 came after the 1 that count", "attempt 2 came after the cut-off"),
    )


def test_after_the_cut_off_nobody_has_to_mark_anything() -> None:
    essay = replace(LATE, cut_off=DUE, exercises=(*TWO.exercises, Worth("essay", Fraction(4), manual=True)))
    ada = marked(essay, attempt(3, 3, submitted=DUE + MINUTE))
    assert (ada.status, ada.provisional, ada.exercises[2].verdict) == (Status.TOO_LATE, False, "not marked")
    given = [Override("ada", "essay", Fraction(4), "good")]
    assert marked(essay, attempt(3, 3, submitted=DUE + MINUTE), by_hand=given).final == 0
    assert marked(essay, attempt(3, 3)).provisional


def test_a_late_attempt_without_a_time_beside_one_that_cost_something_waits_for_its_time() -> None:
    first = replace(attempt(3, 3, submitted=None), late=True)
    for late, options in (
        (8, {"cut_off": DUE + 7 * DAY, "penalty_of_total_per_day": Fraction(0)}),
        (1, {"keep": Keep.BEST}),
        (1, {"keep": Keep.FIRST}),
    ):
        ada = marked(replace(LATE, **options), first, attempt(3, 3, number=2, submitted=DUE + late * DAY))
        assert (ada.attempt, ada.final, ada.late_unknown, ada.time_needed, ada.provisional) == (1, 6, *(True,) * 3)
    best = replace(LATE, keep=Keep.BEST)
    in_time = marked(best, first, attempt(3, 2, number=2, submitted=DUE))
    assert (in_time.attempt, in_time.late_unknown, in_time.time_needed, in_time.provisional) == (1, True, False, False)
    free = marked(
        replace(best, penalty_of_total_per_day=Fraction(0)), first, attempt(3, 2, number=2, submitted=DUE + DAY)
    )
    assert (free.attempt, free.provisional) == (1, False)
    by_hand = [Override("ada", "total", Fraction(3), "agreed")]
    later = attempt(3, 3, number=2, submitted=DUE + DAY)
    assert not marked(best, first, later, by_hand=by_hand).provisional
    assert not marked(best, replace(first, late=False), later).provisional


def test_an_unknown_time_counts_as_in_time_and_is_noted() -> None:
    ada = marked(replace(LATE, cut_off=DUE + DAY), attempt(3, 3, submitted=None))
    assert (ada.status, ada.final) == (Status.GRADED, 6)
    assert ada.notes == ("when it was handed in is not known: taken as in time",)
    assert marked(TWO, attempt(3, 3, submitted=None)).notes == ()
    late = marked(LATE, replace(attempt(3, 3, submitted=None), late=True))
    assert (late.status, late.final) == (Status.GRADED, 6)
    assert late.notes == ("handed in late, but it is not known how late: no penalty was taken",)
    assert marked(LATE, replace(attempt(3, 3), late=True)).notes == ()  # the time says that it was within grace


# ---- attempts --------------------------------------------------------------------------------------------------------

THREE = (
    attempt(3, 0, number=1, submitted=DUE - 2 * DAY),  # 2 points
    attempt(0, 3, number=2, submitted=DUE - DAY),  # 4 points
    attempt(1, 1, number=3, submitted=DUE + DAY),  # 2 points, less 0.6
)


@pytest.mark.parametrize(
    ("keep", "limit", "kept", "final"),
    [
        (Keep.LAST, None, 3, Fraction(7, 5)),
        (Keep.LAST, 2, 2, 4),
        (Keep.BEST, None, 2, 4),
        (Keep.BEST, 1, 1, 2),
        (Keep.FIRST, None, 1, 2),
        (Keep.FIRST, 2, 1, 2),
    ],
)
def test_which_attempt_counts(keep: Keep, limit: int | None, kept: int, final: Any) -> None:
    ada = marked(replace(LATE, keep=keep, attempts=limit), *THREE)
    assert (ada.attempt, ada.final, ada.attempts) == (kept, final, 3)
    ignored = range(limit + 1, 4) if limit else ()
    assert ada.notes == tuple(f"attempt {number} came after the {limit} that count" for number in ignored)


def test_of_equal_attempts_the_first_is_the_best() -> None:
    late = attempt(3, 3, number=2, submitted=DUE + DAY)
    assert marked(replace(LATE, keep=Keep.BEST), attempt(3, 3), late).attempt == 1
    # the later one has more points, and less after its penalty
    assert marked(replace(LATE, keep=Keep.BEST), attempt(2, 3), replace(late, submitted=DUE + 4 * DAY)).attempt == 1


def test_what_cannot_be_read_uses_up_no_attempt() -> None:
    broken = replace(attempt(0, 0, number=1, submitted=DUE - DAY), graded=UNREADABLE)
    ada = marked(replace(TWO, attempts=1), broken, attempt(3, 3, number=2))
    assert (ada.attempt, ada.final, ada.notes) == (2, 6, ("attempt 1 could not be read",))
    ada = marked(TWO, attempt(3, 3, number=1), replace(broken, number=2, submitted=DUE))
    assert (ada.attempt, ada.final) == (1, 6)


def test_an_attempt_that_the_grader_failed_on_makes_the_mark_provisional() -> None:
    ada = marked(replace(TWO, keep=Keep.BEST), attempt(3, 3), replace(attempt(0, 0, number=2), graded=None))
    assert (ada.status, ada.provisional, ada.final) == (Status.NOT_GRADED, True, 6)
    ada = marked(replace(TWO, attempts=1), attempt(3, 3), replace(attempt(0, 0, number=2), graded=None))
    assert (ada.status, ada.provisional) == (Status.GRADED, False)


@pytest.mark.parametrize(
    ("keep", "limit", "failed", "provisional"),
    [
        (Keep.FIRST, None, 2, False),
        (Keep.FIRST, None, 1, True),
        (Keep.LAST, None, 2, False),
        (Keep.LAST, 3, 2, False),
        (Keep.LAST, None, 3, True),
        (Keep.LAST, 2, 1, True),  # if it cannot be read, the third is one of the two that count
        (Keep.BEST, None, 1, True),
        (Keep.BEST, 2, 3, False),
    ],
)
def test_only_an_attempt_that_can_change_the_mark_makes_it_provisional(
    keep: Keep, limit: int | None, failed: int, provisional: bool
) -> None:
    tries = [replace(each, graded=None) if each.number == failed else each for each in THREE]
    ada = marked(replace(LATE, keep=keep, attempts=limit), *tries)
    assert (ada.provisional, ada.status is Status.NOT_GRADED) == (provisional, provisional)


def test_without_times_attempts_go_by_number() -> None:
    attempts = [replace(each, submitted=None) for each in (THREE[2], THREE[0], THREE[1])]
    assert marked(TWO, *attempts).attempt == 3
    assert marked(replace(TWO, keep=Keep.FIRST), *attempts).attempt == 1


def test_a_total_that_rounding_does_not_meet_is_remarked() -> None:
    def remarks(points: str, step: str) -> tuple[str, ...]:
        one = replace(TWO, exercises=(Worth("paired/mid_p", Fraction(points)),), rounding=Fraction(step))
        return mark([], Course("", "", (one,)), one, [ADA]).remarks

    said = "course.toml, rounding of paired: the {} points that there are in all are no multiple of 0.5; who has all {}"
    assert remarks("7.2", "0.5") == (said.format("7.2", "of them gets 7"),)
    assert remarks("7.3", "0.5") == (said.format("7.3", "of them gets 7.3"),)
    assert remarks("7.5", "0.5") == remarks("7.25", "0.01") == ()


# ---- by hand ---------------------------------------------------------------------------------------------------------


def test_an_override_replaces_points_and_what_was_automatic_stays_visible() -> None:
    ada = marked(
        LATE,
        attempt(1, 3, submitted=DUE + DAY),
        by_hand=[Override("ada", "paired/mid_p", Fraction(3, 2), "the right idea")],
    )
    first = ada.exercises[0]
    assert (first.points, first.automatic, first.override) == (Fraction(3, 2), Fraction(2, 3), "the right idea")
    assert first.verdict == "failed"
    assert (ada.sum, ada.penalty, ada.final) == (Fraction(11, 2), Fraction(6, 10), Fraction(49, 10))


def test_an_override_of_the_total_is_the_mark() -> None:
    by_hand = [Override("ada", "total", Fraction(5), "agreed with the dean")]
    ada = marked(replace(LATE, rounding=Fraction(2)), attempt(1, 3, submitted=DUE + DAY), by_hand=by_hand)
    assert (ada.final, ada.computed, ada.override) == (5, 4, "agreed with the dean")
    nothing = marked(LATE, by_hand=by_hand)
    assert (nothing.final, nothing.status) == (5, Status.NOTHING)


def test_a_manual_question_waits_for_its_mark() -> None:
    essay = replace(TWO, exercises=(*TWO.exercises, Worth("essay", Fraction(4), manual=True)))
    ada = marked(essay, attempt(3, 3))
    assert (ada.exercises[2].verdict, ada.exercises[2].automatic, ada.provisional) == ("not marked yet", None, True)
    assert ada.final == 6
    given = marked(essay, attempt(3, 3), by_hand=[Override("ada", "essay", Fraction(3), "no conclusion")])
    assert (given.exercises[2].verdict, given.provisional, given.final) == ("marked by hand", False, 9)
    nothing = marked(essay)
    assert (nothing.exercises[2].verdict, nothing.provisional) == ("missing", False)


def read_overrides(tmp_path: Path, text: str) -> tuple[Override, ...]:
    path = tmp_path / "overrides.csv"
    path.write_bytes(text.encode())
    essay = replace(TWO, exercises=(*TWO.exercises, Worth("essay", Fraction(7, 2), manual=True)))
    return overrides.read(path, essay, [ADA, Student("bob")])


def test_overrides_are_read_however_a_spreadsheet_saved_them(tmp_path: Path) -> None:
    lines = ["reason,student,points,exercise", '"ill, excused",ada,1.5,paired/mid_p', ",,,", "", "typo, bob ,3.5,essay"]
    assert read_overrides(tmp_path, "\ufeff" + "\r\n".join(lines)) == (
        Override("ada", "paired/mid_p", Fraction(3, 2), "ill, excused"),
        Override("bob", "essay", Fraction(7, 2), "typo"),
    )
    assert read_overrides(tmp_path, "\n".join(lines[:2]).replace(",", ";")) == (
        Override("ada", "paired/mid_p", Fraction(3, 2), "ill; excused"),
    )
    assert read_overrides(tmp_path, "student,exercise,points,reason\n") == ()


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("adda,total,1,x", r"student is 'adda', who is not on the roster \(did you mean 'ada'\?\)"),
        ("Ada,total,1,x", r"student is 'Ada', who is not on the roster"),
        ("ada,mid_p,1,x", r"exercise is 'mid_p'; it must be one of paired/mid_p, paired/verdict, essay, total$"),
        ("ada,paired/mid_p,2.1,x", r"points is '2.1'; paired/mid_p takes a number from 0 to 2, such as 2.5$"),
        ("ada,essay,-1,x", r"points is '-1'; essay takes a number from 0 to 3.5"),
        ('ada,essay,"2,5",x', r"points is '2,5'; essay takes"),
        ("ada,essay,nan,x", r"points is 'nan'"),
        ("ada,essay,1e0,x", r"points is '1e0'"),
        ("ada,essay,\u0662,x", r"points is '\u0662'"),
        ("ada,essay,,x", r"points is ''"),
        ("ada,essay,1,", r"there is no reason; say in a few words why"),
        ("ada,essay,1", r"3 values for 4 columns$"),
        ("ada,essay,1,a,b", r"5 values for 4 columns$"),
        ('ada,essay,1,"x', r"unexpected end of data"),
        ("\x1b[2J,essay,1,x", r"student is '\\x1b\[2J', who"),
    ],
)
def test_an_override_that_cannot_be_meant_is_refused_with_its_line(tmp_path: Path, row: str, words: str) -> None:
    with pytest.raises(ValueError, match=r"^overrides.csv, line 3: " + words) as refusal:
        read_overrides(tmp_path, f"student,exercise,points,reason\nbob,essay,1,x\n{row}\n")
    assert "\n" not in str(refusal.value)


def test_overrides_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"line 3: 'ada' has 'essay' in a line above already$"):
        read_overrides(tmp_path, "student,exercise,points,reason\nada,essay,1,x\nada,essay,1,x\n")
    with pytest.raises(ValueError, match=r"line 1: the columns must be student,exercise,points,reason$"):
        read_overrides(tmp_path, "student,exercise,points\nada,essay,1\n")
    with pytest.raises(ValueError, match=r"line 1: the columns must be"):
        read_overrides(tmp_path, "")
    (tmp_path / "overrides.csv").write_bytes(b"student,\xff")
    with pytest.raises(ValueError, match=r"overrides.csv is not UTF-8 text: save it as CSV UTF-8$"):
        overrides.read(tmp_path / "overrides.csv", TWO, [ADA])
    with pytest.raises(ValueError, match=r"none.csv: No such file"):
        overrides.read(tmp_path / "none.csv", TWO, [ADA])


# ---- properties ------------------------------------------------------------------------------------------------------

PASSED = st.tuples(st.integers(0, CHECKS), st.integers(0, CHECKS))
LATENESS = st.timedeltas(timedelta(days=-3), timedelta(days=30))
STEPS = st.sampled_from([Fraction(1, 100), Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(5)])


@st.composite
def assignments(draw: st.DrawFn) -> Assignment:
    points = st.integers(1, 200).map(lambda tenths: Fraction(tenths, 10))
    grace = draw(st.timedeltas(timedelta(0), timedelta(days=1)))
    return Assignment(
        "paired",
        "Paired",
        (Worth("paired/mid_p", draw(points)), Worth("paired/verdict", draw(points))),
        due=DUE,
        cut_off=draw(st.none() | st.timedeltas(timedelta(days=1), timedelta(days=20)).map(lambda later: DUE + later)),
        grace=grace,
        penalty_of_total_per_day=draw(st.fractions(0, 1, max_denominator=100)),
        rounding=draw(STEPS),
        keep=draw(st.sampled_from(Keep)),
        attempts=draw(st.none() | st.integers(1, 3)),
    )


@given(assignments(), PASSED, PASSED, LATENESS)
def test_a_better_answer_never_gives_less(
    assignment: Assignment, passed: tuple[int, int], more: tuple[int, int], late: timedelta
) -> None:
    better = tuple(min(CHECKS, one + other) for one, other in zip(passed, more, strict=True))
    before = marked(assignment, attempt(*passed, submitted=DUE + late))
    after = marked(assignment, attempt(*better, submitted=DUE + late))
    assert after.final >= before.final


@given(assignments(), PASSED, LATENESS, st.timedeltas(timedelta(0), timedelta(days=30)))
def test_later_never_gives_more(
    assignment: Assignment, passed: tuple[int, int], late: timedelta, more: timedelta
) -> None:
    before = marked(assignment, attempt(*passed, submitted=DUE + late))
    after = marked(assignment, attempt(*passed, submitted=DUE + late + more))
    assert after.final <= before.final
    assert after.days_late >= before.days_late


@given(assignments(), PASSED, LATENESS)
def test_the_mark_is_what_is_left_rounded(assignment: Assignment, passed: tuple[int, int], late: timedelta) -> None:
    ada = marked(assignment, attempt(*passed, submitted=DUE + late))
    assert 0 <= ada.final <= assignment.total
    assert 0 <= ada.penalty <= ada.sum <= assignment.total
    assert abs(ada.final - (ada.sum - ada.penalty)) <= assignment.rounding / 2
    assert ada.final % assignment.rounding == 0 or ada.final == assignment.total
    assert Fraction(decimal_text(ada.final)) == ada.final


TRIES = st.lists(st.tuples(PASSED, LATENESS), max_size=5, unique_by=lambda each: each[1])


@given(assignments(), TRIES, TRIES, st.randoms(use_true_random=False))
def test_the_order_of_students_and_attempts_does_not_matter(
    assignment: Assignment, ada: list[Any], bob: list[Any], shuffler: random.Random
) -> None:
    attempts = [
        attempt(*passed, number=number, submitted=DUE + late, student=student)
        for student, tries in (("ada", ada), ("bob", bob))
        for number, (passed, late) in enumerate(tries, start=1)
    ]
    students = [ADA, Student("bob"), Student("eve")]
    course = Course("stats", "", (assignment,))
    before = mark(attempts, course, assignment, students)
    shuffler.shuffle(attempts)
    shuffler.shuffle(students)
    assert mark(attempts, course, assignment, students) == before


@given(assignments(), TRIES, PASSED, LATENESS)
def test_with_the_best_kept_another_attempt_never_takes_away(
    assignment: Assignment, tries: list[Any], passed: tuple[int, int], late: timedelta
) -> None:
    assignment = replace(assignment, keep=Keep.BEST, attempts=None)
    attempts = [attempt(*one, number=number, submitted=DUE + when) for number, (one, when) in enumerate(tries)]
    more = attempt(*passed, number=len(tries), submitted=DUE + late)
    assert marked(assignment, *attempts, more).final >= marked(assignment, *attempts).final


@given(st.fractions(-100, 100), STEPS)
def test_rounding_takes_the_nearest_step(value: Fraction, step: Fraction) -> None:
    rounded = round_half_up(value, step)
    assert rounded % step == 0
    assert -step / 2 < rounded - value <= step / 2
    assert round_half_up(rounded, step) == rounded
    assert round_half_up(rounded + step / 2, step) == rounded + step


@given(LATENESS)
def test_days_that_started_hold_the_lateness(late: timedelta) -> None:
    days = days_started(late)
    assert days >= 0
    assert late <= days * DAY
    assert days == 0 or (days - 1) * DAY < late


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("0", "0"),
        ("20", "20"),
        ("100", "100"),
        ("1/8", "0.125"),
        ("2/3", "0.67"),
        ("1/3", "0.33"),
        ("999999/2", "499999.5"),
    ],
)
def test_points_are_written_as_decimals(value: str, text: str) -> None:
    assert decimal_text(Fraction(value)) == text


# ---- files -----------------------------------------------------------------------------------------------------------


def hostile() -> Marks:
    """A class with everything in it: names that are formulas, file names that steer terminals."""
    essay = replace(LATE, exercises=(*LATE.exercises, Worth("essay", Fraction(4), manual=True)))
    eve = Student("=eve", '=HYPERLINK("http://x")\u202e')
    attempts = [
        attempt(1, 3, submitted=DUE + DAY),
        replace(attempt(0, 0, student="=eve", number=2), file_name="\x1b[2J\ud800.ipynb", graded=UNREADABLE),
    ]
    by_hand = [
        Override("ada", "paired/mid_p", Fraction(1), "-1+1 is a formula"),
        Override("ada", "total", Fraction(9, 2), "agreed"),
    ]
    course = Course("stats", "", (essay,), test_students=("=eve", "nobody"))
    return mark(attempts, course, essay, [eve, ADA], by_hand, secret="abc", checks={"paired/mid_p": "123"})


def test_json_holds_everything(tmp_path: Path) -> None:
    path = tmp_path / "marks.json"
    write_json(hostile(), path)
    assert read_json(path) == hostile()
    before = path.read_bytes()
    write_json(read_json(path), path)
    assert path.read_bytes() == before
    assert before.isascii()
    assert b'"2/3"' in before


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", '{"students": [{}], "total": "1", "remarks": []}', "[" * 100_000]
)
def test_a_file_that_is_no_marks_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "marks.json").write_text(text)
    with pytest.raises(ValueError, match=r"marks.json is no file of marks, or a damaged one"):
        read_json(tmp_path / "marks.json")
    with pytest.raises(ValueError, match="No such file"):
        read_json(tmp_path / "none.json")


def test_csv_is_for_people_and_safe_in_a_spreadsheet(tmp_path: Path) -> None:
    path = tmp_path / "marks.csv"
    write_csv(hostile(), path)
    text = path.read_text(encoding="utf-8")
    eve, ada = csv.DictReader(text.splitlines())
    assert (eve["student"], eve["name"]) == ("'=eve", '\'=HYPERLINK("http://x")\\u202e')
    assert (eve["status"], eve["mark"], eve["test_student"], eve["attempt"]) == ("unreadable", "0", "yes", "2")
    assert (ada["mark"], ada["of"], ada["points"], ada["penalty"], ada["days_late"]) == ("4.5", "10", "5", "1", "1")
    assert ada["submitted"] == "2027-03-02T12:00:00+00:00"
    assert (ada["paired/mid_p"], ada["paired/verdict"], ada["essay"]) == ("1", "4", "0")
    assert ada["override"] == "paired/mid_p: -1+1 is a formula (was 0.67); total: agreed (was 4)"
    write_csv(hostile(), path)
    assert path.read_text(encoding="utf-8") == text


def test_a_class_without_students_has_a_header(tmp_path: Path) -> None:
    write_csv(mark([], Course("", "", (TWO,)), TWO, []), tmp_path / "marks.csv")
    assert (tmp_path / "marks.csv").read_text().startswith("student,name,status,mark,of,")
