"""From how submissions went to marks: points, lateness, attempts, overrides, and rounding once at the end.

Everything is counted in fractions. Nothing here looks at a clock or at a file but those it is told to read or write.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

from exercises.grading.course import TOTAL, Assignment, Course, Keep, Worth, nearest
from exercises.grading.overrides import Override, Person
from exercises.grading.points import decimal_text, late_penalty, round_half_up
from exercises.grading.records import ExerciseMark, Graded
from exercises.grading.store import write_atomically
from exercises.grading.text import csv_text, visible
from exercises.run import Verdict

NOTHING = Fraction(0)
DAY = timedelta(days=1)

BY_HAND = "marked by hand"
NOT_MARKED_YET = "not marked yet"
NOT_MARKED = "not marked"  # and nobody has to


class Status(StrEnum):
    """What there is of a student's work."""

    GRADED = "graded"
    LATE = "late"
    NOTHING = "no submission"
    UNREADABLE = "unreadable"
    TOO_LATE = "after the cut-off"
    NOT_GRADED = "could not be graded"  # by a fault of the grader: run it again


@dataclass(frozen=True)
class Attempt:
    """One submission and how it went; `graded` is None where the grader itself failed. `digest` is of the content.

    `late` is what the platform says where it does not say when.
    """

    student: str
    number: int
    graded: Graded | None
    submitted: datetime | None = None
    file_name: str = ""
    digest: str = ""
    late: bool = False


@dataclass(frozen=True)
class ExercisePoints:
    """What one exercise brought. `automatic` is what its checks gave, whether or not an override replaced it."""

    exercise: str
    possible: Fraction
    points: Fraction
    verdict: str
    automatic: Fraction | None = None
    override: str = ""  # the reason for it
    checks: tuple[tuple[str, str], ...] = ()  # what each says, and its verdict


@dataclass(frozen=True)
class StudentMark:
    """The mark of one student and how it came about. `computed` is what `final` would be without an override of it."""

    student: str
    name: str
    status: Status
    final: Fraction
    computed: Fraction
    sum: Fraction
    penalty: Fraction
    exercises: tuple[ExercisePoints, ...]
    override: str = ""  # the reason for a final mark that a person set
    days_late: int = 0
    submitted: datetime | None = None
    due: datetime | None = None
    extension: str = ""  # the reason for it
    attempt: int | None = None  # the one that counts
    attempts: int = 0  # how many were handed in
    file_name: str = ""
    digest: str = ""
    test_student: bool = False
    notes: tuple[str, ...] = ()
    late_unknown: bool = False  # it was late, and nobody knows by how much: no penalty was taken,
    time_needed: bool = False  # although a known time cost another attempt of the student something

    @property
    def provisional(self) -> bool:
        """Whether something is still to be marked, graded or found out."""
        unmarked = any(each.verdict == NOT_MARKED_YET for each in self.exercises)
        return self.status is Status.NOT_GRADED or ((unmarked or self.time_needed) and not self.override)


@dataclass(frozen=True)
class Marks:
    """The marks of a class, by the students' ids. `secret` and `checks` are fingerprints of what made them."""

    course: str
    assignment: str
    title: str
    total: Fraction
    students: tuple[StudentMark, ...]
    secret: str = ""
    checks: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()  # for the instructor

    @property
    def counted(self) -> tuple[StudentMark, ...]:
        """All but the test students: those of statistics and exports."""
        return tuple(each for each in self.students if not each.test_student)


# ---- marking ---------------------------------------------------------------------------------------------------------


def mark(
    attempts: Iterable[Attempt],
    course: Course,
    assignment: Assignment,
    students: Iterable[Person],
    overrides: Iterable[Override] = (),
    secret: str = "",
    checks: Mapping[str, str] | None = None,
) -> Marks:
    """The marks of everybody on the roster, in the order of their ids, also of those who handed in nothing."""
    everybody = list(students)
    roster = {student.id: student.name for student in everybody}
    tests = {*course.test_students, *(student.id for student in everybody if getattr(student, "test", False))}
    handed_in: dict[str, list[Attempt]] = {student: [] for student in roster}
    by_hand: dict[str, dict[str, Override]] = {student: {} for student in roster}
    for attempt in attempts:
        handed_in[_on_roster(attempt.student, roster)].append(attempt)
    for override in overrides:
        by_hand[_on_roster(override.student, roster)][override.exercise] = override
    marked = tuple(
        replace(
            _student_mark(student, assignment, handed_in[student], by_hand[student]),
            name=roster[student],
            test_student=student in tests,
        )
        for student in sorted(roster)
    )
    return Marks(
        course=course.id,
        assignment=assignment.stem,
        title=assignment.title,
        total=assignment.total,
        students=marked,
        secret=secret,
        checks=dict(checks or {}),
        remarks=tuple(_remarks(course, assignment, roster)),
    )


