"""Honest submissions get exactly the marks they should. Every expected mark is worked out by hand, with the reason."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from exercises import catalogue
from exercises.exercise import Exercise
from exercises.grading.grade import grade
from exercises.grading.records import CheckMark, ExerciseMark, Graded, Job, Limits, Mode
from exercises.grading.sandbox import NoSandboxError, probe
from exercises.run import Verdict
from tests.grading import corpus

ROOT = Path(__file__).resolve().parents[2]
GRADERS = ROOT / "tests" / "graders"
CHAPTERS = ("intervals", "paired")
PASSED, FAILED, CRASHED = Verdict.PASSED, Verdict.FAILED, Verdict.CRASHED
LIMITS = Limits(call_seconds=20.0, cell_seconds=30.0, submission_seconds=180.0)  # a busy machine is no finding


# --- submissions ---------------------------------------------------------------------------------------------------


@cache
def mode() -> Mode:
    """The sandbox of this machine."""
    try:
        return probe()
    except NoSandboxError as missing:
        pytest.skip(str(missing))


def in_notebook(cells: Iterable[str]) -> bytes:
    return corpus.notebook(cells)


def in_myst(cells: Iterable[str]) -> bytes:
    head = (
        "---\njupytext:\n  text_representation:\n    format_name: myst\nkernelspec:\n  name: python3\n---\n\n# Mine\n"
    )
    return (head + "\n".join(f"\n```{{code-cell}} python\n{code}\n```\n\nSome words.\n" for code in cells)).encode()


def in_percent(cells: Iterable[str]) -> bytes:
    return "".join(f"# %%\n{code}\n\n# %% [markdown]\n# Some words.\n\n" for code in cells).encode()


FORMS: dict[str, Callable[[Iterable[str]], bytes]] = {
    "mine.ipynb": in_notebook,
    "mine.md": in_myst,
    "mine.py": in_percent,
}


def graded(
    cells: Iterable[str], names: Sequence[str], file_name: str = "mine.ipynb", limits: Limits = LIMITS
) -> Graded:
    """Grade these cells as a file of that form, with hidden inputs of their own."""
    content = FORMS[file_name](cells)
    seeds = tuple(1000 + number for number in range(len(names)))
    return grade(Job("student", file_name, content, tuple(names), seeds, mode(), limits))


def solutions(asked: str, **instead: str) -> list[str]:
    """The model answers, one cell each, some of them replaced by function name."""
    texts = {name.partition("/")[2]: solution(name) for name in GRADED[asked]}
    assert set(instead) <= set(texts)
    return list((texts | instead).values())


def solution(name: str) -> str:
    path = catalogue.solution_file(name)
    assert path is not None
    return path.read_text(encoding="utf-8")


def written(kind: str) -> str:
    """One of the stored answers, such as `paired/exact_mcnemar/wrong_one_sided`."""
    return (GRADERS / f"{kind}.py").read_text(encoding="utf-8")


def points(found: Graded) -> Fraction:
    """What the marks come to with the points of course.toml."""
    assignments = tomllib.loads((ROOT / "course.toml").read_text(encoding="utf-8"))["assignment"]
    worth = {item["exercise"]: item["points"] for each in assignments.values() for item in each["exercises"]}
    return sum((mark.share * worth[mark.exercise] for mark in found.exercises), Fraction(0))


def mark_of(found: Graded, function: str) -> ExerciseMark:
    return next(mark for mark in found.exercises if mark.exercise.endswith(f"/{function}"))


# --- five submissions of each shape --------------------------------------------------------------------------------

# What is graded, and its full marks: 2 + 3 + 3 + 3 + 2 + 2 + 3, 2 + 2 + 3 + 3 + 2 + 2 + 3 + 3 + 2, and 3 + 2 points.
PAIR = ("paired/exact_mcnemar", "paired/mid_p")
GRADED = {chapter: tuple(catalogue.names(chapter)) for chapter in CHAPTERS} | {"two exercises": PAIR}
FULL = {"intervals": 18, "paired": 22, "two exercises": 5}

# The answer that is spoilt, its points, and what its wrong form earns of them:
# one tail of exact_mcnemar is right only for no disagreement at all, where it is 1: one check of seven;
# an error bar in percent is right only where it is zero, "no question right, and all of them": one check of four.
SPOILT = {
    "intervals": ("error_bar", 2, "intervals/error_bar/wrong_percent", Fraction(1, 4)),
    "paired": ("exact_mcnemar", 3, "paired/exact_mcnemar/wrong_one_sided", Fraction(1, 7)),
}
SPOILT["two exercises"] = SPOILT["paired"]
CASES = [("intervals", "mine.ipynb"), ("paired", "mine.ipynb"), *(("two exercises", form) for form in FORMS)]
each_case = pytest.mark.parametrize(("asked", "form"), CASES)


@each_case
def test_right_gets_everything(asked: str, form: str) -> None:
    found = graded(solutions(asked), GRADED[asked], form)
    assert points(found) == FULL[asked]
    assert {mark.verdict for mark in found.exercises} == {PASSED}
    assert found.problems == ()


@each_case
def test_stub_gets_nothing_and_is_not_called_wrong(asked: str, form: str) -> None:
    starters = [catalogue.text(name, "starter.py") for name in GRADED[asked]]
    found = graded(starters, GRADED[asked], form)
    assert points(found) == 0
    assert {check.verdict for mark in found.exercises for check in mark.checks} == {Verdict.NOT_STARTED}
    assert found.problems == ()


@each_case
def test_wrong_answer_gets_the_checks_that_it_passes(asked: str, form: str) -> None:
    function, worth, wrong, share = SPOILT[asked]
    found = graded(solutions(asked, **{function: written(wrong)}), GRADED[asked], form)
    assert mark_of(found, function).share == share
    assert mark_of(found, function).verdict is FAILED
    assert points(found) == FULL[asked] - worth + share * worth


@each_case
def test_syntax_error_costs_its_own_exercise_only(asked: str, form: str) -> None:
    function, worth, _, _ = SPOILT[asked]
    broken = f"def {function}(a, b):\n    return (a +\n"
    found = graded(solutions(asked, **{function: broken}), GRADED[asked], form)
    assert points(found) == FULL[asked] - worth
    assert {check.verdict for check in mark_of(found, function).checks} == {CRASHED}
    assert "was never closed" in found.problems[0]


@each_case
def test_crash_midway_costs_nothing_that_comes_after(asked: str, form: str) -> None:
    function, worth, _, _ = SPOILT[asked]
    cells = solutions(asked, **{function: f"def {function}(a, b):\n    return a / (b - b)\n"})
    middle = len(cells) // 2
    cells[middle:middle] = ["table = [1, 2]\nbest = table[5]\n"]
    found = graded(cells, GRADED[asked], form)
    assert points(found) == FULL[asked] - worth
    assert {check.verdict for check in mark_of(found, function).checks} == {CRASHED}
    assert len(found.problems) == 1
    assert "IndexError: list index out of range" in found.problems[0]


# --- cells that were moved -----------------------------------------------------------------------------------------

EXACT, MID_P = corpus.RIGHT_ANSWER, corpus.OTHER_ANSWER
WRONG_EXACT = "def exact_mcnemar(b, c):\n    return 0.5\n"


@pytest.mark.parametrize(
    "cells",
    [
        [MID_P, EXACT],
        ["# the answers", EXACT, "", MID_P, MID_P, EXACT],
        [EXACT + "\n\n" + MID_P],
        ["%matplotlib inline\n!pip install nothing\n" + EXACT, "exact_mcnemar?\n", MID_P],
        [
            EXACT,
            "import exercises\nexercises.check('paired/exact_mcnemar', exact_mcnemar)",
            MID_P,
            "print(mid_p(3, 1))",
        ],
        [EXACT.replace("def exact_mcnemar", "def two_sided") + "\nexact_mcnemar = two_sided\n", MID_P],
    ],
    ids=["reordered", "duplicated", "in one cell", "with magics", "with checks", "renamed"],
)
def test_where_functions_stand_does_not_matter(cells: list[str]) -> None:
    found = graded(cells, PAIR)
    assert [mark.share for mark in found.exercises] == [1, 1]
    assert [mark.notes for mark in found.exercises] == [(), ()]


def test_a_function_defined_twice_is_told_to_the_learner_and_the_last_one_counts() -> None:
    found = graded([WRONG_EXACT, MID_P, EXACT], PAIR)
    assert [mark.share for mark in found.exercises] == [1, 1]
    assert found.exercises[0].notes == (
        "`exact_mcnemar` is defined in cell 1 and cell 3, differently; the last one was graded.",
    )
    found = graded([EXACT, MID_P, WRONG_EXACT], PAIR)
    assert mark_of(found, "exact_mcnemar").verdict is FAILED


def test_a_starter_left_behind_does_not_undo_an_answer() -> None:
    found = graded([EXACT, MID_P, catalogue.text(PAIR[0], "starter.py")], PAIR)
    assert [mark.share for mark in found.exercises] == [1, 1]


def test_missing_crashed_timed_out_wrong_and_not_started_are_told_apart() -> None:
    slow = Limits(call_seconds=1.0, cell_seconds=20.0, submission_seconds=60.0)
    answers = {
        Verdict.MISSING: "",
        CRASHED: "def exact_mcnemar(b, c):\n    raise ValueError('b above c')\n",
        Verdict.TIMED_OUT: "def exact_mcnemar(b, c):\n    while True:\n        pass\n",
        FAILED: WRONG_EXACT,
        Verdict.NOT_STARTED: catalogue.text(PAIR[0], "starter.py"),
        PASSED: EXACT,
    }
    for verdict, answer in answers.items():
        found = graded([answer, MID_P], PAIR, limits=slow)
        assert [mark.verdict for mark in found.exercises] == [verdict, PASSED]


def test_a_cell_that_hangs_is_told_and_the_rest_counts() -> None:
    quick = Limits(call_seconds=5.0, cell_seconds=1.0, submission_seconds=60.0)
    found = graded([EXACT, "while True:\n    pass\n", MID_P], PAIR, limits=quick)
    assert [mark.share for mark in found.exercises] == [1, 1]
    assert found.problems == ("cell 2: still running after 1 seconds",)


def test_packages_that_are_not_allowed_are_named() -> None:
    found = graded(["import pandas as pd\n", EXACT, MID_P], PAIR)
    assert [mark.share for mark in found.exercises] == [1, 1]
    assert any("pandas" in problem for problem in found.problems)


def test_grading_again_gives_the_same_but_for_the_time() -> None:
    told = "x = set('order of things')\nraise ValueError(x)\n"
    cells = [written("paired/exact_mcnemar/wrong_one_sided"), MID_P, told]
    one, other = (graded(cells, PAIR).as_json() | {"seconds": 0} for _ in range(2))
    assert one == other


# --- the stored answers --------------------------------------------------------------------------------------------


def stored(kind: str, exercise: str) -> list[Path]:
    return sorted((GRADERS / exercise).glob(f"{kind}_*.py"))


def rounds(kind: str, chapter: str) -> list[list[Path]]:
    """All stored answers of a chapter in as few notebooks as hold them, each with one answer to every exercise."""
    lists = [stored(kind, name) for name in catalogue.names(chapter)]
    return [[each[number % len(each)] for each in lists] for number in range(max(map(len, lists)))]


def constants(path: Path) -> dict[str, str | None]:
    """FAILS and SLIP of a stored wrong answer."""
    found = {}
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) in ("FAILS", "SLIP"):
            found[ast.unparse(statement.targets[0])] = ast.literal_eval(statement.value)
    return found


def check_right(chapter: str, paths: list[Path]) -> None:
    found = graded([path.read_text(encoding="utf-8") for path in paths], catalogue.names(chapter))
    assert points(found) == FULL[chapter], [(m.exercise, m.verdict) for m in found.exercises if m.share != 1]


def check_wrong(chapter: str, paths: list[Path]) -> None:
    found = graded([path.read_text(encoding="utf-8") for path in paths], catalogue.names(chapter))
    for path, mark in zip(paths, found.exercises, strict=True):
        said = constants(path)
        first = next((check for check in mark.checks if check.verdict is not PASSED), None)
        assert first is not None, f"{path.stem} gets full marks in {mark.exercise}"
        assert (first.says, first.slip) == (said["FAILS"], said["SLIP"]), path
        assert mark.share < 1


def samples(kind: str) -> list[object]:
    """The first notebook of each chapter always, the others when there is time."""
    return [
        pytest.param(chapter, paths, id=f"{chapter}-{number}", marks=[pytest.mark.slow] if number else [])
        for chapter in CHAPTERS
        for number, paths in enumerate(rounds(kind, chapter))
    ]


@pytest.mark.parametrize(("chapter", "paths"), samples("right"))
def test_stored_right_answers_get_full_marks(chapter: str, paths: list[Path]) -> None:
    check_right(chapter, paths)


@pytest.mark.parametrize(("chapter", "paths"), samples("wrong"))
def test_stored_wrong_answers_get_less_and_their_slip_is_named(chapter: str, paths: list[Path]) -> None:
    check_wrong(chapter, paths)


def test_every_stored_answer_is_in_some_notebook() -> None:
    for kind in ("right", "wrong"):
        held = {path for chapter in CHAPTERS for paths in rounds(kind, chapter) for path in paths}
        assert held == set(GRADERS.glob(f"*/*/{kind}_*.py"))


def test_full_marks_are_those_of_the_course() -> None:
    for asked, names in GRADED.items():
        full = Graded(tuple(ExerciseMark(name, _all_passed(catalogue.load(name))) for name in names))
        assert points(full) == FULL[asked]


def _all_passed(exercise: Exercise) -> tuple[CheckMark, ...]:
    return tuple(CheckMark(check.says, PASSED, check.uses_drawn_inputs) for check in exercise.checks)
