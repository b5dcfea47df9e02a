r"""Where does the noise come from, and what would it cost to have less of it?

The model of one score is $\mu$ + seed + item + seed $\times$ item + decode: a training seed, a question, how this seed
takes to this question, and the luck of one sampled answer. All seeds answer all items, equally often.

A variance is estimated by subtracting what the other sources put into the same mean square (analysis of variance), so
it can come out negative; then 0 is reported, and the raw value kept beside it. What is
no more than rounding counts as 0: a mean square of at most $(10^{-12} \max|x|)^2$, and the difference of two that agree
to 12 digits.

Items are taken as drawn one by one. Clusters and strata of items are outside: `cluster_standard_error` with the item
means as scores gives the standard error there, in one sum and not by source.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from . import _checks as checks
from ._checks import Vector
from .proportion import Quantity
from .result import Estimate, Result, _warning_words

Variances = Mapping[str, float]

SOURCES = ("seed", "item", "seed_item", "decode")
NOISE_IN = {"seed": ("seed_item", "decode"), "item": ("seed_item", "decode"), "seed_item": ("decode",), "decode": ()}
ROUNDING = 1e-12  # relative: smaller differences are those of numbers that cannot be stored exactly
FEW_ITEMS = 10  # with fewer items that differ from the commonest result, intervals cover too seldom: tests/calibration
FEW_SEEDS = 5  # with fewer seeds the interval of their variance spans orders of magnitude
MOST_SEEDS, MOST_ANSWERS = 10_000, 10_000_000  # a plan that needs more is a slip
LARGEST = 1e50  # beyond it, squares of variances and of their limits leave the range of floats


@dataclass(frozen=True)
class VarianceComponents(Result):
    """How much of the noise does each source bring? Made by `variance_components` and its two smaller forms.

    Attributes
    ----------
    mean : Estimate
        The mean score; its `extra["standard_error"]` counts every source once, and stands beside the design the data
        came from, with 1 for what that does not vary.
    sources : tuple of Estimate
        One variance each, named "seed", "item", "seed_item", "decode", in the squared unit of the scores.
        `extra["raw"]` is the unbiased value, negative where the reported one is 0, and `extra["share"]` the part of
        one answer's variance.

    Raises
    ------
    ValueError
        For no sources, and names that are not of the four.

    Examples
    --------
    >>> parts = item_decode_components([[1, 1], [1, 0], [0, 0], [1, 1]])
    >>> parts["decode"].point, round(design_standard_error(parts.variances, n_items=400), 4)
    (0.125, 0.027)
    """

    mean: Estimate
    sources: tuple[Estimate, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.instance("sources", self.sources, Sequence)
        given = (self.mean, *self.sources)
        mean, *sources = (Estimate.from_dict(e) if isinstance(e, Mapping) else e for e in given)
        for one in (mean, *sources):
            checks.instance("each of mean and sources", one, Estimate)
        self._put(mean=mean, sources=tuple(sources))
        names = [one.name for one in self.sources]
        if not names or not set(names) <= set(SOURCES) or len(set(names)) < len(names):
            raise ValueError(f"sources must be named once each from {SOURCES}, got {names}")

    def __getitem__(self, source: str) -> Estimate:
        found = {one.name: one for one in self.sources}
        if source not in found:
            raise ValueError(f"source must be one of {[*found]}, got {checks.short(source)}")
        return found[source]

    @property
    def variances(self) -> dict[str, float]:
        """The reported variance of each source, ready for `design_standard_error` and `cheapest_design`."""
        return {one.name: one.point for one in self.sources}

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values that `json.dumps` writes and `from_dict` reads back."""
        return super().to_dict() | {"mean": self.mean.to_dict(), "sources": [one.to_dict() for one in self.sources]}

    def as_mlflow(self, name: str = "variance_components") -> dict[str, dict[str, Any]]:
        """The metrics and the parameters of the mean and of every source; the design is among those of the mean."""
        splits = [replace(one, name=f"{name}.{one.name}").as_mlflow() for one in (self.mean, *self.sources)]
        return {kind: {key: split[kind][key] for split in splits for key in split[kind]} for kind in splits[0]}

    def __str__(self) -> str:
        return "\n".join(str(one) for one in (self.mean, *self.sources))


