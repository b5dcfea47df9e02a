"""The six rules of exercises, and the machinery that checks answers.

Rules: (1) the model answer passes; (2) the starter reads *not started*; (3) each wrong answer fails at the check it
names, with feedback that names its misconception if it has one; (4) every check catches at least one wrong answer;
(5) other right answers pass; (6) rules 3 and 5 hold for every drawn student, and draws are comparably hard.
"""

from __future__ import annotations

import ast
import importlib.util
import io
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

import exercises
from book.tools import structure
from exercises import catalogue, cells, generate
from exercises.__main__ import check_file, main
from exercises.exercise import Check, Drawn, Exercise, Fixed
from exercises.expect import (
    PERCENT,
    TEXT,
    MismatchError,
    alike,
    all_close,
    choice,
    close,
    entries,
    near,
    number,
    numbers,
    same,
)
from exercises.learner import check, hint, solution
from exercises.local import CrashedError, Local, NotStartedError, TimedOutError
from exercises.report import explained
from exercises.run import Verdict, overall, run, run_check
from exercises.values import BadValueError, plain, sent, shown, shown_call

ROOT = Path(__file__).resolve().parents[2]
GRADERS = ROOT / "tests" / "graders"
NAMES = catalogue.names()
STUDENTS = range(int(os.environ.get("STUDENTS", "200")))  # fewer while one chapter is being written
WRONG = sorted(GRADERS.glob("*/*/wrong_*.py"))
RIGHT = sorted(GRADERS.glob("*/*/right_*.py"))
EXERCISE_FILES = {"statement.md", "starter.py", "check.py", "hints.md"}


