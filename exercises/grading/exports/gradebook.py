"""What exports to a learning platform share: its own export as a template, and who is who on both sides."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from exercises.grading.course import nearest
from exercises.grading.marks import Marks, StudentMark
from exercises.grading.roster import Student
from exercises.grading.text import csv_rows, csv_text, visible

MOST_NAMED = 20  # in one remark
LINE_END = "\r\n"


@dataclass(frozen=True)
class Export:
    """The text of a file to import, and what the instructor has to know about it."""

    text: str
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class Template:
    """A gradebook as its platform exported it: a header, and rows of as many cells."""

    name: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def cells(self, row: Sequence[str]) -> dict[str, str]:
        """A row's cells by the names of their columns."""
        return dict(zip(self.header, row, strict=True))


@dataclass(frozen=True)
class Matched:
    """The rows of a gradebook that belong to students with a mark, and remarks on everything that does not fit."""

    pairs: tuple[tuple[tuple[str, ...], StudentMark], ...]
    remarks: tuple[str, ...]


def read_template(path: Path) -> Template:
    """A platform's export; ValueError if it is no table."""
    _, header = next(rows := csv_rows(path), (0, []))
    kept = []
    for line, row in rows:
        if len(row) != len(header):
            raise ValueError(f"{path.name}, line {line}: {len(row)} values for {len(header)} columns")
        kept.append(tuple(row))
    return Template(path.name, tuple(header), tuple(kept))


def column_called(template: Template, candidates: Sequence[str], wanted: str | None, title: str, platform: str) -> str:
    """The column of an assignment: the one asked for, the only one, or the one that is called like the assignment."""
    if wanted is not None:
        found = [each for each in candidates if wanted in (each, _bare(each), _number(each))]
    else:
        found = [each for each in candidates if plain_name(_bare(each)) == plain_name(title)] or list(candidates)
    if len(found) == 1:
        return found[0]
    listed = ", ".join(repr(visible(each)) for each in candidates) or "none"
    if wanted is not None:
        raise ValueError(
            f"{template.name} has no column {wanted!r}{nearest(wanted, candidates)}; assignments there: {listed}"
        )
    raise ValueError(
        f"{template.name}: which column takes the marks? Name it with --column, or give the assignment the same name "
        f"in {platform} as in course.toml, {title!r}. Assignments there: {listed}"
    )


def _bare(column: str) -> str:
    """A column without a number or a kind of grade in brackets at its end, and without a kind of activity before it."""
    name = column.rpartition(" (")[0] if column.endswith(")") and " (" in column else column
    return name.partition(": ")[2] or name


def _number(column: str) -> str:
    return column.rpartition("(")[2].rstrip(")")


def plain_name(name: str) -> str:
    """A name for comparing: without accents, case, the order of its parts, and what is no letter or digit.

    >>> plain_name("Lovelace, Ada") == plain_name("ada  LOVELACE")
    True
    """
    letters = unicodedata.normalize("NFKD", name).casefold()
    kept = "".join(each if each.isalnum() else " " for each in letters if not unicodedata.combining(each))
    return " ".join(sorted(kept.split()))


# ---- who is who ------------------------------------------------------------------------------------------------------

Identifiers = Mapping[str, Callable[[Student], Iterable[str]]]  # by column: what a student can be called in it


def match(
    template: Template,
    marks: Marks,
    roster: Iterable[Student],
    identifiers: Identifiers,
    names: Sequence[str],
    platform: str,
    passed_over: Sequence[tuple[str, ...]] = (),
) -> Matched:
    """Find the student of each row by an identifier, else by a name that is there once on both sides.

    `names` are columns of the template; `passed_over` are rows that are no students.
    """
    members = {member.id: member for member in roster}
    by_student = {mark.student: mark for mark in marks.students}
    rows = [row for row in template.rows if row not in passed_over]
    found, doubted = _by_identifier(template, members.values(), rows, identifiers)
    by_name = _by_name(template, members, rows, names, found, doubted)
    found |= by_name
    remarks = [
        *_remark("matched by name alone: compare them", [members[student].name for student in by_name.values()]),
        *_remark(
            "matched by id, and called otherwise: compare them", _other_names(template, members, rows, names, found)
        ),
        *_remark(
            "in doubt, because ids and addresses belong to several students or twice to one, so left as they are",
            [_shown(template, rows[place], names) for place in doubted],
        ),
        *_remark(
            f"in {platform} and not among the marked, so left as they are there",
            [
                _shown(template, row, names)
                for place, row in enumerate(rows)
                if found.get(place) not in by_student and place not in doubted
            ],
        ),
        *_remark(
            f"marked, but not found in {template.name}, so not in the file",
            [each.student for each in marks.counted if each.student not in found.values()],
        ),
    ]
    pairs = [(rows[place], by_student[student]) for place, student in sorted(found.items()) if student in by_student]
    return Matched(tuple(pairs), tuple(remarks))


