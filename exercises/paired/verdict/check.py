"""Checks of `verdict`."""

import math

import numpy as np

from exercises.exercise import Answer, Drawn, Exercise
from exercises.expect import choice, same

MENU = ("A better", "B better", "equal", "inconclusive")
ALPHA, STRICT_ALPHA = 0.05, 0.01
Numbers = list[float]


def by_the_plan(gap: float, low: float, high: float, p: float, alpha: float) -> str:
    """The right answer."""
    return "inconclusive" if p > alpha else by_sign(gap)


def by_sign(gap: float) -> str:
    """Whoever is ahead."""
    return "A better" if gap > 0 else "B better"


def reported(b: int, c: int, n: int, alpha: float = ALPHA) -> Numbers:
    """Gap, Wald interval, exact p and level for b and c disagreements among n items."""
    gap = (b - c) / n
    reach = 1.96 * math.sqrt(((b + c) / n - gap**2) / n)
    tail = math.fsum(math.comb(b + c, k) / 2 ** (b + c) for k in range(min(b, c) + 1))
    return [gap, gap - reach, gap + reach, min(1.0, 2 * tail), alpha]


def draw(random: np.random.Generator) -> Drawn:
    """Five evals as they might be reported, one for each thing that can go wrong."""
    n = 50 * int(random.integers(6, 20))
    fewer = int(random.integers(8, 20))
    clearly_more = fewer + int(random.integers(18, 26))
    a_little_more = fewer + int(random.integers(1, 5))
    between = fewer + int(random.integers(12, 20))
    flips, small_n = int(random.integers(4, 6)), int(random.integers(30, 80))
    return {
        "a_ahead": reported(clearly_more, fewer, n),
        "b_ahead": reported(fewer, clearly_more, n),
        "nothing_found": reported(a_little_more, fewer, n),
        "one_way": reported(flips, 0, small_n),
        "strict": reported(between, fewer, n, STRICT_ALPHA),
    }


def excludes_zero(numbers: Numbers) -> bool:
    """Whether the interval leaves out zero."""
    _, low, high, _, _ = numbers
    return low > 0 or high < 0


def redraw(drawn: Drawn) -> bool:
    """Each eval must be what it was drawn for, by test and by interval."""
    as_meant = (
        drawn["a_ahead"][3] < STRICT_ALPHA,
        excludes_zero(drawn["a_ahead"]),
        drawn["nothing_found"][3] > 2 * ALPHA,
        not excludes_zero(drawn["nothing_found"]),
        drawn["one_way"][3] > ALPHA,
        excludes_zero(drawn["one_way"]),
        STRICT_ALPHA < drawn["strict"][3] < ALPHA,
    )
    return not all(as_meant)


exercise = Exercise(
    name="paired/verdict",
    title="A verdict by the plan",
    objective="verdict",
    reference=by_the_plan,
    draw=draw,
    redraw=redraw,
    diagnoses=(
        "reversed-difference",
        "direction-fixed",
        "large-p-means-equal",
        "any-gap-is-a-win",
        "interval-overrules-test",
        "level-of-habit",
    ),
)


def chosen(answer: Answer, numbers: Numbers) -> str:
    """The answer for these numbers, from the menu."""
    return choice(answer(*numbers), MENU)


@exercise.check("A clearly ahead")
def a_ahead(answer: Answer, drawn: Drawn) -> None:
    wanted = "the name of the system that the gap, A minus B, favours: the test rejects."
    same(chosen(answer, drawn["a_ahead"]), "A better", wanted, {"reversed-difference": "B better"})


@exercise.check("B clearly ahead")
def b_ahead(answer: Answer, drawn: Drawn) -> None:
    wanted = "the name of the other system: the test rejects and the gap has the other sign."
    same(chosen(answer, drawn["b_ahead"]), "B better", wanted, {"direction-fixed": "A better"})


@exercise.check("nothing found")
def nothing_found(answer: Answer, drawn: Drawn) -> None:
    numbers = drawn["nothing_found"]
    slips = {"large-p-means-equal": "equal", "any-gap-is-a-win": by_sign(numbers[0])}
    wanted = "the word for an eval that cannot tell: the test does not reject, and zero lies inside the interval."
    same(chosen(answer, numbers), "inconclusive", wanted, slips)


@exercise.check("test and interval disagree")
def disagree(answer: Answer, drawn: Drawn) -> None:
    numbers = drawn["one_way"]
    wanted = "the word of the test, which the plan made the judge, although the interval leaves out zero."
    same(chosen(answer, numbers), "inconclusive", wanted, {"interval-overrules-test": by_sign(numbers[0])})


@exercise.check("a stricter level")
def stricter(answer: Answer, drawn: Drawn) -> None:
    numbers = drawn["strict"]
    wanted = "the decision at the level that was asked for, and not at another."
    same(chosen(answer, numbers), "inconclusive", wanted, {"level-of-habit": by_sign(numbers[0])})
    at_the_level = [*numbers[:4], numbers[3]]
    same(chosen(answer, at_the_level), by_sign(numbers[0]), "a rejection: p is at most alpha, though not below it.")