# --- mean squares ----------------------------------------------------------------------------------------------------


class _Square(NamedTuple):
    """A mean square with limits of its own, and how each item pulls at its logarithm (0 where limits ignore that)."""

    value: float
    df: int
    low: float
    high: float
    pulls: Vector = np.zeros(1)


def _squares(values: Vector, cells: Vector, level: float) -> dict[str, _Square]:
    """The mean square, with limits, of each source that the design shows (equation `eq-anova`)."""
    rounding = (ROUNDING * checks.number("the largest score", float(np.abs(values).max()), 0, LARGEST)) ** 2
    n_seeds, n_items, n_decodes = values.shape
    seeds, items = cells.mean(axis=1) - cells.mean(), cells.mean(axis=0) - cells.mean()
    both = cells - cells.mean() - seeds[:, None] - items
    # What each seed or item adds to the sum of squares, and the degrees of freedom.
    parts = {
        "seed": (n_items * n_decodes * seeds**2, n_seeds - 1),
        "item": (n_seeds * n_decodes * items**2, n_items - 1),
        "seed_item": (n_decodes * (both**2).sum(axis=0), (n_seeds - 1) * (n_items - 1)),
        "decode": (((values - cells[:, :, None]) ** 2).sum(axis=(0, 2)), n_seeds * n_items * (n_decodes - 1)),
    }
    squares = {}
    for source, (added, df) in parts.items():
        total = float(added.sum()) if added.sum() > df * rounding else 0.0
        if df and (source == "seed" or n_items == 1):
            # Seeds, and runs on one test set, are too few to show how they are distributed: taken as normal.
            low, high = total / stats.chi2.ppf(np.array([1 + level, 1 - level]) / 2, df)
            squares[source] = _Square(total / df, df, float(low), float(high))
        elif df:
            # An item that is left out takes its pull on the mean with it, which decoding noise knows nothing of.
            left_out = total - added * (1 if source == "decode" else n_items / (n_items - 1))
            squares[source] = _by_items(total / df, df, left_out, level)
    return squares


def _by_items(value: float, df: int, left_out: Vector, level: float) -> _Square:
    """Limits on the scale of the logarithm from leaving out each item; none above where one item is everything.

    Where there is nothing at all (answers at temperature 0 that never differ), the noise is taken to be absent.
    """
    if left_out.min() <= 1e-12 * left_out.max():
        return _Square(value, df, 0.0, math.inf if value else 0.0)
    pulls, error = log_jackknife(left_out)
    reach = float(stats.t.isf((1 - level) / 2, left_out.size - 1)) * error
    return _Square(value, df, value * math.exp(-reach), value * math.exp(min(reach, 100)), pulls)


def log_jackknife(left_out: Vector) -> tuple[Vector, float]:
    """How far the logarithm moves when each unit is left out, and the standard error that this shows."""
    logs = np.log(left_out)
    pulls = logs - logs.mean()
    return pulls, math.sqrt((1 - 1 / pulls.size) * math.fsum(pulls**2))


def _difference(upper: _Square, lower: _Square) -> Vector:
    """upper - lower and its limits from those of each, which add like errors that correlate as the pulls do."""
    scale = math.sqrt(math.fsum(upper.pulls**2) * math.fsum(lower.pulls**2))
    correlation = math.fsum(upper.pulls * lower.pulls) / scale if scale > 0 else 0.0
    down = _reach((upper.value, upper.low), (lower.value, lower.high), correlation)
    up = _reach((upper.value, upper.high), (lower.value, lower.low), correlation)
    value = 0.0 if math.isclose(upper.value, lower.value, rel_tol=ROUNDING) else upper.value - lower.value
    return value + np.array([0.0, -down, up])