def _by_identifier(
    template: Template, members: Iterable[Student], rows: Sequence[Sequence[str]], identifiers: Identifiers
) -> tuple[dict[int, str], list[int]]:
    """The students of rows, by place; and the places that several students claim, or one student several times."""
    owners: dict[tuple[str, str], set[str]] = {}
    for member in members:
        for column, called in identifiers.items():
            for name in filter(None, called(member)):
                owners.setdefault((column, name.casefold()), set()).add(member.id)
    claims: dict[int, set[str]] = {}
    for place, row in enumerate(rows):
        cells = template.cells(row)
        keys = [(column, cells[column].casefold()) for column in identifiers if cells.get(column)]
        claims[place] = set().union(*(owners.get(key, set()) for key in keys))
    times = Counter(student for claim in claims.values() for student in claim)
    sure = {place: next(iter(claim)) for place, claim in claims.items() if len(claim) == 1}
    found = {place: student for place, student in sure.items() if times[student] == 1}
    return found, [place for place, claim in claims.items() if claim and place not in found]


def _by_name(
    template: Template,
    members: Mapping[str, Student],
    rows: Sequence[Sequence[str]],
    names: Sequence[str],
    found: Mapping[int, str],
    doubted: Sequence[int],
) -> dict[int, str]:
    """The rows not yet found whose name nobody else has, neither there nor on the roster."""
    here: dict[str, list[str]] = {}
    there: dict[str, list[int]] = {}
    for member in members.values():
        here.setdefault(plain_name(member.name), []).append(member.id)
    for place, row in enumerate(rows):
        there.setdefault(plain_name(_name(template, row, names)), []).append(place)
    return {
        there[name][0]: here[name][0]
        for name in there
        if name
        and len(there[name]) == len(here.get(name, [])) == 1
        and there[name][0] not in (*found, *doubted)
        and here[name][0] not in found.values()
    }


def _other_names(
    template: Template,
    members: Mapping[str, Student],
    rows: Sequence[Sequence[str]],
    names: Sequence[str],
    found: Mapping[int, str],
) -> Iterator[str]:
    for place, student in found.items():
        there, here = _name(template, rows[place], names), members[student].name
        if there and here and not set(plain_name(there).split()) & set(plain_name(here).split()):
            yield f"{student} is {here} here, and {there} there"


def _name(template: Template, row: Sequence[str], names: Sequence[str]) -> str:
    cells = template.cells(row)
    return " ".join(cells[column] for column in names if cells.get(column))


def _shown(template: Template, row: Sequence[str], names: Sequence[str]) -> str:
    return _name(template, row, names) or ", ".join(cell for cell in row[:3] if cell)


def _remark(what: str, which: Iterable[str]) -> list[str]:
    """A remark that counts and names them, if there are any."""
    named = [visible(each) for each in which]
    more = f"; and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    return [f"{len(named)} {what}: {'; '.join(named[:MOST_NAMED])}{more}"] if named else []


def left_out(marks: Marks, provisional: bool) -> frozenset[str]:
    """The students whose mark stays out of the file, as it is not final; ValueError if that is everybody.

    A row with an empty cell could take away what stands on the platform. A row that is not there changes nothing.
    """
    waiting = frozenset(each.student for each in marks.counted if each.provisional)
    if waiting and not provisional and len(waiting) == len(marks.counted):
        raise ValueError(
            "no mark is final yet: of every student something is still to be marked, graded or found out. Give marks "
            "by hand with `grade --overrides`, or export the marks as they are with --provisional"
        )
    return frozenset() if provisional else waiting


def remark_on_provisional(marks: Marks, waiting: Collection[str]) -> list[str]:
    """A remark on marks that will still change, if there are some; `waiting` are those that were left out."""
    done = "so left out of the file: --provisional writes them, too" if waiting else "and in the file as they are now"
    students = [each.student for each in marks.counted if each.provisional]
    return _remark(f"not final yet, because something is still to be marked or graded, {done}", students)


def table(rows: Iterable[Iterable[str]]) -> str:
    """The text of a CSV file as platforms read it, and harmless if a spreadsheet opens it."""
    return csv_text(rows, LINE_END)
