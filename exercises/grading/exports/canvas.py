"""Marks for the gradebook of Canvas: Grades, Import.

A gradebook that Canvas exported makes the best template: with the ids and the name of the assignment from there nothing
has to be guessed. Only this assignment's column is written, so that the import changes no other one, whatever happened
since the export.

The format is that of Canvas's own importer: Student (or LastName, FirstName), ID, SIS User ID, SIS Login ID, Section,
then assignments as "Name (number)"; a row of points possible; a student is found by ID, then by the SIS columns.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from pathlib import Path

from exercises.grading.exports.gradebook import (
    Export,
    Identifiers,
    Template,
    column_called,
    left_out,
    match,
    read_template,
    remark_on_provisional,
    table,
)
from exercises.grading.marks import Marks
from exercises.grading.points import decimal_text
from exercises.grading.roster import Student

PLATFORM = "Canvas"
ABOUT = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
IDENTIFIERS: Identifiers = {
    "ID": lambda student: [student.canvas_id],
    "SIS User ID": lambda student: [student.id],
    "SIS Login ID": lambda student: [student.login, student.id, student.email],
}
NAMES = ("Student", "FirstName", "LastName")
POINTS_POSSIBLE = "Points Possible"
AS_CANVAS_WRITES_IT = f"    {POINTS_POSSIBLE}"
TEST_STUDENT = (("Student, Test",), ("Student", "Test"))  # in one column, or in two
NUMBERED = re.compile(r".+\s\(\d+\)")
CALCULATED = re.compile(r"(Current|Final) (Score|Points|Grade)|Override (Score|Grade|Status)")
POSTING = re.compile(r"(Muted|Manual Posting.*)?", re.IGNORECASE)
KEPT = {"EX": "excused", "N/A": "not assigned"}


def export(
    marks: Marks,
    roster: Iterable[Student],
    template: Path | None = None,
    column: str | None = None,
    provisional: bool = False,
) -> Export:
    """The file to import, with marks that are not final only if asked for (`provisional`).

    `column` names the assignment's column in the template, or is its number there.
    """
    waiting = left_out(marks, provisional)
    if template is None:
        return _from_roster(marks, roster, waiting)
    gradebook = read_template(template)
    width = _width(gradebook)
    choices = [each for each in gradebook.header[width:] if NUMBERED.fullmatch(each) and not CALCULATED.search(each)]
    place = gradebook.header.index(column_called(gradebook, choices, column, marks.title, PLATFORM))
    possible, others = _not_students(gradebook)
    _must_give_as_many_points(gradebook, possible, place, marks)
    matched = match(gradebook, marks, roster, IDENTIFIERS, NAMES, PLATFORM, [*possible, *others])
    rows = [[*gradebook.header[:width], gradebook.header[place]]]
    rows += [[AS_CANVAS_WRITES_IT, *row[1:width], row[place]] for row in possible]
    kept = []
    for row, mark in matched.pairs:
        if row[place] in KEPT:
            kept.append(f"{mark.student} is {KEPT[row[place]]} in {PLATFORM}, and stays so")
        elif mark.student not in waiting:
            rows.append([*row[:width], decimal_text(mark.final)])
    return Export(table(rows), (*matched.remarks, *kept, *remark_on_provisional(marks, waiting)))


def _width(gradebook: Template) -> int:
    """How many columns are about the student: those up to Section."""
    header = gradebook.header
    if header[:1] not in (("Student",), ("LastName",)) or "ID" not in header[:3] or "Section" not in header:
        raise ValueError(
            f"{gradebook.name} is no gradebook of Canvas: its columns must be {', '.join(ABOUT)} and assignments. "
            f"Export it from Grades, and do not change it"
        )
    return header.index("Section") + 1


def _not_students(gradebook: Template) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """The row of points possible; and the test student, and the row that tells how grades are posted."""
    possible = [row for row in gradebook.rows if POINTS_POSSIBLE in row[0]]
    others = [
        row
        for row in gradebook.rows
        if any(row[: len(name)] == name for name in TEST_STUDENT) or all(POSTING.fullmatch(cell) for cell in row)
    ]
    return possible, others


def _must_give_as_many_points(gradebook: Template, possible: Sequence[Sequence[str]], place: int, marks: Marks) -> None:
    """The import would set the points of the assignment, or show 20 of 22 as 20 of 100."""
    for row in possible:
        text = row[place]
        if not re.fullmatch(r"\d+([.,]\d+)?", text, re.ASCII) or Fraction(text.replace(",", ".")) != marks.total:
            total = decimal_text(marks.total)
            raise ValueError(
                f"{gradebook.name}: {gradebook.header[place]} gives {text or 'no'} points in {PLATFORM}, and {total} "
                f"here. Set its points to {total} in {PLATFORM} and export the gradebook again"
            )


def _from_roster(marks: Marks, roster: Iterable[Student], waiting: Collection[str]) -> Export:
    members = {member.id: member for member in roster}
    rows = [[*ABOUT, marks.title], [AS_CANVAS_WRITES_IT, "", "", "", "", decimal_text(marks.total)]]
    for mark in (each for each in marks.counted if each.student not in waiting):
        member = members.get(mark.student, Student(mark.student, mark.name))
        login = member.login or member.email
        rows.append([mark.name, member.canvas_id, mark.student, login, member.section, decimal_text(mark.final)])
    remark = (
        f"made without a template: {PLATFORM} looks for students by the ids and logins of the roster, then by name, "
        f"and offers to create {marks.title!r}. With a gradebook that {PLATFORM} exported, nothing is left to chance"
    )
    return Export(table(rows), (remark, *remark_on_provisional(marks, waiting)))