def _reach(one: tuple[float, float], two: tuple[float, float], correlation: float) -> float:
    """How far two errors reach together, each given by a value and its limit: the square root of a^2 + b^2 - 2rab.

    The limits are far and not alike, so this is added up along the way to them: else a higher level could reach less.
    """
    if correlation == 0:
        return math.hypot(one[1] - one[0], two[1] - two[0])
    way = np.linspace(0, 1, 257)
    a, b = (np.diff((value * ((limit / value) ** way - 1)) ** 2) for value, limit in (one, two))
    return math.sqrt(max(0.0, float((a + b - 2 * correlation * np.sqrt(a) * np.sqrt(b)).sum())))


# --- the three designs -----------------------------------------------------------------------------------------------


def balanced(scores: ArrayLike, axes: tuple[str, ...], at_least: tuple[int, ...]) -> Vector:
    """Scores as a full array with enough of everything, or the reason why not."""
    shape_words = " x ".join(axes)
    try:
        array = np.asanyarray(scores)  # a masked array keeps its mask, and is refused
    except ValueError:
        raise ValueError(f"scores must be a full array of {shape_words}: each cell equally often") from None
    if array.ndim != len(axes):
        raise ValueError(f"scores must be a full array of {shape_words}, got {array.ndim} dimensions")
    for axis, size, least in zip(axes, array.shape, at_least, strict=True):
        if size < least:
            raise ValueError(f"scores must hold at least {least} {axis}, got {size}")
    return checks.finite_vector("scores", array.ravel()).reshape(array.shape)


def _components(values: Vector, level: float, method: str) -> VarianceComponents:
    """Components from seeds x items x decodes, and the mean with the variance they add up to."""
    share, shape, cells = checks.share("level", level), values.shape, values.mean(axis=2)
    squares, draws = _squares(values, cells, share), _draws(*shape)
    if not any(square.value for square in squares.values()):
        raise ValueError(f"all scores are {values.flat[0]:g}: nothing shows where noise would come from")
    found = {}
    for source, own in squares.items():
        noise = next((squares[other] for other in NOISE_IN[source] if other in squares), _Square(0.0, 0, 0.0, 0.0))
        found[source] = (_difference(own, noise) * draws[source] / values.size).tolist()
    variances = {source: max(raw, 0.0) for source, (raw, _, _) in found.items()}
    total = math.fsum(variances.values())
    least, most, cap = (0, 1, 0.25) if np.isin(values, (0, 1)).all() else (-math.inf, math.inf, math.inf)
    n, few = (shape[0], None) if shape[1] == 1 else (shape[1], _few_items(cells))
    sources = []
    for source, (raw, low, high) in found.items():
        point, facts = max(raw, 0.0), {"raw": raw, "share": max(raw, 0.0) / total, "df": squares[source].df}
        ends = min(max(low, 0.0), cap, point), max(min(high, cap), point)
        warning = _source_warning(source, raw, shape) or few
        sources.append(Estimate(source, point, *ends, share, method, n, extra=facts, warning=warning))
    error = design_standard_error(variances, *shape)
    # Satterthwaite's degrees of freedom for the sum of mean squares that is the variance of the mean.
    spread = math.fsum(square.value**2 / square.df for source, square in squares.items() if source != "decode")
    df = min((error**2 * values.size) ** 2 / spread, values.size - 1) if spread > 0 else values.size - 1
    mean, half = float(values.mean()), float(stats.t.isf((1 - share) / 2, df)) * error
    facts = {"standard_error": float(error), "df": df, **error.extra}
    ends = max(mean - half, least), min(mean + half, most)
    return VarianceComponents(Estimate("mean", mean, *ends, share, method, n, extra=facts, warning=few), tuple(sources))


