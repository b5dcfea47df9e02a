"""Checks of `wilson`."""

import math
from statistics import NormalDist

import numpy as np
import scipy  # its parts are loaded when they are used: whoever reads course.toml loads all checks

from exercises.exercise import Answer, Drawn, Exercise, Fixed
from exercises.expect import all_close

NAMES = ("low", "high")
LEVEL = 0.95
OTHER_LEVELS = (0.8, 0.9, 0.98, 0.99)
CLOSE_ENOUGH = 1.2e-4  # a step of the chapter's grid, and 1.96 for 1.959964 or 1.645 for 1.644854
Slips = dict[str, list[float] | tuple[list[float], ...]]


def quantile(above: float) -> float:
    """The number above which this share of a bell curve lies."""
    return NormalDist().inv_cdf(1 - above)


def ends_with(k: int, n: int, z: float) -> list[float]:
    """The solutions of (k - np)^2 = z^2 n p(1 - p), which is an equation between counts."""
    square, linear, constant = n * (n + z**2), n * (2 * k + z**2), k**2
    root = math.sqrt(max(0.0, linear**2 - 4 * square * constant))
    return [(linear - root) / (2 * square), (linear + root) / (2 * square)]


def ends(k: int, n: int, level: float) -> list[float]:
    """The right answer."""
    return ends_with(k, n, quantile((1 - level) / 2))


def around(middle: float, reach: float) -> list[float]:
    """The same reach on both sides."""
    return [middle - reach, middle + reach]


def wald(k: int, n: int, z: float) -> list[float]:
    """The bell curve around the score."""
    return around(k / n, z * math.sqrt(k * (n - k) / n**3))


def cut(interval: list[float]) -> list[float]:
    """No end beyond 0 and 1."""
    return [max(0.0, interval[0]), min(1.0, interval[1])]


def clopper_pearson(k: int, n: int, alpha: float) -> list[float]:
    """From binomial tails, for a count between the two extremes."""
    return [
        float(scipy.special.betaincinv(k, n - k + 1, alpha / 2)),
        float(scipy.special.betainccinv(k + 1, n - k, alpha / 2)),
    ]


def corrected(k: int, n: int, z: float) -> list[float]:
    """Wilson with a continuity correction, for a count between the two extremes."""
    low, high = 2 * k + z**2 - 1, 2 * k + z**2 + 1
    reach_low = z * math.sqrt(z**2 - 2 - 1 / n + 4 * k / n * (n - k + 1))
    reach_high = z * math.sqrt(z**2 + 2 - 1 / n + 4 * k / n * (n - k - 1))
    return [(low - reach_low) / (2 * (n + z**2)), (high + reach_high) / (2 * (n + z**2))]


def draw(random: np.random.Generator) -> Drawn:
    """A high count, a low one, one in the middle of a larger eval, and a level."""
    n_high, n_low = (int(n) for n in random.integers(24, 60, 2))
    n_middle = int(random.integers(60, 100))
    return {
        "high": [round(n_high * random.uniform(0.8, 0.92)), n_high],
        "low": [round(n_low * random.uniform(0.08, 0.25)), n_low],
        "middle": [round(n_middle * random.uniform(0.3, 0.7)), n_middle],
        "level": float(random.choice(OTHER_LEVELS)),
        "perfect": int(random.integers(10, 50)),
    }


exercise = Exercise(
    name="intervals/wilson",
    title="The Wilson interval",
    objective="wilson",
    reference=ends,
    draw=draw,
    fixed=(Fixed((17, 20, LEVEL), {"[.6396, .9476]": ()}),),
    diagnoses=(
        "error-at-the-score",
        "other-interval-taken",
        "worst-case-error-in-test",
        "tails-too-wide",
        "level-and-alpha-exchanged",
        "wilson-past-the-end",
        "n-minus-one",
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
    z, alpha, score = quantile((1 - level) / 2), 1 - level, k / n
    middle, reach = score + z**2 / (2 * n), z * math.sqrt(score * (1 - score) / n + z**2 / (4 * n**2))
    wide = z * math.sqrt(score * (1 - score) / n + z**2 / (4 * n))
    less = z * math.sqrt(score * (1 - score) / (n - 1) + z**2 / (4 * n**2))
    shrink = 1 + z**2 / n
    four_more = wald(k + 2, n + 4, z)
    agresti_coull = around(middle / shrink, z * math.sqrt(middle / shrink * (1 - middle / shrink) / (n + z**2)))
    one_tail = ends_with(k, n, quantile(alpha))
    slips: Slips = {
        "error-at-the-score": (wald(k, n, z), cut(wald(k, n, z))),
        "other-interval-taken": (clopper_pearson(k, n, alpha), agresti_coull, four_more, corrected(k, n, z)),
        "worst-case-error-in-test": (around(score, z / (2 * math.sqrt(n))), cut(around(score, z / (2 * math.sqrt(n))))),
        "tails-too-wide": one_tail,
        "level-and-alpha-exchanged": (ends_with(k, n, quantile(level / 2)), one_tail[::-1]),
        "wilson-past-the-end": (around(middle, reach), around(middle / shrink, wide / shrink)),
        "n-minus-one": around(middle / shrink, less / shrink),
    }
    wanted = "the lowest and the highest truth that lie within z standard errors of the score, each error computed "
    wanted += "at that truth; low first."
    expect_ends(answer, k, n, level, wanted, slips)


@exercise.check("other counts")
def other_counts(answer: Answer, drawn: Drawn) -> None:
    worked, z = ends(*exercise.fixed[0].arguments), quantile((1 - LEVEL) / 2)
    for k, n in (drawn["high"], drawn["low"], drawn["middle"], (3, 5)):
        slips: Slips = {"result-typed-in": worked, "error-at-the-score": (wald(k, n, z), cut(wald(k, n, z)))}
        expect_ends(answer, k, n, LEVEL, "the truths that the same test keeps for this count.", slips)


@exercise.check("another level")
def another_level(answer: Answer, drawn: Drawn) -> None:
    wanted = "an interval at the level that was asked for, with the quantile that belongs to it."
    for (k, n), level in ((drawn["high"], drawn["level"]), ((17, 20), 0.9), ((17, 20), 0.99)):
        expect_ends(answer, k, n, level, wanted, {"quantile-of-habit": ends(k, n, LEVEL)})


@exercise.check("all solved, and none")
def perfect(answer: Answer, drawn: Drawn) -> None:
    n = drawn["perfect"]
    z, one_sided = quantile((1 - LEVEL) / 2), quantile(1 - LEVEL)
    wanted = "an interval that ends at 1 and begins where the same test rejects: n / (n + z^2)."
    slips: Slips = {
        "perfect-score-has-no-error": [1.0, 1.0],
        "one-sided-at-the-end": ends_with(n, n, one_sided),
        "wilson-past-the-end": around(1 + z**2 / (2 * n), z**2 / (2 * n)),
    }
    expect_ends(answer, n, n, LEVEL, wanted, slips)
    wanted = "an interval that begins at 0 and ends where the same test rejects: z^2 / (n + z^2)."
    slips = {"perfect-score-has-no-error": [0.0, 0.0], "one-sided-at-the-end": ends_with(0, n, one_sided)}
    expect_ends(answer, 0, n, LEVEL, wanted, slips)
