"""Marks that people give: `overrides.csv`, with the columns student, exercise, points, reason."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Protocol

from exercises.grading.course import TOTAL, Assignment, nearest
from exercises.grading.points import decimal_text
from exercises.grading.text import csv_rows, visible

COLUMNS = ("student", "exercise", "points", "reason")


class Person(Protocol):
    """What is needed of a student of the roster."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...


@dataclass(frozen=True)
class Override:
    """Points that a person gave, for an exercise, for a manual question, or as `total` for the final mark."""

    student: str
    exercise: str
    points: Fraction
    reason: str


def read(path: Path, assignment: Assignment, students: Iterable[Person]) -> tuple[Override, ...]:
    """The marks that people gave, one to a line; ValueError names the line of the first that cannot be meant."""
    known = {student.id for student in students}
    most = {worth.exercise: worth.points for worth in assignment.exercises} | {TOTAL: assignment.total}
    found: dict[tuple[str, str], Override] = {}
    for line, row in _rows(path):
        try:
            override = _override(row, known, most)
            if (override.student, override.exercise) in found:
                raise ValueError(f"{override.student!r} has {override.exercise!r} in a line above already")
        except ValueError as refusal:
            raise ValueError(f"{path.name}, line {line}: {refusal}") from None
        found[override.student, override.exercise] = override
    return tuple(found.values())


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    rows = csv_rows(path)
    line, columns = next(rows, (1, []))
    if sorted(columns) != sorted(COLUMNS):
        raise ValueError(f"{path.name}, line {line}: the columns must be {','.join(COLUMNS)}")
    for line, cells in rows:
        if len(cells) != len(columns):
            raise ValueError(f"{path.name}, line {line}: {len(cells)} values for {len(columns)} columns")
        yield line, dict(zip(columns, cells, strict=True))


def _override(row: Mapping[str, str], known: set[str], most: Mapping[str, Fraction]) -> Override:
    student, exercise, points = row["student"], row["exercise"], row["points"]
    if student not in known:
        raise ValueError(f"student is '{visible(student)}', who is not on the roster{nearest(student, known)}")
    if exercise not in most:
        raise ValueError(
            f"exercise is '{visible(exercise)}'{nearest(exercise, most)}; it must be one of {', '.join(most)}"
        )
    if not re.fullmatch(r"\d{1,9}(\.\d{1,9})?", points, re.ASCII) or Fraction(points) > most[exercise]:
        top = decimal_text(most[exercise])
        raise ValueError(f"points is '{visible(points)}'; {exercise} takes a number from 0 to {top}, such as 2.5")
    if not row["reason"]:
        raise ValueError("there is no reason; say in a few words why the mark was set by hand")
    return Override(student, exercise, Fraction(points), visible(row["reason"]))
