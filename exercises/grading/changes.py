"""What differs between two runs of the same assignment: whose mark, by how much, because of which check, and why.

For when a faulty check was mended and the class was graded again, and for seeing that nothing else moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from exercises.grading.marks import ExercisePoints, Marks, Status, StudentMark, read_json
from exercises.grading.points import decimal_text
from exercises.grading.text import csv_text, visible

MARKS = "marks.json"
ABSENT = "not there"
UNEXPLAINED = "nothing on record: the grader itself, its packages or its limits"
COLUMNS = ("student", "name", "mark_before", "mark_after", "difference", "exercise", "what", "before", "after", "why")


@dataclass(frozen=True)
class Detail:
    """One thing that is not what it was: a check's verdict, points, lateness. `exercise` is empty for a whole mark."""

    exercise: str
    what: str
    before: str
    after: str
    why: str


@dataclass(frozen=True)
class Change:
    """A student of whom something differs. A mark is None where the student is not on that run's roster."""

    student: str
    name: str
    before: Fraction | None
    after: Fraction | None
    details: tuple[Detail, ...]

    @property
    def difference(self) -> Fraction | None:
        """By how much the mark rose, if the student has one in both runs."""
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True)
class Changes:
    """All that differs: `between` for everybody, and student by student."""

    between: tuple[str, ...]
    students: tuple[Change, ...]
    everybody: int


def read(folder: Path) -> Marks:
    """The marks in a results folder."""
    return read_json(folder / MARKS)


def compare(old: Marks, new: Marks) -> Changes:
    """What differs between two runs; ValueError if they are not of the same assignment."""
    if (old.course, old.assignment) != (new.course, new.assignment):
        names = [f"{marks.assignment} of {marks.course}" for marks in (old, new)]
        raise ValueError(f"the runs are of two assignments, {names[0]} and {names[1]}: there is nothing to compare")
    before, after = ({each.student: each for each in marks.students} for marks in (old, new))
    everybody = sorted(before | after)
    found = (_change(before.get(student), after.get(student), old, new) for student in everybody)
    return Changes(tuple(_between(old, new)), tuple(each for each in found if each is not None), len(everybody))


def _between(old: Marks, new: Marks) -> Iterator[str]:
    if old.secret != new.secret:
        yield "the hidden inputs were drawn from another secret"
    changed = [name for name in new.checks if name in old.checks and old.checks[name] != new.checks[name]]
    if changed:
        yield f"checks were changed: {', '.join(changed)}"
    if old.total != new.total:
        yield f"the assignment gives {decimal_text(new.total)} points instead of {decimal_text(old.total)}"


def _change(before: StudentMark | None, after: StudentMark | None, old: Marks, new: Marks) -> Change | None:
    if before is None:
        assert after is not None
        detail = Detail("", "student", *_texts(None, after.final), "new on the roster")
        return Change(after.student, after.name, None, after.final, (detail,))
    if after is None:
        detail = Detail("", "student", *_texts(before.final, None), "no longer on the roster")
        return Change(before.student, before.name, before.final, None, (detail,))
    details = [*_of_exercises(before, after, old, new), *_of_whole_mark(before, after)]
    if before.final != after.final and not details:
        details = [Detail("", "mark", *_texts(before.final, after.final), "rounding")]
    if not details:
        return None
    return Change(after.student, after.name, before.final, after.final, tuple(details))


def _texts(before: Fraction | None, after: Fraction | None) -> tuple[str, str]:
    first, second = (ABSENT if points is None else decimal_text(points) for points in (before, after))
    return first, second


def _of_exercises(before: StudentMark, after: StudentMark, old: Marks, new: Marks) -> Iterator[Detail]:
    first, second = ({each.exercise: each for each in mark.exercises} for mark in (before, after))
    for name in first | second:
        was, now = first.get(name), second.get(name)
        if was is None or now is None:
            points = _texts(was.points if was else None, now.points if now else None)
            yield Detail(name, "points", *points, "taken out of the assignment" if now is None else "added to it")
            continue
        why = "; ".join(_why(before, after, was, now, old, new)) or UNEXPLAINED
        checks = [Detail(name, *check, why) for check in _of_checks(was, now)]
        yield from checks
        if was.override != now.override or (not checks and (was.points, was.verdict) != (now.points, now.verdict)):
            yield Detail(name, "points", *_texts(was.points, now.points), why)