def _source_warning(source: str, raw: float, shape: tuple[int, ...]) -> str | None:
    if raw <= 0:
        return f"the unbiased estimate is {raw:.3g}: no sign of this noise here, which does not prove it absent"
    if source == "seed_item" and shape[2] == 1:
        return "with one decode this is seed x item and decode noise together"
    if source == "seed" and shape[0] < FEW_SEEDS:
        return f"only {shape[0]} seeds: their variance is known to an order of magnitude"
    return None


def _few_items(results: Vector) -> str | None:
    """A warning where few items depart from the commonest result; `results` has one column an item."""
    _, counts = np.unique(results, axis=1, return_counts=True)
    if (departing := results.shape[1] - int(counts.max())) >= FEW_ITEMS:
        return None
    return f"only {departing} items differ from the commonest result: these intervals cover too seldom; ask more items"


def variance_components(scores: ArrayLike, level: float = 0.95) -> VarianceComponents:
    r"""How much of the noise comes from seeds, items, seed $\times$ item, and decoding?

    Parameters
    ----------
    scores : array of numbers, seeds x items x decodes
        Every seed (a training run, a fine-tune) answers every item equally often. At least 2 seeds and 3 items. With
        one decode, seed x item and decoding cannot be told apart, and are reported together as "seed_item".
    level : float
        Confidence level in [0.5, 1).

    Returns
    -------
    VarianceComponents
        Intervals for the item, seed x item and decode variances come from leaving out items; the one for seeds takes
        the effects of seeds as normal. The interval of the mean is for new seeds and new items. A score of 0 or 1 has
        a variance of at most 1/4, so there upper ends are cut off at 1/4; marks of 0 and 100 are not cut.

    Raises
    ------
    ValueError
        For NaN or ragged scores, too few of anything, scores that are all equal, and scores beyond 1e50.

    Notes
    -----
    Equations `eq-anova` and `eq-total-variance` of chapter `variance`. The unbiased components of a balanced crossed
    design are the mean squares' differences; on one shared set of items, the variance of the seeds' mean scores also
    holds the seed x item variance over the number of items and the decode variance over the number of answers.

    A mean square of items has limits $MS\,e^{\pm t s}$, with s the jackknife standard error of its logarithm when items
    are left out, and t on items - 1 degrees of freedom; one of seeds has $SS/\chi^2$ at both tails. A component is a
    difference U - L of two mean squares over its number of draws. Its lower end lies
    $\sqrt{(U - l_U)^2 + (u_L - L)^2 - 2 r (U - l_U)(u_L - L)}$ below it and its upper end likewise above, with l and u
    the limits of each, and r how the two logarithms correlate when items are left out (0 for seeds); where r is not 0
    the terms are added up along the way to the limits.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(7)
    >>> seeds, items = rng.normal(0, 0.6, (8, 1, 1)), rng.normal(0, 1, (1, 50, 1))
    >>> parts = variance_components(84 + seeds + items + rng.normal(0, 0.4, (8, 50, 5)))
    >>> {name: round(value, 2) for name, value in parts.variances.items()}
    {'seed': 0.2, 'item': 0.8, 'seed_item': 0.0, 'decode': 0.15}
    """
    return _components(balanced(scores, ("seeds", "items", "decodes"), (2, 3, 1)), level, "crossed_anova")


