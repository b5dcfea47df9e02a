"""Checks of `which_test`."""

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import numpy as np

from exercises.exercise import Answer, Drawn, Exercise
from exercises.expect import choice, same

MENU = ("unpaired z", "align first", "exact McNemar", "paired t", "clustered paired interval")
SCORES = ["0/1", "graded"]
Design = dict[str, Any]
Slips = dict[str, Any]


def by_score(design: Design) -> str:
    """The test for rows that are draws of their own."""
    return "exact McNemar" if design["score"] == "0/1" else "paired t"


def right_choice(design: Design) -> str:
    """The right answer."""
    if not design["shared_items"]:
        return "unpaired z"
    if not design["matched_by_id"]:
        return "align first"
    if design["clusters"] or design["decodes_per_item"] > 1:
        return "clustered paired interval"
    return by_score(design)


def draw(random: np.random.Generator) -> Drawn:
    """The designs of each rung of the ladder: every combination of what could lead astray there, the sizes drawn."""
    few, many = int(random.integers(12, 30)), 20 * int(random.integers(50, 100))
    many_decodes = int(random.integers(4, 17))

    def designs(**settled: list[Any]) -> list[Design]:
        varied: dict[str, list[Any]] = {
            "items": [few, many],
            "shared_items": [True],
            "matched_by_id": [True],
            "score": SCORES,
            "clusters": [False],
            "decodes_per_item": [1],
            **settled,
        }
        return [dict(zip(varied, values, strict=True)) for values in product(*varied.values())]

    return {
        "separate": designs(shared_items=[False], matched_by_id=[False], score=["0/1"]),
        "unmatched": designs(matched_by_id=[False], clusters=[False, True], decodes_per_item=[1, 2, many_decodes]),
        "right_or_wrong": designs(score=["0/1"]),
        "graded": designs(score=["graded"]),
        "clustered": designs(clusters=[True], decodes_per_item=[1, many_decodes]),
        "decoded": designs(decodes_per_item=[2, 3, many_decodes]),
    }


exercise = Exercise(
    name="paired/which_test",
    title="Which test fits this eval?",
    objective="clusters",
    reference=right_choice,
    draw=draw,
    diagnoses=(
        "strangers-paired",
        "match-by-position",
        "unpaired-test-on-shared-items",
        "scores-forced-to-01",
        "clusters-counted-as-items",
        "completions-as-pairs",
    ),
)


def each_choice(answer: Answer, designs: Iterable[Design], wanted: str, slips: Callable[[Design], Slips]) -> None:
    """The right choice for each of these designs."""
    for design in designs:
        same(choice(answer(design), MENU), right_choice(design), wanted, slips(design))


@exercise.check("two sets of items", slip="strangers-paired")
def separate(answer: Answer, drawn: Drawn) -> None:
    wanted = "a test that needs no pairs: no item is in both sets."
    each_choice(answer, drawn["separate"], wanted, lambda design: {})


@exercise.check("shared items, not yet matched")
def unmatched(answer: Answer, drawn: Drawn) -> None:
    wanted = "matching before testing: the items are shared, and nobody has put the marks of one item together."

    def as_if_matched(design: Design) -> Slips:
        return {"match-by-position": (right_choice({**design, "matched_by_id": True}), by_score(design))}

    each_choice(answer, drawn["unmatched"], wanted, as_if_matched)


@exercise.check("right or wrong, one answer to each item")
def right_or_wrong(answer: Answer, drawn: Drawn) -> None:
    wanted = "the test for pairs of right and wrong, be they few or many."
    each_choice(answer, drawn["right_or_wrong"], wanted, lambda design: {"unpaired-test-on-shared-items": "unpaired z"})


@exercise.check("graded scores")
def graded(answer: Answer, drawn: Drawn) -> None:
    wanted = "a test of a mean difference between numbers, item by item."
    each_choice(answer, drawn["graded"], wanted, lambda design: {"scores-forced-to-01": "exact McNemar"})


@exercise.check("items that were drawn in groups")
def clustered(answer: Answer, drawn: Drawn) -> None:
    wanted = "a method that counts groups, because groups were drawn."
    each_choice(answer, drawn["clustered"], wanted, lambda design: {"clusters-counted-as-items": by_score(design)})


@exercise.check("several decodes of each item")
def decoded(answer: Answer, drawn: Drawn) -> None:
    wanted = "a method that knows which rows are answers to the same item: each item is a group of rows."
    each_choice(answer, drawn["decoded"], wanted, lambda design: {"completions-as-pairs": by_score(design)})
