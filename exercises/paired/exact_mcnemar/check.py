"""Checks of `exact_mcnemar`."""

import math

import numpy as np

from exercises.exercise import Answer, Drawn, Exercise, Fixed
from exercises.expect import close

NEARLY_EVEN = ((12, 10), (5, 4))  # no rule of thumb holds there
LARGE = ((80, 50), (650, 600))  # more flips than a normal curve needs, and more than a power of one half can hold


def tail(k: int, n: int) -> float:
    """The chance of k or fewer heads in n fair tosses, counted in whole numbers: no power of one half underflows."""
    ways, so_far = 1, 0
    for heads in range(k + 1):
        so_far += ways
        ways = ways * (n - heads) // (heads + 1)
    return so_far / (1 << n)


def exact_p(b: int, c: int) -> float:
    """The right answer, by counting outcomes."""
    return min(1.0, 2 * tail(min(b, c), b + c))


def chi_square_p(b: int, c: int) -> float:
    """What the large-sample form without correction gives."""
    return math.erfc(abs(b - c) / math.sqrt(2 * (b + c)))


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
    name="paired/exact_mcnemar",
    title="The exact McNemar test",
    objective="mcnemar",
    reference=exact_p,
    draw=draw,
    fixed=(Fixed((45, 25), {".0225": ()}),),
    diagnoses=(
        "one-sided-after-looking",
        "tail-without-observed",
        "chi-square-at-few-flips",
        "result-typed-in",
        "direction-fixed",
        "p-above-one",
        "no-evidence-as-proof",
        "empty-cell-as-no-data",
        "percent-for-share",
        "text-for-number",
    ),
)

BOTH_TAILS = "the chance of a split at least this uneven, in either direction, when every disagreement is a fair coin."


@exercise.check("the worked table")
def worked_table(answer: Answer) -> None:
    b, c = exercise.fixed[0].arguments
    one_tail, strict_tail = tail(c, b + c), tail(c - 1, b + c)
    slips = {
        "one-sided-after-looking": one_tail,
        "tail-without-observed": 2 * strict_tail,
        "chi-square-at-few-flips": chi_square_p(b, c),
    }
    close(answer(b, c), exact_p(b, c), BOTH_TAILS, slips)


@exercise.check("a table of your own")
def own_table(answer: Answer, drawn: Drawn) -> None:
    b, c = drawn["b"], drawn["c"]
    worked = exact_p(*exercise.fixed[0].arguments)
    close(answer(b, c), exact_p(b, c), BOTH_TAILS, {"result-typed-in": worked})
    for b, c in NEARLY_EVEN:
        close(answer(b, c), exact_p(b, c), BOTH_TAILS)


@exercise.check("B may be the one ahead")
def other_direction(answer: Answer, drawn: Drawn) -> None:
    b, c = drawn["c"], drawn["b"]
    from_b_up = min(1.0, 2 * (1 - tail(b - 1, b + c)))
    wanted = "the p-value it had with the two counts exchanged: two-sided means that neither name is special."
    close(answer(b, c), exact_p(b, c), wanted, {"direction-fixed": from_b_up})


@exercise.check("an even split", slip="p-above-one")
def even_split(answer: Answer, drawn: Drawn) -> None:
    even = drawn["even"]
    close(answer(even, even), 1.0, "no evidence at all against the null, and a probability.")


@exercise.check("no disagreement at all", slip="no-evidence-as-proof")
def no_disagreement(answer: Answer) -> None:
    close(answer(0, 0), 1.0, "no evidence at all against the null: nothing was observed that could speak against it.")


@exercise.check("every flip went the same way")
def one_way(answer: Answer, drawn: Drawn) -> None:
    wanted = "twice the chance that all the coins fall on one given side."
    for flips, slip in ((drawn["one_way"], "empty-cell-as-no-data"), (3, ""), (2, "")):
        for b, c in ((flips, 0), (0, flips)):
            close(answer(b, c), exact_p(b, c), wanted, {slip: 1.0} if slip else None)


@exercise.check("a large table")
def large_table(answer: Answer) -> None:
    wanted = "the same count of outcomes as for a small table, and no curve in its place."
    for b, c in LARGE:
        close(answer(b, c), exact_p(b, c), wanted)
