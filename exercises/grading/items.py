"""How the exercises and checks of an assignment did, seen over the class.

*Difficulty* is the share that passed; its interval is Wilson's, for students like these. *Discrimination* is the
correlation of an item with the marks on everything else of the assignment (the corrected item-total correlation; for a
check the point-biserial one): whether those who pass it are those who do well elsewhere.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from evalstats.proportion import wilson_limits
from exercises.grading.records import ExerciseMark, Graded
from exercises.run import Verdict

Z = 1.959963984540054  # `evalstats.proportion.normal_quantile(0.95)`, for which scipy would have to be loaded
FEWEST = 3  # students, of whom a correlation says nothing below: two points always lie on a line


@dataclass(frozen=True)
class Share:
    """`count` of `of`, with the ends of the 95% interval."""

    count: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The part."""
        return self.count / self.of


@dataclass(frozen=True)
class Discrimination:
    """A correlation, or the reason why there is none."""

    value: float | None
    reason: str = ""


@dataclass(frozen=True)
class Item:
    """An exercise, or with `check` one of its checks. `mean` is the mean share of its points that was reached."""

    exercise: str
    check: str
    passed: Share
    mean: float
    discrimination: Discrimination
    verdicts: Mapping[Verdict, int]
    warning: str = ""


@dataclass(frozen=True)
class Slips:
    """How many students showed a misconception, and in which exercises."""

    misconception: str
    students: Share
    exercises: tuple[str, ...]


@dataclass(frozen=True)
class _Column:
    """One item over all students: its verdicts, the parts reached, and the points that it is worth."""

    exercise: str
    check: str
    verdicts: list[Verdict]
    parts: list[Fraction]
    points: Fraction


def items(graded: Sequence[Graded], points: Mapping[str, Fraction | int] | None = None) -> list[Item]:
    """Each exercise followed by its checks, in the order of the assignment.

    `graded` are the submissions that could be read, without test students; `points` what each exercise is worth
    (1 unless given).
    """
    read = [one for one in graded if one.exercises]
    if not read:
        return []
    worth = points or {}
    totals = [_total(one, worth) for one in read]
    found = []
    for place, first in enumerate(read[0].exercises):
        marks = [one.exercises[place] for one in read]
        for column in _columns(marks, Fraction(worth.get(first.exercise, 1))):
            rest = [total - part * column.points for total, part in zip(totals, column.parts, strict=True)]
            found.append(_item(column, rest))
    return found


def _total(one: Graded, worth: Mapping[str, Fraction | int]) -> Fraction:
    return sum((mark.share * Fraction(worth.get(mark.exercise, 1)) for mark in one.exercises), Fraction(0))


def _columns(marks: Sequence[ExerciseMark], points: Fraction) -> Iterable[_Column]:
    name = marks[0].exercise
    yield _Column(name, "", [mark.verdict for mark in marks], [mark.share for mark in marks], points)
    for checks in zip(*(mark.checks for mark in marks), strict=True):
        verdicts = [check.verdict for check in checks]
        parts = [Fraction(verdict is Verdict.PASSED) for verdict in verdicts]
        yield _Column(name, checks[0].says, verdicts, parts, points / len(marks[0].checks))


def _item(column: _Column, rest: Sequence[Fraction]) -> Item:
    passed = share(column.verdicts.count(Verdict.PASSED), len(column.verdicts))
    found = discrimination(column.parts, rest)
    counts = Counter(column.verdicts)
    verdicts = {verdict: counts[verdict] for verdict in Verdict if counts[verdict]}
    mean = float(sum(column.parts) / len(column.parts))
    return Item(column.exercise, column.check, passed, mean, found, verdicts, _warning(passed, found))


def share(count: int, of: int) -> Share:
    """`count` of `of` with Wilson's 95% interval."""
    return Share(count, of, *wilson_limits(count / of, of, Z))


def discrimination(parts: Sequence[Fraction], rest: Sequence[Fraction]) -> Discrimination:
    """The correlation of an item with the rest, computed in fractions: its sign owes nothing to rounding."""
    if len(parts) < FEWEST:
        return Discrimination(None, f"fewer than {FEWEST} students")
    if len(set(parts)) == 1:
        return Discrimination(None, "everybody has the same here")
    if len(set(rest)) == 1:
        return Discrimination(None, "everybody has the same elsewhere")
    together, own, others = _products(parts, rest), _products(parts, parts), _products(rest, rest)
    squared = together * together / (own * others)
    return Discrimination(math.copysign(math.sqrt(squared), together))


def _products(one: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction:
    """The sum of the products of the deviations from the means, times the number of students."""
    both = sum((x * y for x, y in zip(one, other, strict=True)), Fraction(0))
    return len(one) * both - sum(one, Fraction(0)) * sum(other, Fraction(0))


def _warning(passed: Share, found: Discrimination) -> str:
    if passed.count == 0:
        return "Nobody passed. Is it taught, and is the check right?"
    if passed.count == passed.of:
        return "Everybody passed, so it tells nobody apart. That is fine for a warm-up."
    if found.value is not None and found.value < 0:
        chance = 1 / math.sqrt(passed.of - 1)
        sure = found.value < -2 * chance
        why = (
            f"chance alone rarely reaches that among {passed.of} students. Read the check and some answers to it."
            if sure
            else f"among {passed.of} students chance alone often does that ({chance:.2f} either way is ordinary)."
        )
        return f"Those who pass did worse elsewhere (correlation {found.value:.2f}): {why}"
    return ""


def slips(graded: Sequence[Graded]) -> list[Slips]:
    """The misconceptions that were named, the most frequent first. A student counts once for each."""
    read = [one for one in graded if one.exercises]
    students: Counter[str] = Counter()
    where: dict[str, dict[str, None]] = {}
    for one in read:
        named = [(check.slip, mark.exercise) for mark in one.exercises for check in mark.checks if check.slip]
        students.update({slip for slip, _ in named})
        for slip, exercise in named:
            where.setdefault(slip, {})[exercise] = None
    ranked = sorted(students.items(), key=lambda pair: (-pair[1], pair[0]))
    return [Slips(slip, share(count, len(read)), tuple(sorted(where[slip]))) for slip, count in ranked]
