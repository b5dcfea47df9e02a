"""The page that a student gets: the mark and how it came about, and what to look at next.

What checks on hidden inputs were called with and what came back is left out, unless the course shows it: a student with
several attempts could type the results in. For the same reason what should have held is cut before it repeats what the
answer returned, which may be anything that the answer was told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cache

from exercises.catalogue import anchor, load, misconceptions
from exercises.exercise import Exercise
from exercises.grading.course import Assignment
from exercises.grading.marks import ExercisePoints, Status, StudentMark
from exercises.grading.page import code, listed, own, page, prose, safe, table
from exercises.grading.points import CENT, decimal_text
from exercises.grading.records import CheckMark, ExerciseMark, Graded
from exercises.run import Verdict
from exercises.values import type_names

WORDS = {
    Verdict.PASSED: "passed",
    Verdict.FAILED: "not yet right",
    Verdict.NOT_STARTED: "not started",
    Verdict.CRASHED: "stopped with an error",
    Verdict.TIMED_OUT: "took too long",
    Verdict.MISSING: "missing",
}
SIGNS = {Verdict.PASSED: "✓", Verdict.FAILED: "✗", Verdict.CRASHED: "✗", Verdict.TIMED_OUT: "✗"}
SHOULD = "Should hold"
SIGN = "–"  # for what was not tried
ALIKE = {  # of these one sentence says all, when it is said of every check
    Verdict.NOT_STARTED: "The function is still the starter: write your answer in place of the line that raises.",
    Verdict.MISSING: "No function of this name was found in your file. Is it spelt like that, and at the left margin?",
}
STATUS = {
    Status.NOTHING: "Nothing was handed in.",
    Status.UNREADABLE: "Your file could not be read.",
    Status.TOO_LATE: "Your file came after the last moment at which it could be taken.",
    Status.NOT_GRADED: "Your file is there, but could not be graded yet. That is no fault of yours.",
}
HIDDEN = (
    "Checks marked “your own inputs” use numbers that differ between students, and these stay hidden. "
    "To see what goes wrong, call your function with numbers of your own for which you know what should come out."
)
# how the checks repeat what was returned (exercises.expect), and the one case in which only its kind is said
REPEATED = ", and not "
KIND = re.compile(rf"nothing \(None\)(\. Did you forget the `return`\?)?|a ({'|'.join(type_names.values())})")


def feedback(mark: StudentMark, graded: Graded | None, assignment: Assignment, course: str = "") -> str:
    """The page of one student. `graded` is the attempt that counts, if there is one; `course` is its title."""
    found = {each.exercise: each for each in graded.exercises} if graded else {}
    above = f'<p class="quiet">{safe(course)}</p>' if course else ""
    body = [
        f"<header>{above}<h1>{safe(assignment.title)}</h1>",
        f"<p>{own(mark.name or mark.student)}</p></header>",
        *_mark(mark, assignment),
        *(_file(graded) if graded else ()),
    ]
    if found and not assignment.show_inputs and any(check.drawn for each in found.values() for check in each.checks):
        body.append(f'<p class="box">{safe(HIDDEN)}</p>')
    for points in mark.exercises:
        if points.exercise in found:
            body += _exercise(points, found[points.exercise], assignment.show_inputs)
    return page(f"{assignment.title}: {mark.name or mark.student}", body)


# ---- the mark --------------------------------------------------------------------------------------------------------


@cache
def known(name: str) -> Exercise:
    """The exercise of this name, looked for once."""
    return load(name)


def moment(when: datetime) -> str:
    """A date and time with the offset of its zone, if it has one."""
    return f"{when:%Y-%m-%d %H:%M}" + (f" (UTC{when:%z})" if when.tzinfo else "")


def _mark(mark: StudentMark, assignment: Assignment) -> Iterator[str]:
    yield "<section aria-labelledby='mark'><h2 id='mark'>Your mark</h2>"
    waiting = "it is not known yet when you handed it in" if mark.time_needed else "something is still to be marked"
    provisional = f", provisional: {waiting}" if mark.provisional else ""
    total = f"{decimal_text(mark.final)} of {decimal_text(assignment.total)} points"
    yield f'<p><span class="big">{total}</span>{provisional}</p>'
    if mark.status in STATUS:
        yield f'<p class="box">{safe(STATUS[mark.status])}</p>'
    rows = [_row(each) for each in mark.exercises]
    rows += [[name, points, "", safe(why)] for name, points, why in _steps(mark, assignment)]
    rows.append(["Mark", f"{decimal_text(mark.final)} of {decimal_text(assignment.total)}", "", ""])
    heads = ["Exercise", "#Points", "#Checks passed", "How it went"]
    yield table("How the mark came about", heads, rows, last_is_sum=True)
    notes = [*_facts(mark), *(safe(note) for note in mark.notes)]
    yield f"{listed(notes) if notes else ''}</section>"


def _row(points: ExercisePoints) -> list[str]:
    passed = sum(verdict == Verdict.PASSED for _, verdict in points.checks)
    checks = f"{passed} of {len(points.checks)}" if points.checks else ""
    verdict = _word(Verdict(points.verdict)) if points.verdict in WORDS else safe(points.verdict)
    if points.override:
        verdict += f". Set by hand: {own(points.override)}"
    if points.override and points.automatic is not None:
        verdict += f" (the checks gave {decimal_text(points.automatic)})"
    worth = f"{decimal_text(points.points)} of {decimal_text(points.possible)}"
    return [_title(points.exercise), worth, checks, verdict]


def _title(exercise: str) -> str:
    """The title of an exercise; of a question that a person marks, its name."""
    return prose(known(exercise).title) if "/" in exercise else safe(exercise)


def _steps(mark: StudentMark, assignment: Assignment) -> Iterator[tuple[str, str, str]]:
    """What happened between the points of the exercises and the mark."""
    yield "Sum", decimal_text(mark.sum), ""
    if mark.penalty:
        days = f"{mark.days_late} {'day' if mark.days_late == 1 else 'days'} late"
        late = "after the cut-off" if mark.status is Status.TOO_LATE else days
        yield "Lateness", f"−{decimal_text(mark.penalty)}", late
    if mark.computed != mark.sum - mark.penalty:
        change = mark.computed - (mark.sum - mark.penalty)
        sign = "−" if change < 0 else "+"
        size = f"{sign}{decimal_text(abs(change))}" if abs(change) >= CENT else f"under {decimal_text(CENT)}"
        step = f"to a multiple of {decimal_text(assignment.rounding)}"
        yield "Rounding", size, "to all the points that there are" if mark.computed % assignment.rounding else step
    if mark.override:
        yield "Set by hand", decimal_text(mark.final), mark.override


def _facts(mark: StudentMark) -> Iterator[str]:
    if mark.file_name:
        yield f"Graded file: {code(mark.file_name)}"
    if mark.submitted:
        yield f"Handed in: {moment(mark.submitted)}"
    if mark.due:
        yield f"Due: {moment(mark.due)}" + (f" (extension: {own(mark.extension)})" if mark.extension else "")
    if mark.status is Status.TOO_LATE:
        yield "No attempt counts." + (f" What follows is of attempt {mark.attempt}." if mark.attempts > 1 else "")
    elif mark.attempts > 1 and mark.attempt:
        yield f"Attempt {mark.attempt} of {mark.attempts} counts."


# ---- the file and its exercises --------------------------------------------------------------------------------------


def _file(graded: Graded) -> Iterator[str]:
    if graded.unreadable:
        yield f'<p class="box">{safe(graded.unreadable)}</p>'
    if graded.problems:
        yield "<section aria-labelledby='cells'><h2 id='cells'>Cells that stopped</h2>"
        yield "<p>The rest of your file was used all the same. Restart the kernel and run all cells to see this.</p>"
        yield f"{listed(code(problem) for problem in graded.problems)}</section>"


def _exercise(points: ExercisePoints, found: ExerciseMark, show_inputs: bool) -> Iterator[str]:
    place = anchor(found.exercise)
    yield f"<section aria-labelledby='{place}'><h2 id='{place}'>{_title(found.exercise)}</h2>"
    worth = f"{decimal_text(points.points)} of {decimal_text(points.possible)} points"
    passed = sum(check.verdict is Verdict.PASSED for check in found.checks)
    yield f"<p>{_word(found.verdict)} · {passed} of {len(found.checks)} checks passed · {worth}</p>"
    function = code(known(found.exercise).function)
    yield f"<p>Function: {function}</p>"
    if found.notes:
        yield listed(safe(note).replace(f"`{known(found.exercise).function}`", function) for note in found.notes)
    same = once(found.checks)
    if same:
        yield f"<p>{prose(same) if found.verdict in ALIKE else code(same)}</p></section>"
        return
    for check in found.checks:
        yield from _check(check, show_inputs)
    yield "</section>"


def once(checks: Sequence[CheckMark]) -> str:
    """What is the same for all checks, because the function was never called; nothing if there is no such thing."""
    first = checks[0]
    if any(check.verdict is not first.verdict for check in checks):
        return ""
    same = not any(check.call or check.wanted != first.wanted for check in checks)
    return ALIKE.get(first.verdict) or (first.wanted if same else "")


def _check(check: CheckMark, show_inputs: bool) -> Iterator[str]:
    drawn = ' <span class="quiet">(your own inputs)</span>' if check.drawn else ""
    yield f'<div class="check"><p>{_word(check.verdict)}: {prose(check.says)}{drawn}</p>'
    facts = [
        f"<dt>{name}</dt><dd>{safe(text) if name == SHOULD else code(text)}</dd>"
        for name, text in told(check, show_inputs)
    ]
    if facts:
        yield f"<dl class='facts'>{''.join(facts)}</dl>"
    slip = misconceptions().get(check.slip or "")
    if slip is not None:
        yield f'<div class="box"><p><strong>A common slip: {prose(slip.title)}.</strong></p>'
        yield f"<p>Ask yourself: {prose(slip.ask)}</p><p>{prose(slip.because)}</p></div>"
    yield "</div>"


def told(check: CheckMark, show_inputs: bool) -> Iterator[tuple[str, str]]:
    """What a student may know of a check that did not pass, as names and plain texts."""
    if check.verdict is Verdict.PASSED:
        return
    hidden = check.drawn and not show_inputs
    if check.call and not hidden:
        yield "Called", check.call
    if check.verdict is Verdict.FAILED:
        if check.returned and not hidden:
            yield "Came back", check.returned
        wanted = unrepeated(check.wanted) if hidden else check.wanted
        if wanted:
            yield SHOULD, wanted
    elif check.wanted and not (hidden and check.call):  # without a call nothing was told to the answer
        yield "What happened", check.wanted


def unrepeated(wanted: str) -> str:
    """What should have held, without what the answer returned: that may carry the hidden inputs.

    >>> unrepeated("one number, and not a text"), unrepeated("one of 'A', 'B', spelt like that, and not '45 25'")
    ('one number, and not a text', "one of 'A', 'B', spelt like that.")
    """
    says, repeated, rest = wanted.partition(REPEATED)
    return wanted if not repeated or KIND.fullmatch(rest) else f"{says}."


def _word(verdict: Verdict) -> str:
    kind = "right" if verdict is Verdict.PASSED else "wrong" if verdict in SIGNS else "quiet"
    return (
        f'<span class="word {kind}"><span aria-hidden="true">{SIGNS.get(verdict, SIGN)}</span> {WORDS[verdict]}</span>'
    )
