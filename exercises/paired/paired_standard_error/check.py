"""Checks of `paired_standard_error`."""

import math
from typing import Any

import numpy as np

from exercises.exercise import Answer, Drawn, Exercise, Fixed
from exercises.expect import close, entries

Table = tuple[int, int, int, int]
NAMES = ("paired", "independent")
ROUNDING = 1e-7  # the root of what rounding may leave of a variance of zero


def covariance(both: int, a_only: int, b_only: int, neither: int) -> float:
    """The covariance of the two marks of an item."""
    n = both + a_only + b_only + neither
    return both / n - (both + a_only) / n * (both + b_only) / n


def variances(both: int, a_only: int, b_only: int, neither: int) -> float:
    """The sum of the variances of the two marks of an item."""
    n = both + a_only + b_only + neither
    return sum(score * (1 - score) for score in ((both + a_only) / n, (both + b_only) / n))


def standard_errors(both: int, a_only: int, b_only: int, neither: int) -> dict[str, float]:
    """The right answer, by way of the differences 1, 0 and -1."""
    n = both + a_only + b_only + neither
    mean = (a_only - b_only) / n
    mean_square = (a_only + b_only) / n
    independent = variances(both, a_only, b_only, neither)
    return {"paired": math.sqrt((mean_square - mean**2) / n), "independent": math.sqrt(independent / n)}


def draw(random: np.random.Generator) -> Drawn:
    """Tables in which each system succeeds where the other fails, and one in which they mostly agree and B is ahead."""
    both, neither = (int(count) for count in random.integers(20, 60, 2))
    b_only = int(random.integers(90, 130))
    ahead = b_only + int(random.integers(10, 40))
    a_few, some_more = int(random.integers(8, 20)), int(random.integers(30, 50))
    return {
        "opposed": [both, ahead, b_only, neither],
        "b_ahead": [ahead, a_few, some_more, neither],
        "no_flips": [both, 0, 0, neither],
    }


# One empty cell, a tie, no shared success, no covariance at all, and few items.
SMALL = ((10, 5, 0, 5), (10, 0, 5, 5), (10, 5, 5, 10), (0, 5, 3, 2), (10, 5, 20, 10), (50, 8, 3, 20), (10, 5, 3, 2))

exercise = Exercise(
    name="paired/paired_standard_error",
    title="What pairing takes off the error",
    objective="pairing",
    reference=standard_errors,
    draw=draw,
    fixed=(Fixed((810, 45, 25, 120)),),
    diagnoses=(
        "unpaired-test-on-shared-items",
        "covariance-once",
        "covariance-added",
        "concordant-pairs-are-worthless",
        "null-error-for-interval",
        "sd-for-se",
        "adds-standard-errors",
        "pairing-always-helps",
        "direction-fixed",
    ),
)


def number(answer: Answer, table: Any, name: str) -> Any:
    """One of the two numbers of the answer."""
    return entries(answer(*table), NAMES)[name]


@exercise.check("the paired standard error")
def paired(answer: Answer) -> None:
    table: Table = exercise.fixed[0].arguments
    _, a_only, b_only, _ = table
    n, flips = sum(table), a_only + b_only
    right, total, shared = standard_errors(*table), variances(*table), covariance(*table)
    slips = {
        "unpaired-test-on-shared-items": right["independent"],
        "covariance-once": math.sqrt((total - shared) / n),
        "covariance-added": math.sqrt((total + 2 * shared) / n),
        "concordant-pairs-are-worthless": math.sqrt((1 - ((a_only - b_only) / flips) ** 2) / flips),
        "null-error-for-interval": math.sqrt(flips) / n,
        "sd-for-se": right["paired"] * math.sqrt(n),
    }
    wanted = "under 'paired', the root of the variance of one item's difference, divided by the number of all items."
    close(number(answer, table, "paired"), right["paired"], wanted, slips)


@exercise.check("the standard error for separate sets")
def independent(answer: Answer) -> None:
    table = exercise.fixed[0].arguments
    both, a_only, b_only, _ = table
    n = sum(table)
    one_by_one = [math.sqrt(score * (1 - score) / n) for score in ((both + a_only) / n, (both + b_only) / n)]
    slips = {"adds-standard-errors": sum(one_by_one)}
    wanted = "under 'independent', the root of the sum of the two scores' variances, without any covariance."
    close(number(answer, table, "independent"), standard_errors(*table)["independent"], wanted, slips)


@exercise.check("systems that succeed on different items")
def opposed(answer: Answer, drawn: Drawn) -> None:
    table = drawn["opposed"]
    right = standard_errors(*table)
    slips = {"pairing-always-helps": right["independent"]}
    wanted = "a paired error that is the larger of the two: here the covariance is negative."
    close(number(answer, table, "paired"), right["paired"], wanted, slips)
    close(number(answer, table, "independent"), right["independent"], "the same formula as before.")


@exercise.check("B may be the one ahead", slip="direction-fixed")
def b_ahead(answer: Answer, drawn: Drawn) -> None:
    both, a_only, b_only, neither = drawn["b_ahead"]
    wanted = "the errors that the table has with the two systems exchanged: an error has no direction."
    for table in ((both, a_only, b_only, neither), (neither, a_only, b_only, both)):
        for name in NAMES:
            close(number(answer, table, name), standard_errors(*table)[name], wanted)


@exercise.check("small tables, and no disagreement at all")
def no_flips(answer: Answer, drawn: Drawn) -> None:
    wanted = "a paired error of zero: the difference is the same on every item."
    for table in (drawn["no_flips"], (8, 0, 0, 3), (8, 0, 0, 0)):
        given = number(answer, table, "paired")
        rounding = type(given) is float and abs(given) < ROUNDING
        close(0.0 if rounding else given, 0.0, wanted)
        close(
            number(answer, table, "independent"), standard_errors(*table)["independent"], "the same formula as before."
        )
    for table in SMALL:
        for name in NAMES:
            wanted = f"under {name!r}, the same formula as before."
            close(number(answer, table, name), standard_errors(*table)[name], wanted)
