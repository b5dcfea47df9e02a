"""Near-identical submissions: copies in disguise are found, independent right answers are not."""

from __future__ import annotations

import ast
import random
import re
import time
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises import catalogue
from exercises.grading.records import Cell
from exercises.grading.similarity import ENOUGH, MAX_SHAPES, expected, pairs, shapes

GRADERS = Path(__file__).parents[1] / "graders"
CHAPTERS = catalogue.chapters()


def answers(name: str, kind: str) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted((GRADERS / name).glob(f"{kind}_*.py"))]


def class_of_right_answers(chapter: str) -> dict[str, list[str]]:
    """Submissions without a common file: each student has routes of their own."""
    routes = {name: answers(name, "right") for name in catalogue.names(chapter)}
    size = min(map(len, routes.values()))
    return {f"{student}.ipynb": [found[student] for found in routes.values()] for student in range(size)}


def shaped(cells: list[str]) -> tuple[str, ...]:
    return shapes([Cell(f"cell {number}", code) for number, code in enumerate(cells, start=1)])


class _Renamed(ast.NodeTransformer):
    """What somebody does who does not want to be caught in a minute."""

    def __init__(self, names: set[str]) -> None:
        self.names = {name: f"value_{number}" for number, name in enumerate(sorted(names))}

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self.names.get(node.arg, node.arg)
        node.annotation = None
        return node


def disguised(code: str) -> str:
    tree = ast.parse(code)
    bound = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    bound |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    renamed = ast.unparse(_Renamed(bound).visit(tree))
    return re.sub(r"^(def .*)$", r'\1\n    """My own work."""\n    # honestly', renamed, flags=re.MULTILINE)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_independent_right_answers_are_not_flagged(chapter: str) -> None:
    submissions = {name: shaped(cells) for name, cells in class_of_right_answers(chapter).items()}
    assert len(submissions) > 1
    assert all(len(marks) > 3 * ENOUGH for marks in submissions.values())
    assert pairs(submissions, expected(catalogue.names(chapter))) == []


@pytest.mark.parametrize("name", catalogue.names())
def test_right_answers_to_one_exercise_are_not_flagged(name: str) -> None:
    found = pairs({str(number): shaped([code]) for number, code in enumerate(answers(name, "right"))}, expected([name]))
    assert found == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_copy_with_other_names_comments_and_order_is_flagged(chapter: str) -> None:
    submissions = class_of_right_answers(chapter)
    copied = [disguised(cell) for cell in submissions["0.ipynb"]]
    random.Random(1).shuffle(copied)
    assert set(copied).isdisjoint(submissions["0.ipynb"])
    submissions["copy.ipynb"] = ["\n\n\n".join(copied)]
    found = pairs({name: shaped(cells) for name, cells in submissions.items()}, expected(catalogue.names(chapter)))
    assert [(pair.first, pair.second) for pair in found] == [("0.ipynb", "copy.ipynb")]
    assert found[0].alike > 0.8
    assert found[0].shared >= ENOUGH > found[0].next_most


def test_what_half_of_the_class_has_is_no_sign() -> None:
    common, *_ = class_of_right_answers("paired").values()
    everybody = {f"{number}": shaped(common) for number in range(12)}
    assert pairs(everybody) == []
    assert len(pairs(dict(list(everybody.items())[:2]))) == 1


def test_a_ring_of_copies_is_found_in_a_small_class() -> None:
    common, other = list(class_of_right_answers("paired").values())[:2]
    submissions = {name: shaped(common) for name in "abcd"} | {"e": shaped(other)}
    assert [pair.first + pair.second for pair in pairs(submissions)] == [
        "".join(two) for two in combinations("abcd", 2)
    ]


def test_starters_and_model_answers_are_no_sign() -> None:
    names = catalogue.names("paired")
    model = [Path(catalogue.SOLUTIONS, f"{name}.py").read_text(encoding="utf-8") for name in names]
    submissions = {name: shaped([*model, "check('paired/mid_p', mid_p)"]) for name in ("a", "b", "c")}
    assert pairs(submissions, expected(names)) == []
    assert pairs(submissions) != []


@pytest.mark.parametrize("files", [{}, {"one": ("a", "b")}, {"one": (), "two": ()}])
def test_small_classes(files: dict[str, tuple[str, ...]]) -> None:
    assert pairs(files) == []


HOSTILE = {
    "brackets": "(" * 100_000,
    "minus": "-" * 100_000,
    "indents": "\n".join(" " * depth + "if 1:" for depth in range(1_000)),
    "backslashes": "\\\n" * 50_000,
    "text that does not end": '"""' + "x\n" * 100_000,
    "one long line": "a+" * 100_000,
    "one long name": "x" * 5_000_000,
    "one long number": "9" * 5_000_000,
    "nulls": "a = 1\0\nb = 2",
    "half a pair": "\ud800 = '\udfff'",
    "quotes": "'" * 99_999,
    "formats": 'f"' + "{" * 50_000,
    "tabs": "if 1:\n\tx\n        y\n  z",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_code_costs_little(name: str) -> None:
    start = time.process_time()
    found = shapes([Cell("cell 1", HOSTILE[name])])
    assert time.process_time() - start < 3
    assert len(found) <= MAX_SHAPES


def test_size_is_capped() -> None:
    draw = random.Random(2)
    cells = [Cell(f"cell {number}", "x" + "".join(draw.choices("+-*/", k=1_000)) + "x") for number in range(500)]
    start = time.process_time()
    assert len(shapes(cells)) == MAX_SHAPES
    assert time.process_time() - start < 3


def test_four_hundred_submissions_are_compared_in_seconds() -> None:
    draw = random.Random(3)
    texts = {name: answers(name, "right") + answers(name, "wrong") for name in catalogue.names("paired")}
    known = {code: shaped([code]) for found in texts.values() for code in found}
    submissions = {
        f"{number:03}": tuple({mark for found in texts.values() for mark in known[draw.choice(found)]})
        for number in range(400)
    }
    start = time.process_time()
    pairs(submissions, expected(texts))
    assert time.process_time() - start < 10


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_has_shapes_that_are_always_the_same(one: str, other: str) -> None:
    cells = [Cell("cell 1", one), Cell("cell 2", other)]
    assert shapes(cells) == shapes(cells[::-1]) == tuple(sorted(set(shapes(cells))))
