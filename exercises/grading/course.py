"""What `course.toml` says: assignments, what each exercise is worth, dates, attempts, rounding, limits.

The comments of `course.toml` explain every option to instructors.
"""

from __future__ import annotations

import difflib
import hashlib
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from exercises import catalogue
from exercises.grading.records import Limits

FILE = catalogue.CHECKOUT / "course.toml"
TOTAL = "total"  # in overrides: the final mark itself
MEGABYTE = 1024**2
MAX_POINTS = 10_000
MAX_MINUTES = 60 * 24 * 365

T = TypeVar("T")


class Keep(StrEnum):
    """Which of several attempts is the one that counts."""

    LAST = "last"
    BEST = "best"
    FIRST = "first"


@dataclass(frozen=True)
class Worth:
    """An exercise, or with `manual` a question that a person marks, and the points for it."""

    exercise: str
    points: Fraction
    manual: bool = False


@dataclass(frozen=True)
class Extension:
    """A later due date for one student."""

    student: str
    due: datetime
    reason: str


@dataclass(frozen=True)
class Assignment:
    """What is handed in together. `penalty_of_total_per_day` is a share of the most that the assignment can give."""

    stem: str
    title: str
    exercises: tuple[Worth, ...]
    due: datetime | None = None
    cut_off: datetime | None = None
    extensions: tuple[Extension, ...] = ()
    grace: timedelta = timedelta(0)
    penalty_of_total_per_day: Fraction = Fraction(0)
    attempts: int | None = None
    keep: Keep = Keep.LAST
    rounding: Fraction = Fraction(1, 100)
    show_inputs: bool = False
    limits: Limits = field(default_factory=Limits)

    @property
    def total(self) -> Fraction:
        """The most points that the assignment can give."""
        return sum((worth.points for worth in self.exercises), Fraction(0))

    @property
    def checked(self) -> tuple[str, ...]:
        """The exercises that the grader runs, in order: all but the manual questions."""
        return tuple(worth.exercise for worth in self.exercises if not worth.manual)

    def extension(self, student: str) -> Extension | None:
        """The student's extension, if there is one."""
        return next((each for each in self.extensions if each.student == student), None)

    def due_for(self, student: str) -> datetime | None:
        """When the student's work is due, before grace."""
        extension = self.extension(student)
        return extension.due if extension else self.due

    def cut_off_for(self, student: str) -> datetime | None:
        """After this moment the student's work is not taken: the cut-off moves along with an extension."""
        extension = self.extension(student)
        if self.cut_off is None or self.due is None or extension is None:
            return self.cut_off
        return self.cut_off + (extension.due - self.due)


@dataclass(frozen=True)
class Course:
    """The assignments of a course. Test students are marked like all, and stay out of statistics and exports."""

    id: str
    title: str
    assignments: tuple[Assignment, ...]
    test_students: tuple[str, ...] = ()

    def assignment(self, stem: str | None = None) -> Assignment:
        """The assignment called `stem`, or the only one there is."""
        stems = [each.stem for each in self.assignments]
        if stem is None and len(stems) == 1:
            return self.assignments[0]
        if stem is None:
            raise ValueError(f"the course has several assignments: say which one, of {', '.join(stems)}")
        if stem not in stems:
            raise ValueError(f"there is no assignment {stem!r}{nearest(stem, stems)}; there are {', '.join(stems)}")
        return self.assignments[stems.index(stem)]


def read(path: Path = FILE) -> Course:
    """The course that a file describes; ValueError, in one line, for whatever cannot be meant."""
    try:
        parsed = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path.name} is not TOML: {error}") from None
    try:
        return _course(parsed)
    except ValueError as refusal:
        raise ValueError(f"{path.name}: {refusal}") from None


