"""Checks of `clopper_pearson`."""

import math
from collections.abc import Callable
from functools import cache
from statistics import NormalDist

import numpy as np
import scipy  # its parts are loaded when they are used: whoever reads course.toml loads all checks

from exercises.exercise import Answer, Drawn, Exercise, Fixed
from exercises.expect import all_close

NAMES = ("low", "high")
LEVEL = 0.95
OTHER_LEVELS = (0.8, 0.9, 0.98, 0.99)
HALVINGS = 50
CLOSE_ENOUGH = 1.1e-4  # a step of the chapter's grid
NO_BETA = "a beta distribution with a parameter of 0 does not exist."
Slips = dict[str, list[float] | tuple[list[float], ...]]


def at_least(k: int, n: int, p: float) -> float:
    """The chance of k or more."""
    return math.fsum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))


def where(rises_to: float, chance: Callable[[float], float]) -> float:
    """Where a chance that rises with the truth reaches a value."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if chance(middle) < rises_to else (low, middle)
    return (low + high) / 2


@cache
def lower(k: int, n: int, tail: float) -> float:
    """The truth in whose world k or more has this chance."""
    return where(tail, lambda p: at_least(k, n, p)) if k > 0 else 0.0


def upper(k: int, n: int, tail: float) -> float:
    """The truth in whose world k or fewer has this chance; wrong answers are right ones from the other side."""
    return 1 - lower(n - k, n, tail)


def ends_with(k: int, n: int, tail: float) -> list[float]:
    """The ends with this chance left in each tail."""
    return [lower(k, n, tail), upper(k, n, tail)]


def ends(k: int, n: int, level: float) -> list[float]:
    """The right answer."""
    return ends_with(k, n, (1 - level) / 2)


def wilson(k: int, n: int, z: float) -> list[float]:
    """The interval that borrows a bell curve."""
    middle, reach = k + z**2 / 2, z * math.sqrt(k * (n - k) / n + z**2 / 4)
    return [(middle - reach) / (n + z**2), (middle + reach) / (n + z**2)]


def wald(k: int, n: int, z: float) -> list[float]:
    """The bell curve around the score."""
    reach = z * math.sqrt(k * (n - k) / n**3)
    return [k / n - reach, k / n + reach]


def jeffreys(k: int, n: int, tail: float) -> list[float]:
    """Half of what was seen in each tail, nearly."""
    return [
        float(scipy.special.betaincinv(k + 0.5, n - k + 0.5, tail)),
        float(scipy.special.betainccinv(k + 0.5, n - k + 0.5, tail)),
    ]


def draw(random: np.random.Generator) -> Drawn:
    """A high count, a low one, a level, and a size for perfect scores."""
    n_high, n_low = (int(n) for n in random.integers(24, 45, 2))
    return {
        "high": [round(n_high * random.uniform(0.8, 0.92)), n_high],
        "low": [round(n_low * random.uniform(0.1, 0.25)), n_low],
        "level": float(random.choice(OTHER_LEVELS)),
        "perfect": int(random.integers(10, 40)),
    }


exercise = Exercise(
    name="intervals/clopper_pearson",
    title="The interval that never covers too seldom",
    objective="exact-interval",
    reference=ends,
    draw=draw,
    fixed=(Fixed((17, 20, LEVEL), {"[.6211, .9679]": ()}),),
    diagnoses=(
        "other-interval-taken",
        "tails-too-wide",
        "level-and-alpha-exchanged",
        "tail-without-observed",
        "result-typed-in",
        "quantile-of-habit",
        "perfect-score-has-no-error",
        "one-sided-at-the-end",
        "percent-for-share",
    ),
)


def expect_ends(answer: Answer, k: int, n: int, level: float, wanted: str, slips: Slips) -> None:
    """The two ends, as near as the chapter's grid comes."""
    all_close(answer(k, n, level), ends(k, n, level), NAMES, wanted, slips, within=CLOSE_ENOUGH)


@exercise.check("17 of 20")
def worked_count(answer: Answer) -> None:
    k, n, level = exercise.fixed[0].arguments
    tail, z = (1 - level) / 2, NormalDist().inv_cdf((1 + level) / 2)
    low, high = ends(k, n, level)
    strict_low, strict_high = lower(k + 1, n, tail), upper(k - 1, n, tail)
    tails_too_wide = ends_with(k, n, 1 - level)
    slips: Slips = {
        "other-interval-taken": (wilson(k, n, z), wald(k, n, z), [wald(k, n, z)[0], 1.0], jeffreys(k, n, tail)),
        "tails-too-wide": tails_too_wide,
        "level-and-alpha-exchanged": (ends_with(k, n, level / 2), ends_with(k, n, level)),
        "tail-without-observed": ([strict_low, strict_high], [low, strict_high], [strict_low, high]),
    }
    wanted = (
        "the truth where k or more has the chance (1 - level) / 2, and the truth where k or fewer has it; low first."
    )
    expect_ends(answer, k, n, level, wanted, slips)


@exercise.check("other counts")
def other_counts(answer: Answer, drawn: Drawn) -> None:
    worked = ends(*exercise.fixed[0].arguments)
    for k, n in (drawn["high"], drawn["low"], (3, 5), (20, 40)):
        expect_ends(answer, k, n, LEVEL, "what the same two tails give for this count.", {"result-typed-in": worked})


@exercise.check("another level")
def another_level(answer: Answer, drawn: Drawn) -> None:
    wanted = "an interval at the level that was asked for: half of what this level leaves out in each tail."
    for (k, n), level in ((drawn["high"], drawn["level"]), ((17, 20), 0.9), ((17, 20), 0.99)):
        expect_ends(answer, k, n, level, wanted, {"quantile-of-habit": ends(k, n, LEVEL)})


@exercise.check("all solved, and none")
def perfect(answer: Answer, drawn: Drawn) -> None:
    for n in (drawn["perfect"], 20, 1):
        wanted = f"an upper end of 1, and a lower end where all solved has the chance (1 - level) / 2; {NO_BETA}"
        slips: Slips = {"perfect-score-has-no-error": [1.0, 1.0], "one-sided-at-the-end": ends_with(n, n, 1 - LEVEL)}
        expect_ends(answer, n, n, LEVEL, wanted, slips)
        wanted = f"a lower end of 0, and an upper end where none solved has the chance (1 - level) / 2; {NO_BETA}"
        slips = {"perfect-score-has-no-error": [0.0, 0.0], "one-sided-at-the-end": ends_with(0, n, 1 - LEVEL)}
        expect_ends(answer, 0, n, LEVEL, wanted, slips)