def item_decode_components(scores: ArrayLike, level: float = 0.95) -> VarianceComponents:
    """How much of the noise is the choice of items, and how much the luck of a sampled answer?

    Parameters
    ----------
    scores : array of numbers, items x decodes
        One model, every item answered equally often, at least twice; at least 3 items.
    level : float
        Confidence level in [0.5, 1).

    Returns
    -------
    VarianceComponents
        Sources "item" and "decode"; intervals come from leaving out items.

    Raises
    ------
    ValueError
        As `variance_components`.

    Notes
    -----
    Equations `eq-anova` and `eq-total-variance` of chapter `variance`. For 0/1 scores of one decode the two add up to
    p(1 - p): that variance already holds the decoding, and to add decode noise to it counts it twice.

    Examples
    --------
    >>> scores = [[1, 1, 1], [1, 0, 1], [0, 0, 0], [0, 1, 0], [1, 1, 1], [0, 0, 0]] * 5
    >>> parts = item_decode_components(scores)
    >>> round(parts["item"].point, 3), round(parts["decode"].point, 3), round(parts["item"].extra["share"], 2)
    (0.145, 0.111, 0.57)
    """
    return _components(balanced(scores, ("items", "decodes"), (3, 2))[None], level, "item_decode_anova")


def seed_decode_components(scores: ArrayLike, level: float = 0.95) -> VarianceComponents:
    """How much do training seeds differ, once the noise of repeated runs is taken out?

    Parameters
    ----------
    scores : array of numbers, seeds x runs
        The score of each run over one test set; at least 2 seeds and 2 runs each.
    level : float
        Confidence level in [0.5, 1).

    Returns
    -------
    VarianceComponents
        Sources "seed" and "decode" (between runs of one seed); intervals take both as normal. The items are fixed:
        "seed" also holds the seed x item variance over their number, and the mean says nothing of other items.

    Raises
    ------
    ValueError
        As `variance_components`.

    Notes
    -----
    Equation `eq-anova` of chapter `variance`: the variance of the seeds' means is too large by decode/R.

    Examples
    --------
    >>> parts = seed_decode_components([[84.1, 84.5, 83.9], [83.2, 83.6, 83.1], [84.9, 84.4, 84.8], [83.8, 84.2, 84.0]])
    >>> round(parts["seed"].point, 3), round(parts["decode"].point, 3)
    (0.311, 0.068)
    """
    return _components(balanced(scores, ("seeds", "runs"), (2, 2))[:, None], level, "seed_decode_anova")


# --- planning --------------------------------------------------------------------------------------------------------


def _named(variances: Variances | VarianceComponents) -> Variances:
    return variances.variances if isinstance(variances, VarianceComponents) else variances


def _checked(variances: Variances | VarianceComponents) -> dict[str, float]:
    """The variance of each of the four sources, 0 where none is given."""
    variances = _named(variances)
    if not isinstance(variances, Mapping) or not set(variances) <= set(SOURCES):
        raise ValueError(f"variances must be a mapping with names from {SOURCES}, got {checks.short(variances)}")
    checked = {source: checks.number(source, variances.get(source, 0), 0, LARGEST**2) for source in SOURCES}
    if not any(checked.values()):
        raise ValueError("at least one variance must be above 0, got 0 for every source")
    return checked


def _draws(n_seeds: int, n_items: int, n_decodes: int) -> dict[str, int]:
    """How many independent draws of each source a design averages over."""
    sizes = {"n_seeds": n_seeds, "n_items": n_items, "n_decodes": n_decodes}
    seeds, items, decodes = (checks.integer(name, size, 1) for name, size in sizes.items())
    return {"seed": seeds, "item": items, "seed_item": seeds * items, "decode": seeds * items * decodes}


