"""Who is in the class: a CSV file of one's own, or one that Canvas, Moodle or Gradescope exports."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from exercises.grading.text import csv_rows, visible

MAX_NAME = 100
# names of columns, in lower case and without punctuation, the best first
ID = ("sis user id", "student id", "student number", "matriculation number", "id number", "sid", "id", "student")
LOGIN = ("sis login id", "login id", "login", "username", "user name")
EMAIL = ("email", "email address", "e mail", "mail")
NAME = ("name", "full name", "student name")
FIRST = ("first name", "firstname", "given name")
LAST = ("last name", "lastname", "surname", "family name")
SECTION = ("section", "sections", "section s", "group", "groups")
TEST = ("test", "test student")
ROLE = ("role", "roles")
PARTICIPANT = ("identifier",)
YES = {"1", "yes", "y", "true", "x", "test"}
STUDENT_ROLES = {"", "student", "learner"}


@dataclass(frozen=True)
class Student:
    """One student. `canvas_id` and `moodle_id` are the numbers in the file names of these systems, where known.

    `name` is as the file has it, with what cannot be seen made visible. `test` marks a test student, who is graded but
    is none of the class.
    """

    id: str
    name: str
    email: str = ""
    canvas_id: str = ""
    moodle_id: str = ""
    login: str = ""
    section: str = ""
    test: bool = False


@dataclass(frozen=True)
class Roster:
    """The students of a class, in the order of the file. `id_columns` are the columns that their ids come from."""

    students: tuple[Student, ...]
    id_columns: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Student]:
        return iter(self.students)

    def __len__(self) -> int:
        return len(self.students)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all students."""
        return tuple(student.id for student in self.students)


def read(path: Path, test_students: Collection[str] = ()) -> Roster:
    """Read a roster: CSV with a header, separated by commas, semicolons or tabs.

    A student's id is the first of these that is there: a column of ids (of the institution), login, e-mail address,
    number in Canvas. `test_students` are the ids that course.toml lists. Whatever is unclear is refused with a
    `ValueError` that names file, line and value.
    """
    rows = csv_rows(path)
    try:
        _, header = next(rows)
    except StopIteration:
        raise ValueError(
            f"{path.name}: the file is empty; the first line must name the columns, as in id,name"
        ) from None
    columns = _Columns(path.name, header)
    kept = [(line, row) for line, row in rows if columns.is_student(row)]
    numbered = [(line, columns.student(line, row)) for line, row in kept]
    if not numbered:
        raise ValueError(f"{path.name}: there is no student in it")
    for field in ("id", "email", "canvas_id", "moodle_id", "login"):
        _refuse_repeats(path.name, field, [(line, getattr(student, field)) for line, student in numbered])
    listed = {each.casefold() for each in test_students}
    return Roster(
        tuple(
            student if student.id.casefold() not in listed else Student(**{**vars(student), "test": True})
            for _, student in numbered
        ),
        tuple(dict.fromkeys(columns.id_column(row) for _, row in kept)),
    )


class _Columns:
    """Finds the columns of a file, whoever wrote it."""

    def __init__(self, file: str, header: list[str]) -> None:
        self.file = file
        self.header = header
        names = [re.sub(r"[\W_]+", " ", cell.casefold()).strip() for cell in header]
        repeated = sorted({name for name in names if name and names.count(name) > 1} & _known())
        if repeated:
            raise ValueError(f"{file}: there are two columns called {repeated[0]!r}")
        self.places = {name: place for place, name in enumerate(names)}
        self.is_canvas = "sis login id" in self.places and "id" in self.places
        if self.is_canvas and "student" in self.places:
            self.places["name"] = self.places.pop("student")
        self.ids = [
            name for name in (*ID, *LOGIN, *EMAIL) if name in self.places and not (self.is_canvas and name == "id")
        ]
        self.ids += ["id"] if self.is_canvas else []
        if not self.ids:
            raise ValueError(f"{file}: no column of ids; name one of them id, student id, login or email")
        if not any(name in self.places for name in (*NAME, *FIRST, *LAST)):
            raise ValueError(
                f"{file}: no column of names; name one of them name, or two of them first name and last name"
            )

    def cell(self, row: list[str], names: Collection[str]) -> str:
        """What stands in the first of the named columns that has anything in this row."""
        cells = (row[self.places[name]] for name in names if self.places.get(name, len(row)) < len(row))
        return next((cell for cell in cells if cell), "")

    def id_column(self, row: list[str]) -> str:
        """The column, as the file calls it, in which this row has its id."""
        name = next(name for name in self.ids if self.cell(row, [name]))
        return visible(self.header[self.places[name]], MAX_NAME)

    def is_student(self, row: list[str]) -> bool:
        """Whether a row is about a student: not teachers, nor the rows that Canvas puts above its students."""
        if self.is_canvas and (not self.cell(row, ["id"]) or self.name(row).startswith("Points Possible")):
            return False
        return self.cell(row, ROLE).casefold() in STUDENT_ROLES

    def name(self, row: list[str]) -> str:
        """The full name."""
        both = (self.cell(row, FIRST), self.cell(row, LAST))
        return self.cell(row, NAME) or " ".join(part for part in both if part)

    def student(self, line: int, row: list[str]) -> Student:
        """The student of a row. Ids must be harmless as they are; a name, which students choose, is made so."""
        where = f"{self.file}, line {line}"
        if any(row[len(self.header) :]):
            raise ValueError(
                f"{where}: {len(row)} cells, but the header has {len(self.header)}; quote cells with separators"
            )
        name = visible(self.name(row), MAX_NAME)
        number = re.search(r"\d+$", self.cell(row, PARTICIPANT))
        student = Student(
            id=self.cell(row, self.ids),
            name=name,
            email=self.cell(row, EMAIL),
            canvas_id=self.cell(row, ["id"]) if self.is_canvas else "",
            moodle_id=number[0] if number else "",
            login=self.cell(row, LOGIN),
            section=visible(self.cell(row, SECTION), MAX_NAME),
            test=self.cell(row, TEST).casefold() in YES or (self.is_canvas and name == "Student, Test"),
        )
        if not student.id:
            raise ValueError(f"{where}: '{name}' has no id")
        _refuse_odd(where, {field: text for field, text in vars(student).items() if field not in ("name", "section")})
        return student


def _known() -> set[str]:
    return {*ID, *LOGIN, *EMAIL, *NAME, *FIRST, *LAST, *SECTION, *TEST, *ROLE, *PARTICIPANT}


def _refuse_odd(where: str, texts: Mapping[str, object]) -> None:
    for field, text in texts.items():
        if isinstance(text, str) and visible(text, MAX_NAME) != text:
            most = f"at most {MAX_NAME} characters, all of them visible"
            raise ValueError(f"{where}: the {field} '{visible(text, MAX_NAME)}' must have {most}")
    identity = str(texts["id"])
    if identity.startswith(".") or re.search(r"[/\\]", identity):
        raise ValueError(f"{where}: the id {identity!r} must not start with a full stop or contain / or \\")


def _refuse_repeats(file: str, field: str, numbered: list[tuple[int, str]]) -> None:
    first: dict[str, int] = {}
    for line, value in numbered:
        before = first.setdefault(value.casefold(), line)
        if value and before != line:
            what = field.replace("_", " ")
            raise ValueError(f"{file}, line {line}: the {what} {value!r} is already that of line {before}")
