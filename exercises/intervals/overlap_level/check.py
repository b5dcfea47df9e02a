"""Checks of `overlap_level`."""

import math
from statistics import NormalDist

import numpy as np

from exercises.exercise import Answer, Drawn, Exercise, Fixed
from exercises.expect import close

LEVEL = 0.95
OTHER_LEVELS = (0.8, 0.9, 0.98, 0.99)
CLOSE_ENOUGH = 2e-3  # of the answer: 1.96 for 1.959964 and 2.576 for 2.575829 are off by less
TYPED_DISTANCE = "Your number belongs to 2.77 standard errors of the gap: a rounded distance, for equal errors and 95%."
RULE_OF_THUMB = "Your number belongs to intervals of 2 standard errors to a side, the rule of thumb; 95% has 1.96."
Slips = dict[str, float | tuple[float, ...]]


def quantile(above: float) -> float:
    """The number above which this share of a bell curve lies."""
    return NormalDist().inv_cdf(1 - above)


def both_tails(distance: float) -> float:
    """The share of a bell curve beyond this distance, on both sides."""
    return math.erfc(distance / math.sqrt(2))


def rule_with(z: float, se_a: float, se_b: float) -> float:
    """The level of the rule when the intervals reach z standard errors."""
    return both_tails(z * (se_a + se_b) / math.hypot(se_a, se_b))


def rule_level(se_a: float, se_b: float, level: float) -> float:
    """The right answer."""
    return rule_with(quantile((1 - level) / 2), se_a, se_b)


def draw(random: np.random.Generator) -> Drawn:
    """Two standard errors, one several times the other, either of them the larger; nearly equal ones; and a level."""
    small, middle = (float(error) for error in random.uniform(0.008, 0.02, 2))
    large = small * float(random.uniform(2, 6))
    errors = [round(small, 4), round(large, 4)]
    return {
        "unequal": errors if random.random() < 0.5 else errors[::-1],
        "similar": [round(middle, 4), round(1.5 * middle, 4)],
        "level": float(random.choice(OTHER_LEVELS)),
    }


exercise = Exercise(
    name="intervals/overlap_level",
    title="When do two intervals part?",
    objective="null-and-level",
    reference=rule_level,
    draw=draw,
    fixed=(Fixed((0.03, 0.03, LEVEL), {".0056": ()}),),
    diagnoses=(
        "adds-standard-errors",
        "one-sided-after-looking",
        "one-error-bar",
        "levels-multiplied",
        "tails-too-wide",
        "level-and-alpha-exchanged",
        "equal-errors-assumed",
        "quantile-of-habit",
        "percent-for-share",
    ),
)


def expect_level(answer: Answer, se_a: float, se_b: float, level: float, wanted: str, slips: Slips) -> None:
    """The level of the rule, however the quantile was rounded."""
    right = rule_level(se_a, se_b, level)
    remarks = {TYPED_DISTANCE: both_tails(2.77), RULE_OF_THUMB: rule_with(2, se_a, se_b)} if level == LEVEL else {}
    close(answer(se_a, se_b, level), right, wanted, slips, CLOSE_ENOUGH * right, remarks)


@exercise.check("two equal standard errors")
def equal_errors(answer: Answer) -> None:
    se_a, se_b, level = exercise.fixed[0].arguments
    z, alpha, right = quantile((1 - level) / 2), 1 - level, rule_level(se_a, se_b, level)
    slips: Slips = {
        "adds-standard-errors": (alpha, both_tails(1.96)),
        "one-sided-after-looking": right / 2,
        "one-error-bar": (both_tails(z * (se_a + se_b) / se_a), both_tails(z * se_a / math.hypot(se_a, se_b))),
        "levels-multiplied": (alpha**2, 1 - level**2, 2 * alpha, alpha**2 / 2, 2 * (alpha / 2) ** 2),
        "tails-too-wide": (rule_with(quantile(alpha), se_a, se_b), rule_with(1.645, se_a, se_b)),
        "level-and-alpha-exchanged": (1 - right, rule_with(quantile(level / 2), se_a, se_b)),
    }
    wanted = "both tails beyond the gap at which the intervals just touch, in standard errors of that gap."
    expect_level(answer, se_a, se_b, level, wanted, slips)


@exercise.check("unequal standard errors")
def unequal_errors(answer: Answer, drawn: Drawn) -> None:
    worked = rule_level(*exercise.fixed[0].arguments)
    for se_a, se_b in (drawn["unequal"], drawn["similar"], drawn["unequal"][::-1]):
        z = quantile((1 - LEVEL) / 2)
        only = tuple(both_tails(z * (se_a + se_b) / error) for error in (se_a, se_b, max(se_a, se_b)))
        slips: Slips = {"equal-errors-assumed": worked, "one-error-bar": only}
        wanted = "both tails beyond the gap at which these two intervals just touch, in standard errors of that gap."
        expect_level(answer, se_a, se_b, LEVEL, wanted, slips)


@exercise.check("intervals at another level")
def another_level(answer: Answer, drawn: Drawn) -> None:
    for level in (drawn["level"], 0.9, 0.99):
        for se_a, se_b in ((0.03, 0.03), drawn["unequal"]):
            wanted = "the level of the rule for intervals at the level that was asked for."
            habit = (rule_level(se_a, se_b, LEVEL), rule_with(1.96, se_a, se_b))
            expect_level(answer, se_a, se_b, level, wanted, {"quantile-of-habit": habit})


@exercise.check("standard errors in points")
def in_points(answer: Answer) -> None:
    wanted = "the same level as for the shares: only the ratio of the two standard errors matters."
    for se_a, se_b in ((3.0, 3.0), (1.6, 4.0), (40.0, 10.0)):
        expect_level(answer, se_a, se_b, LEVEL, wanted, {})
