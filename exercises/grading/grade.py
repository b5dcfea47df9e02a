"""Grade one submission: its bytes in, how it went out. Everything that is compared is compared here, outside."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence

from exercises import catalogue
from exercises.exercise import Check, Exercise
from exercises.grading.notebook import (
    UnreadableError,
    broken_definition,
    definitions,
    foreign_imports,
    note_on_several,
    read_cells,
    without_spare_starters,
)
from exercises.grading.records import Cell, CheckMark, ExerciseMark, Graded, Job, Limits
from exercises.grading.sandbox import Box
from exercises.grading.session import MissingError, Session
from exercises.grading.similarity import shapes
from exercises.run import CheckResult, Verdict, run

USUAL_SECONDS = 5.0  # what most exercises allow the learner for a call; the limits are meant for those


def grade(job: Job) -> Graded:
    """Run a submission in a sandbox and compare what it answers. Student code cannot make this raise."""
    begun = time.monotonic()
    try:
        cells = read_cells(job.file_name, job.content)
    except UnreadableError as why:
        return Graded(unreadable=str(why), mode=job.mode)
    asked = [(catalogue.load(name), seed) for name, seed in zip(job.exercises, job.seeds, strict=True)]
    starters = {exercise.function: catalogue.text(exercise.name, "starter.py") for exercise, _ in asked}
    kept = without_spare_starters(cells, starters)
    marks: dict[str, ExerciseMark] = {}
    problems: list[str] = []
    for allowed, group in _by_packages(asked).items():
        with Session(kept, lambda allowed=allowed: Box(job.mode, job.limits, allowed), job.limits) as session:  # type: ignore[misc]
            for exercise, seed in group:
                marks[exercise.name] = _mark(exercise, seed, session, kept, job.limits)
        problems += [problem for found in session.problems.values() for problem in found]
        problems += [f"{module} is not there when graded" for module in foreign_imports(kept, allowed)]
    return Graded(
        exercises=tuple(marks[name] for name in job.exercises),
        problems=tuple(dict.fromkeys(problems)),
        mode=job.mode,
        seconds=time.monotonic() - begun,
        shapes=shapes(cells),
    )


def packages_of(exercise: Exercise) -> tuple[str, ...]:
    """What an exercise allows beyond the standard library."""
    return tuple(sorted(set(exercise.allows) - sys.stdlib_module_names))


def _by_packages(asked: Iterable[tuple[Exercise, int]]) -> dict[tuple[str, ...], list[tuple[Exercise, int]]]:
    """Exercises that allow the same packages share a sandbox."""
    groups = defaultdict(list)
    for exercise, seed in asked:
        groups[packages_of(exercise)].append((exercise, seed))
    return groups


def _mark(exercise: Exercise, seed: int, session: Session, cells: Sequence[Cell], limits: Limits) -> ExerciseMark:
    """Put one function of the notebook through the checks."""
    seconds = limits.call_seconds * exercise.seconds / USUAL_SECONDS
    fixed, own = (session.worker(exercise.function, seconds) for _ in range(2))
    places = definitions(cells, [exercise.function])[exercise.function]
    notes = tuple(filter(None, [note_on_several(exercise.function, places)]))
    try:
        results = run(exercise, fixed, exercise.drawn(seed), answer_to_drawn=own)
    except MissingError:
        verdict, why = _why_missing(exercise.function, [place.label for place in places], session, cells)
        marks = [CheckMark(check.says, verdict, check.uses_drawn_inputs, wanted=why) for check in exercise.checks]
        return ExerciseMark(exercise.name, tuple(marks), notes)
    marks = [_check_mark(check, result) for check, result in zip(exercise.checks, results, strict=True)]
    return ExerciseMark(exercise.name, tuple(marks), notes)


def _check_mark(check: Check, result: CheckResult) -> CheckMark:
    said = (result.call, result.returned, result.wanted, result.slip)
    return CheckMark(check.says, result.verdict, check.uses_drawn_inputs, *said)


def _why_missing(
    function: str, defined_in: Sequence[str], session: Session, cells: Sequence[Cell]
) -> tuple[Verdict, str]:
    """A function that is not there was never written, or its cell did not get that far."""
    broken = broken_definition(cells, function)
    if broken:
        return Verdict.CRASHED, broken
    for label in defined_in:
        for problem in session.problems.get(label, ()):
            return (Verdict.TIMED_OUT if "still running" in problem else Verdict.CRASHED), problem
    return Verdict.MISSING, f"there is no function called {function} in what was handed in"