def _on_roster(student: str, roster: Mapping[str, str]) -> str:
    if student not in roster:
        raise ValueError(f"'{visible(student)}' is not on the roster{nearest(student, roster)}")
    return student


def _remarks(course: Course, assignment: Assignment, roster: Mapping[str, str]) -> Iterable[str]:
    """What may be a slip of the pen in course.toml, or only means that this is one section of several."""
    if assignment.total % assignment.rounding:
        total, step = decimal_text(assignment.total), decimal_text(assignment.rounding)
        best = decimal_text(min(round_half_up(assignment.total, assignment.rounding), assignment.total))
        yield (
            f"course.toml, rounding of {assignment.stem}: the {total} points that there are in all are no multiple of "
            f"{step}; who has all of them gets {best}"
        )
    named = [("test_students", student) for student in course.test_students]
    named += [(f"extensions of {assignment.stem}", each.student) for each in assignment.extensions]
    for where, student in named:
        if student not in roster:
            yield f"course.toml, {where}: {student!r} is not on the roster{nearest(student, roster)}"


def _student_mark(
    student: str, assignment: Assignment, attempts: list[Attempt], overrides: Mapping[str, Override]
) -> StudentMark:
    in_order = _in_order(attempts)
    usable = _usable(student, assignment, in_order)
    counting = usable[: assignment.attempts]
    considered: Sequence[Attempt | None] = counting or in_order[-1:] or [None]
    marked = [_attempt_mark(student, assignment, attempt, overrides) for attempt in considered]
    chosen = _chosen(assignment.keep, marked)
    if any(attempt.graded is None for attempt in _deciding(assignment.keep, counting, usable)):
        chosen = replace(chosen, status=Status.NOT_GRADED)
    paid = any(_costs(student, assignment, attempt) for attempt in attempts)
    notes = (*_left_out(student, assignment, in_order, usable), *chosen.notes)
    return replace(chosen, attempts=len(attempts), time_needed=chosen.late_unknown and paid, notes=notes)


def _in_order(attempts: list[Attempt]) -> list[Attempt]:
    """By time, where it is known of all; otherwise, and where it is the same, by number."""
    timed = all(attempt.submitted is not None for attempt in attempts)
    if not timed:
        return sorted(attempts, key=lambda attempt: attempt.number)
    return sorted(attempts, key=lambda attempt: (attempt.submitted or datetime.max, attempt.number))


def _usable(student: str, assignment: Assignment, in_order: list[Attempt]) -> list[Attempt]:
    """The attempts that came before the cut-off; of these, those that can be read, as long as there is one.

    So neither an attempt that comes too late nor one that cannot be read takes the place of another.
    """
    taken = [attempt for attempt in in_order if not _too_late(student, assignment, attempt)]
    return [attempt for attempt in taken if attempt.graded is None or not attempt.graded.unreadable] or taken


def _left_out(student: str, assignment: Assignment, in_order: list[Attempt], usable: list[Attempt]) -> Iterable[str]:
    """A note on each attempt that cannot count."""
    places = {attempt.number: place for place, attempt in enumerate(usable)}
    for attempt in in_order:
        if _too_late(student, assignment, attempt):
            yield f"attempt {attempt.number} came after the cut-off"
        elif attempt.number not in places:
            yield f"attempt {attempt.number} could not be read"
        elif assignment.attempts is not None and places[attempt.number] >= assignment.attempts:
            yield f"attempt {attempt.number} came after the {assignment.attempts} that count"


