"""Checks of `unpaired_z`."""

import math
from typing import Any

import numpy as np

from exercises.exercise import Answer, Drawn, Exercise, Fixed
from exercises.expect import all_close, entries

FORMS = ("unpooled", "pooled")
NAMES = ("z", "p")


def with_error(gap: float, standard_error: float) -> list[float]:
    """[z, two-sided p] of a gap."""
    z = gap / standard_error
    return [z, math.erfc(abs(z) / math.sqrt(2))]


def variance(k: int, n: int) -> float:
    """The estimated variance of the score k / n."""
    return k / n * (1 - k / n) / n


def unpooled(k_a: int, n_a: int, k_b: int, n_b: int) -> list[float]:
    """Each score with its own variance."""
    return with_error(k_a / n_a - k_b / n_b, math.sqrt(variance(k_a, n_a) + variance(k_b, n_b)))


def pooled(k_a: int, n_a: int, k_b: int, n_b: int) -> list[float]:
    """One common proportion for both."""
    common = (k_a + k_b) / (n_a + n_b)
    return with_error(k_a / n_a - k_b / n_b, math.sqrt(common * (1 - common) * (1 / n_a + 1 / n_b)))


def both_forms(k_a: int, n_a: int, k_b: int, n_b: int) -> dict[str, list[float]]:
    """The right answer."""
    return {"unpooled": unpooled(k_a, n_a, k_b, n_b), "pooled": pooled(k_a, n_a, k_b, n_b)}


def draw(random: np.random.Generator) -> Drawn:
    """Two sets of clearly different size, A a few points ahead."""
    n_a, n_b = int(random.integers(300, 500)), int(random.integers(700, 1100))
    score_b = random.uniform(0.55, 0.8)
    k_a = round(n_a * (score_b + random.uniform(0.02, 0.06)))
    return {"a_ahead": [k_a, n_a, round(n_b * score_b), n_b]}


OTHERS = ((80, 100, 160, 200), (15, 20, 12, 20), (19, 20, 12, 20))  # a tie, and small sets

exercise = Exercise(
    name="paired/unpaired_z",
    title="Two scores from two sets of questions",
    objective="null-and-p",
    reference=both_forms,
    draw=draw,
    fixed=(Fixed((855, 1000, 835, 1000), {"1.236": ("unpooled", 0), ".216": ("unpooled", 1), ".217": ("pooled", 1)}),),
    diagnoses=(
        "one-error-bar",
        "adds-standard-errors",
        "pooled-for-unpooled",
        "one-sided-after-looking",
        "reversed-difference",
        "one-n-for-both",
        "p-above-one",
        "direction-fixed",
        "percent-for-share",
    ),
)


def form(answer: Answer, arguments: list[int] | tuple[Any, ...], name: str) -> Any:
    """One form of the answer for these counts."""
    return entries(answer(*arguments), FORMS)[name]


@exercise.check("the unpooled form")
def unpooled_form(answer: Answer) -> None:
    arguments = exercise.fixed[0].arguments
    k_a, n_a, k_b, n_b = arguments
    gap, error_a, error_b = k_a / n_a - k_b / n_b, math.sqrt(variance(k_a, n_a)), math.sqrt(variance(k_b, n_b))
    z, p = unpooled(k_a, n_a, k_b, n_b)
    slips = {
        "one-error-bar": with_error(gap, error_a),
        "adds-standard-errors": with_error(gap, error_a + error_b),
        "pooled-for-unpooled": pooled(k_a, n_a, k_b, n_b),
        "one-sided-after-looking": [z, p / 2],
        "reversed-difference": [-z, p],
    }
    wanted = "under 'unpooled', the gap A minus B over the root of the sum of the two scores' own variances, "
    wanted += "and both tails beyond it."
    all_close(form(answer, arguments, "unpooled"), [z, p], NAMES, wanted, slips)


@exercise.check("the pooled form")
def pooled_form(answer: Answer) -> None:
    arguments = exercise.fixed[0].arguments
    slips = {"pooled-for-unpooled": unpooled(*arguments)}
    wanted = "under 'pooled', the same gap with one common proportion in both variances."
    all_close(form(answer, arguments, "pooled"), pooled(*arguments), NAMES, wanted, slips)


@exercise.check("two sets of different size")
def different_sizes(answer: Answer, drawn: Drawn) -> None:
    k_a, n_a, k_b, n_b = drawn["a_ahead"]
    score_a, score_b = k_a / n_a, k_b / n_b
    both_by_n_a = math.sqrt((score_a * (1 - score_a) + score_b * (1 - score_b)) / n_a)
    slips = {"one-n-for-both": with_error(score_a - score_b, both_by_n_a)}
    wanted = "each score's variance divided by the size of its own set."
    all_close(form(answer, drawn["a_ahead"], "unpooled"), unpooled(k_a, n_a, k_b, n_b), NAMES, wanted, slips)
    common = (score_a + score_b) / 2
    slips = {"one-n-for-both": with_error(score_a - score_b, math.sqrt(common * (1 - common) * (1 / n_a + 1 / n_b)))}
    wanted = "a common proportion in which each question counts once, whichever set it is in."
    all_close(form(answer, drawn["a_ahead"], "pooled"), pooled(k_a, n_a, k_b, n_b), NAMES, wanted, slips)
    wanted = "what the same formulas give for these counts."
    for counts in OTHERS:
        for name, right in both_forms(*counts).items():
            all_close(form(answer, counts, name), right, NAMES, wanted)


@exercise.check("B may be the one ahead")
def b_ahead(answer: Answer, drawn: Drawn) -> None:
    k_a, n_a, k_b, n_b = drawn["a_ahead"]
    exchanged = [k_b, n_b, k_a, n_a]
    wanted = "the same p-value as with the two systems exchanged, and a z of the other sign."
    for name, (z, p) in both_forms(*exchanged).items():
        slips = {"p-above-one": [z, 2 - p], "reversed-difference": [-z, p], "direction-fixed": [z, 1.0]}
        all_close(form(answer, exchanged, name), [z, p], NAMES, wanted, slips)
