"""Near-identical submissions: copies in disguise are found, independent right answers are not."""

from __future__ import annotations

import ast
import math
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
from exercises.grading.similarity import ENOUGH, MAX_SHAPES, NEARLY, Similar, expected, shapes, similar

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
    found = similar(submissions, expected(catalogue.names(chapter)))
    assert (found.groups, found.pairs) == ((), ())


@pytest.mark.parametrize("name", catalogue.names())
def test_right_answers_to_one_exercise_are_not_flagged(name: str) -> None:
    submissions = {str(number): shaped([code]) for number, code in enumerate(answers(name, "right"))}
    found = similar(submissions, expected([name]))
    assert (found.groups, found.pairs) == ((), ())


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_copy_with_other_names_comments_and_order_is_flagged(chapter: str) -> None:
    submissions = class_of_right_answers(chapter)
    copied = [disguised(cell) for cell in submissions["0.ipynb"]]
    random.Random(1).shuffle(copied)
    assert set(copied).isdisjoint(submissions["0.ipynb"])
    submissions["copy.ipynb"] = ["\n\n\n".join(copied)]
    found = similar({name: shaped(cells) for name, cells in submissions.items()}, expected(catalogue.names(chapter)))
    listed = [group.names for group in found.groups] + [(pair.first, pair.second) for pair in found.pairs]
    assert listed == [("0.ipynb", "copy.ipynb")]
    assert [*found.groups, *found.pairs][0].alike > 0.8
    assert [*found.groups, *found.pairs][0].shared >= ENOUGH > found.next_most


def made(prefix: str, count: int) -> list[str]:
    return [f"{prefix}{number}" for number in range(count)]


@pytest.mark.parametrize(("students", "ring"), [(2, 2), (12, 12), (20, 5), (20, 6), (20, 20), (40, 10), (40, 11)])
def test_a_file_that_went_through_a_class_is_one_group_however_many_have_it(students: int, ring: int) -> None:
    common = shaped(next(iter(class_of_right_answers("paired").values())))
    submissions = {f"{number:02}": common if number < ring else made(f"{number}-", 80) for number in range(students)}
    found = similar({name: tuple(marks) for name, marks in submissions.items()})
    assert [(group.names, group.alike, group.shared) for group in found.groups] == [
        (tuple(sorted(submissions)[:ring]), 1.0, len(common))
    ]
    assert (found.pairs, found.next_most) == ((), 0)


def test_nearly_the_same_is_a_group_and_less_or_little_is_none() -> None:
    def groups(differ: int, size: int = 100) -> list[tuple[str, ...]]:
        """Twelve with all of it, and `a` and `b`, who each changed some of it."""
        everybody = {f"{number}": made("x", size) for number in range(12)}
        changed = {name: made("x", size - differ) + made(name, differ) for name in ("a", "b")}
        return [group.names for group in similar({**everybody, **changed}).groups]

    twelve = tuple(sorted(str(number) for number in range(12)))
    assert groups(5) == [(*twelve, "a", "b")]
    assert groups(6) == [twelve]
    assert groups(0, size=ENOUGH) == [(*twelve, "a", "b")]
    assert groups(0, size=ENOUGH - 1) == []


def test_one_rare_thing_in_common_makes_nobody_the_same() -> None:
    rest = made("x", 89)
    submissions = {"a": [*rest, *made("y", 10), "rare"], "b": [*rest, *made("z", 10), "rare"]}
    submissions |= {f"{kind}{n}": made(kind, 10) + made(f"{kind}{n}-", 90) for kind in "yz" for n in range(2)}
    assert similar(submissions).groups == ()


def test_a_group_says_what_all_of_it_share() -> None:
    """From each to the next five of a hundred fragments change: the first and the last share less than 95 percent."""
    chain = {f"{step}": made("old", 100 - 5 * step) + made("new", 5 * step) for step in range(5)}
    (group,) = similar(chain).groups
    assert (len(group.names), group.shared, group.alike) == (5, 80, 0.8)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 6), st.integers(15, 60)), max_size=8))