def _of_checks(was: ExercisePoints, now: ExercisePoints) -> Iterator[tuple[str, str, str]]:
    first, second = dict(was.checks), dict(now.checks)
    if not first or not second:  # nothing was handed in, or nothing could be read: the points say so
        return
    for says in first | second:
        verdicts = first.get(says, ABSENT), second.get(says, ABSENT)
        if verdicts[0] != verdicts[1]:
            yield says, *verdicts


def _why(
    before: StudentMark, after: StudentMark, was: ExercisePoints, now: ExercisePoints, old: Marks, new: Marks
) -> Iterator[str]:
    """The differences on record that can have changed an exercise."""
    if (before.attempt, before.digest) != (after.attempt, after.digest):
        yield "another submission" if after.attempt and before.attempt else "a submission came or went"
    if Status.NOT_GRADED in (before.status, after.status):
        yield "the grader itself had failed"
    if now.override != was.override:
        yield f"by hand: {now.override}" if now.override else f"no longer by hand ({was.override})"
    if now.possible != was.possible:
        yield f"worth {decimal_text(now.possible)} instead of {decimal_text(was.possible)}"
    if old.checks.get(was.exercise) != new.checks.get(was.exercise):
        yield "its checks were changed"
    if old.secret != new.secret:
        yield "other hidden inputs"


def _of_whole_mark(before: StudentMark, after: StudentMark) -> Iterator[Detail]:
    if before.status != after.status:
        yield Detail("", "status", before.status, after.status, "")
    if before.days_late != after.days_late:
        due = "the due date was changed" if before.due != after.due else "another time of handing in, or grace"
        yield Detail("", "days late", str(before.days_late), str(after.days_late), due)
    if before.penalty != after.penalty:
        yield Detail("", "penalty", *_texts(before.penalty, after.penalty), "")
    if (before.override, before.override and before.final) != (after.override, after.override and after.final):
        why = f"by hand: {after.override}" if after.override else f"no longer by hand ({before.override})"
        yield Detail("", "mark", *_texts(before.final, after.final), why)


# ---- for people ------------------------------------------------------------------------------------------------------


def as_text(changes: Changes) -> str:
    """The differences for a terminal."""
    moved = [each.difference for each in changes.students if each.difference]
    up = sum(difference > 0 for difference in moved)
    came = sum(each.before is None for each in changes.students)
    left = sum(each.after is None for each in changes.students)
    both = changes.everybody - came - left
    lines = [f"{len(moved)} of {both} marks differ: {up} higher, {len(moved) - up} lower."]
    if came or left:
        lines.append(f"On one roster only: {came} who came, {left} who left.")
    lines += [f"Between the runs, {each}." for each in changes.between]
    for each in changes.students:
        lines += ["", "  ".join(filter(None, [visible(each.student), visible(each.name), _mark(each)]))]
        lines += [f"    {_line(detail)}" for detail in each.details]
    return "\n".join(lines) + "\n"


def _mark(change: Change) -> str:
    before, after = _texts(change.before, change.after)
    if change.difference == 0:
        return f"{after} as before"
    by = "" if change.difference is None else f" ({_signed(change.difference)})"
    return f"{before} -> {after}{by}"


def _line(detail: Detail) -> str:
    what = f"{detail.exercise}: {detail.what}" if detail.exercise else detail.what
    why = f" [{visible(detail.why)}]" if detail.why else ""
    return f"{visible(what)}: {detail.before} -> {detail.after}{why}"


def _signed(difference: Fraction) -> str:
    return f"{'+' if difference > 0 else ''}{decimal_text(difference)}"


def as_csv(changes: Changes) -> str:
    """One line for each difference, with the student's marks on each."""
    return csv_text([COLUMNS, *_csv_rows(changes.students)])


def _csv_rows(students: Iterable[Change]) -> Iterator[list[str]]:
    for each in students:
        marks = ["" if points is None else decimal_text(points) for points in (each.before, each.after)]
        difference = "" if each.difference is None else decimal_text(each.difference)
        for detail in each.details:
            cells = [detail.exercise, detail.what, detail.before, detail.after, detail.why]
            row = [each.student, each.name, *marks, difference, *cells]
            yield [visible(cell) for cell in row]
