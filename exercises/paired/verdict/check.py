"""Checks of `verdict`."""

import math
from itertools import count

import numpy as np

from exercises.exercise import Answer, Drawn, Exercise
from exercises.expect import choice, same

MENU = ("A better", "B better", "equal", "inconclusive")
ALPHA, STRICT_ALPHA, LAX_ALPHA = 0.05, 0.01, 0.1
WIDE = 2.576  # standard errors to each side in a 99% interval
Numbers = list[float]


def by_the_plan(gap: float, low: float, high: float, p: float, alpha: float) -> str:
    """The right answer."""
    return "inconclusive" if p > alpha else by_sign(gap)


def by_sign(gap: float) -> str:
    """Whoever is ahead."""
    return "A better" if gap > 0 else "B better"


def exact_p(b: int, c: int) -> float:
    """The p-value of the exact test."""
    return min(1.0, 2 * sum(math.comb(b + c, k) for k in range(min(b, c) + 1)) / (1 << (b + c)))


def reported(b: int, c: int, n: int, alpha: float = ALPHA, errors: float = 1.96) -> Numbers:
    """Gap, Wald interval (so many standard errors to each side), exact p and level for b and c flips among n items."""
    gap = (b - c) / n
    reach = errors * math.sqrt(((b + c) / n - gap**2) / n)
    return [gap, gap - reach, gap + reach, exact_p(b, c), alpha]


def exchanged(numbers: Numbers) -> Numbers:
    """The same eval with the names of the two systems exchanged."""
    gap, low, high, p, alpha = numbers
    return [-gap, -high, -low, p, alpha]


def first_below(p: float, fewer: int) -> int:
    """How many flips must go the other way for the exact test to come below `p`."""
    return next(more for more in count(fewer) if exact_p(more, fewer) < p)


def draw(random: np.random.Generator) -> Drawn:
    """Evals as they might be reported, one for each thing that can go wrong."""
    n = 50 * int(random.integers(6, 20))
    fewer = int(random.integers(8, 20))
    clearly_more = fewer + int(random.integers(18, 26))
    a_little_more = fewer + int(random.integers(1, 5))
    between, nearly = first_below(ALPHA, fewer), first_below(LAX_ALPHA, fewer)
    flips, small_n = int(random.integers(4, 6)), int(random.integers(30, 80))
    return {
        "a_ahead": reported(clearly_more, fewer, n),
        "b_ahead": reported(fewer, clearly_more, n),
        "nothing_found": reported(a_little_more, fewer, n),
        "one_way": reported(flips, 0, small_n),
        "even": reported(fewer, fewer, n),
        "tight": reported(a_little_more, fewer, 100 * n),
        "wide": reported(between, fewer, n, errors=WIDE),
        "strict": reported(between, fewer, n, STRICT_ALPHA),
        "lax": reported(nearly, fewer, n, LAX_ALPHA),
        "small_gap": reported(clearly_more, fewer, 100 * n),
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
        not excludes_zero(drawn["wide"]),
        ALPHA < drawn["lax"][3] < LAX_ALPHA,
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
    wanted = "the word for an eval that cannot tell: the test does not reject, however small the gap and the interval."
    for numbers in (drawn["even"], drawn["tight"], exchanged(drawn["tight"])):
        slips = {"large-p-means-equal": "equal", "any-gap-is-a-win": by_sign(numbers[0])}
        same(chosen(answer, numbers), "inconclusive", wanted, slips)


@exercise.check("test and interval disagree")
def disagree(answer: Answer, drawn: Drawn) -> None:
    wanted = "the word of the test, which the plan made the judge, although the interval leaves out zero."
    for numbers in (drawn["one_way"], exchanged(drawn["one_way"])):
        same(chosen(answer, numbers), "inconclusive", wanted, {"interval-overrules-test": by_sign(numbers[0])})
    wanted = "the word of the test, which the plan made the judge, although zero lies inside the interval."
    for numbers in (drawn["wide"], exchanged(drawn["wide"])):
        by_interval = ("inconclusive", by_sign(-numbers[0]))
        same(chosen(answer, numbers), by_sign(numbers[0]), wanted, {"interval-overrules-test": by_interval})


@exercise.check("another level than the usual one")
def other_level(answer: Answer, drawn: Drawn) -> None:
    wanted = "the decision at the level that was asked for, and not at another."
    for numbers in (drawn["strict"], exchanged(drawn["strict"])):
        same(chosen(answer, numbers), "inconclusive", wanted, {"level-of-habit": by_sign(numbers[0])})
    for numbers in (drawn["lax"], exchanged(drawn["lax"])):
        same(chosen(answer, numbers), by_sign(numbers[0]), wanted, {"level-of-habit": "inconclusive"})
    at_the_level = [*drawn["strict"][:4], drawn["strict"][3]]
    wanted = "a rejection: p is at most alpha, though not below it."
    for numbers in (at_the_level, exchanged(at_the_level)):
        same(chosen(answer, numbers), by_sign(numbers[0]), wanted)
    wanted = "the decision that p and alpha give as they are: neither is rounded, halved or bounded."
    for p, alpha in ((ALPHA + 0.0003, ALPHA), (0.08, ALPHA)):
        for numbers in ([0.03, -0.002, 0.062, p, alpha], [-0.03, -0.062, 0.002, p, alpha]):
            same(chosen(answer, numbers), "inconclusive", wanted)
    same(chosen(answer, [0.03, -0.01, 0.07, 0.15, 0.2]), "A better", wanted)


@exercise.check("a gap that is small and sure")
def small_gap(answer: Answer, drawn: Drawn) -> None:
    wanted = "the name of the better system: the test rejects, and whether the gap matters is another question."
    rough = [0.3, 0.1, 0.5, 0.01, ALPHA]  # and one that is large and sure, in a small eval
    for numbers in (drawn["small_gap"], exchanged(drawn["small_gap"]), rough, exchanged(rough)):
        same(chosen(answer, numbers), by_sign(numbers[0]), wanted)