def module_from(path: Path) -> ModuleType:
    """A file of answers as a module; the names of its folders keep it apart from others."""
    spec = importlib.util.spec_from_file_location("_".join(path.parts[-3:]).removesuffix(".py"), path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def exercise_of(path: Path) -> Exercise:
    return catalogue.load(f"{path.parts[-3]}/{path.parts[-2]}")


def answer_of(path: Path, exercise: Exercise) -> Local:
    return Local(getattr(module_from(path), exercise.function), exercise.seconds)


def short(path: Path) -> str:
    return "/".join(path.with_suffix("").parts[-3:])


@cache
def student(name: str, seed: int) -> Drawn:
    """The inputs of one student, drawn once for all tests."""
    return catalogue.load(name).drawn(seed)


class Students:
    """The results of one answer for many students; checks of fixed inputs are run once."""

    def __init__(self, exercise: Exercise, answer: Local) -> None:
        self.exercise = exercise
        self.answer = answer
        self.fixed = {
            each.says: run_check(each, exercise.function, answer, {})
            for each in exercise.checks
            if not each.uses_drawn_inputs
        }

    def first_problem(self, drawn: Drawn) -> Any:
        """The result of the first check that does not pass, or None."""
        for each in self.exercise.checks:
            result = self.fixed.get(each.says) or run_check(each, self.exercise.function, self.answer, drawn)
            if result.verdict is not Verdict.PASSED:
                return result
        return None


def fault_of_wrong_answer(exercise: Exercise, module: ModuleType, drawn: Drawn, students: Students) -> str:
    """Why rule 3 does not hold for this student, or nothing."""
    problem = students.first_problem(drawn)
    if problem is None:
        return f"passes with {drawn}"
    if problem.says != module.FAILS:
        return f"fails at {problem.says!r} instead of {module.FAILS!r}: {explained(problem)}"
    if problem.slip != module.SLIP:
        return f"feedback names {problem.slip} instead of {module.SLIP}: {explained(problem)}"
    if module.SLIP and catalogue.misconceptions()[module.SLIP].title not in " ".join(explained(problem)):
        return "the feedback does not carry the misconception's title"
    return ""


@pytest.mark.parametrize("name", NAMES)
def test_rule_1_model_answer_passes(name: str) -> None:
    exercise = catalogue.load(name)
    answer = answer_of_solution(exercise)
    students = Students(exercise, answer)
    for seed in STUDENTS:
        assert students.first_problem(student(exercise.name, seed)) is None
    assert check(name, answer.function).verdict is Verdict.PASSED


def answer_of_solution(exercise: Exercise) -> Local:
    path = catalogue.solution_file(exercise.name)
    assert path is not None, f"solutions/{exercise.name}.py is missing"
    return answer_of(path, exercise)


@pytest.mark.parametrize("name", NAMES)
def test_rule_2_starter_reads_not_started(name: str) -> None:
    starter = module_from(catalogue.PACKAGE / name / "starter.py")
    report = check(name, getattr(starter, catalogue.load(name).function))
    assert report.verdict is Verdict.NOT_STARTED
    assert {result.verdict for result in report.results} == {Verdict.NOT_STARTED}
    assert "not started" in repr(report)


@pytest.mark.parametrize("path", WRONG, ids=short)
def test_rules_3_and_6_wrong_answer_fails_where_it_says_for_every_student(path: Path) -> None:
    exercise, module = exercise_of(path), module_from(path)
    students = Students(exercise, answer_of(path, exercise))
    faults = {
        fault_of_wrong_answer(exercise, module, student(exercise.name, seed), students): seed for seed in STUDENTS
    }
    faults.pop("", None)
    assert not faults


@pytest.mark.parametrize("name", NAMES)
def test_rule_4_every_check_catches_a_wrong_answer(name: str) -> None:
    exercise = catalogue.load(name)
    modules = [module_from(path) for path in WRONG if exercise_of(path) is exercise]
    says = [each.says for each in exercise.checks]
    assert set(says) == {module.FAILS for module in modules}
    assert len(set(says)) == len(says)
    assert set(exercise.diagnoses) == {module.SLIP for module in modules} - {None}


@pytest.mark.parametrize("path", RIGHT, ids=short)
def test_rules_5_and_6_other_right_answer_passes_for_every_student(path: Path) -> None:
    exercise = exercise_of(path)
    students = Students(exercise, answer_of(path, exercise))
    problems = [problem for seed in STUDENTS if (problem := students.first_problem(student(exercise.name, seed)))]
    assert not problems


@pytest.mark.parametrize("name", NAMES)
def test_rule_6_draws_are_comparably_hard(name: str) -> None:
    """Nobody gets twice as much input as the median student, or half as much, and few draws are thrown away.

    That each wrong answer fails at the same check for every student (above) is the other half of it.
    """
    exercise = catalogue.load(name)
    sizes = [leaves(student(name, seed)) for seed in STUDENTS]
    median = statistics.median(sizes)
    assert median / 2 < min(sizes)
    assert max(sizes) < 2 * median
    random = np.random.default_rng(0)
    kept = sum(not exercise.redraw(exercise.draw(random)) for _ in STUDENTS)
    assert kept / len(STUDENTS) > 1 / 4


def test_marks_that_cannot_tell_torn_pairs_from_whole_ones_are_redrawn() -> None:
    """A draw too rare to be met among two hundred students."""
    exercise = catalogue.load("paired/paired_bootstrap")
    usual = exercise.drawn(1)
    assert not exercise.redraw(usual)
    assert exercise.redraw({**usual, "a": [1] * len(usual["a"])})


@pytest.mark.parametrize("name", NAMES)
def test_students_get_different_inputs_and_a_seed_gives_the_same_again(name: str) -> None:
    exercise = catalogue.load(name)
    drawn = [json.dumps(student(name, seed), allow_nan=False) for seed in STUDENTS]
    assert len(set(drawn)) > len(drawn) / 4
    assert drawn[7] == json.dumps(exercise.drawn(7))


def leaves(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(leaves, value.values()))
    return sum(map(leaves, value)) if isinstance(value, list) else 1


@pytest.mark.parametrize("name", NAMES)
def test_model_answer_agrees_with_the_reference_and_prints_the_anchors(name: str) -> None:
    exercise = catalogue.load(name)
    answer = answer_of_solution(exercise)
    for case in exercise.fixed_cases():
        assert agree(answer(*case.arguments), plain(case.right))
        for printed, value in case.anchors.items():
            assert as_printed(value, printed) == printed


def agree(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return set(one) == set(other) and all(agree(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(agree, one, other))
    return near(one, other) if isinstance(one, float) else bool(one == other)


def as_printed(value: Any, printed: str) -> str:
    """`value` in the book's way: as many decimals as `printed` shows, no zero before the point."""
    decimals = len(re.findall(r"\.(\d+)", printed)[0])
    texts = [f"{number:.{decimals}f}".replace("0.", ".", 1) for number in np.atleast_1d(value)]
    return f"[{', '.join(texts)}]" if isinstance(value, list) else texts[0]


@pytest.mark.parametrize("name", NAMES)
def test_every_exercise_is_complete_and_has_no_strays(name: str) -> None:
    exercise = catalogue.load(name)
    assert exercise.name == name
    if structure.unfinished(exercise.chapter):
        pytest.skip(f"{exercise.chapter} is unfinished, as test_a_chapter_is_finished says")
    folder = catalogue.PACKAGE / name
    assert {path.name for path in folder.iterdir() if path.name != "__pycache__"} == EXERCISE_FILES
    assert structure.CHECKS_AN_EXERCISE_HAS <= len(exercise.checks) <= 8
    assert exercise.function not in sys.stdlib_module_names
    answers = {path.name for path in (GRADERS / name).iterdir() if path.name != "__pycache__"}
    assert all(re.fullmatch(r"(wrong|right)_\w+\.py", answer) for answer in answers)
    for kind, least in structure.ANSWERS_A_GRADER_HAS.items():
        assert sum(answer.startswith(f"{kind}_") for answer in answers) >= least


def test_folders_mirror_each_other() -> None:
    assert NAMES
    assert sorted(NAMES) == sorted(
        str(path.relative_to(ROOT / "solutions").with_suffix("")) for path in solution_files()
    )
    assert sorted(NAMES) == sorted({"/".join(path.parts[-3:-1]) for path in [*WRONG, *RIGHT]})
    stems = {path.stem for path in (ROOT / "book").glob("*.md")}
    assert set(catalogue.chapters()) <= stems


def solution_files() -> Iterator[Path]:
    return (path for path in (ROOT / "solutions").rglob("*.py") if "__pycache__" not in path.parts)


@pytest.mark.parametrize("name", NAMES)
def test_texts_are_plain_markdown(name: str) -> None:
    """Roles and directives would stay raw in a worksheet."""
    for file in ("statement.md", "hints.md"):
        text = catalogue.text(name, file)
        assert not re.search(r"\{[\w:]+\}`|^(```|:::)\s*\{", text, flags=re.MULTILINE)
    assert len(catalogue.hints(name)) >= 3
    assert all(title and body for title, body in catalogue.hints(name))
    assert catalogue.load(name).function in catalogue.text(name, "statement.md")


@pytest.mark.parametrize("name", NAMES)
def test_objective_is_one_of_the_chapter(name: str) -> None:
    exercise = catalogue.load(name)
    front_matter = (ROOT / "book" / f"{exercise.chapter}.md").read_text(encoding="utf-8").split("---\n")[1]
    objectives = {each["id"] for each in yaml.safe_load(front_matter)["objectives"]}
    assert exercise.objective in objectives


@pytest.mark.parametrize("path", [*WRONG, *RIGHT, *solution_files()], ids=short)
def test_answers_import_only_what_is_allowed(path: Path) -> None:
    name = path.stem if path.is_relative_to(ROOT / "solutions") else path.parts[-2]
    chapter = path.parts[-2] if path.is_relative_to(ROOT / "solutions") else path.parts[-3]
    used = cells.imports(path.read_text(encoding="utf-8"))
    assert cells.foreign(used, catalogue.load(f"{chapter}/{name}").allows) == []


@pytest.mark.parametrize("name", NAMES)
def test_starter_and_solution_have_the_same_signature(name: str) -> None:
    function = catalogue.load(name).function
    starter = catalogue.text(name, "starter.py")
    path = catalogue.solution_file(name)
    assert path is not None
    assert header(starter, function) == header(path.read_text(encoding="utf-8"), function)


def header(code: str, function: str) -> tuple[str, str, str | None]:
    nodes = [node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef) and node.name == function]
    assert nodes
    node = nodes[0]
    return ast.unparse(node.args), ast.unparse(node.returns or ast.Constant(None)), ast.get_docstring(node)


# --- generated files -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chapter", catalogue.chapters())
def test_stored_worksheet_is_the_generated_one(chapter: str) -> None:
    stored = generate.worksheet_file(chapter).read_text(encoding="utf-8")
    assert stored == generate.worksheet(chapter), f"run `python -m exercises worksheet {chapter}`"


def test_stored_misconceptions_are_the_books() -> None:
    stored = (catalogue.PACKAGE / "misconceptions.json").read_text(encoding="utf-8")
    assert stored == generate.misconceptions(), "run `python -m exercises misconceptions`"


@pytest.mark.parametrize("chapter", catalogue.chapters())
def test_solved_worksheet_passes_and_fresh_one_reads_not_started(chapter: str, tmp_path: Path) -> None:
    import nbformat

    fresh = generate.worksheet_file(chapter)
    notebook = nbformat.read(fresh, as_version=4)
    nbformat.validate(notebook)
    assert len({cell["id"] for cell in notebook.cells}) == len(notebook.cells)
    for name in catalogue.names(chapter):
        path = catalogue.solution_file(name)
        assert path is not None
        cell = next(
            cell for cell in notebook.cells if cell["source"].strip() == catalogue.text(name, "starter.py").strip()
        )
        cell["source"] = path.read_text(encoding="utf-8")
    solved = tmp_path / "solved.ipynb"
    nbformat.write(notebook, solved)
    for name in catalogue.names(chapter):
        assert check_file(name, fresh).verdict is Verdict.NOT_STARTED
        assert check_file(name, solved).verdict is Verdict.PASSED


def test_course_lists_exercises_once_with_points() -> None:
    """What an instructor may change, and what must hold after every change."""
    course = tomllib.loads((ROOT / "course.toml").read_text(encoding="utf-8"))
    assignments = course["assignment"].values()
    listed = [item for assignment in assignments for item in assignment["exercises"]]
    names = [item["exercise"] for item in listed]
    assert set(names) <= set(NAMES)
    assert len(names) == len(set(names))
    assert all(type(item["points"]) is int and item["points"] > 0 for item in listed)
    due_dates = [assignment["due"] for assignment in assignments if "due" in assignment]
    assert all(due.tzinfo is not None for due in due_dates)


# --- plain values --------------------------------------------------------------------------------------------------


class AlwaysEqual(float):
    """A number that is equal to everything."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = float.__hash__


class SlyArray(np.float64):
    """A NumPy number with its own idea of its value."""

    def item(self, *arguments: Any) -> Any:
        return AlwaysEqual(0.0)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.float64(0.5), 0.5),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        ((1, 2.5), [1, 2.5]),
        ({"a": (None, "x")}, {"a": [None, "x"]}),
        (SlyArray(0.25), 0.25),
    ],
)
def test_plain_converts_what_right_answers_return(value: object, expected: object) -> None:
    converted = plain(value)
    assert alike(converted, expected)
    assert json.loads(json.dumps(converted)) == converted
    assert {type(leaf) for leaf in flat(converted)} <= {bool, int, float, str, type(None)}


def flat(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in flat(item)]
    return [leaf for item in value for leaf in flat(item)] if isinstance(value, list) else [value]


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        np.float64("nan"),
        np.array([1.0, np.inf]),
        10**400,
        AlwaysEqual(0.1),
        object(),
        {1, 2},
        {1: 2},
        1 + 2j,
        lambda: 0.5,
        np.array([object()]),
        [0] * 300_000,
    ],
    ids=lambda value: type(value).__name__,
)
def test_plain_refuses_the_rest(value: object) -> None:
    with pytest.raises(BadValueError):
        plain(value)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (math.nan, "a number, but nan, which is not finite"),
        ((0.8, math.nan), "a list, but its [1] is nan, which is not finite"),
        (np.array([[1.0], [np.inf]]), "a list, but its [1][0] is inf, which is not finite"),
        ({"ends": [0.0, 10**400]}, "a dictionary, but its ['ends'][1] is one too large to use"),
    ],
    ids=["number", "tuple", "array", "dictionary"],
)
def test_plain_says_where_a_number_is_not_finite(value: object, words: str) -> None:
    with pytest.raises(BadValueError) as refused:
        plain(value)
    assert str(refused.value) == words


def test_plain_refuses_a_list_that_contains_itself() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(BadValueError, match="deep"):
        plain(endless)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
        max_leaves=8,
    )
)
def test_plain_values_are_left_as_they_are(value: Any) -> None:
    assert alike(plain(value), value)
    assert alike(sent((value,))[0], value)


def test_learner_cannot_change_the_inputs_of_a_check() -> None:
    def greedy(numbers: list[int]) -> int:
        numbers.clear()
        return 0

    given_list = [1, 2, 3]
    Local(greedy, 1.0)(given_list)
    assert given_list == [1, 2, 3]
    Local(greedy, 1.0, fresh=True)(given_list)  # a sandbox, where nobody else has them, needs no copies
    assert given_list == []


def test_shown_is_short() -> None:
    assert shown([0] * 1000).endswith("0, 0, ... (1000 in all)]")
    assert shown(0.1 + 0.2) == "0.3"
    assert shown(1.0) == "1.0"
    assert shown(1e-12) == "1e-12"
    assert shown([True, None, "a", []]) == "[True, None, 'a', []]"
    assert shown_call("f", (1, "a", [2, 3])) == "f(1, 'a', [2, 3])"
    for value in ([0] * 1000, {f"item-{i}": i for i in range(500)}, "x" * 10_000, [[[1] * 99] * 99] * 99):
        assert len(shown(value)) < 160


# --- expectations --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [True, None, "0.5", [0.5], {}])
def test_only_numbers_are_numbers(value: object) -> None:
    with pytest.raises(MismatchError) as caught:
        number(value)
    assert caught.value.wrong_kind


@pytest.mark.parametrize("value", [0.5, [0.5], [0.5, True], [0.5, "1"], [0.5, 0.5, 0.5], None, {"z": 0.5, "p": 0.5}])
def test_numbers_need_the_right_length_and_kind(value: object) -> None:
    with pytest.raises(MismatchError):
        numbers(value, ("z", "p"))


def test_close_names_the_slip_that_the_value_gives_away() -> None:
    close(0.5 + 1e-9, 0.5, "half.")
    with pytest.raises(MismatchError) as known:
        close(0.25, 0.5, "half.", {"quarter": 0.25})
    assert known.value.slip == "quarter"
    with pytest.raises(MismatchError) as unknown:
        close(0.3, 0.5, "half.", {"quarter": 0.25})
    assert unknown.value.slip is None
    with pytest.raises(MismatchError, match="unrounded"):
        close(0.33, 1 / 3, "a third.")


@pytest.mark.parametrize(
    ("value", "slip"),
    [
        (2.25, PERCENT),
        (2.24, None),
        ("0.0225", TEXT),
        ("2.25%", PERCENT),
        ("2.25 %", PERCENT),
        (" .0225 ", TEXT),
        ("p", None),
        ("", None),
        ("%", None),
        (None, None),
    ],
)
def test_percent_and_text_are_named_wherever_a_number_is_asked_for(value: object, slip: str | None) -> None:
    own = Check("one", lambda answer: close(answer(), 0.0225, "p."), slip="only-way")
    of_several = Check("some", lambda answer: all_close([1.2, answer()], [1.2, 0.0225], ("z", "p"), "both."))
    wrong_kind = type(value) is not float
    assert run_check(own, "f", lambda: value, {}).slip == (slip or (None if wrong_kind else "only-way"))
    assert run_check(of_several, "f", lambda: value, {}).slip == slip


def test_percent_is_not_named_where_another_number_is_wrong_or_another_slip_gives_it() -> None:
    for check_of in (
        lambda: all_close([1.3, 2.25], [1.2, 0.0225], ("z", "p"), "both."),
        lambda: close(2.25, 0.0225, "p.", {"other": 2.25}),
    ):
        with pytest.raises(MismatchError) as caught:
            check_of()
        assert caught.value.slip != PERCENT
    close(0.0, 0.0, "none.")


def test_all_close_says_which_number_is_off() -> None:
    all_close([1, 2.0], [1.0, 2], ("z", "p"), "both.")
    with pytest.raises(MismatchError, match="off: p"):
        all_close([1.0, 2.1], [1.0, 2.0], ("z", "p"), "both.")
    with pytest.raises(MismatchError) as known:
        all_close([1.0, 4.0], [1.0, 2.0], ("z", "p"), "both.", {"doubled": [1.0, 4.0]})
    assert known.value.slip == "doubled"


def test_what_is_near_and_what_deserves_a_remark_is_told_so() -> None:
    for value, said in ((0.504, True), (0.52, False)):
        with pytest.raises(MismatchError) as mismatch:
            all_close([0.25, value], [0.25, 0.5], ("z", "p"), "both.", within=1e-3)
        assert ("finer grid" in mismatch.value.more) is said
    with pytest.raises(MismatchError, match=r"half\. A third\.") as mismatch:
        close(1 / 3, 0.5, "half.", remarks={"A third.": 1 / 3})
    assert mismatch.value.slip is None


def test_same_tells_one_from_true() -> None:
    same({"a": 1.0}, {"a": 1}, "one.")
    for value in ({"a": True}, {"a": 2}, {"b": 1}, [1], "1"):
        with pytest.raises(MismatchError):
            same(value, {"a": 1}, "one.")
    for value in (2, 3):
        with pytest.raises(MismatchError) as known:
            same(value, 1, "one.", {"one-of-two": (2, 3)})
        assert known.value.slip == "one-of-two"


def test_choice_and_entries() -> None:
    assert choice("yes", ("yes", "no")) == "yes"
    assert entries({"a": 1}, ("a",)) == {"a": 1}
    for value in ("Yes", None, 1, ["yes"]):
        with pytest.raises(MismatchError):
            choice(value, ("yes", "no"))
    for other in ({}, {"a": 1, "b": 2}, [1], None):
        with pytest.raises(MismatchError):
            entries(other, ("a",))


# --- running answers -----------------------------------------------------------------------------------------------


def toy(seconds: float = 1.0) -> Exercise:
    """An exercise about halving, with one check of fixed inputs and one of drawn ones."""
    exercise = Exercise(
        name="paired/half",
        title="Half",
        objective="mcnemar",
        reference=lambda number: number / 2,
        draw=lambda random: {"number": int(random.integers(3, 9))},
        diagnoses=("p-above-one",),
        fixed=(Fixed((1,), {".5": ()}),),
        seconds=seconds,
    )

    @exercise.check("half of one")
    def half_of_one(answer: Callable[..., Any]) -> None:
        close(answer(1), 0.5, "one half.", {"p-above-one": 2.0})

    @exercise.check("half of your number")
    def half_of_drawn(answer: Callable[..., Any], drawn: Drawn) -> None:
        close(answer(drawn["number"]), drawn["number"] / 2, "half of it.")

    return exercise


def verdicts(function: Callable[..., Any], exercise: Exercise | None = None) -> list[Verdict]:
    exercise = exercise or toy()
    return [result.verdict for result in run(exercise, Local(function, exercise.seconds), exercise.drawn(1))]


def test_each_verdict() -> None:
    assert verdicts(lambda number: number / 2) == [Verdict.PASSED, Verdict.PASSED]
    assert verdicts(lambda number: 0.5) == [Verdict.PASSED, Verdict.FAILED]
    assert verdicts(lambda number: ...) == [Verdict.NOT_STARTED, Verdict.NOT_STARTED]
    assert verdicts(lambda number: 1 / 0) == [Verdict.CRASHED, Verdict.CRASHED]
    assert verdicts(lambda number: sys.exit(0)) == [Verdict.CRASHED, Verdict.CRASHED]
    assert verdicts(lambda: 0.5) == [Verdict.CRASHED, Verdict.CRASHED]
    assert verdicts(lambda number: None) == [Verdict.FAILED, Verdict.FAILED]
    assert verdicts(lambda number: AlwaysEqual(7)) == [Verdict.FAILED, Verdict.FAILED]
    assert verdicts(lambda number: float("nan")) == [Verdict.FAILED, Verdict.FAILED]
    assert overall([]) is Verdict.PASSED


def forever(number: float) -> float:
    while True:
        try:
            number += 1
        except Exception:
            continue


def test_endless_loop_times_out_and_later_checks_are_not_waited_for() -> None:
    started = time.perf_counter()
    assert verdicts(forever, toy(seconds=0.2)) == [Verdict.TIMED_OUT, Verdict.TIMED_OUT]
    assert time.perf_counter() - started < 2


def test_a_proxy_that_is_no_local_function_does_as_well() -> None:
    """What grading will put in place of the learner's function: anything that is called and returns or raises."""

    def proxy(error: Exception) -> Callable[..., Any]:
        def answer(*arguments: Any) -> Any:
            raise error

        return answer

    def verdict(error: Exception) -> Verdict:
        return overall(run(toy(), proxy(error), {"number": 4}))

    assert overall(run(toy(), lambda number: number / 2, {"number": 4})) is Verdict.PASSED
    assert verdict(CrashedError("worker exited")) is Verdict.CRASHED
    assert verdict(TimedOutError("time limit")) is Verdict.TIMED_OUT
    assert verdict(NotStartedError()) is Verdict.NOT_STARTED
    assert verdict(BadValueError("a malformed reply")) is Verdict.FAILED


def test_a_fault_in_a_check_is_not_blamed_on_the_learner() -> None:
    def broken(answer: Callable[..., Any]) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_check(Check("broken", broken), "half", lambda number: 0.5, {})


def test_crash_is_shown_with_the_learners_line() -> None:
    def divides(b: int, c: int) -> float:
        return b / (c - c)

    text = repr(check("paired/exact_mcnemar", divides))
    assert "crashed" in text
    assert "ZeroDivisionError: division by zero (line" in text
    assert "return b / (c - c)" in text


def test_redraw_stops_in_the_end() -> None:
    exercise = toy()
    exercise.redraw = lambda drawn: True
    with pytest.raises(RuntimeError, match="no usable inputs"):
        exercise.drawn(1)


# --- what the learner sees -----------------------------------------------------------------------------------------


CHECKS = len(catalogue.load("paired/exact_mcnemar").checks)


def test_passing_says_public_checks() -> None:
    answer = answer_of_solution(catalogue.load("paired/exact_mcnemar"))
    report = check("paired/exact_mcnemar", answer.function)
    assert repr(report).startswith(f"paired/exact_mcnemar: passed: all {CHECKS} public checks\n")
    assert "all tests passed" not in repr(report).lower()
    assert "slip" not in repr(report)


def test_failing_says_what_was_called_what_came_back_what_should_hold_and_the_slip() -> None:
    module = module_from(GRADERS / "paired" / "exact_mcnemar" / "wrong_one_sided.py")
    report = check("paired/exact_mcnemar", module.exact_mcnemar)
    slip = catalogue.misconceptions()[module.SLIP]
    for text in (repr(report), report._repr_markdown_()):
        assert "exact_mcnemar(45, 25)" in text
        assert "0.0112314" in text
        assert "in either direction" in text
        assert slip.title in text
        assert slip.ask in text
        assert "0.022" not in text, "the feedback must not hand out the answer"
    assert report.verdict is Verdict.FAILED
    assert re.search(rf"failed \([1-9] of {CHECKS} public checks passed\)", repr(report))


def test_unknown_error_names_no_misconception() -> None:
    report = check("paired/exact_mcnemar", lambda b, c: 0.123)
    assert report.first_problem is not None
    assert report.first_problem.slip is None
    assert "common slip" not in repr(report)


def test_wrong_kind_names_no_misconception_even_where_the_check_has_one() -> None:
    def text_at_a_tie(b: int, c: int) -> object:
        right = catalogue.load("paired/exact_mcnemar").reference(b, c)
        return "one" if b == c else right

    problem = check("paired/exact_mcnemar", text_at_a_tie).first_problem
    assert problem is not None
    assert problem.says == "an even split"
    assert problem.slip is None


def test_forgotten_return_and_forgotten_function_are_recognised() -> None:
    forgotten = repr(check("paired/exact_mcnemar", lambda b, c: None))
    assert forgotten.endswith("Wanted: one number, and not nothing (None). Did you forget the `return`?")
    report = check("paired/exact_mcnemar", 0.0225)  # type: ignore[arg-type]
    assert report.verdict is Verdict.FAILED
    assert repr(report) == report._repr_markdown_() == CALL + " This was a float."


CALL = (
    "The second thing to give is your function itself, without brackets after it: "
    '`exercises.check("paired/exact_mcnemar", exact_mcnemar)`.'
)


def test_check_with_one_thing_left_out_says_in_one_line_what_to_type() -> None:
    def exact_mcnemar(b: int, c: int) -> float:
        return 1.0

    first = NAMES[0]
    assert repr(check("paired/exact_mcnemar")) == CALL
    for function, call in (
        (exact_mcnemar, '`exercises.check("paired/exact_mcnemar", exact_mcnemar)`'),
        (lambda: 1.0, f'`exercises.check("{first}", {first.partition("/")[2]})`'),
    ):
        report = check(function)  # type: ignore[arg-type]
        assert report.verdict is Verdict.FAILED
        assert repr(report) == f"The name of the exercise comes first: {call}"


@pytest.mark.parametrize("value", ["nan", "infinite", "complex"])
@pytest.mark.parametrize("name", NAMES)
def test_a_value_that_cannot_be_compared_is_told_what_the_check_wants(name: str, value: str) -> None:
    """The same words as for a number that is merely wrong, at whichever call of whichever check it happens."""
    exercise = catalogue.load(name)
    bad = {"nan": float("nan"), "infinite": -math.inf, "complex": 1j}[value]
    off = run(exercise, lambda *arguments: changed(plain(exercise.reference(*arguments)), -77.5), exercise.drawn(1))
    results = run(exercise, Local(lambda *arguments: bad, 5.0), exercise.drawn(1))
    for wrong_number, result in zip(off, results, strict=True):
        assert result.verdict is Verdict.FAILED
        assert result.slip is None
        if wrong_number.verdict is Verdict.FAILED:
            assert result.wanted == wrong_number.wanted.partition(" The first that is off")[0]
        else:
            assert result.wanted == "plain numbers, text, lists or dictionaries of these."


def changed(value: Any, by: float, times: float = 1) -> Any:
    """Every number in `value` multiplied and shifted."""
    if isinstance(value, list):
        return [changed(item, by, times) for item in value]
    if isinstance(value, dict):
        return {key: changed(item, by, times) for key, item in value.items()}
    return times * value + by if type(value) in (int, float) else value


def test_a_value_that_cannot_be_compared_at_a_later_call_is_told_what_that_call_wants() -> None:
    def nan_without_flips_of_b(b: int, c: int) -> float:
        right: float = catalogue.load("paired/paired_standard_error").reference(1, b, c, 1)["paired"]
        return right if b else math.nan

    def both(answer: Callable[..., Any]) -> None:
        reference = catalogue.load("paired/paired_standard_error").reference
        close(answer(3, 1), reference(1, 3, 1, 1)["paired"], "first.")
        close(answer(0, 1), reference(1, 0, 1, 1)["paired"], "second.")

    def reference(b: int, c: int) -> Any:
        return catalogue.load("paired/paired_standard_error").reference(1, b, c, 1)["paired"]

    result = run_check(Check("both", both), "f", Local(nan_without_flips_of_b, 1.0), {}, reference)
    assert result.wanted == "second."
    assert run_check(Check("both", both), "f", Local(nan_without_flips_of_b, 1.0), {}).wanted.startswith("plain")


SHARES = ("paired_standard_error", "exact_mcnemar", "mid_p", "paired_bootstrap")


@pytest.mark.parametrize("function", SHARES)
def test_percent_is_named_in_every_exercise_that_asks_for_shares(function: str) -> None:
    name = f"paired/{function}"
    reference = catalogue.load(name).reference
    report = check(name, lambda *arguments: changed(plain(reference(*arguments)), 0, 100))
    assert report.first_problem is not None
    assert report.first_problem.slip == PERCENT
    assert "Percent in place of a share" in repr(report)


def test_long_inputs_are_cut_after_the_first_entries() -> None:
    text = repr(check("paired/paired_bootstrap", lambda a, b, resamples: [1.0, 2.0] if len(a) > 20 else [0.0, 0.0]))
    assert "paired_bootstrap([1, 1, 1, 1, 1, ... (1000 in all)], [1, 1, 1, 1, 1, ... (1000 in all)], [[" in text
    assert max(map(len, text.splitlines())) < 400
    table = repr(check("paired/paired_table", lambda a, b: {}))
    assert re.search(r"paired_table\(\{('q\d\d': [01], ){5}\.\.\. \(\d+ in all\)\}, \{", table)


def test_markdown_cannot_be_broken_by_what_the_learner_returns() -> None:
    report = check("paired/exact_mcnemar", lambda b, c: "``` <script>")
    assert "```` '``` <script>' ````" in report._repr_markdown_()


def test_hints_escalate_and_end_at_the_solution() -> None:
    name = "paired/exact_mcnemar"
    first, last = hint(name), hint(name, 3)
    assert "Hint 1 of 3" in repr(first)
    assert f'hint("{name}", 2)' in first._repr_markdown_()
    assert f'solution("{name}")' in repr(last)
    for level in (0, 4):
        with pytest.raises(ValueError, match=f"level is {level}; .* from 1 to 3"):
            hint(name, level)


def test_solution_shows_the_file_or_links_to_its_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any
) -> None:
    name = "paired/exact_mcnemar"
    assert (ROOT / "solutions" / f"{name}.py").read_text(encoding="utf-8") in repr(solution(name))
    monkeypatch.setattr(catalogue, "SOLUTIONS", tmp_path)
    assert f"solutions/{name}.py" in repr(solution(name))
    assert "def " not in repr(solution(name))
    assert main(["solution", name]) == 0
    assert f"solutions/{name}.py" in capsys.readouterr().out


def test_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"paired/exact_mcnemr.*Did you mean 'paired/exact_mcnemar'"):
        exercises.check("paired/exact_mcnemr", lambda b, c: 1.0)
    for begun, name in {
        "paired/exact": "paired/exact_mcnemar",
        "paired/paired": "paired/paired_table",
        "paired/mid": "paired/mid_p",
        "paired/paired_s": "paired/paired_standard_error",
        "exact_mcnemar": "paired/exact_mcnemar",
        "which_t": "paired/which_test",
        "paired": "paired/paired_table",
    }.items():
        with pytest.raises(ValueError, match=f"Did you mean '{name}'"):
            catalogue.load(begun)
    with pytest.raises(ValueError, match=r"no exercise ''\. `python"):
        catalogue.load("")


