"""Checks of `which_test`."""

from typing import Any

import numpy as np

from exercises.exercise import Answer, Drawn, Exercise
from exercises.expect import choice, same

MENU = ("unpaired z", "align first", "exact McNemar", "paired t", "clustered paired interval")
Design = dict[str, Any]


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
    """One design for each rung of the ladder, everything that does not matter there drawn."""

    def design(**settled: Any) -> Design:
        plain = {
            "items": 20 * int(random.integers(10, 100)),
            "shared_items": True,
            "matched_by_id": True,
            "score": "0/1",
            "clusters": False,
            "decodes_per_item": 1,
        }
        return {**plain, **settled}

    def any_score() -> str:
        return str(random.choice(["0/1", "graded"]))

    return {
        "separate": design(shared_items=False, matched_by_id=False),
        "unmatched": design(matched_by_id=False, score=any_score()),
        "right_or_wrong": design(),
        "graded": design(score="graded"),
        "clustered": design(score=any_score(), clusters=True),
        "decoded": design(score=any_score(), decodes_per_item=int(random.integers(4, 17))),
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


def chosen(answer: Answer, design: Design) -> str:
    """The answer for a design, from the menu."""
    return choice(answer(design), MENU)


@exercise.check("two sets of items", slip="strangers-paired")
def separate(answer: Answer, drawn: Drawn) -> None:
    same(chosen(answer, drawn["separate"]), "unpaired z", "a test that needs no pairs: no item is in both sets.")


@exercise.check("shared items, not yet matched")
def unmatched(answer: Answer, drawn: Drawn) -> None:
    design = drawn["unmatched"]
    wanted = "matching before testing: the items are shared, and nobody has put the marks of one item together."
    same(chosen(answer, design), "align first", wanted, {"match-by-position": by_score(design)})


@exercise.check("right or wrong, one answer to each item")
def right_or_wrong(answer: Answer, drawn: Drawn) -> None:
    wanted = "the test for pairs of right and wrong."
    slips = {"unpaired-test-on-shared-items": "unpaired z"}
    same(chosen(answer, drawn["right_or_wrong"]), "exact McNemar", wanted, slips)


@exercise.check("graded scores")
def graded(answer: Answer, drawn: Drawn) -> None:
    wanted = "a test of a mean difference between numbers, item by item."
    slips = {"scores-forced-to-01": "exact McNemar"}
    same(chosen(answer, drawn["graded"]), "paired t", wanted, slips)


@exercise.check("items that were drawn in groups")
def clustered(answer: Answer, drawn: Drawn) -> None:
    design = drawn["clustered"]
    wanted = "a method that counts groups, because groups were drawn."
    same(chosen(answer, design), MENU[-1], wanted, {"clusters-counted-as-items": by_score(design)})


@exercise.check("several decodes of each item")
def decoded(answer: Answer, drawn: Drawn) -> None:
    design = drawn["decoded"]
    wanted = "a method that knows which rows are answers to the same item: each item is a group of rows."
    same(chosen(answer, design), MENU[-1], wanted, {"completions-as-pairs": by_score(design)})
