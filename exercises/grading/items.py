"""How the exercises and checks of an assignment did, seen over the class.

*Difficulty* is the share that passed; its interval is Wilson's, for students like these. *Discrimination* is the
correlation of an item with the points elsewhere (the corrected item-total correlation; for a check the point-biserial
one): whether those who pass it are those who do well elsewhere. Elsewhere is, for an exercise, the other exercises, and
for a check all other checks; questions that a person marks and penalties are in neither.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from evalstats.proportion import wilson_limits
from exercises.grading.records import ExerciseMark, Graded
from exercises.run import Verdict

Z = 1.959963984540054  # `evalstats.proportion.normal_quantile(0.95)`, for which scipy would have to be loaded
FEWEST = 3  # students: of fewer nothing stands out, and a correlation says nothing, as two points lie on a line
FEW = 10  # below, a negative correlation is not worth a word,
SOME = 15  # and below this no more than that chance can do it: the rule of two standard deviations needs more


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
    alone = len(read[0].exercises) == 1
    found = []
    for place, first in enumerate(read[0].exercises):
        marks = [one.exercises[place] for one in read]
        for column in _columns(marks, Fraction(worth.get(first.exercise, 1))):
            rest = [total - part * column.points for total, part in zip(totals, column.parts, strict=True)]
            found.append(_item(column, rest, alone))
    looked_at = sum(item.discrimination.value is not None for item in found)
    return [replace(item, warning=_warning(item, looked_at)) for item in found]


def _total(one: Graded, worth: Mapping[str, Fraction | int]) -> Fraction:
    return sum((mark.share * Fraction(worth.get(mark.exercise, 1)) for mark in one.exercises), Fraction(0))


def _columns(marks: Sequence[ExerciseMark], points: Fraction) -> Iterable[_Column]:
    name = marks[0].exercise
    yield _Column(name, "", [mark.verdict for mark in marks], [mark.share for mark in marks], points)
    for checks in zip(*(mark.checks for mark in marks), strict=True):
        verdicts = [check.verdict for check in checks]
        parts = [Fraction(verdict is Verdict.PASSED) for verdict in verdicts]
        yield _Column(name, checks[0].says, verdicts, parts, points / len(marks[0].checks))


def _item(column: _Column, rest: Sequence[Fraction], alone: bool) -> Item:
    """`alone` says that there is no other exercise."""
    passed = share(column.verdicts.count(Verdict.PASSED), len(column.verdicts))
    found = discrimination(column.parts, rest)
    if alone and not column.check:
        found = Discrimination(None, "there is no other exercise")
    counts = Counter(column.verdicts)
    verdicts = {verdict: counts[verdict] for verdict in Verdict if counts[verdict]}
    mean = float(sum(column.parts) / len(column.parts))
    return Item(column.exercise, column.check, passed, mean, found, verdicts)


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


def spread(students: int) -> float:
    """How far the correlation of two things that have nothing to do with each other varies: its standard deviation."""
    return 1 / math.sqrt(students - 1)


def _warning(item: Item, looked_at: int) -> str:
    """What is odd about an item, one of `looked_at` that have a correlation."""
    passed, value = item.passed, item.discrimination.value
    if passed.of < FEWEST:
        return ""
    if passed.count == 0:
        return "Nobody passed. Is it taught, and is the check right?"
    if passed.count == passed.of:
        return "Everybody passed, so it tells nobody apart. That is fine for a warm-up."
    if value is None or value >= 0 or passed.of < FEW:
        return ""
    who = "Those who pass did worse" if item.check else "Those with more points here had fewer"
    shown = f"{value:.2f}".replace("-", "−")
    return f"{who} elsewhere (correlation {shown}): {_chance(value, passed.of, looked_at)}"


def _chance(value: float, students: int, looked_at: int) -> str:
    """Whether chance alone gives a correlation that is this much below 0."""
    ordinary = spread(students)
    if value >= -ordinary:
        return f"among {students} students {ordinary:.2f} either way is ordinary."
    if value >= -2 * ordinary or students < SOME:
        return f"among {students} students chance alone can do that."
    many = f"; this page looks at {looked_at} items" if looked_at > 1 else ""
    return (
        f"among {students} students chance alone seldom does that for one item{many}. Read the check and some answers."
    )


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
