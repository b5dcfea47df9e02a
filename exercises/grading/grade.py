"""Grade one submission: its bytes in, how it went out. Everything that is compared is compared here, outside."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from exercises import catalogue
from exercises.cells import imports
from exercises.exercise import Check, Drawn, Exercise
from exercises.grading.notebook import (
    Place,
    UnreadableError,
    broken_definition,
    definitions,
    foreign_imports,
    note_on_several,
    read_cells,
    without_spare_starters,
)
from exercises.grading.records import Cell, CheckMark, ExerciseMark, Graded, Job
from exercises.grading.sandbox import start
from exercises.grading.session import MissingError, Session
from exercises.grading.similarity import shapes
from exercises.local import TimedOutError
from exercises.run import CheckResult, Verdict, run

_Checked = dict[str, CheckResult]  # by what the check says
WORTH_LOADING = {"scipy": "scipy.stats"}  # by package: what takes long to load, if a notebook uses it
MOST_PROBLEMS = 100  # of single cells
MOST_TEXT = 2_000  # characters that one check may say of an answer
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
    places = definitions(kept, starters.keys())
    checked: dict[str, _Checked] = {}
    problems: list[str] = []
    for allowed, group in _by_packages(asked).items():
        found, errors = _check_all(group, allowed, kept, places, job)
        checked.update(found)
        problems += errors
        problems += [f"{module} is not there when graded" for module in foreign_imports(kept, allowed)]
    return Graded(
        exercises=tuple(_mark(exercise, checked[exercise.name], places[exercise.function]) for exercise, _ in asked),
        problems=tuple(dict.fromkeys(problems))[:MOST_PROBLEMS],
        mode=job.mode,
        seconds=time.monotonic() - begun,
        shapes=shapes(cells),
    )


def _by_packages(asked: Iterable[tuple[Exercise, int]]) -> dict[tuple[str, ...], list[tuple[Exercise, int]]]:
    """Exercises that allow the same packages share a sandbox."""
    groups = defaultdict(list)
    for exercise, seed in asked:
        groups[tuple(sorted(exercise.allows))].append((exercise, seed))
    return groups


def _check_all(
    group: Sequence[tuple[Exercise, int]],
    allowed: tuple[str, ...],
    cells: Sequence[Cell],
    places: Mapping[str, Sequence[Place]],
    job: Job,
) -> tuple[dict[str, _Checked], list[str]]:
    """Put all functions through all checks, in one sandbox; and what was wrong with single cells.

    Hidden inputs go in last: everything that a learner may read was said by a notebook that had seen none.
    """
    checked: dict[str, _Checked] = {exercise.name: {} for exercise, _ in group}
    used = {module for cell in cells for module in imports(cell.code)} & set(allowed)
    loaded = [module for package, module in WORTH_LOADING.items() if package in used]
    with Session(cells, lambda: start(job.mode, job.limits, allowed, loaded), job.limits) as session:
        errors: dict[str, Sequence[str]] = {}
        try:
            session.box()
        except TimedOutError as late:
            errors["notebook"] = [str(late)]
        errors |= session.problems
        for hidden in (False, True):
            for exercise, seed in group:
                drawn = exercise.drawn(seed) if hidden else {}
                checks = [check for check in exercise.checks if check.uses_drawn_inputs is hidden]
                found = places[exercise.function]
                checked[exercise.name].update(_check(exercise, drawn, checks, session, found, errors))
            errors = {**session.problems, **errors}
    return checked, [problem for found in errors.values() for problem in found]


def _check(
    exercise: Exercise,
    drawn: Drawn,
    checks: Sequence[Check],
    session: Session,
    places: Sequence[Place],
    errors: Mapping[str, Sequence[str]],
) -> _Checked:
    """Put one function of the notebook through some checks."""
    seconds = session.limits.call_seconds * exercise.seconds / USUAL_SECONDS
    worker = session.worker(exercise.function, seconds)
    try:
        results = run(exercise, worker, drawn, checks)
    except MissingError:
        verdict, why = _why_missing(exercise.function, session.cells, places, errors)
        results = [CheckResult(check.says, verdict, wanted=why) for check in checks]
    return dict(zip((check.says for check in checks), results, strict=True))


def _mark(exercise: Exercise, checked: _Checked, places: Sequence[Place]) -> ExerciseMark:
    marks = tuple(_check_mark(check, checked[check.says]) for check in exercise.checks)
    return ExerciseMark(exercise.name, marks, tuple(filter(None, [note_on_several(exercise.function, places)])))


def _check_mark(check: Check, result: CheckResult) -> CheckMark:
    call, returned, wanted = (text[:MOST_TEXT] for text in (result.call, result.returned, result.wanted))
    return CheckMark(check.says, result.verdict, check.uses_drawn_inputs, call, returned, wanted, result.slip)


def _why_missing(
    function: str, cells: Sequence[Cell], places: Sequence[Place], errors: Mapping[str, Sequence[str]]
) -> tuple[Verdict, str]:
    """A function that is not there was never written, or its cell did not get that far."""
    broken = broken_definition(cells, function)
    if broken:
        return Verdict.CRASHED, broken
    for place in places:
        for problem in errors.get(place.label, ()):
            return (Verdict.TIMED_OUT if "still running" in problem else Verdict.CRASHED), problem
    return Verdict.MISSING, f"there is no function called {function} in what was handed in"
