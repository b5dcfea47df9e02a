"""Marks for Moodle, with a file that Moodle made as the template.

Either the grading worksheet of the assignment (Download grading worksheet, then Upload grading worksheet), in which
each row has its Identifier; or an export of the gradebook (Export, Plain text file), to be imported as CSV.
Only what the import reads is written, and what helps a person: feedback and other assignments stay as they are.

The formats are those of Moodle's own code: the worksheet needs Identifier, Grade and Last modified (grade), and passes
over what is out of range, locked or newer in Moodle; the gradebook finds users by the column one chooses.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
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

PLATFORM = "Moodle"
EMAIL = "Email address"
IDENTIFIERS: Identifiers = {
    EMAIL: lambda student: [student.email],
    "ID number": lambda student: [student.id],
    "Username": lambda student: [student.login, student.id],
}
NAMES = ("Full name", "First name", "Last name", "Surname")
IDENTIFIER, GRADE, MODIFIED, CHANGEABLE = "Identifier", "Grade", "Last modified (grade)", "Grade can be changed"
MAXIMUM = ("Maximum grade", "Maximum Grade")
# Moodle's downloads begin the names of files with the student's name, in which it leaves no _, and the number
HANDED_IN = re.compile(r"_(\d+)_assignsubmission_")
ACTIVITY = re.compile(r"[^:]+: .+")
FEEDBACK = re.compile(r"Feedback: |.*\((Feedback|Percentage|Letter)\)$")


def export(
    marks: Marks,
    roster: Iterable[Student],
    template: Path | None = None,
    column: str | None = None,
    provisional: bool = False,
) -> Export:
    """The file to upload, with marks that are not final only if asked for (`provisional`).

    `column` names the assignment's column in an export of the gradebook.
    """
    waiting = left_out(marks, provisional)
    if template is None:
        return _from_roster(marks, roster, waiting)
    found = read_template(template)
    if {IDENTIFIER, GRADE, MODIFIED} <= set(found.header):
        return _worksheet(found, marks, roster, waiting)
    if set(IDENTIFIERS) & set(found.header):
        return _gradebook(found, marks, roster, waiting, column)
    raise ValueError(
        f"{found.name} is neither a grading worksheet ({IDENTIFIER}, {GRADE}, {MODIFIED}) nor an export of the "
        f"gradebook ({' or '.join(IDENTIFIERS)}). Export it with {PLATFORM} in English, and do not change it"
    )


def _worksheet(worksheet: Template, marks: Marks, roster: Iterable[Student], waiting: Collection[str]) -> Export:
    _must_give_as_many_points(worksheet, marks)
    wanted = (IDENTIFIER, *NAMES, *IDENTIFIERS, GRADE, *MAXIMUM, MODIFIED)
    places = [place for place, name in enumerate(worksheet.header) if name in wanted]
    grade = worksheet.header.index(GRADE)
    matched = match(worksheet, marks, roster, _with_participants(marks), NAMES, PLATFORM)
    rows = [[worksheet.header[place] for place in places]]
    locked = []
    for row, mark in matched.pairs:
        if worksheet.cells(row).get(CHANGEABLE) == "No":
            locked.append(f"{mark.student} has a grade that is locked in {PLATFORM}, and keeps it")
        elif mark.student not in waiting:
            rows.append([decimal_text(mark.final) if place == grade else row[place] for place in places])
    return Export(table(rows), (*matched.remarks, *locked, *remark_on_provisional(marks, waiting)))


def _with_participants(marks: Marks) -> Identifiers:
    """The identifiers, and the numbers that participants have in this assignment alone.

    Names of files give them only if all do: else they were not made by Moodle, and a student can have chosen one.
    """
    files = {each.student: each.file_name for each in marks.students if each.file_name}
    found = {student: HANDED_IN.search(file) for student, file in files.items()}
    numbers = {student: number[1] for student, number in found.items() if number} if all(found.values()) else {}

    def participant(student: Student) -> Iterable[str]:
        return [f"Participant {number}" for number in (student.moodle_id, numbers.get(student.id)) if number]

    return {IDENTIFIER: participant, **IDENTIFIERS}


def _must_give_as_many_points(worksheet: Template, marks: Marks) -> None:
    """Moodle passes over grades above its maximum, without a word."""
    column = next((name for name in MAXIMUM if name in worksheet.header), None)
    if column is None:
        raise ValueError(f"{worksheet.name}: the assignment has a scale in {PLATFORM}, and must have points")
    for text in {worksheet.cells(row)[column] for row in worksheet.rows}:
        if not re.fullmatch(r"\d+([.,]\d+)?", text, re.ASCII) or Fraction(text.replace(",", ".")) != marks.total:
            total = decimal_text(marks.total)
            raise ValueError(
                f"{worksheet.name}: the maximum grade is {text or 'missing'} in {PLATFORM}, and {total} here. "
                f"Set it to {total} in {PLATFORM} and download the worksheet again"
            )


def _gradebook(
    gradebook: Template, marks: Marks, roster: Iterable[Student], waiting: Collection[str], column: str | None
) -> Export:
    choices = [name for name in gradebook.header if ACTIVITY.fullmatch(name) and not FEEDBACK.match(name)]
    chosen = column_called(gradebook, choices, column, marks.title, PLATFORM)
    places = [place for place, name in enumerate(gradebook.header) if name in (*NAMES, *IDENTIFIERS)]
    matched = match(gradebook, marks, roster, IDENTIFIERS, NAMES, PLATFORM)
    rows = [[*(gradebook.header[place] for place in places), chosen]]
    rows += [
        [*(row[place] for place in places), decimal_text(mark.final)]
        for row, mark in matched.pairs
        if mark.student not in waiting
    ]
    by = next(name for name in IDENTIFIERS if name in gradebook.header)
    return Export(table(rows), (*matched.remarks, _how(by, chosen, marks), *remark_on_provisional(marks, waiting)))


def _from_roster(marks: Marks, roster: Iterable[Student], waiting: Collection[str]) -> Export:
    emails = {member.id: member.email for member in roster}
    rows = [["Full name", "ID number", EMAIL, marks.title]]
    without = []
    for mark in (each for each in marks.counted if each.student not in waiting):
        if email := emails.get(mark.student, ""):
            rows.append([mark.name, mark.student, email, decimal_text(mark.final)])
        else:
            without.append(mark.student)
    remarks = [f"without an e-mail address on the roster, so not in the file: {', '.join(without)}"] if without else []
    return Export(table(rows), (*remarks, _how(EMAIL, marks.title, marks), *remark_on_provisional(marks, waiting)))


def _how(by: str, column: str, marks: Marks) -> str:
    return (
        f"in Grades, Import, CSV file: map from {by!r} to the same, and {column!r} to the assignment, "
        f"whose maximum grade must be {decimal_text(marks.total)}"
    )