# --- the terminal --------------------------------------------------------------------------------------------------


def test_terminal_from_start_to_passed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    name = "paired/exact_mcnemar"
    monkeypatch.chdir(tmp_path)
    assert main(["list"]) == 0
    assert name in capsys.readouterr().out
    assert main(["start", name]) == 0
    assert "fair coin" in capsys.readouterr().out
    assert main(["check", name]) == 1
    assert "not started" in capsys.readouterr().out
    (tmp_path / "exact_mcnemar.py").write_text("mine = 1\n", encoding="utf-8")
    assert main(["start", name]) == 0
    again = capsys.readouterr().out
    assert "fair coin" in again
    assert "exact_mcnemar.py (it was here already, and is left as it is)" in again
    assert (tmp_path / "exact_mcnemar.py").read_text(encoding="utf-8") == "mine = 1\n"
    assert main(["hint", name, "2"]) == 0
    assert f"More: python -m exercises hint {name} 3" in capsys.readouterr().out
    assert main(["hint", name, "3"]) == 0
    assert f"More: python -m exercises solution {name}" in capsys.readouterr().out
    assert main(["solution", name]) == 0
    assert capsys.readouterr().out == (ROOT / "solutions" / f"{name}.py").read_text(encoding="utf-8")
    shutil.copy(ROOT / "solutions" / f"{name}.py", tmp_path / "exact_mcnemar.py")
    assert main(["check", name]) == 0
    passed = capsys.readouterr().out
    assert f"passed: all {CHECKS} public checks" in passed
    assert passed.endswith("Next: python -m exercises start paired/mid_p\n")


