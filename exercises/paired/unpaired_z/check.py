"""Checks of `unpaired_z`."""

import math

import numpy as np

from exercises.exercise import Answer, Drawn, Exercise, Fixed
from exercises.expect import all_close

NAMES = ("z", "p")


def two_sided(z: float) -> float:
    """The chance of a normal value at least |z| from zero."""
    return math.erfc(abs(z) / math.sqrt(2))


def with_error(gap: float, standard_error: float) -> list[float]:
    """[z, p] of a gap."""
    z = gap / standard_error
    return [z, two_sided(z)]


def variance(k: int, n: int) -> float:
    """The estimated variance of the score k / n."""
    return k / n * (1 - k / n) / n


def z_and_p(k_a: int, n_a: int, k_b: int, n_b: int) -> list[float]:
    """The right answer."""
    return with_error(k_a / n_a - k_b / n_b, math.sqrt(variance(k_a, n_a) + variance(k_b, n_b)))


def pooled(k_a: int, n_a: int, k_b: int, n_b: int) -> list[float]:
    """The textbook form, with one common proportion."""
    common = (k_a + k_b) / (n_a + n_b)
    return with_error(k_a / n_a - k_b / n_b, math.sqrt(common * (1 - common) * (1 / n_a + 1 / n_b)))


def draw(random: np.random.Generator) -> Drawn:
    """Two sets of clearly different size, A a few points ahead."""
    n_a, n_b = int(random.integers(300, 500)), int(random.integers(700, 1100))
    score_b = random.uniform(0.55, 0.8)
    k_a = round(n_a * (score_b + random.uniform(0.02, 0.06)))
    return {"a_ahead": [k_a, n_a, round(n_b * score_b), n_b]}


def redraw(drawn: Drawn) -> bool:
    """A z near zero has no sign to lose, and a p near zero cannot be told from its half."""
    return not 0.5 < z_and_p(*drawn["a_ahead"])[0] < 2.8


exercise = Exercise(
    name="paired/unpaired_z",
    title="Two scores from two sets of questions",
    objective="null-and-p",
    reference=z_and_p,
    draw=draw,
    redraw=redraw,
    fixed=(Fixed((855, 1000, 835, 1000), {"1.236": (0,), ".216": (1,)}),),
    diagnoses=(
        "one-error-bar",
        "adds-standard-errors",
        "pooled-for-unpooled",
        "one-sided-after-looking",
        "reversed-difference",
        "one-n-for-both",
        "p-above-one",
    ),
)


@exercise.check("the worked scores")
def worked_scores(answer: Answer) -> None:
    k_a, n_a, k_b, n_b = exercise.fixed[0].arguments
    gap, error_a, error_b = k_a / n_a - k_b / n_b, math.sqrt(variance(k_a, n_a)), math.sqrt(variance(k_b, n_b))
    z, p = z_and_p(k_a, n_a, k_b, n_b)
    slips = {
        "one-error-bar": with_error(gap, error_a),
        "adds-standard-errors": with_error(gap, error_a + error_b),
        "pooled-for-unpooled": pooled(k_a, n_a, k_b, n_b),
        "one-sided-after-looking": [z, p / 2],
        "reversed-difference": [-z, p],
    }
    wanted = "the gap A minus B in units of the standard error of that gap, and both tails beyond it."
    all_close(answer(k_a, n_a, k_b, n_b), [z, p], NAMES, wanted, slips)


@exercise.check("two sets of different size")
def different_sizes(answer: Answer, drawn: Drawn) -> None:
    k_a, n_a, k_b, n_b = drawn["a_ahead"]
    score_a, score_b = k_a / n_a, k_b / n_b
    both_by_n_a = math.sqrt((score_a * (1 - score_a) + score_b * (1 - score_b)) / n_a)
    slips = {"one-n-for-both": with_error(score_a - score_b, both_by_n_a)}
    wanted = "each score's variance divided by the size of its own set."
    all_close(answer(k_a, n_a, k_b, n_b), z_and_p(k_a, n_a, k_b, n_b), NAMES, wanted, slips)


@exercise.check("B may be the one ahead")
def b_ahead(answer: Answer, drawn: Drawn) -> None:
    k_a, n_a, k_b, n_b = drawn["a_ahead"]
    z, p = z_and_p(k_b, n_b, k_a, n_a)
    slips = {"p-above-one": [z, 2 - p], "reversed-difference": [-z, p]}
    wanted = "the same p-value as with the two systems exchanged, and a z of the other sign."
    all_close(answer(k_b, n_b, k_a, n_a), [z, p], NAMES, wanted, slips)
