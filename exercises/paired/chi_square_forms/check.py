"""Checks of `chi_square_forms`."""

import math
from typing import Any

import numpy as np

from exercises.exercise import Answer, Drawn, Exercise, Fixed
from exercises.expect import all_close, entries

FORMS = ("uncorrected", "corrected")
NAMES = ("statistic", "p")
NOTHING = [0.0, 1.0]


def with_p(statistic: float) -> list[float]:
    """A chi-square statistic with its p-value, one degree of freedom."""
    return [statistic, math.erfc(math.sqrt(statistic / 2))]


def both_forms(b: int, c: int) -> dict[str, list[float]]:
    """The right answer."""
    size, total = abs(b - c), b + c
    if total == 0:
        return dict.fromkeys(FORMS, NOTHING)
    return {"uncorrected": with_p(size**2 / total), "corrected": with_p(max(size - 1, 0) ** 2 / total)}


def draw(random: np.random.Generator) -> Drawn:
    """A table that leans to A, an even one, and one where every flip went the same way."""
    c = int(random.integers(8, 20))
    return {
        "b": c + int(random.integers(6, 20)),
        "c": c,
        "even": int(random.integers(4, 30)),
        "one_way": int(random.integers(4, 10)),
    }


OTHERS = ((5, 4), (12, 3), (80, 50))  # nearly even, lopsided and large

exercise = Exercise(
    name="paired/chi_square_forms",
    title="Two chi-square forms",
    objective="mcnemar",
    reference=both_forms,
    draw=draw,
    fixed=(Fixed((45, 25), {"5.157": ("corrected", 0), ".0232": ("corrected", 1), ".0168": ("uncorrected", 1)}),),
    diagnoses=(
        "z-for-chi-square",
        "one-sided-after-looking",
        "correction-after-square",
        "half-correction",
        "result-typed-in",
        "direction-fixed",
        "p-above-one",
        "correction-past-zero",
        "no-evidence-as-proof",
        "empty-cell-as-no-data",
    ),
)


def form(answer: Answer, b: int, c: int, name: str) -> Any:
    """One form of the answer for these counts."""
    return entries(answer(b, c), FORMS)[name]


@exercise.check("the uncorrected form")
def uncorrected(answer: Answer) -> None:
    b, c = exercise.fixed[0].arguments
    statistic, p = both_forms(b, c)["uncorrected"]
    slips = {"z-for-chi-square": with_p(math.sqrt(statistic)), "one-sided-after-looking": [statistic, p / 2]}
    wanted = "the squared difference over the total, and the chance of a chi-square value at least that large."
    all_close(form(answer, b, c, "uncorrected"), [statistic, p], NAMES, wanted, slips)


@exercise.check("the corrected form")
def corrected(answer: Answer) -> None:
    b, c = exercise.fixed[0].arguments
    slips = {
        "correction-after-square": with_p(((b - c) ** 2 - 1) / (b + c)),
        "half-correction": with_p((abs(b - c) - 0.5) ** 2 / (b + c)),
    }
    wanted = "one taken off the size of the difference, and only then the square."
    all_close(form(answer, b, c, "corrected"), both_forms(b, c)["corrected"], NAMES, wanted, slips)


@exercise.check("a table of your own")
def own_table(answer: Answer, drawn: Drawn) -> None:
    b, c = drawn["b"], drawn["c"]
    worked = both_forms(*exercise.fixed[0].arguments)
    for name in FORMS:
        wanted = f"under {name!r}, what the same formula gives for these counts."
        slips = {"result-typed-in": worked[name]}
        all_close(form(answer, b, c, name), both_forms(b, c)[name], NAMES, wanted, slips)
        for b_other, c_other in OTHERS:
            right = both_forms(b_other, c_other)[name]
            all_close(form(answer, b_other, c_other, name), right, NAMES, wanted)


@exercise.check("B may be the one ahead")
def other_direction(answer: Answer, drawn: Drawn) -> None:
    b, c = drawn["c"], drawn["b"]
    statistic, p = both_forms(b, c)["uncorrected"]
    wanted = "what it had with the two counts exchanged: the size of the difference has no sign."
    slips = {"p-above-one": [statistic, 2 - p], "direction-fixed": [-statistic, 1.0]}
    all_close(form(answer, b, c, "uncorrected"), [statistic, p], NAMES, wanted, slips)
    statistic, p = both_forms(b, c)["corrected"]
    slips = {"p-above-one": [statistic, 2 - p], "direction-fixed": with_p((b - c - 1) ** 2 / (b + c))}
    all_close(form(answer, b, c, "corrected"), [statistic, p], NAMES, wanted, slips)


@exercise.check("an even split")
def even_split(answer: Answer, drawn: Drawn) -> None:
    even = drawn["even"]
    slips = {"correction-past-zero": with_p(1 / (2 * even))}
    wanted = "a statistic of zero: nothing is more even than an even split, corrected or not."
    for name in FORMS:
        all_close(form(answer, even, even, name), NOTHING, NAMES, wanted, slips)


@exercise.check("no disagreement at all", slip="no-evidence-as-proof")
def no_disagreement(answer: Answer) -> None:
    wanted = "no evidence against the null: a statistic of zero, and a p-value of one."
    for name in FORMS:
        all_close(form(answer, 0, 0, name), NOTHING, NAMES, wanted)


@exercise.check("every flip went the same way")
def one_way(answer: Answer, drawn: Drawn) -> None:
    flips = drawn["one_way"]
    wanted = "what the same formula gives when one of the counts is zero: an empty cell is a count like any other."
    for b, c in ((flips, 0), (0, flips), (3, 0)):
        for name in FORMS:
            slips = {"empty-cell-as-no-data": NOTHING}
            all_close(form(answer, b, c, name), both_forms(b, c)[name], NAMES, wanted, slips)