def test_groups_are_those_that_hang_together(students: list[tuple[int, int, int]]) -> None:
    """As found by comparing all with all."""
    submissions = {
        f"{place}": made(f"{kind}-", size)[changed:] + made(f"{kind}-{place}-", changed)
        for place, (kind, changed, size) in enumerate(students)
    }
    group = {name: {name} for name in submissions}
    for one, other in combinations(submissions, 2):
        first, second = set(submissions[one]), set(submissions[other])
        if 100 * len(first & second) >= NEARLY * max(len(first), len(second)):
            group[one] |= group[other]
            for name in group[one]:
                group[name] = group[one]
    expected_groups = {tuple(sorted(names)) for names in group.values() if len(names) > 1}
    assert {found.names for found in similar(submissions).groups} == expected_groups


def test_what_half_of_the_class_has_makes_no_pair() -> None:
    common = made("x", 80)
    everybody = {f"{number}": common + made(f"{number}-", 10) for number in range(12)}
    assert similar(everybody) == Similar((), (), 0)
    (pair,) = similar(dict(list(everybody.items())[:2])).pairs
    assert (pair.first, pair.second, pair.shared) == ("0", "1", 80)


def test_a_ring_that_changed_some_of_it_is_found_in_a_small_class() -> None:
    submissions = {name: made("x", 90) + made(name, 10) for name in "abcd"} | {"e": made("e", 100)}
    found = similar(submissions)
    assert [pair.first + pair.second for pair in found.pairs] == ["".join(two) for two in combinations("abcd", 2)]
    assert (found.groups, found.next_most) == ((), 0)


def test_alike_weighs_what_is_rare_and_no_pair_that_is_not_listed_shares_more() -> None:
    submissions = {
        **{name: made("x", 30) + made(name, 10) for name in ("a", "b")},  # listed
        **{name: made("y", 100) + made(name, 150) for name in ("c", "d")},  # much, and not enough of it
        **{name: made("z", 14) for name in ("e", "f")},  # too little to say anything
        **{f"o{number}": made(f"o{number}-", 60) for number in range(4)},
    }
    found = similar(submissions)
    (pair,) = found.pairs
    rare, twice = math.log2(11 / 1), math.log2(11 / 2)
    assert (pair.first, pair.second, pair.shared) == ("a", "b", 30)
    assert pair.alike == pytest.approx(30 * twice / (30 * twice + 10 * rare))
    assert (found.groups, found.next_most) == ((), 100)


def test_starters_and_model_answers_are_no_sign() -> None:
    names = catalogue.names("paired")
    model = [Path(catalogue.SOLUTIONS, f"{name}.py").read_text(encoding="utf-8") for name in names]
    submissions = {name: shaped([*model, "check('paired/mid_p', mid_p)"]) for name in ("a", "b", "c")}
    assert similar(submissions, expected(names)) == Similar((), (), 0)
    assert [group.names for group in similar(submissions).groups] == [("a", "b", "c")]


@pytest.mark.parametrize("files", [{}, {"one": ("a", "b")}, {"one": (), "two": ()}])
def test_small_classes(files: dict[str, tuple[str, ...]]) -> None:
    assert similar(files) == Similar((), (), 0)


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
    similar(submissions, expected(texts))
    assert time.process_time() - start < 10


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_has_shapes_that_are_always_the_same(one: str, other: str) -> None:
    cells = [Cell("cell 1", one), Cell("cell 2", other)]
    assert shapes(cells) == shapes(cells[::-1]) == tuple(sorted(set(shapes(cells))))


@pytest.mark.parametrize("junk", ["\\'" * 50_000, "x = " + "\\'" * 50_000, "'" * 99_999, "$" * 99_999, "\\\n" * 50_000])
def test_code_that_is_no_python_takes_no_time(junk: str) -> None:
    begun = time.process_time()
    shapes([Cell("cell 1", junk)])
    assert time.process_time() - begun < 2.0