def _deciding(keep: Keep, counting: list[Attempt], usable: list[Attempt]) -> list[Attempt]:
    """The attempts on which the mark depends: if one of them is not graded yet, another one may come to count."""
    if keep is Keep.FIRST:
        return counting[:1]
    if keep is Keep.LAST and len(counting) == len(usable):
        return counting[-1:]
    return counting


def _costs(student: str, assignment: Assignment, attempt: Attempt) -> bool:
    """Whether the attempt's time takes points away."""
    late = _days_late(student, assignment, attempt) and assignment.penalty_of_total_per_day
    return bool(late) or _too_late(student, assignment, attempt)


def _too_late(student: str, assignment: Assignment, attempt: Attempt) -> bool:
    cut_off = assignment.cut_off_for(student)
    return cut_off is not None and attempt.submitted is not None and attempt.submitted > cut_off


def _chosen(keep: Keep, marked: list[StudentMark]) -> StudentMark:
    if keep is Keep.BEST:
        return max(marked, key=lambda each: each.sum - each.penalty)  # the first of equals
    return marked[0] if keep is Keep.FIRST else marked[-1]


def _attempt_mark(
    student: str, assignment: Assignment, attempt: Attempt | None, overrides: Mapping[str, Override]
) -> StudentMark:
    """The mark that a student has if this attempt counts, or if nothing was handed in."""
    graded = attempt.graded if attempt else None
    went = {each.exercise: each for each in graded.exercises} if graded else {}
    read = graded is not None and not graded.unreadable
    days = _days_late(student, assignment, attempt)
    status = _status(student, assignment, attempt, days)
    waiting = str(Verdict.MISSING) if not read else NOT_MARKED if status is Status.TOO_LATE else NOT_MARKED_YET
    exercises = tuple(
        _exercise_points(worth, went.get(worth.exercise), overrides.get(worth.exercise), waiting)
        for worth in assignment.exercises
    )
    earned = sum((each.points for each in exercises), NOTHING)
    penalty = late_penalty(earned, assignment.total, assignment.penalty_of_total_per_day, days)
    if status is Status.TOO_LATE:
        penalty = earned
    computed = min(round_half_up(earned - penalty, assignment.rounding), assignment.total)
    by_hand = overrides.get(TOTAL)
    extension = assignment.extension(student)
    return StudentMark(
        student=student,
        name="",
        status=status,
        final=by_hand.points if by_hand else computed,
        computed=computed,
        sum=earned,
        penalty=penalty,
        exercises=exercises,
        override=by_hand.reason if by_hand else "",
        days_late=days,
        submitted=attempt.submitted if attempt else None,
        due=assignment.due_for(student),
        extension=extension.reason if extension else "",
        attempt=attempt.number if attempt else None,
        file_name=attempt.file_name if attempt else "",
        digest=attempt.digest if attempt else "",
        notes=_time_note(assignment, attempt),
        late_unknown=attempt is not None and _late_unknown(attempt),
    )


def _late_unknown(attempt: Attempt) -> bool:
    return attempt.late and attempt.submitted is None


def _time_note(assignment: Assignment, attempt: Attempt | None) -> tuple[str, ...]:
    if attempt is None or attempt.submitted is not None or (assignment.due is None and not attempt.late):
        return ()
    if _late_unknown(attempt):
        return ("handed in late, but it is not known how late: no penalty was taken",)
    return ("when it was handed in is not known: taken as in time",)


def _status(student: str, assignment: Assignment, attempt: Attempt | None, days: int) -> Status:
    if attempt is None:
        return Status.NOTHING
    if _too_late(student, assignment, attempt):
        return Status.TOO_LATE
    if attempt.graded is None:
        return Status.NOT_GRADED
    if attempt.graded.unreadable:
        return Status.UNREADABLE
    return Status.LATE if days else Status.GRADED


def _exercise_points(
    worth: Worth, went: ExerciseMark | None, override: Override | None, waiting: str
) -> ExercisePoints:
    """What an exercise brings; `waiting` is what is said of a manual question without a mark."""
    if worth.manual:
        marked = ExercisePoints(worth.exercise, worth.points, NOTHING, BY_HAND if override else waiting)
    elif went is None or not went.checks:
        marked = ExercisePoints(worth.exercise, worth.points, NOTHING, str(Verdict.MISSING), automatic=NOTHING)
    else:
        earned = went.share * worth.points
        checks = tuple((check.says, str(check.verdict)) for check in went.checks)
        marked = ExercisePoints(worth.exercise, worth.points, earned, str(went.verdict), earned, checks=checks)
    return replace(marked, points=override.points, override=override.reason) if override else marked


