"""The page of a student: what it says, what it hides, and that nothing on it is a student's own HTML."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest

from exercises import catalogue
from exercises.grading.course import Assignment, Course, Extension, Keep, Worth
from exercises.grading.feedback import feedback, unrepeated
from exercises.grading.marks import Attempt, Override, StudentMark, mark
from exercises.grading.records import CheckMark, ExerciseMark, Graded
from exercises.local import Local
from exercises.run import Verdict, run
from tests.grading.pages import HARMLESS, HOSTILE, answers, assert_well_made, assignment, graded, parsed, text_of, went

DUE = datetime(2027, 3, 1, 12, tzinfo=UTC)
TABLE, MID_P, EXACT = "paired/paired_table", "paired/mid_p", "paired/exact_mcnemar"
DRAWN_TWICE = (11, 12)


class Student:
    def __init__(self, name: str = "Ada", identifier: str = "ada") -> None:
        self.id, self.name = identifier, name


def marked(work: Graded | None, what: Assignment, *overrides: Override, **attempt: Any) -> StudentMark:
    attempts = [Attempt("ada", 1, work, file_name="ada.ipynb", **attempt)] if work else []
    return mark(attempts, Course("c", "Course", (what,)), what, [Student()], overrides).students[0]


def page(work: Graded | None, what: Assignment, *overrides: Override, **attempt: Any) -> str:
    made = feedback(marked(work, what, *overrides, **attempt), work, what, "Statistics for Evals")
    assert_well_made(made)
    return made


def test_a_mark_is_explained_step_by_step() -> None:
    what = replace(
        assignment(TABLE, EXACT, due=DUE, penalty_of_total_per_day=Fraction(1, 10), rounding=Fraction(1, 2)),
        extensions=(Extension("ada", DUE + timedelta(days=1), "was ill"),),
    )
    work = graded((TABLE, answers(TABLE)[0]), (EXACT, "wrong_one_sided"))
    checks = work.exercises[1].checks
    passed = sum(check.verdict is Verdict.PASSED for check in checks)
    text = text_of(page(work, what, submitted=DUE + timedelta(days=2), digest="x"))
    assert f"{passed} of {len(checks)}" in text
    assert "Lateness −0.6 1 day late" in text
    assert "to a multiple of 0.5" in text
    assert "extension: was ill" in text
    assert "Due: 2027-03-02 12:00 (UTC+0000)" in text
    mark_of = marked(work, what, submitted=DUE + timedelta(days=2))
    assert f"{float(mark_of.final):g} of 6 points" in text
    rounding = mark_of.computed - mark_of.sum + mark_of.penalty
    assert rounding
    assert f"Rounding {'+' if rounding > 0 else '−'}" in text


def test_marks_set_by_hand_say_why() -> None:
    what = replace(assignment(MID_P), exercises=(Worth(MID_P, Fraction(3)), Worth("essay", Fraction(4), manual=True)))
    work = graded((MID_P, "starter"))
    unmarked = text_of(page(work, what))
    assert "provisional: something is still to be marked" in unmarked
    assert "not marked yet" in unmarked
    given = [Override("ada", "essay", Fraction(3), "good plan"), Override("ada", "total", Fraction(5), "oral exam")]
    text = text_of(page(work, what, *given, Override("ada", MID_P, Fraction(1), "right idea")))
    assert "marked by hand" in text
    assert "Set by hand: good plan" in text
    assert "Set by hand: right idea (the checks gave 0)" in text
    assert "Set by hand 5 oral exam" in text
    assert "5 of 7 points" in text
    assert "provisional" not in text


@pytest.mark.parametrize(
    ("work", "sentence"),
    [
        (None, "Nothing was handed in."),
        (Graded(unreadable="This is a picture, not a notebook."), "This is a picture, not a notebook."),
    ],
)
def test_without_a_readable_file_the_page_says_what_happened(work: Graded | None, sentence: str) -> None:
    text = text_of(page(work, assignment(TABLE, MID_P)))
    assert sentence in text
    assert "0 of 6 points" in text
    assert text.count("missing") == 2


def test_after_the_cut_off_and_an_error_of_the_grader() -> None:
    what = assignment(TABLE, due=DUE, cut_off=DUE + timedelta(hours=1))
    late = text_of(page(graded((TABLE, answers(TABLE)[0])), what, submitted=DUE + timedelta(hours=2)))
    assert "after the last moment at which it could be taken" in late
    assert "Lateness −3 after the cut-off" in late
    failed = replace(marked(graded((TABLE, "starter")), what), status="could not be graded")
    assert "could not be graded yet" in text_of(feedback(failed, None, what))


def test_if_no_attempt_counts_the_page_says_so() -> None:
    what = assignment(TABLE, due=DUE, cut_off=DUE)
    work = graded((TABLE, "right_loop"))
    one = page(work, what, submitted=DUE + timedelta(hours=2))
    assert "No attempt counts." in text_of(one)
    assert "is of attempt" not in text_of(one)
    attempts = [Attempt("ada", number, work, DUE + timedelta(hours=number), "ada.ipynb") for number in (1, 2)]
    late = mark(attempts, Course("c", "Course", (what,)), what, [Student()]).students[0]
    text = text_of(feedback(late, work, what))
    assert "No attempt counts. What follows is of attempt 2." in text
    assert "Attempt 2 of 2 counts" not in text


def test_a_mark_that_waits_for_a_time_says_so() -> None:
    what = assignment(TABLE, due=DUE, penalty_of_total_per_day=Fraction(1, 10), keep=Keep.FIRST)
    work = graded((TABLE, "right_loop"))
    attempts = [Attempt("ada", 1, work, late=True), Attempt("ada", 2, work, DUE + timedelta(days=1))]
    waiting = mark(attempts, Course("c", "Course", (what,)), what, [Student()]).students[0]
    text = text_of(feedback(waiting, work, what))
    assert "provisional: it is not known yet when you handed it in" in text
    assert "handed in late, but it is not known how late: no penalty was taken" in text


@pytest.mark.parametrize(
    ("points", "given", "why"),
    [
        ("3", "2.75", "Rounding +0.25 to a multiple of 0.5"),
        ("3.3", "3.29", "Rounding +0.01 to all the points that there are"),
    ],
)
def test_rounding_says_what_it_is_to(points: str, given: str, why: str) -> None:
    what = replace(assignment(TABLE, rounding=Fraction(1, 2)), exercises=(Worth(TABLE, Fraction(points)),))
    by_hand = Override("ada", TABLE, Fraction(given), "seen")
    assert why in text_of(page(graded((TABLE, "right_loop")), what, by_hand))


def test_every_verdict_has_words_and_what_belongs_to_it() -> None:
    def of(verdict: Verdict, **more: Any) -> CheckMark:
        return CheckMark(f"a check that {verdict}", verdict, drawn=False, **more)

    marks = (
        of(Verdict.PASSED, call="f(0)", returned="1"),
        of(Verdict.FAILED, call="f(1)", returned="2", wanted="three.", slip="p-above-one"),
        of(Verdict.CRASHED, call="f(3)", wanted="ValueError: four"),
        of(Verdict.TIMED_OUT, call="f(5)", wanted="no answer after 5 seconds"),
        of(Verdict.NOT_STARTED),
        of(Verdict.MISSING),
    )
    exercise = ExerciseMark(MID_P, marks, notes=("mid_p is defined twice: the last one counts",))
    work = Graded((exercise,), problems=("cell 4, line 2: NameError: name 'x' is not defined",))
    text = text_of(page(work, assignment(MID_P)))
    for words in ("passed", "not yet right", "stopped with an error", "took too long", "not started", "missing"):
        assert re.search(rf"[✓✗–] {words}: a check that", text), words
    assert "Called f(1) Came back 2 Should hold three." in text
    assert "f(0)" not in text
    assert "ValueError: four" in text
    assert "no answer after 5 seconds" in text
    slip = catalogue.misconceptions()["p-above-one"]
    assert f"A common slip: {slip.title}." in text
    assert "Ask yourself: " in text
    assert "mid_p is defined twice" in text
    assert "NameError: name 'x' is not defined" in text
    assert "public" not in text


def test_a_starter_and_a_missing_function_are_said_in_one_sentence() -> None:
    missing = ExerciseMark(MID_P, tuple(replace(one, verdict=Verdict.MISSING) for one in went(MID_P, "starter").checks))
    text = text_of(page(Graded((went(EXACT, "starter"), missing)), assignment(EXACT, MID_P)))
    assert text.count("The function is still the starter") == 1
    assert text.count("No function of this name was found") == 1
    assert catalogue.load(MID_P).checks[0].says not in text


def test_a_cell_that_does_not_parse_is_said_once() -> None:
    why = "cell 3, line 2: '(' was never closed"
    checks = (replace(one, verdict=Verdict.CRASHED, wanted=why) for one in went(MID_P, "starter").checks)
    exercise = ExerciseMark(MID_P, tuple(replace(one, call="") for one in checks), notes=("`mid_p` is there twice.",))
    made = page(Graded((exercise,)), assignment(MID_P))
    assert text_of(made).count(why) == 1
    assert "<code>mid_p</code> is there twice." in made


def test_full_marks() -> None:
    text = text_of(page(graded((TABLE, answers(TABLE)[0])), assignment(TABLE)))
    assert "3 of 3 points" in text
    assert "✗" not in text
    assert "Should hold" not in text


# ---- hidden inputs ---------------------------------------------------------------------------------------------------


def shown_of_drawn(checks: tuple[CheckMark, ...]) -> set[str]:
    return {unrepeated(check.wanted) for check in checks if check.drawn and check.verdict is Verdict.FAILED}


@pytest.mark.parametrize("name", catalogue.names())
def test_what_should_have_held_does_not_tell_the_hidden_number(name: str) -> None:
    """Every number in such a text stands in the course's own source: it is known before anybody's inputs are drawn."""
    source = (catalogue.PACKAGE / name / "check.py").read_text(encoding="utf-8")
    texts = {
        text
        for answer in answers(name)
        if answer.startswith("wrong")
        for seed in DRAWN_TWICE
        for text in shown_of_drawn(went(name, answer, seed).checks)
    }
    assert texts
    for text in texts:
        for figure in re.findall(r"\d+(?:\.\d+)?", text):
            assert re.search(rf"(?<![\d.]){figure}(?![\d.]*\d)", source), text


LEAKS = {
    "as text": lambda *arguments: repr(arguments),
    "as keys": lambda *arguments: {repr(arguments): 1},
    "as a list": lambda *arguments: [repr(arguments)],
    "as an error": lambda *arguments: {}[repr(arguments)],
    "as a type": lambda *arguments: type(repr(arguments), (), {})(),
    "as a deep place": lambda *arguments: {repr(arguments): float("nan")},
}


@pytest.mark.parametrize("name", catalogue.names())
def test_an_answer_that_repeats_its_inputs_has_the_same_page_for_all_inputs(name: str) -> None:
    exercise = catalogue.load(name)
    what = assignment(name)
    for leak, answer in LEAKS.items():
        pages = set()
        for seed in DRAWN_TWICE:
            results = run(exercise, Local(answer, 5), exercise.drawn(seed))
            checks = [
                CheckMark(one.says, one.verdict, check.uses_drawn_inputs, one.call, one.returned, one.wanted, one.slip)
                for one, check in zip(results, exercise.checks, strict=True)
            ]
            pages.add(page(Graded((ExerciseMark(name, tuple(checks)),)), what))
        assert len(pages) == 1, leak


def test_inputs_are_shown_where_the_course_says_so() -> None:
    work = graded((EXACT, "wrong_one_sided"))
    failed = next(c for c in work.exercises[0].checks if c.drawn and c.verdict is Verdict.FAILED)
    hidden, shown = page(work, assignment(EXACT)), page(work, assignment(EXACT, show_inputs=True))
    assert failed.call not in text_of(hidden)
    assert "your own inputs" in text_of(hidden)
    assert failed.call in text_of(shown)
    assert failed.returned in text_of(shown)
    assert "stay hidden" not in text_of(shown)


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        ("one number, and not nothing (None). Did you forget the `return`?",) * 2,
        ("a list of 2 numbers, [low, high], and not [45, 25]", "a list of 2 numbers, [low, high]."),
        ("one of 'A', 'B', spelt like that, and not 'a text'", "one of 'A', 'B', spelt like that."),
        ("one number, and not a text of 45", "one number."),
        ("the same formula.", "the same formula."),
    ],
)
def test_unrepeated(wanted: str, shown: str) -> None:
    assert unrepeated(wanted) == shown


# ---- hostile texts ---------------------------------------------------------------------------------------------------


def everywhere(text: str, student: bool = True) -> str:
    """A page with `text` in every field that a student, a file or a roster can fill."""
    what = assignment(MID_P, EXACT, due=DUE, show_inputs=True)
    what = replace(what, extensions=(Extension("ada", DUE + timedelta(days=1), text),))
    checks = tuple(
        CheckMark("says", verdict, drawn, text, text, text) for verdict in Verdict for drawn in (False, True)
    )
    work = Graded((ExerciseMark(MID_P, checks, notes=(text,)),), problems=(text, text), unreadable=text)
    own = marked(work, what, Override("ada", MID_P, Fraction(1), text), Override("ada", "total", Fraction(1), text))
    own = replace(own, name=text, student=text, file_name=text, notes=(text,), attempts=2)
    return feedback(own, work, what)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_element_or_attribute_comes_from_a_text(text: str) -> None:
    made = everywhere(text)
    assert_well_made(made)
    assert parsed(made).tags == parsed(everywhere(HARMLESS)).tags
    assert len(made) < 150_000


def test_the_same_bytes_again() -> None:
    assert everywhere(HOSTILE[0]).encode() == everywhere(HOSTILE[0]).encode()
