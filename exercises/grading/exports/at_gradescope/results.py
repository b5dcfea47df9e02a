"""What Gradescope shows: the content of `results.json`.

Fields and values are those of "Autograder Specifications" (gradescope-autograders.readthedocs.io/en/latest/specs).
Every text has the format "text", which is shown as it is: no HTML, no Markdown, no colours. Whatever comes from a
student is made visible and cut short before. `feedback` says what a student may know of a check.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from exercises.catalogue import load, misconceptions
from exercises.grading.course import Assignment
from exercises.grading.feedback import HIDDEN, SIGN, SIGNS, STATUS, WORDS, moment, once, told
from exercises.grading.marks import ExercisePoints, StudentMark
from exercises.grading.points import decimal_text
from exercises.grading.records import ExerciseMark, Graded
from exercises.grading.text import visible
from exercises.run import Verdict

ROOM = 2_000  # characters of one text
MOST = 20_000  # characters of one output
MANUAL = "Questions that a person marks are not in this score."


def refusal(why: str) -> dict[str, Any]:
    """Results of what was not graded. Gradescope needs a number, and the text says what it is worth."""
    return {"score": 0.0, **_shown(why), "tests": []}


def results(mark: StudentMark, graded: Graded, assignment: Assignment, secret: str) -> dict[str, Any]:
    """The results of one submission; `secret` is the fingerprint of what its inputs were drawn from."""
    went = {each.exercise: each for each in graded.exercises}
    return {
        "score": float(mark.final),
        **_shown("\n".join(_about(mark, graded, assignment))),
        "tests": [
            _test(points, went[points.exercise], assignment.show_inputs)
            for points in mark.exercises
            if points.exercise in went
        ],
        "extra_data": {
            "assignment": assignment.stem,
            "status": str(mark.status),
            "mode": graded.mode,
            "secret": secret,
        },
    }


def _shown(text: str) -> dict[str, str]:
    return {
        "output": text[:MOST],
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
    }


def _about(mark: StudentMark, graded: Graded, assignment: Assignment) -> Iterator[str]:
    """What is said of the submission as a whole."""
    automatic = sum((each.possible for each in mark.exercises if each.automatic is not None), Fraction(0))
    yield f"{decimal_text(mark.final)} of {decimal_text(automatic)} points. Graded file: {visible(mark.file_name)}"
    if automatic != assignment.total:
        yield MANUAL
    if mark.status in STATUS:
        yield STATUS[mark.status]
    if mark.penalty and mark.due and mark.submitted:
        yield (
            f"Handed in {moment(mark.submitted)}, due {moment(mark.due)}: "
            f"{decimal_text(mark.penalty)} points less, of {decimal_text(mark.sum)}."
        )
    if graded.unreadable:
        yield visible(graded.unreadable, ROOM)
    if graded.problems:
        yield "Cells that stopped; the rest of your file was used all the same:"
        yield from (f"  {visible(problem, ROOM)}" for problem in graded.problems)
    if not assignment.show_inputs and any(check.drawn for each in graded.exercises for check in each.checks):
        yield HIDDEN


def _test(points: ExercisePoints, found: ExerciseMark, show_inputs: bool) -> dict[str, Any]:
    exercise = load(found.exercise)
    return {
        "name": f"{exercise.title} ({exercise.function})",
        "name_format": "text",
        "score": float(points.points),
        "max_score": float(points.possible),
        "status": "passed" if found.verdict is Verdict.PASSED else "failed",
        "output": "\n".join(_lines(found, show_inputs))[:MOST],
        "output_format": "text",
        "visibility": "visible",
    }


def _lines(found: ExerciseMark, show_inputs: bool) -> Iterator[str]:
    yield from (visible(note, ROOM) for note in found.notes)
    same = once(found.checks)
    if same:
        yield visible(same, ROOM)
        return
    for check in found.checks:
        own = " (your own inputs)" if check.drawn else ""
        yield f"{SIGNS.get(check.verdict, SIGN)} {WORDS[check.verdict]}: {check.says}{own}"
        yield from (f"    {name}: {visible(text, ROOM)}" for name, text in told(check, show_inputs))
        slip = misconceptions().get(check.slip or "")
        if slip is not None:
            because = " ".join(slip.because.split())
            yield from (f"    A common slip: {slip.title}.", f"    Ask yourself: {slip.ask}", f"    {because}")