def design_standard_error(
    variances: Variances | VarianceComponents, n_seeds: int = 1, n_items: int = 1, n_decodes: int = 1
) -> Quantity:
    r"""How far does a mean score typically fall from the truth, and which source is to blame?

    $\sqrt{\sigma^2_{seed}/S + \sigma^2_{item}/I + \sigma^2_{seed \times item}/(SI) + \sigma^2_{decode}/(SID)}$: each
    source is averaged over as many draws of it as the design has, and each is counted once.

    Parameters
    ----------
    variances : mapping from "seed", "item", "seed_item", "decode" to float, or VarianceComponents
        Variance of each source for one answer, at least 0, not all 0. Leave out what does not vary or is fixed.
    n_seeds, n_items, n_decodes : int
        Seeds, items, and decodes for each seed and item.

    Returns
    -------
    Quantity
        In the unit of the scores; `extra` holds what each source adds to the squared error, and the design.

    Raises
    ------
    ValueError
        For another name, a negative variance, variances all 0, and sizes below 1.

    Notes
    -----
    Equation `eq-total-variance` of chapter `variance`.

    Examples
    --------
    Variances of a whole run: three seeds bring their own decodes, and four times the items are four times the decodes:

    >>> budget = {"seed": 0.36, "item": 1.0, "decode": 0.16}
    >>> [round(design_standard_error(budget, n_seeds=seeds), 3) for seeds in (1, 3)]
    [1.233, 1.083]
    >>> round(design_standard_error(budget, n_items=4), 3)
    0.806
    """
    draws = _draws(n_seeds, n_items, n_decodes)
    parts = {source: variance / draws[source] for source, variance in _checked(variances).items()}
    facts = {**parts, "n_seeds": n_seeds, "n_items": n_items, "n_decodes": n_decodes}
    return Quantity(math.sqrt(math.fsum(parts.values())), method="variance_budget", n=n_items, extra=facts)


class CheapestDesign(Quantity):
    """How many seeds, items and decodes? The standard error that these reach, as a number; it prints as the plan.

    Examples
    --------
    >>> print(cheapest_design(0.02, {"item": 0.092, "decode": 0.146}, cost_item=20))
    1 seed x 291 items x 6 decodes: standard error 0.01999 (target 0.02), cost 7566
    """

    def __str__(self) -> str:
        counts = ((self.extra[f"n_{unit}s"], unit) for unit in ("seed", "item", "decode"))
        design = " x ".join(f"{count} {unit}{'s' * (count > 1)}" for count, unit in counts)
        reached = f"standard error {float(self):.4g} (target {self.extra['target_error']:g})"
        worst = self.extra.get("error_at_upper_ends")
        at_ends = "" if worst is None else f", {worst:.4g} at the upper ends of the variances"
        return f"{design}: {reached}{at_ends}, cost {self.extra['cost']:g}{_warning_words(self.warning)}"


