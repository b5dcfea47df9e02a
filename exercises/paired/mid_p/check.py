"""Checks of `mid_p`."""

import math

import numpy as np

from exercises.exercise import Answer, Drawn, Exercise, Fixed
from exercises.expect import close

NEARLY_EVEN = ((5, 4), (12, 10))  # no rule of thumb holds there
LARGE = ((80, 50), (650, 600))  # more flips than a normal curve needs, and more than a power of one half can hold


def point(k: int, n: int) -> float:
    """The chance of exactly k heads in n fair tosses."""
    return math.comb(n, k) / (1 << n)


def below(k: int, n: int) -> float:
    """The chance of fewer than k heads in n fair tosses, counted in whole numbers: no power of one half underflows."""
    ways, so_far = 1, 0
    for heads in range(k):
        so_far += ways
        ways = ways * (n - heads) // (heads + 1)
    return so_far / (1 << n)


def two_sided_mid_p(b: int, c: int) -> float:
    """The right answer."""
    smaller, n = min(b, c), b + c
    return 2 * below(smaller, n) + point(smaller, n)


def draw(random: np.random.Generator) -> Drawn:
    """A table that leans to A, an even one, and one where every flip went the same way."""
    c = int(random.integers(8, 20))
    return {
        "b": c + int(random.integers(6, 20)),
        "c": c,
        "even": int(random.integers(4, 30)),
        "one_way": int(random.integers(4, 10)),
    }


exercise = Exercise(
    name="paired/mid_p",
    title="The mid-p",
    objective="mcnemar",
    reference=two_sided_mid_p,
    draw=draw,
    fixed=(Fixed((45, 25), {".0170": ()}),),
    diagnoses=(
        "half-point-once",
        "tail-without-observed",
        "one-sided-after-looking",
        "point-probability-is-p",
        "result-typed-in",
        "direction-fixed",
        "cap-then-subtract",
        "no-evidence-as-proof",
        "empty-cell-as-no-data",
    ),
)


@exercise.check("the worked table")
def worked_table(answer: Answer) -> None:
    b, c = exercise.fixed[0].arguments
    fewer, seen = below(c, b + c), point(c, b + c)
    slips = {
        "half-point-once": 2 * (fewer + seen) - seen / 2,
        "tail-without-observed": 2 * fewer,
        "one-sided-after-looking": fewer + seen / 2,
        "point-probability-is-p": seen,
    }
    wanted = "both tails beyond the split that was seen, and half of that split in each of them."
    close(answer(b, c), two_sided_mid_p(b, c), wanted, slips)


@exercise.check("a table of your own")
def own_table(answer: Answer, drawn: Drawn) -> None:
    b, c = drawn["b"], drawn["c"]
    wanted = "what the same sum gives for these counts."
    slips = {"result-typed-in": two_sided_mid_p(*exercise.fixed[0].arguments)}
    close(answer(b, c), two_sided_mid_p(b, c), wanted, slips)
    for b, c in NEARLY_EVEN:
        close(answer(b, c), two_sided_mid_p(b, c), wanted)


@exercise.check("B may be the one ahead")
def other_direction(answer: Answer, drawn: Drawn) -> None:
    b, c = drawn["c"], drawn["b"]
    from_b_up = 2 * (1 - below(b + 1, b + c)) + point(b, b + c)
    wanted = "the value it had with the two counts exchanged: two-sided means that neither name is special."
    slips = {"direction-fixed": from_b_up}
    close(answer(b, c), two_sided_mid_p(b, c), wanted, slips)


@exercise.check("an even split")
def even_split(answer: Answer, drawn: Drawn) -> None:
    even = drawn["even"]
    wanted = "no evidence at all: both tails and the middle are everything that can happen."
    close(answer(even, even), 1.0, wanted, {"cap-then-subtract": 1 - point(even, 2 * even)})


@exercise.check("no disagreement at all", slip="no-evidence-as-proof")
def no_disagreement(answer: Answer) -> None:
    close(answer(0, 0), 1.0, "no evidence at all against the null: nothing was observed that could speak against it.")


@exercise.check("every flip went the same way")
def one_way(answer: Answer, drawn: Drawn) -> None:
    wanted = "the chance that all the coins fall on one given side: no split is more uneven, and each tail takes half."
    for flips, slip in ((drawn["one_way"], "empty-cell-as-no-data"), (3, ""), (2, ""), (1, "")):
        for b, c in ((flips, 0), (0, flips)):
            close(answer(b, c), two_sided_mid_p(b, c), wanted, {slip: 1.0} if slip else None)


@exercise.check("a large table")
def large_table(answer: Answer) -> None:
    wanted = "the same count of outcomes as for a small table, and no curve in its place."
    for b, c in LARGE:
        close(answer(b, c), two_sided_mid_p(b, c), wanted)