def _days_late(student: str, assignment: Assignment, attempt: Attempt | None) -> int:
    due = assignment.due_for(student)
    if due is None or attempt is None or attempt.submitted is None:
        return 0
    return days_started(attempt.submitted - (due + assignment.grace))


def days_started(late: timedelta) -> int:
    """How many days, of 24 hours each, have begun in this time; none if it is not positive.

    >>> days_started(timedelta(0)), days_started(timedelta(seconds=1)), days_started(timedelta(days=1, seconds=1))
    (0, 1, 2)
    """
    return max(0, -(-late // DAY))


# ---- files -----------------------------------------------------------------------------------------------------------

COLUMNS = (
    *("student", "name", "status", "mark", "of", "points", "penalty", "days_late", "submitted", "due", "extension"),
    *("override", "attempt", "attempts", "provisional", "test_student", "notes"),
)


def write_csv(marks: Marks, path: Path) -> None:
    """One line for each student; after what is the same for all assignments, the points for each exercise."""
    exercises = [each.exercise for each in marks.students[0].exercises] if marks.students else []
    rows = [[*COLUMNS, *exercises], *(_csv_row(marks, each) for each in marks.students)]
    write_atomically(path, csv_text(rows))


def _csv_row(marks: Marks, mark: StudentMark) -> list[str]:
    cells = [
        *(mark.student, mark.name, str(mark.status), decimal_text(mark.final), decimal_text(marks.total)),
        *(decimal_text(mark.sum), decimal_text(mark.penalty), str(mark.days_late)),
        mark.submitted.isoformat() if mark.submitted else "",
        mark.due.isoformat() if mark.due else "",
        *(mark.extension, _reasons(mark), str(mark.attempt or ""), str(mark.attempts)),
        "yes" if mark.provisional else "",
        "yes" if mark.test_student else "",
        "; ".join(mark.notes),
        *(decimal_text(each.points) for each in mark.exercises),
    ]
    return [visible(cell) for cell in cells]


def _reasons(mark: StudentMark) -> str:
    """Why a person changed something, and what the grader alone had given."""
    reasons = [
        f"{each.exercise}: {each.override}" + (f" (was {decimal_text(each.automatic)})" if each.automatic else "")
        for each in mark.exercises
        if each.override
    ]
    if mark.override:
        reasons.append(f"{TOTAL}: {mark.override} (was {decimal_text(mark.computed)})")
    return "; ".join(reasons)


def write_json(marks: Marks, path: Path) -> None:
    """Everything. Points are texts, whole or fractions such as "4/3", because JSON's numbers are binary."""
    write_atomically(path, json.dumps(asdict(marks), indent=1, default=_as_text) + "\n")


def _as_text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def read_json(path: Path) -> Marks:
    """The inverse of `write_json`."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        students = tuple(_student_from_json(each) for each in stored["students"])
        total = Fraction(stored["total"])
        return Marks(**{**stored, "students": students, "total": total, "remarks": tuple(stored["remarks"])})
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"{path} is no file of marks, or a damaged one ({type(error).__name__})") from None


def _student_from_json(stored: dict[str, Any]) -> StudentMark:
    points = {name: Fraction(stored[name]) for name in ("final", "computed", "sum", "penalty")}
    times = {name: stored[name] and datetime.fromisoformat(stored[name]) for name in ("submitted", "due")}
    exercises = tuple(_exercise_from_json(each) for each in stored["exercises"])
    status, notes = Status(stored["status"]), tuple(stored["notes"])
    return StudentMark(**{**stored, **points, **times, "exercises": exercises, "status": status, "notes": notes})


def _exercise_from_json(stored: dict[str, Any]) -> ExercisePoints:
    automatic = None if stored["automatic"] is None else Fraction(stored["automatic"])
    points = {name: Fraction(stored[name]) for name in ("possible", "points")}
    checks = tuple((says, verdict) for says, verdict in stored["checks"])
    return ExercisePoints(**{**stored, **points, "automatic": automatic, "checks": checks})
