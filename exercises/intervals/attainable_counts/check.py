"""Checks of `attainable_counts`."""

from typing import Any

import numpy as np

from exercises.exercise import Answer, Drawn, Exercise, Fixed
from exercises.expect import MismatchError, same
from exercises.values import kind

Slips = dict[str, Any]
STEPS_OF_40 = (("81%", 40), ("84%", 40), ("82.0%", 40))
TIES = (("82%", 40), ("83%", 40), ("58%", 40), ("3%", 200), ("81.2%", 16), ("81.3%", 16), ("1.2%", 80))


def parts(printed: str) -> tuple[int, int]:
    """The printed number in units of its last place, and how many such units make one percent."""
    digits = printed.removesuffix("%")
    unit = 10 ** len(digits.partition(".")[2])
    return int(digits.replace(".", "")), unit


def counts(printed: str, n: int) -> list[int]:
    """The right answer, in whole numbers: twice the distance, times n, is at most n."""
    number, unit = parts(printed)
    return [k for k in range(n + 1) if 2 * abs(100 * unit * k - number * n) <= n]


def within(printed: str, n: int, units: int) -> list[int]:
    """The counts at most half a unit off, for units of so many to the percent, whatever was printed."""
    number, unit = parts(printed)
    return [k for k in range(n + 1) if 2 * units * abs(100 * unit * k - number * n) <= unit * n]


def without_ties(printed: str, n: int) -> tuple[list[int], ...]:
    """What is left if ties go up, or down, or to the even neighbour, or nowhere."""
    number, unit = parts(printed)
    up, down, even, nowhere = [], [], [], []
    for k in counts(printed, n):
        beyond = 2 * (100 * unit * k - number * n)  # n for a tie above the printed number, -n for one below
        up += [k] if beyond != n else []
        down += [k] if beyond != -n else []
        even += [k] if abs(beyond) != n or number % 2 == 0 else []
        nowhere += [k] if abs(beyond) != n else []
    return up, down, even, nowhere


def nearest(printed: str, n: int) -> list[int]:
    """The one count that is nearest to the printed share."""
    number, unit = parts(printed)
    return [(2 * number * n + 100 * unit) // (200 * unit)]


def exact(printed: str, n: int) -> list[int]:
    """The counts whose percentage is the printed one without any rounding."""
    number, unit = parts(printed)
    return [k for k in range(n + 1) if 100 * unit * k == number * n]


def draw(random: np.random.Generator) -> Drawn:
    """A score between the steps of a small set, a rounded score, one with decimals, and sets for perfect scores."""
    small, middle, large = (
        int(random.integers(23, 48)),
        int(random.integers(210, 400)),
        int(random.integers(310, 590)),
    )
    right = int(middle * random.uniform(0.6, 0.9))
    right_of_large = int(large * random.uniform(0.6, 0.9))
    return {
        "between": [f"{int(random.integers(60, 95))}%", small],
        "rounded": [f"{100 * right / middle:.0f}%", middle],
        "one_decimal": [f"{100 * right_of_large / large:.1f}%", large],
        "zero": [f"{int(random.integers(60, 90))}.0%", large],
        "perfect": int(random.integers(210, 390)),
    }


def redraw(drawn: Drawn) -> bool:
    """Between the steps there is no count, not even if decimals are cut off; elsewhere no ties, and decimals matter."""
    (between, small), rounded, perfect = drawn["between"], drawn["rounded"], drawn["perfect"]
    empty = not counts(between, small) and all(100 * k // small != parts(between)[0] for k in range(small + 1))
    in_decimals = [drawn["one_decimal"], drawn["zero"]]
    others = [rounded, *in_decimals, ("100%", perfect), ("0%", perfect)]
    no_ties = all(without_ties(*each)[3] == counts(*each) for each in others)
    several = len(counts(*rounded)) > 1 and not exact(*rounded)
    return not (
        empty and no_ties and several and all(within(printed, n, 1) != counts(printed, n) for printed, n in in_decimals)
    )


exercise = Exercise(
    name="intervals/attainable_counts",
    title="Scores that can be, and scores that cannot",
    objective="read-scores",
    reference=counts,
    draw=draw,
    redraw=redraw,
    fixed=(Fixed(("81%", 40)), Fixed(("82%", 40)), Fixed(("82%", 500))),
    diagnoses=(
        "score-between-the-steps",
        "printed-zero-ignored",
        "rounded-read-as-exact",
        "one-count-for-a-score",
        "tie-rounded-one-way",
        "count-beyond-the-set",
    ),
)


def expect_counts(answer: Answer, printed: str, n: int, wanted: str, slips: Slips) -> None:
    """The right list."""
    value = answer(printed, n)
    if type(value) is not list:
        forgotten = ". Did you forget the `return`?" if value is None else ""
        raise MismatchError(f"a list of whole counts, and not {kind(value)}{forgotten}", wrong_kind=True)
    same(value, counts(printed, n), wanted, slips)


@exercise.check("a score between the steps")
def between(answer: Answer, drawn: Drawn) -> None:
    expect_counts(answer, "82.5%", 40, "the list of the counts that are printed so: here it is one.", {})
    for printed, n in (*STEPS_OF_40[:2], drawn["between"]):
        number, unit = parts(printed)
        down = number * n // (100 * unit)
        slips: Slips = {"score-between-the-steps": (nearest(printed, n), [down], [down + 1], [down, down + 1])}
        expect_counts(answer, printed, n, "an empty list: no whole count has a percentage this near.", slips)


@exercise.check("a rounded score")
def rounded(answer: Answer, drawn: Drawn) -> None:
    for printed, n in (drawn["rounded"], ("82%", 500), ("67%", 3)):
        slips: Slips = {
            "rounded-read-as-exact": exact(printed, n),
            "one-count-for-a-score": tuple([k] for k in counts(printed, n)),
        }
        wanted = "every count whose percentage is rounded to the printed one, in rising order."
        expect_counts(answer, printed, n, wanted, slips)


@exercise.check("decimals that were printed")
def decimals(answer: Answer, drawn: Drawn) -> None:
    cases = (drawn["one_decimal"], drawn["zero"], STEPS_OF_40[2], ("82.50%", 40), ("82.48%", 40), ("66.667%", 3))
    for printed, n in cases:
        slips: Slips = {"printed-zero-ignored": (within(printed, n, 1), within(printed, n, 10))}
        wanted = "the counts that are rounded so at as many decimals as were printed, and no others."
        expect_counts(answer, printed, n, wanted, slips)


@exercise.check("the ends of the scale")
def ends(answer: Answer, drawn: Drawn) -> None:
    n = drawn["perfect"]
    for printed, size in (("100%", n), ("0%", n), ("100%", 40), ("0.0%", 40)):
        found = counts(printed, size)
        beyond = [k for k in range(size + 1, 2 * size) if 2 * (k - size) * 100 <= size]
        below = [-k for k in range(size, 0, -1) if 2 * k * 100 <= size]
        slips: Slips = {"count-beyond-the-set": [*below, *found] if found[0] == 0 else [*found, *beyond]}
        expect_counts(answer, printed, size, "counts from 0 to n, both of them possible, and none beyond.", slips)


@exercise.check("a tie")
def ties(answer: Answer) -> None:
    for printed, n in TIES:
        wanted = "the counts that lie on a tie as well: one program rounds it one way, and another the other way."
        slips: Slips = {"tie-rounded-one-way": without_ties(printed, n)}
        expect_counts(answer, printed, n, wanted, slips)