def cheapest_design(
    target_error: float,
    variances: Variances | VarianceComponents,
    *,
    cost_seed: float = 0,
    cost_item: float = 0,
    cost_answer: float = 1,
) -> CheapestDesign:
    r"""Which numbers of seeds, items and decodes reach a standard error at the lowest price?

    The price is `cost_seed` for each seed, `cost_item` for each item and `cost_answer` for each answer. Where costs add
    up and each source has a number of draws of its own, that number goes as $\sqrt{\sigma_j^2/c_j}$: the largest source
    is not the one to attack when it is the dearest.

    Parameters
    ----------
    target_error : float
        The standard error to reach, above 0, in the unit of the scores.
    variances : mapping, or VarianceComponents
        As in `design_standard_error`.
    cost_seed, cost_item : float
        At least 0.
    cost_answer : float
        Above 0.

    Returns
    -------
    CheapestDesign
        A `Quantity`: the standard error that the design reaches, at most the target. `extra["n_seeds"]`,
        `extra["n_items"]` and `extra["n_decodes"]` (for each seed and item) are the best whole numbers: all numbers of
        seeds that could pay are tried. `extra["cost"]` is the price. A source that is given as 0 is trusted, with a
        warning, for a negative estimate is reported as 0 too. From `VarianceComponents`, `extra["error_at_upper_ends"]`
        is what this design reaches when every variance lies at the upper end of its interval (None where one has no
        upper end).

    Raises
    ------
    ValueError
        For a target or `cost_answer` not above 0, negative variances or costs, variances all 0, and a target that
        takes 10,000 seeds or 10 million answers.

    Notes
    -----
    Equation `eq-cheapest-design` of chapter `variance`.

    Examples
    --------
    Writing an item costs as much as 20 answers, so each is answered several times:

    >>> best = cheapest_design(0.02, {"item": 0.092, "decode": 0.146}, cost_item=20)
    >>> best.extra["n_items"], best.extra["n_decodes"], best.extra["cost"], round(best, 5)
    (291, 6, 7566.0, 0.01999)
    """
    error = checks.positive("target_error", target_error)
    squared_error = error * error
    seed, item, seed_item, decode = _checked(variances).values()
    given = {"cost_seed": cost_seed, "cost_item": cost_item, "cost_answer": checks.positive("cost_answer", cost_answer)}
    per_seed, per_item, per_answer = (checks.number(owner, cost, 0, LARGEST) for owner, cost in given.items())
    if max(seed / MOST_SEEDS, (item + seed_item + decode) / MOST_ANSWERS) >= squared_error:
        raise ValueError(f"target_error must not take {MOST_SEEDS} seeds or {MOST_ANSWERS} answers, got {error}")
    # With noise from elsewhere too, the seeds must leave room for it; alone they may reach the target exactly.
    needed, best = seed / squared_error, (math.inf, 1, 1, 1)
    n_seeds = math.floor(needed) + 1 if item + seed_item + decode else max(1, math.ceil(needed - 1e-9))
    # However they are spread, each seed answers each item and there are at least so many answers in all.
    fewest_items, fewest_answers = max(1.0, item / squared_error), (seed_item + decode) / squared_error
    while n_seeds * per_seed + per_answer * max(n_seeds * fewest_items, fewest_answers) < best[0]:
        room = max(squared_error - seed / n_seeds, 1e-9 * squared_error)
        each_item, each_answer = item + seed_item / n_seeds, decode / n_seeds
        n_items, n_decodes = _items_and_decodes(room, each_item, each_answer, per_item, per_answer * n_seeds)
        cost = per_seed * n_seeds + per_item * n_items + per_answer * n_seeds * n_items * n_decodes
        best = min(best, (cost, n_seeds, n_items, n_decodes))
        if seed == seed_item == 0:
            break  # a second seed would only be a dearer decode
        n_seeds += 1
    reached = design_standard_error(variances, *best[1:])
    costs = {"cost": best[0], "cost_seed": per_seed, "cost_item": per_item, "cost_answer": per_answer}
    extra = {"target_error": error, **costs, **reached.extra}
    if isinstance(variances, VarianceComponents):
        ends = {one.name: one.ci_high for one in variances.sources}
        bounded = math.inf not in ends.values()
        extra["error_at_upper_ends"] = float(design_standard_error(ends, *best[1:])) if bounded else None
    zeros = " and ".join(source for source, variance in _named(variances).items() if variance == 0)
    warning = f"{zeros} counts as 0, as a negative estimate does: that proves no noise absent" if zeros else None
    return CheapestDesign(reached, method="cheapest_design", n=reached.n, extra=extra, warning=warning)


def _items_and_decodes(room: float, item: float, decode: float, cost_item: float, cost_row: float) -> tuple[int, int]:
    """The cheapest items and decodes with item/I + decode/(I D) <= room, when an item costs cost_item + D cost_row."""
    if item == 0:
        return 1, max(1, math.ceil(decode / room - 1e-9))
    decodes = np.arange(1.0, min(2 * math.sqrt(decode / item) * math.sqrt(cost_item / cost_row) + 2, MOST_ANSWERS) + 1)
    items = np.maximum(1, np.ceil((item + decode / decodes) / room - 1e-9))
    # With few items still more decodes may pay, because whole numbers are coarse.
    fewer = np.arange(math.floor(item / room) + 1, min(items[-1], item / room + 1000))
    decodes = np.append(decodes, np.ceil(decode / np.maximum(room * fewer - item, 1e-9 * room) - 1e-9))
    items = np.append(items, fewer)
    cheapest = int(np.argmin(items * (cost_item + cost_row * decodes)))
    return int(items[cheapest]), int(decodes[cheapest])