def test_list_and_next_follow_the_order_of_the_course(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    course = tomllib.loads((ROOT / "course.toml").read_text(encoding="utf-8"))["assignment"].values()
    order = [item["exercise"] for assignment in course for item in assignment["exercises"]]
    monkeypatch.chdir(tmp_path)
    assert main(["list"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == order != sorted(order)
    for name, following in zip(order, [*order[1:], None], strict=True):
        solved = str(ROOT / "solutions" / f"{name}.py")
        assert main(["check", name, solved]) == 0
        last_line = capsys.readouterr().out.splitlines()[-1]
        assert last_line == (f"Next: python -m exercises start {following}" if following else NOTHING_LEFT)


NOTHING_LEFT = "That was the last exercise."


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "paired/none"], "there is no exercise 'paired/none'"),
        (["check", "paired/exact_mcnemar"], "exact_mcnemar.py: there is no such file"),
        (["check", "paired/exact_mcnemar", "notes.txt"], ".py or .ipynb"),
        (["hint", "paired/exact_mcnemar", "9"], "level is 9"),
        (["list", "nothing"], "no exercises for 'nothing'"),
        (["worksheet", "nothing"], "no exercises for 'nothing'"),
    ],
)
def test_terminal_refuses_in_one_line(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_module_runs_from_another_folder(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "exercises", "list", "paired"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    assert "paired/exact_mcnemar" in done.stdout


def test_file_with_faults_elsewhere_is_still_checked(tmp_path: Path) -> None:
    model = (ROOT / "solutions" / "paired" / "exact_mcnemar.py").read_text(encoding="utf-8")
    path = tmp_path / "mine.py"
    path.write_text(f"import statsmodels_of_no_one\nraise_me = 1 / 0\nprint(undefined)\n{model}", encoding="utf-8")
    report = check_file("paired/exact_mcnemar", path)
    assert report.verdict is Verdict.PASSED
    assert "line 2: ZeroDivisionError" in repr(report)
    assert "Not there when graded: statsmodels_of_no_one" in repr(report)


def test_notebook_with_magics_and_broken_cells_is_still_checked(tmp_path: Path) -> None:
    model = (ROOT / "solutions" / "paired" / "exact_mcnemar.py").read_text(encoding="utf-8")
    codes = ["%matplotlib inline\n!ls", "def broken(:", "# text", f"{model}", "exact_mcnemar(45, 25)\nraise SystemExit"]
    cells = [{"cell_type": "code", "source": code.splitlines(keepends=True)} for code in codes]
    path = tmp_path / "mine.ipynb"
    path.write_text(json.dumps({"cells": [*cells, {"cell_type": "markdown", "source": "def x("}]}), encoding="utf-8")
    report = check_file("paired/exact_mcnemar", path)
    assert report.verdict is Verdict.PASSED
    assert "mine.ipynb, cell 2, line 1" in repr(report)


def test_file_without_the_function_says_so(tmp_path: Path) -> None:
    empty, broken = tmp_path / "empty.py", tmp_path / "broken.py"
    empty.write_text("x = 1\n", encoding="utf-8")
    broken.write_text("def exact_mcnemar(b, c:\n", encoding="utf-8")
    report = check_file("paired/exact_mcnemar", empty)
    assert repr(report).splitlines()[-1] == "  empty.py defines no function exact_mcnemar."
    report = check_file("paired/exact_mcnemar", broken)
    assert report.verdict is Verdict.CRASHED
    assert repr(report).splitlines()[-1] == "  broken.py, line 1: '(' was never closed."


@pytest.mark.parametrize(("missing", "command"), [("numpy", "list"), ("tomllib", "check")])
def test_without_the_packages_one_line_says_what_to_do(missing: str, command: str, tmp_path: Path) -> None:
    """As with a Python that is not that of `.venv`: the module is hidden before the package is looked for."""
    hide = f"import sys; sys.modules[{missing!r}] = None; sys.argv = ['-m', {command!r}]; "
    words = "The course's packages are not here: run `source .venv/bin/activate` first"
    for code, last in (
        ("import runpy; runpy.run_module('exercises', run_name='__main__', alter_sys=True)", words),
        ("sys.argv = ['notebook']; import exercises", f"ModuleNotFoundError: {words}"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", hide + code],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 1
        said = done.stderr.splitlines()
        assert said[-1].startswith(last)
        assert len(said) == 1 or last != words


def test_a_package_that_only_one_exercise_needs_is_missed_in_one_line_too(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setitem(sys.modules, "exercises.paired.exact_mcnemar.check", None)
    assert main(["hint", "paired/exact_mcnemar"]) == 2
    assert capsys.readouterr().err == f"{exercises.PACKAGES_MISSING}\n"


# --- the box on the page -------------------------------------------------------------------------------------------

SETTINGS = {
    "extensions": ["myst_nb", "book.tools.practice"],
    "source_suffix": {".md": "myst-nb"},  # said here, or a book built before in this process would decide
    "myst_enable_extensions": ["dollarmath"],
    "nb_execution_mode": "off",
    "html_theme": "basic",
}

PAGE = """\
---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {display_name: Python 3, language: python, name: python3}
---
# A chapter

```{practice} paired/unpaired_z
```

```{practice} paired/exact_mcnemar
```

See {ref}`practice-paired-exact-mcnemar`.
"""


def build(folder: Path, page: str = PAGE) -> tuple[Path, str]:
    """Build a book of one page; returns where it is and the warnings."""
    (folder / "index.md").write_text(page, encoding="utf-8")
    out, warnings = folder / "_out", io.StringIO()
    with docutils_namespace():
        app = Sphinx(folder, None, out, out / "doctrees", "html", SETTINGS, status=None, warning=warnings)
        app.build()
    return out, warnings.getvalue()


def test_practice_box_in_html_has_everything(tmp_path: Path) -> None:
    out, warnings = build(tmp_path)
    assert not warnings
    html = (out / "index.html").read_text(encoding="utf-8")
    boxes = html.split('<div class="practice admonition"')[1:]
    assert len(boxes) == 2
    box = boxes[1]
    assert 'id="practice-paired-exact-mcnemar"' in box
    assert "Exercise 2: The exact McNemar test" in box
    assert "fair coin" in box
    assert "NotImplementedError" in box
    assert "make lab" in re.sub(r"</?span[^>]*>", "", box), "where the worksheet is"
    assert "paired/exact_mcnemar" in box
    assert box.count("<details") == len(catalogue.hints("paired/exact_mcnemar")) + 1
    assert "<summary>Solution</summary>" in box
    assert "<summary>Hint 3: Two tails and two corners</summary>" in box
    assert "one_tail" in box.split("<summary>Solution</summary>")[1]
    assert 'href="#practice-paired-exact-mcnemar"' in html


def test_practice_box_of_an_unknown_exercise_is_an_error_of_the_page(tmp_path: Path) -> None:
    _, warnings = build(tmp_path, "# A\n\n```{practice} paired/none\n```\n")
    assert "ERROR: there is no exercise 'paired/none'" in warnings


def test_many_long_texts_are_too_much_together() -> None:
    assert len(plain(["x" * 10_000] * 100)) == 100
    for value in (["x" * 10_000] * 101, {f"{place:09999}": "" for place in range(101)}):
        with pytest.raises(BadValueError, match="1,000,000 characters together"):
            plain(value)