def nearest(word: str, known: Iterable[str]) -> str:
    """A question that names the known word most like this one, or nothing."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f" (did you mean {near[0]!r}?)" if near else ""


def checks_digest(exercise: str) -> str:
    """A fingerprint of the checks of an exercise: another one means that they were changed."""
    return hashlib.sha256((catalogue.PACKAGE / exercise / "check.py").read_bytes()).hexdigest()[:12]


# ---- the file --------------------------------------------------------------------------------------------------------


class _PlacedError(ValueError):
    """A refusal that says itself where in the file it is."""


class _Table:
    """A table of the file: hands out its values one by one, and refuses what nobody asked for."""

    def __init__(self, where: str, values: object, fallback: _Table | None = None) -> None:
        if not isinstance(values, dict):
            raise _PlacedError(f"{where} must be a table, such as {{ key = value }}")
        self.where = where
        self.values: dict[str, Any] = values
        self.fallback = fallback
        self.known: set[str] = set()

    def take(self, key: str, convert: Callable[[Any], T], default: T | None = None) -> T:
        """The value of a key, of the fallback or the default; without any of them the key is required."""
        self.known.add(key)
        if key not in self.values and self.fallback is not None and key in self.fallback.values:
            return self.fallback.take(key, convert)
        if key not in self.values:
            if default is None:
                raise _PlacedError(f"{self.where} has no {key!r}")
            return default
        try:
            return convert(self.values[key])
        except _PlacedError:
            raise
        except ValueError as refusal:
            raise _PlacedError(f"{self.where} {key} is {_written(self.values[key])}; {refusal}") from None

    def maybe(self, key: str, convert: Callable[[Any], T]) -> T | None:
        """The value of a key that may be left out."""
        if key in self.values or (self.fallback is not None and key in self.fallback.values):
            return self.take(key, convert)
        self.known.add(key)
        return None

    def finish(self) -> None:
        """Refuse the keys that were not taken."""
        for key in self.values:
            if key not in self.known:
                known = ", ".join(sorted(self.known))
                raise _PlacedError(f"{self.where} has an unknown key {key!r}{nearest(key, self.known)}; known: {known}")


def _written(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value) if type(value) is Decimal else repr(value)


def _course(parsed: dict[str, Any]) -> Course:
    top = _Table("the file", parsed)
    about = top.take("course", lambda values: _Table("[course]", values), _Table("[course]", {}))
    defaults = top.take("defaults", lambda values: _Table("[defaults]", values), _Table("[defaults]", {}))
    listed = top.take("assignment", lambda values: _Table("[assignment]", values))
    top.finish()
    _options(defaults, ())
    defaults.finish()
    course = Course(
        id=about.take("id", _text, "evalstats"),
        title=about.take("title", _text, "Statistics for Evals"),
        test_students=about.take("test_students", _names, ()),
        assignments=tuple(_assignment(stem, values, defaults) for stem, values in listed.values.items()),
    )
    about.finish()
    if not course.assignments:
        raise ValueError("there is no assignment: add a table such as [assignment.paired]")
    return course


def _assignment(stem: str, values: object, defaults: _Table) -> Assignment:
    table = _Table(f"[assignment.{stem}]", values, defaults)
    exercises = table.take("exercises", lambda items: _exercises(table.where, items))
    due, cut_off = table.maybe("due", _moment), table.maybe("cut_off", _moment)
    extended = table.take("extensions", lambda each: _Table(f"[assignment.{stem}.extensions]", each), _Table("", {}))
    if due is None and (cut_off or extended.values):
        raise ValueError(f"{table.where} has {'a cut_off' if cut_off else 'extensions'} but no 'due'")
    assignment = Assignment(
        stem=stem,
        title=table.take("title", _text, stem.replace("_", " ").capitalize()),
        exercises=exercises,
        due=due,
        cut_off=cut_off,
        extensions=tuple(_extension(extended.where, student, each, due) for student, each in extended.values.items()),
        **_options(table, exercises),
    )
    table.finish()
    if due and cut_off and cut_off < due + assignment.grace:
        raise ValueError(f"{table.where} cut_off is {cut_off.isoformat()}; it must not be before due and grace")
    return assignment


def _options(table: _Table, exercises: tuple[Worth, ...]) -> dict[str, Any]:
    """What both an assignment and [defaults] may say."""
    return {
        "grace": timedelta(minutes=table.take("grace_minutes", _whole(0, MAX_MINUTES), 0)),
        "penalty_of_total_per_day": table.take("penalty_of_total_per_day", _number(0, 1), Fraction(0)),
        "attempts": table.maybe("attempts", _whole(1, 1000)),
        "keep": table.take("keep", _keep, Keep.LAST),
        "rounding": table.take("rounding", _rounding, Fraction(1, 100)),
        "show_inputs": table.take("show_inputs", _yes_or_no, False),
        "limits": _limits(table, exercises),
    }


def _limits(table: _Table, exercises: tuple[Worth, ...]) -> Limits:
    usual = Limits()
    slowest = max((catalogue.load(worth.exercise).seconds for worth in exercises if not worth.manual), default=0.0)
    call = table.maybe("call_seconds", _number(slowest, 3600))
    cell = table.maybe("cell_seconds", _number(1, 3600))
    submission = table.maybe("submission_seconds", _number(1, 24 * 3600))
    memory = table.maybe("memory_mb", _whole(256, 1024**2))
    return Limits(
        call_seconds=float(call) if call is not None else max(usual.call_seconds, 2 * slowest),
        cell_seconds=float(cell) if cell is not None else usual.cell_seconds,
        submission_seconds=float(submission) if submission is not None else usual.submission_seconds,
        memory_bytes=memory * MEGABYTE if memory is not None else usual.memory_bytes,
    )


def _exercises(where: str, items: object) -> tuple[Worth, ...]:
    if not isinstance(items, list) or not items:
        raise ValueError('it must be a list such as [{ exercise = "paired/mid_p", points = 2 }]')
    worths = tuple(_worth(f"{where}, exercise {number}:", item) for number, item in enumerate(items, start=1))
    # a submission is searched for functions by their name alone
    for function, times in Counter(worth.exercise.rpartition("/")[2] for worth in worths).items():
        if times > 1:
            raise _PlacedError(f"{where} lists {function!r} {times} times; each function can count only once")
    return worths


def _worth(where: str, item: object) -> Worth:
    table = _Table(where, item)
    points = table.take("points", _points)
    exercise, manual = table.maybe("exercise", _exercise), table.maybe("manual", _manual)
    table.finish()
    if (exercise is None) == (manual is None):
        raise _PlacedError(f"{where} it must have either 'exercise' or 'manual'")
    return Worth(exercise or manual or "", points, manual is not None)


def _extension(where: str, student: str, values: object, due: datetime | None) -> Extension:
    table = _Table(f"{where} {student}:", values)
    extension = Extension(student, table.take("due", _moment), table.take("reason", _text))
    table.finish()
    if due is not None and extension.due <= due:
        raise ValueError(f"{table.where} due is {extension.due.isoformat()}; it must be after {due.isoformat()}")
    return extension


# ---- single values ---------------------------------------------------------------------------------------------------


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise ValueError("it must be a line of text in quotes")
    return value.strip()


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError('it must be a list of ids, such as ["test-student"]')
    return tuple(_text(each) for each in value)


def _exercise(value: object) -> str:
    return catalogue.load(_text(value)).name


def _manual(value: object) -> str:
    name = _text(value)
    if name == TOTAL or "/" in name:
        raise ValueError(f"it must be a word other than {TOTAL!r}, without /")
    return name


def _moment(value: object) -> datetime:
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise ValueError("it must be a date, a time and the offset of your time zone: 2027-03-01T23:59:00+01:00")
    return value


def _keep(value: object) -> Keep:
    if value not in list(Keep):
        raise ValueError(f"it must be one of {', '.join(map(repr, map(str, Keep)))}")
    return Keep(str(value))


def _yes_or_no(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("it must be true or false")
    return value


def _whole(least: int, most: int) -> Callable[[object], int]:
    def convert(value: object) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError(f"it must be a whole number from {least} to {most}")
        return value

    return convert


def _number(least: float, most: float) -> Callable[[object], Fraction]:
    def convert(value: object) -> Fraction:
        number = _fraction(value)
        if number is None or not least <= number <= most:
            raise ValueError(f"it must be a number from {least:g} to {most:g}")
        return number

    return convert


def _points(value: object) -> Fraction:
    number = _fraction(value)
    if number is None or not 0 < number <= MAX_POINTS:
        raise ValueError(f"it must be a number above 0, and at most {MAX_POINTS}")
    return number


def _rounding(value: object) -> Fraction:
    number = _fraction(value)
    if number is None or not Fraction(1, 10_000) <= number <= 100:
        raise ValueError("it must be a step such as 1, 0.5 or 0.01, from 0.0001 to 100")
    return number


def _fraction(value: object) -> Fraction | None:
    """The number as it is written, never as the nearest binary one."""
    if type(value) is int or (type(value) is Decimal and value.is_finite() and abs(value.adjusted()) < 20):
        return Fraction(value)
    return None
