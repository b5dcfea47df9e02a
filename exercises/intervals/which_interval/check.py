"""Checks of `which_interval`."""

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import numpy as np

from exercises.exercise import Answer, Drawn, Exercise
from exercises.expect import choice, same

MENU = ("wilson", "clopper-pearson", "t", "clustered", "clustered wilson")
FREELY = [False, True]
Facts = dict[str, Any]
Slips = dict[str, Any]


def right_choice(facts: Facts) -> str:
    """The right answer."""
    if facts["marks"] == "graded":
        return "clustered" if facts["clusters"] else "t"
    if facts["clusters"]:
        return "clustered wilson" if facts["all_right"] else "clustered"
    return "clopper-pearson" if facts["must_hold"] else "wilson"


def passing(facts: Facts) -> tuple[str, ...]:
    """The right answer, and the clustered Wilson wherever marks came in groups."""
    in_groups = facts["clusters"] and facts["marks"] == "0/1"
    return (right_choice(facts), "clustered wilson") if in_groups else (right_choice(facts),)


def draw(random: np.random.Generator) -> Drawn:
    """The facts of each check: every combination of what could lead astray there, the sizes drawn."""
    few, many = 5 * int(random.integers(2, 6)), 5 * int(random.integers(100, 400))

    def evals(**settled: list[Any]) -> list[Facts]:
        varied: dict[str, list[Any]] = {
            "items": [few, many],
            "marks": ["0/1"],
            "clusters": [False],
            "must_hold": FREELY,
            "all_right": FREELY,
            **settled,
        }
        return [dict(zip(varied, values, strict=True)) for values in product(*varied.values())]

    return {
        "report": evals(must_hold=[False]),
        "bound": evals(must_hold=[True]),
        "graded": evals(marks=["graded"], must_hold=[False], all_right=[False]),
        "clustered": evals(clusters=[True], all_right=[False]),
        "all_right": evals(clusters=[True], all_right=[True]),
        "graded_clusters": evals(marks=["graded"], clusters=[True], must_hold=[False], all_right=[False]),
    }


exercise = Exercise(
    name="intervals/which_interval",
    title="Which interval fits this eval?",
    objective="choose-interval",
    reference=right_choice,
    draw=draw,
    diagnoses=(
        "exact-interval-covers-exactly",
        "average-coverage-as-guarantee",
        "score-counted-as-share",
        "exact-interval-needs-no-independence",
        "clusters-counted-as-items",
        "perfect-score-has-no-error",
    ),
)


def each_choice(answer: Answer, evals: Iterable[Facts], wanted: str, slips: Callable[[Facts], Slips]) -> None:
    """A right choice for each of these evals."""
    for facts in evals:
        chosen = choice(answer(facts), MENU)
        if chosen not in passing(facts):
            same(chosen, right_choice(facts), wanted, slips(facts))


@exercise.check("a score to report")
def report(answer: Answer, drawn: Drawn) -> None:
    wanted = (
        "the interval whose coverage is closest to its level on average, be the marks few or many, and all right too."
    )

    def slips(facts: Facts) -> Slips:
        return {} if facts["all_right"] else {"exact-interval-covers-exactly": "clopper-pearson"}

    each_choice(answer, drawn["report"], wanted, slips)


@exercise.check("a bound that must hold")
def bound(answer: Answer, drawn: Drawn) -> None:
    wanted = "the interval that never covers too seldom: the marks are independent, and somebody relies on it."
    each_choice(answer, drawn["bound"], wanted, lambda facts: {"average-coverage-as-guarantee": "wilson"})


@exercise.check("graded scores")
def graded(answer: Answer, drawn: Drawn) -> None:
    wanted = "an interval for a mean of numbers, from the spread of these numbers."
    slips = {"score-counted-as-share": ("wilson", "clopper-pearson")}
    each_choice(answer, drawn["graded"], wanted, lambda facts: slips)


@exercise.check("questions that came in groups")
def clustered(answer: Answer, drawn: Drawn) -> None:
    wanted = "an interval that counts groups, because groups were drawn: counts of questions promise nothing here."
    slips: Slips = {
        "exact-interval-needs-no-independence": "clopper-pearson",
        "clusters-counted-as-items": ("wilson", "t"),
    }
    each_choice(answer, drawn["clustered"], wanted, lambda facts: slips)
    wanted = "an interval that counts groups, because groups were drawn, and is for a mean of numbers."
    slips |= {"score-counted-as-share": "clustered wilson"}
    each_choice(answer, drawn["graded_clusters"], wanted, lambda facts: slips)


@exercise.check("groups, and all marks right")
def all_right(answer: Answer, drawn: Drawn) -> None:
    wanted = "the interval that counts groups and has a width although the marks do not spread."
    slips = {
        "perfect-score-has-no-error": "clustered",
        "exact-interval-needs-no-independence": "clopper-pearson",
        "clusters-counted-as-items": ("wilson", "t"),
    }
    each_choice(answer, drawn["all_right"], wanted, lambda facts: slips)
