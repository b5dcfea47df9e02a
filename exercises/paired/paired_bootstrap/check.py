"""Checks of `paired_bootstrap`."""

from functools import cache
from typing import Any

import numpy as np

from exercises.exercise import Answer, Drawn, Exercise, Fixed
from exercises.expect import all_close, near

NAMES = ("low", "high")
TAILS = (0.025, 0.975)
RESAMPLES = 200  # the ends of the worked interval still move by a few thousandths with the seed; the seed is fixed

Marks = list[int]
Resamples = list[list[int]]


def differences(a: Marks, b: Marks, for_a: Resamples, for_b: Resamples) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Mean of A less mean of B for each pair of resamples."""
    gaps: np.ndarray[Any, np.dtype[np.float64]] = np.array(a)[np.array(for_a)].mean(axis=1) - np.array(b)[
        np.array(for_b)
    ].mean(axis=1)
    return gaps


def ends(a: Marks, b: Marks, resamples: Resamples, tails: tuple[float, float] = TAILS) -> list[float]:
    """The right answer, for these tails."""
    return [float(end) for end in np.quantile(differences(a, b, resamples, resamples), tails)]


def normal_ends(a: Marks, b: Marks, resamples: Resamples) -> list[float]:
    """The estimate plus and minus 1.96 standard deviations of the resamples."""
    gap = float(np.mean(a) - np.mean(b))
    spread = float(differences(a, b, resamples, resamples).std())
    return [gap - 1.96 * spread, gap + 1.96 * spread]


def worked_inputs() -> tuple[Marks, Marks, Resamples]:
    """Marks that have the cells of the book's table, in a random order, and resamples of them."""
    random = np.random.default_rng(0)
    order = random.permutation(1000)
    a = np.repeat([1, 1, 0, 0], [810, 45, 25, 120])[order]
    b = np.repeat([1, 0, 1, 0], [810, 45, 25, 120])[order]
    return a.tolist(), b.tolist(), random.integers(0, 1000, (RESAMPLES, 1000)).tolist()


def draw(random: np.random.Generator) -> Drawn:
    """Marks of a few items and some forty resamples."""
    items = int(random.integers(16, 21))
    return {
        "a": (random.random(items) < 0.7).astype(int).tolist(),
        "b": (random.random(items) < 0.5).astype(int).tolist(),
        "resamples": random.integers(0, items, (40, items)).tolist(),
    }


def redraw(drawn: Drawn) -> bool:
    """Marks that are all alike would tie even if each system were resampled on its own, and ties hide a quantile."""
    a, b, resamples = drawn["a"], drawn["b"], drawn["resamples"]
    apart = np.quantile(differences(a, a, resamples, resamples[::-1]), TAILS)
    gaps = np.sort(differences(a, b, resamples, resamples))
    ends_tied = near(gaps[0], gaps[1]) or near(gaps[-1], gaps[-2])
    low, high = ends(a, b, resamples)
    gap = float(np.mean(a) - np.mean(b))
    turned_round = near(low + high, 2 * gap)  # the interval is as wide on one side as on the other
    return bool((near(apart[0], 0.0) and near(apart[1], 0.0)) or ends_tied or turned_round or low >= 0 or high <= 0)


exercise = Exercise(
    name="paired/paired_bootstrap",
    title="The paired bootstrap",
    objective="interval",
    reference=ends,
    draw=draw,
    redraw=redraw,
    fixed=(Fixed(worked_inputs(), {"[.004, .036]": ()}),),
    diagnoses=(
        "arms-resampled-apart",
        "scores-determine-the-table",
        "tails-too-wide",
        "normal-for-percentile",
        "reversed-difference",
        "result-typed-in",
        "direction-fixed",
    ),
)


@cache  # 200,000 numbers go in, and the same for everybody
def worked_ends() -> list[float]:
    """The right answer for the worked table."""
    return ends(*exercise.fixed[0].arguments)


@cache
def worked_slips() -> dict[str, list[float]]:
    """The wrong answers for the worked table."""
    a, b, resamples = exercise.fixed[0].arguments
    low, high = worked_ends()
    return {
        "scores-determine-the-table": ends(sorted(a, reverse=True), sorted(b, reverse=True), resamples),
        "tails-too-wide": ends(a, b, resamples, (0.05, 0.95)),
        "normal-for-percentile": normal_ends(a, b, resamples),
        "reversed-difference": [-high, -low],
    }


@exercise.check("two systems with the same marks", slip="arms-resampled-apart")
def same_marks(answer: Answer, drawn: Drawn) -> None:
    a, resamples = drawn["a"], drawn["resamples"]
    wanted = "an interval from zero to zero: on every resample of items, two systems with the same marks tie."
    all_close(answer(a, a, resamples), [0.0, 0.0], NAMES, wanted)


@exercise.check("the worked table")
def worked_table(answer: Answer) -> None:
    wanted = "the quantiles at 0.025 and 0.975 of A minus B over all resamples, both systems at the same positions."
    all_close(answer(*exercise.fixed[0].arguments), worked_ends(), NAMES, wanted, worked_slips())


@exercise.check("marks of your own")
def own_marks(answer: Answer, drawn: Drawn) -> None:
    a, b, resamples = drawn["a"], drawn["b"], drawn["resamples"]
    slips = {"result-typed-in": worked_ends()}
    wanted = "the same quantiles for these marks and these resamples."
    all_close(answer(a, b, resamples), ends(a, b, resamples), NAMES, wanted, slips)


@exercise.check("B may be the one ahead", slip="direction-fixed")
def b_ahead(answer: Answer) -> None:
    a, b, resamples = exercise.fixed[0].arguments
    low, high = worked_ends()
    wanted = "the interval on the other side of zero: A minus B again, with the two systems exchanged."
    all_close(answer(b, a, resamples), [-high, -low], NAMES, wanted)
