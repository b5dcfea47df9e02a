"""Checks of `coverage`."""

import math
from typing import Any

import numpy as np

from exercises.exercise import Answer, Drawn, Exercise, Fixed
from exercises.expect import close

Ends = list[float]
APART = 1e-3  # what two answers must differ by, so that a draw can tell them apart


def chance(k: int, n: int, p: float) -> float:
    """The binomial chance of k."""
    return math.comb(n, k) * p**k * (1 - p) ** (n - k)


def held(low: Ends, high: Ends, p: float) -> list[int]:
    """The counts whose interval holds p, ends included."""
    return [k for k in range(len(low)) if low[k] <= p <= high[k]]


def right_coverage(low: Ends, high: Ends, p: float) -> float:
    """The right answer."""
    return math.fsum(chance(k, len(low) - 1, p) for k in held(low, high, p))


def without_ends(low: Ends, high: Ends, p: float) -> tuple[float, float, float]:
    """What is left if an interval does not hold its ends: both, only the lower, only the upper."""
    n = len(low) - 1
    counts = held(low, high, p)
    kept = (
        [k for k in counts if low[k] < p < high[k]],
        [k for k in counts if low[k] < p],
        [k for k in counts if p < high[k]],
    )
    both, lower, upper = (math.fsum(chance(k, n, p) for k in some) for some in kept)
    return both, lower, upper


def without_zero(low: Ends, high: Ends, p: float) -> tuple[float, float]:
    """As many marks as counts; and the count of no mark right left out."""
    counts, n = held(low, high, p), len(low) - 1
    return (math.fsum(chance(k, n + 1, p) for k in counts), math.fsum(chance(k, n, p) for k in counts if k))


def wald(n: int) -> tuple[Ends, Ends]:
    """The brackets of the chapter."""
    reach = [1.96 * math.sqrt(k * (n - k) / n**3) for k in range(n + 1)]
    return [k / n - reach[k] for k in range(n + 1)], [k / n + reach[k] for k in range(n + 1)]


def strange(random: np.random.Generator, n: int) -> tuple[Ends, Ends]:
    """Brackets around the scores, each with two reaches of its own, and sometimes far too short."""
    scores = np.arange(n + 1) / n
    reach = random.uniform(0.02, 0.3, (2, n + 1))
    low, high = np.maximum(scores - reach[0], 0), np.minimum(scores + reach[1], 1)
    return low.round(4).tolist(), high.round(4).tolist()


def draw(random: np.random.Generator) -> Drawn:
    """A strange procedure and a truth; and the same procedure with two ends moved onto that truth."""
    n = int(random.integers(21, 29))
    low, high = strange(random, n)
    p = round(float(random.uniform(0.35, 0.65)), 2) + 0.003
    at_low, at_high = list(low), list(high)
    above, below = math.ceil(n * p) + int(random.integers(0, 2)), math.floor(n * p) - int(random.integers(0, 2))
    at_low[above], at_high[below] = p, p
    return {"strange": [low, high, p], "at_ends": [at_low, at_high, p]}


def redraw(drawn: Drawn) -> bool:
    """There must be a gap among the counts that hold p, an end that matters on either side, and no end by chance."""
    low, high, p = drawn["strange"]
    n, counts = len(low) - 1, held(low, high, p)
    missing = [k for k in range(min(counts, default=0), max(counts, default=0)) if k not in counts]
    gap = math.fsum(chance(k, n, p) for k in missing)
    right, others = right_coverage(low, high, p), [right_coverage(*wald(20), 0.85), 0.95, len(counts) / (n + 1)]
    at_low, at_high, _ = drawn["at_ends"]
    moved = right_coverage(at_low, at_high, p)
    ends = without_ends(at_low, at_high, p)
    told_apart = all(abs(right - other) > APART for other in others) and all(abs(moved - end) > APART for end in ends)
    return gap < APART or p in low or p in high or not told_apart


exercise = Exercise(
    name="intervals/coverage",
    title="Coverage by adding up",
    objective="coverage",
    reference=right_coverage,
    draw=draw,
    redraw=redraw,
    fixed=(Fixed((*wald(20), 0.85), {".8185": ()}), Fixed((*wald(20), 0.95), {".6389": ()})),
    diagnoses=(
        "counts-taken-as-equally-likely",
        "nominal-is-actual",
        "level-and-alpha-exchanged",
        "one-order-for-all",
        "count-zero-forgotten",
        "result-typed-in",
        "end-left-out",
        "percent-for-share",
    ),
)

SUM = "the sum of the binomial chances of the counts whose interval holds p."


@exercise.check("the brackets of the chapter")
def of_the_chapter(answer: Answer) -> None:
    for fixed in exercise.fixed:
        low, high, p = fixed.arguments
        n, counts, right = len(low) - 1, held(low, high, p), right_coverage(low, high, p)
        slips: dict[str, float | tuple[float, ...]] = {
            "counts-taken-as-equally-likely": len(counts) / (n + 1),
            "nominal-is-actual": 0.95,
            "level-and-alpha-exchanged": 1 - right,
            "one-order-for-all": math.fsum(p**k * (1 - p) ** (n - k) for k in counts),
            "count-zero-forgotten": without_zero(low, high, p)[0],
        }
        close(answer(low, high, p), right, SUM, slips)


@exercise.check("a strange procedure")
def strange_procedure(answer: Answer, drawn: Drawn) -> None:
    worked = tuple(right_coverage(*fixed.arguments) for fixed in exercise.fixed)
    low, high, p = drawn["strange"]
    wanted = f"{SUM[:-1]}; between two counts that hold it there may be one that does not."
    close(answer(low, high, p), right_coverage(low, high, p), wanted, {"result-typed-in": worked})


@exercise.check("few marks")
def few_marks(answer: Answer) -> None:
    cases: tuple[tuple[Ends, Ends, Any], ...] = (
        ([0.0, 0.1, 0.3], [0.7, 0.9, 1.0], 0.2),
        ([0.0, 0.025], [0.975, 1.0], 0.4),
        ([0.0, 0.01, 0.07, 0.19, 0.4], [0.6, 0.81, 0.93, 0.99, 1.0], 0.05),
    )
    for low, high, p in cases:
        slips: dict[str, float | tuple[float, ...]] = {"count-zero-forgotten": without_zero(low, high, p)}
        close(answer(low, high, p), right_coverage(low, high, p), SUM, slips)


@exercise.check("a truth at an end of an interval", slip="end-left-out")
def at_an_end(answer: Answer, drawn: Drawn) -> None:
    low, high, p = drawn["at_ends"]
    wanted = "a sum that has the counts whose interval begins or ends at p: an interval holds its ends."
    close(answer(low, high, p), right_coverage(low, high, p), wanted, {"end-left-out": without_ends(low, high, p)})
