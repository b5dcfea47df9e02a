"""Checks of `error_bar`."""

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from exercises.exercise import Answer, Drawn, Exercise, Fixed
from exercises.expect import close, entries

NAMES = ("standard_error", "margin")
CLOSE_ENOUGH = 5e-5  # of the margin: 1.96 for 1.959964 is off by less
SMALL = ((17, 20), (7, 9), (2, 9))


def quantile(above: float) -> float:
    """The number above which this share of a bell curve lies."""
    return NormalDist().inv_cdf(1 - above)


def standard_error(k: int, n: int) -> float:
    """By way of counts: the root of right times wrong over n cubed."""
    return math.sqrt(k * (n - k) / n**3)


def both_numbers(k: int, n: int) -> dict[str, float]:
    """The right answer."""
    error = standard_error(k, n)
    return {"standard_error": error, "margin": quantile(0.025) * error}


def draw(random: np.random.Generator) -> Drawn:
    """An eval of middling size with a good score, and one with a poor score."""
    n, other_n = (int(size) for size in random.integers(120, 400, 2))
    return {
        "good": [round(n * random.uniform(0.7, 0.9)), n],
        "poor": [round(other_n * random.uniform(0.1, 0.3)), other_n],
    }


exercise = Exercise(
    name="intervals/error_bar",
    title="The number after the ±",
    objective="standard-error",
    reference=both_numbers,
    draw=draw,
    fixed=(Fixed((425, 500), {".0160": ("standard_error",)}),),
    diagnoses=(
        "sd-for-se",
        "n-minus-one",
        "root-left-out",
        "worst-case-margin",
        "standard-error-as-margin",
        "width-for-margin",
        "tails-too-wide",
        "level-and-alpha-exchanged",
        "result-typed-in",
        "percent-for-share",
        "text-for-number",
    ),
)


def number(answer: Answer, counts: Any, name: str) -> Any:
    """One of the two numbers of the answer."""
    return entries(answer(*counts), NAMES)[name]


@exercise.check("the standard error")
def the_standard_error(answer: Answer) -> None:
    k, n = exercise.fixed[0].arguments
    right = standard_error(k, n)
    slips: dict[str, float | tuple[float, ...]] = {
        "sd-for-se": right * math.sqrt(n),
        "n-minus-one": right * math.sqrt(n / (n - 1)),
        "root-left-out": right**2,
        "worst-case-margin": 0.5 / math.sqrt(n),
        "standard-error-as-margin": (1.96 * right, quantile(0.025) * right),
    }
    wanted = "under 'standard_error', the root of score times one less the score, over the number of questions."
    close(number(answer, (k, n), "standard_error"), right, wanted, slips)


@exercise.check("the margin")
def the_margin(answer: Answer) -> None:
    k, n = exercise.fixed[0].arguments
    error, margin = standard_error(k, n), both_numbers(k, n)["margin"]
    slips: dict[str, float | tuple[float, ...]] = {
        "standard-error-as-margin": error,
        "width-for-margin": 2 * margin,
        "tails-too-wide": (quantile(0.05) * error, 1.645 * error),
        "level-and-alpha-exchanged": (abs(quantile(0.95)) * error, quantile(0.95 / 2) * error),
        "worst-case-margin": (quantile(0.025) * 0.5 / math.sqrt(n), 1 / math.sqrt(n)),
    }
    wanted = "under 'margin', 1.96 standard errors: what one reaches out to each side, at 95%."
    remarks = {"Two standard errors are the rule of thumb; at 95% a bell curve has 1.96.": 2 * error}
    close(number(answer, (k, n), "margin"), margin, wanted, slips, CLOSE_ENOUGH * margin, remarks)


@exercise.check("evals of your own")
def own_evals(answer: Answer, drawn: Drawn) -> None:
    worked = both_numbers(*exercise.fixed[0].arguments)
    for counts in (drawn["good"], drawn["poor"], *SMALL):
        right = both_numbers(*counts)
        for name in NAMES:
            wanted = f"under {name!r}, the same formula for these counts."
            within = CLOSE_ENOUGH * right[name] if name == "margin" else 0.0
            close(number(answer, counts, name), right[name], wanted, {"result-typed-in": worked[name]}, within)


@exercise.check("no question right, and all of them")
def at_the_ends(answer: Answer) -> None:
    wanted = (
        "zero under both names: the formula takes the score for the truth, and such a truth leaves nothing to luck."
    )
    for counts in ((0, 20), (20, 20), (1, 1)):
        for name in NAMES:
            close(number(answer, counts, name), 0.0, wanted)
