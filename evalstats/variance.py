r"""Where does the noise come from, and what would it cost to have less of it?

The model of one score is $\mu$ + seed + item + seed $\times$ item + decode: a training seed, a question, how this seed
takes to this question, and the luck of one sampled answer. All seeds answer all items, equally often.

A variance is estimated by subtracting what the other sources put into the same mean square (analysis of variance), so
it can come out negative; then 0 is reported, and the raw value kept beside it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from . import _checks as checks
from .proportion import Quantity
from .result import Estimate, Extra, Result

__all__ = [
    "CheapestDesign",
    "VarianceComponents",
    "cheapest_design",
    "design_standard_error",
    "item_decode_components",
    "seed_decode_components",
    "variance_components",
]

Vector = NDArray[np.float64]

SOURCES = ("seed", "item", "seed_item", "decode")
FEW_ITEMS = 10  # with fewer items that differ from the commonest result, intervals cover too seldom: tests/calibration
FEW_SEEDS = 5  # with fewer seeds the interval of their variance spans orders of magnitude


@dataclass(frozen=True)
class VarianceComponents:
    """How much of the noise does each source bring? Made by `variance_components` and its two smaller forms.

    Attributes
    ----------
    mean : Estimate
        The mean score; its standard error counts every source once.
    sources : tuple of Estimate
        One variance each, named "seed", "item", "seed_item", "decode", in the squared unit of the scores.
        `extra["raw"]` is the unbiased value, negative where the reported one is 0, and `extra["share"]` the part of
        one answer's variance.
    n_seeds, n_items, n_decodes : int
        The design the data came from; 1 for what the design does not vary.

    Raises
    ------
    ValueError
        For no sources, and names that are not of the four.

    Examples
    --------
    >>> parts = item_decode_components([[1, 1], [1, 0], [0, 0], [1, 1]])
    >>> parts["item"].name, round(parts["decode"].point, 3), round(parts.standard_error(n_items=400), 4)
    ('item', 0.125, 0.027)
    """

    mean: Estimate
    sources: tuple[Estimate, ...]
    n_seeds: int = 1
    n_items: int = 1
    n_decodes: int = 1

    def __post_init__(self) -> None:
        names = [one.name for one in self.sources]
        if not names or not set(names) <= set(SOURCES) or len(set(names)) < len(names):
            raise ValueError(f"sources must be named once each from {SOURCES}, got {names}")
        for size in ("n_seeds", "n_items", "n_decodes"):
            object.__setattr__(self, size, checks.integer(size, getattr(self, size), 1))

    def __getitem__(self, source: str) -> Estimate:
        for one in self.sources:
            if one.name == source:
                return one
        raise ValueError(f"source must be one of {[one.name for one in self.sources]}, got {source!r}")

    @property
    def variances(self) -> dict[str, float]:
        """The reported variance of each source, ready for `design_standard_error` and `cheapest_design`."""
        return {one.name: one.point for one in self.sources}

    def standard_error(self, n_seeds: int = 1, n_items: int = 1, n_decodes: int = 1) -> Quantity:
        """`design_standard_error` of these sources in another design."""
        return design_standard_error(**self.variances, n_seeds=n_seeds, n_items=n_items, n_decodes=n_decodes)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values that `json.dumps` writes and `from_dict` reads back."""
        sizes = {size: getattr(self, size) for size in ("n_seeds", "n_items", "n_decodes")}
        return {"mean": self.mean.to_dict(), "sources": [one.to_dict() for one in self.sources]} | sizes

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The result that `to_dict` described."""
        known = {each.name for each in fields(cls)}
        if set(values) != known:
            raise ValueError(f"{cls.__name__} has the fields {sorted(known)}, got {sorted(values)}")
        sources = tuple(Estimate.from_dict(one) for one in values["sources"])
        return cls(**{**values, "mean": Estimate.from_dict(values["mean"]), "sources": sources})

    def __str__(self) -> str:
        return "\n".join(str(one) for one in (self.mean, *self.sources))


# --- mean squares ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Square:
    """A mean square with limits of its own, and how each item pulls at its logarithm where they were made from that."""

    value: float
    df: int
    low: float
    high: float
    pulls: Vector | None = None

    @classmethod
    def normal(cls, value: float, df: int, level: float) -> _Square:
        """Limits for normal effects, from chi-square: for seeds, which are too few to show how they are distributed."""
        tails = np.array([(1 + level) / 2, (1 - level) / 2])
        low, high = df * value / stats.chi2.ppf(tails, df)
        return cls(value, df, float(low), float(high))

    @classmethod
    def by_items(cls, value: float, df: int, left_out: Vector, level: float) -> _Square:
        """Limits from leaving out each item in turn, on the scale of the logarithm; none where one item is everything.

        Where there is nothing at all (answers at temperature 0 that never differ), the noise is taken to be absent.
        """
        if value == 0:
            return cls(0.0, df, 0.0, 0.0)
        if left_out.min() <= 1e-12 * left_out.max():
            return cls(value, df, 0.0, math.inf)
        pulls, error = log_jackknife(left_out)
        reach = float(stats.t.isf((1 - level) / 2, left_out.size - 1)) * error
        return cls(value, df, value * math.exp(-reach), value * math.exp(min(reach, 700)), pulls)


def log_jackknife(left_out: Vector) -> tuple[Vector, float]:
    """How far the logarithm moves when each unit is left out, and the standard error that this shows."""
    logs = np.log(left_out)
    pulls = logs - logs.mean()
    return pulls, math.sqrt((1 - 1 / pulls.size) * math.fsum(pulls**2))


def _difference_limits(upper: _Square, lower: _Square) -> tuple[float, float]:
    """Limits of upper - lower from the limits of each, which add like errors that correlate as the pulls do."""
    correlation = 0.0
    if upper.pulls is not None and lower.pulls is not None:
        scale = math.sqrt(math.fsum(upper.pulls**2) * math.fsum(lower.pulls**2))
        correlation = math.fsum(upper.pulls * lower.pulls) / scale if scale > 0 else 0.0
    down = _combined(upper.value - upper.low, lower.high - lower.value, correlation)
    up = _combined(upper.high - upper.value, lower.value - lower.low, correlation)
    return upper.value - lower.value - down, upper.value - lower.value + up


def _combined(first: float, second: float, correlation: float) -> float:
    if math.isinf(first) or math.isinf(second):
        return math.inf
    return math.sqrt(max(0.0, first**2 + second**2 - 2 * correlation * first * second))


def _crossed_squares(cells: Vector, within: Vector, n_decodes: int) -> tuple[dict[str, Vector], dict[str, int]]:
    """The mean squares of all items (first) and of all but each one, with their degrees of freedom.

    `cells` holds the mean of each seed (row) on each item, `within` the squares around them, added up for each item.
    """
    n_seeds, n_items = cells.shape
    item_means = cells.mean(axis=0)
    kept = n_items - np.concatenate([[0.0], np.ones(n_items)])
    seed_totals, grand = _less_each(cells), _less_each(item_means) / kept
    around_mean = n_seeds * kept * grand**2
    items = n_seeds * _less_each(item_means**2) - around_mean
    seeds = (seed_totals**2).sum(axis=0) / kept - around_mean
    both = _less_each((cells**2).sum(axis=0)) - around_mean - items - seeds
    sums = {"seed": seeds, "item": items, "seed_item": both}
    df = {"seed": kept * 0 + n_seeds - 1, "item": kept - 1, "seed_item": (n_seeds - 1) * (kept - 1)}
    squares = {name: n_decodes * np.maximum(sums[name], 0) / np.maximum(df[name], 1) for name in sums}
    df["decode"] = n_seeds * kept * (n_decodes - 1)
    squares["decode"] = _less_each(within) / np.maximum(df["decode"], 1)
    return squares, {name: int(value[0]) for name, value in df.items()}


def _less_each(values: Vector) -> Vector:
    """The sum over the last axis, then the sums without each entry."""
    total = values.sum(axis=-1, keepdims=True)
    return np.concatenate([total, total - values], axis=-1)


def _contrasts(n_seeds: int, n_items: int, n_decodes: int) -> dict[str, tuple[str | None, int]]:
    """For each source: the mean square to subtract from its own, and by how much to divide (equation `eq-anova`)."""
    noise = "decode" if n_decodes > 1 else None
    if n_seeds == 1:
        return {"item": (noise, n_decodes), "decode": (None, 1)}
    if n_items == 1:
        return {"seed": (noise, n_decodes), "decode": (None, 1)}
    crossed: dict[str, tuple[str | None, int]] = {
        "seed": ("seed_item", n_items * n_decodes),
        "item": ("seed_item", n_seeds * n_decodes),
        "seed_item": (noise, n_decodes),
    }
    return crossed | ({"decode": (None, 1)} if noise else {})


# --- the three designs -----------------------------------------------------------------------------------------------


def balanced(scores: ArrayLike, axes: tuple[str, ...], at_least: tuple[int, ...]) -> Vector:
    """Scores as a full array with enough of everything, or the reason why not."""
    shape_words = " x ".join(axes)
    try:
        array = np.asanyarray(scores)  # a masked array keeps its mask, and is refused
    except ValueError as error:
        raise ValueError(f"scores must be a full array of {shape_words}: each cell equally often ({error})") from error
    if array.ndim != len(axes):
        raise ValueError(f"scores must be a full array of {shape_words}, got {array.ndim} dimensions")
    for axis, size, least in zip(axes, array.shape, at_least, strict=True):
        if size < least:
            raise ValueError(f"scores must hold at least {least} {axis}, got {size}")
    return checks.finite_vector("scores", array.ravel()).reshape(array.shape)


def _varied(scores: ArrayLike, axes: tuple[str, ...], at_least: tuple[int, ...]) -> Vector:
    """Balanced scores that are not all equal."""
    values = balanced(scores, axes, at_least)
    if np.ptp(values) == 0:
        raise ValueError(f"all scores are {values.flat[0]:g}: nothing shows where noise would come from")
    return values


def _result(
    scores: Vector, squares: dict[str, _Square], level: float, method: str, warning: str | None
) -> VarianceComponents:
    """Components, and the mean with the variance they add up to (equation `eq-total-variance`)."""
    n_seeds, n_items, n_decodes = scores.shape
    cap = 0.25 if np.isin(scores, (0, 1)).all() else math.inf
    n = n_seeds if n_items == 1 else n_items
    raw, limits = {}, {}
    for source, (other, divisor) in _contrasts(*scores.shape).items():
        own = squares[source]
        less = _Square(0.0, 1, 0.0, 0.0) if other is None else squares[other]
        raw[source] = (own.value - less.value) / divisor
        limits[source] = [min(max(end / divisor, 0.0), cap) for end in _difference_limits(own, less)]
    point = {source: max(value, 0.0) for source, value in raw.items()}
    total = math.fsum(point.values())
    sources = []
    for source, value in point.items():
        facts = {"raw": raw[source], "share": value / total, "df": squares[source].df}
        words = _source_warning(source, raw[source], scores.shape) or warning
        low, high = limits[source]
        low, high = min(low, value), max(high, value)
        sources.append(Estimate(source, value, low, high, level, method, n, extra=facts, warning=words))
    error = design_standard_error(**point, n_seeds=n_seeds, n_items=n_items, n_decodes=n_decodes)
    mean = _mean(scores, squares, error, level, math.isfinite(cap))
    about_mean = Estimate("mean", *mean[:3], level, method, n, extra={**mean[3], **error.extra}, warning=warning)
    return VarianceComponents(about_mean, tuple(sources), n_seeds, n_items, n_decodes)


def _mean(
    scores: Vector, squares: dict[str, _Square], error: Quantity, level: float, binary: bool
) -> tuple[float, float, float, dict[str, float]]:
    """The mean give or take t standard errors, with Satterthwaite's degrees of freedom for a sum of mean squares."""
    used = [square for source, square in squares.items() if source != "decode"]
    spread = math.fsum(square.value**2 / square.df for square in used)
    df = min((error**2 * scores.size) ** 2 / spread, scores.size - 1) if spread > 0 else scores.size - 1
    mean, half = float(scores.mean()), float(stats.t.isf((1 - level) / 2, df)) * error
    low, high = (max(mean - half, 0.0), min(mean + half, 1.0)) if binary else (mean - half, mean + half)
    return mean, low, high, {"standard_error": float(error), "df": float(df)}


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
        the effects of seeds as normal. The interval of the mean is for new seeds and new items.

    Raises
    ------
    ValueError
        For NaN or ragged scores, too few of anything, and scores that are all equal.

    Notes
    -----
    Equations `eq-anova` and `eq-total-variance` of chapter `variance`. The unbiased components of a balanced crossed
    design are the mean squares' differences; on one shared set of items, the variance of the seeds' mean scores also
    holds the seed x item variance over the number of items and the decode variance over the number of answers.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(7)
    >>> seeds, items = rng.normal(0, 0.6, (8, 1, 1)), rng.normal(0, 1, (1, 50, 1))
    >>> parts = variance_components(84 + seeds + items + rng.normal(0, 0.4, (8, 50, 5)))
    >>> {name: round(value, 2) for name, value in parts.variances.items()}
    {'seed': 0.2, 'item': 0.8, 'seed_item': 0.0, 'decode': 0.15}
    """
    values = _varied(scores, ("seeds", "items", "decodes"), (2, 3, 1))
    return _by_items(values, checks.share("level", level), "crossed_anova")


def _by_items(values: Vector, level: float, method: str) -> VarianceComponents:
    cells = values.mean(axis=2)
    within = ((values - cells[:, :, None]) ** 2).sum(axis=(0, 2))
    each, df = _crossed_squares(cells - cells.mean(), within, values.shape[2])
    squares = {
        source: _Square.normal(float(each[source][0]), df[source], level)
        if source == "seed"
        else _Square.by_items(float(each[source][0]), df[source], each[source][1:], level)
        for source in _contrasts(*values.shape)
    }
    return _result(values, squares, level, method, _few_items(cells))


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
    values = _varied(scores, ("items", "decodes"), (3, 2))
    return _by_items(values[None], checks.share("level", level), "item_decode_anova")


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
    values = _varied(scores, ("seeds", "runs"), (2, 2))
    share, (n_seeds, n_runs) = checks.share("level", level), values.shape
    squares = {
        "seed": _Square.normal(n_runs * float(values.mean(axis=1).var(ddof=1)), n_seeds - 1, share),
        "decode": _Square.normal(float(values.var(axis=1, ddof=1).mean()), n_seeds * (n_runs - 1), share),
    }
    return _result(values[:, None, :], squares, share, "seed_decode_anova", None)


# --- planning --------------------------------------------------------------------------------------------------------


def design_standard_error(
    *,
    seed: float = 0.0,
    item: float = 0.0,
    seed_item: float = 0.0,
    decode: float = 0.0,
    n_seeds: int = 1,
    n_items: int = 1,
    n_decodes: int = 1,
) -> Quantity:
    r"""How far does a mean score typically fall from the truth, and which source is to blame?

    $\sqrt{\sigma^2_{seed}/S + \sigma^2_{item}/I + \sigma^2_{seed \times item}/(SI) + \sigma^2_{decode}/(SID)}$: each
    source is averaged over as many draws of it as the design has, and each is counted once.

    Parameters
    ----------
    seed, item, seed_item, decode : float
        Variance of each source for one answer, at least 0, not all 0. Leave out (0) what does not vary or is fixed.
    n_seeds, n_items, n_decodes : int
        Seeds, items, and decodes for each seed and item.

    Returns
    -------
    Quantity
        In the unit of the scores; `extra` holds what each source adds to the squared error.

    Raises
    ------
    ValueError
        For a negative variance, variances all 0, and sizes below 1.

    Notes
    -----
    Equation `eq-total-variance` of chapter `variance`.

    Examples
    --------
    Variances of a whole run: three seeds bring their own decodes, and four times the items are four times the decodes:

    >>> budget = {"seed": 0.36, "item": 1.0, "decode": 0.16}
    >>> [round(design_standard_error(**budget, n_seeds=seeds), 3) for seeds in (1, 3)]
    [1.233, 1.083]
    >>> round(design_standard_error(**budget, n_items=4), 3)
    0.806
    """
    given = dict(zip(SOURCES, (seed, item, seed_item, decode), strict=True))
    variances = {source: checks.number(source, value, 0) for source, value in given.items()}
    if not any(variances.values()):
        raise ValueError("at least one variance must be above 0, got 0 for every source")
    seeds, items = checks.integer("n_seeds", n_seeds, 1), checks.integer("n_items", n_items, 1)
    answers = seeds * items * checks.integer("n_decodes", n_decodes, 1)
    draws = dict(zip(SOURCES, (seeds, items, seeds * items, answers), strict=True))
    parts = {source: variance / draws[source] for source, variance in variances.items()}
    return Quantity(math.sqrt(math.fsum(parts.values())), method="variance_budget", n=items, extra=parts)


@dataclass(frozen=True)
class CheapestDesign(Result):
    """How many seeds, items and decodes to pay for? Made by `cheapest_design`.

    Parameters
    ----------
    n_seeds, n_items, n_decodes : int
        Decodes are for each seed and item.
    cost : float
        In the unit of the costs.
    standard_error : float
        What this design achieves, at most the target.
    name : str
        Of the plan.
    extra : mapping
        Target, costs, and what each source adds to the squared error.

    Raises
    ------
    ValueError
        For sizes below 1, and a cost or error that is not above 0.

    Examples
    --------
    >>> print(CheapestDesign(1, 400, 2, 800.0, 0.02))
    1 seed(s) x 400 item(s) x 2 decode(s), cost 800, standard error 0.02
    """

    METRICS: ClassVar[tuple[str, ...]] = ("cost", "standard_error")

    n_seeds: int
    n_items: int
    n_decodes: int
    cost: float
    standard_error: float
    name: str = "design"
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sizes = {size: checks.integer(size, getattr(self, size), 1) for size in ("n_seeds", "n_items", "n_decodes")}
        self._put(**sizes, cost=checks.positive("cost", self.cost), name=checks.text("name", self.name))
        self._put(standard_error=checks.positive("standard_error", self.standard_error), extra=Extra(self.extra))

    def __str__(self) -> str:
        sizes = f"{self.n_seeds} seed(s) x {self.n_items} item(s) x {self.n_decodes} decode(s)"
        return f"{sizes}, cost {self.cost:g}, standard error {self.standard_error:.4g}"


def cheapest_design(
    target_error: float,
    *,
    seed: float = 0.0,
    item: float = 0.0,
    seed_item: float = 0.0,
    decode: float = 0.0,
    cost_seed: float = 0.0,
    cost_item: float = 0.0,
    cost_answer: float = 1.0,
) -> CheapestDesign:
    r"""Which numbers of seeds, items and decodes reach a standard error at the lowest price?

    The price is `cost_seed` for each seed, `cost_item` for each item and `cost_answer` for each answer. Where costs add
    up and each source has a number of draws of its own, that number goes as $\sqrt{\sigma_j^2/c_j}$: the largest source
    is not the one to attack when it is the dearest.

    Parameters
    ----------
    target_error : float
        The standard error to reach, above 0, in the unit of the scores.
    seed, item, seed_item, decode : float
        Variance of each source for one answer, at least 0, not all 0.
    cost_seed, cost_item : float
        At least 0.
    cost_answer : float
        Above 0.

    Returns
    -------
    CheapestDesign
        The best whole numbers: all numbers of seeds that could pay are tried.

    Raises
    ------
    ValueError
        For a target or `cost_answer` not above 0, negative variances or costs, and variances all 0.

    Notes
    -----
    Equation `eq-cheapest-design` of chapter `variance`.

    Examples
    --------
    Writing an item costs as much as 20 answers, so each is answered several times:

    >>> print(cheapest_design(0.02, item=0.092, decode=0.146, cost_item=20))
    1 seed(s) x 291 item(s) x 6 decode(s), cost 7566, standard error 0.01999
    """
    error = checks.positive("target_error", target_error)
    design_standard_error(seed=seed, item=item, seed_item=seed_item, decode=decode)  # refuses what is no variance
    per_seed, per_item = checks.number("cost_seed", cost_seed, 0), checks.number("cost_item", cost_item, 0)
    per_answer = checks.positive("cost_answer", cost_answer)
    best: tuple[float, int, int, int] = (math.inf, 1, 1, 1)
    seeds_needed = seed / error**2
    # With noise from elsewhere too, the seeds must leave room for it; alone they may reach the target exactly.
    n_seeds = math.floor(seeds_needed) + 1 if item + seed_item + decode else max(1, math.ceil(seeds_needed - 1e-9))
    # However they are spread, each seed answers each item and there are at least so many answers in all.
    fewest_items, fewest_answers = max(1.0, item / error**2), (seed_item + decode) / error**2
    while n_seeds * per_seed + per_answer * max(n_seeds * fewest_items, fewest_answers) < best[0]:
        room = max(error**2 - seed / n_seeds, 1e-9 * error**2)
        n_items, n_decodes = _items_and_decodes(
            room, item + seed_item / n_seeds, decode / n_seeds, per_item, per_answer * n_seeds
        )
        cost = per_seed * n_seeds + per_item * n_items + per_answer * n_seeds * n_items * n_decodes
        best = min(best, (cost, n_seeds, n_items, n_decodes))
        if seed == seed_item == 0:
            break  # a second seed would only be a dearer decode
        n_seeds += 1
    cost, n_seeds, n_items, n_decodes = best
    reached = design_standard_error(
        seed=seed, item=item, seed_item=seed_item, decode=decode, n_seeds=n_seeds, n_items=n_items, n_decodes=n_decodes
    )
    costs = {"cost_seed": per_seed, "cost_item": per_item, "cost_answer": per_answer}
    facts = {"target_error": error, **costs, **reached.extra}
    return CheapestDesign(n_seeds, n_items, n_decodes, cost, float(reached), extra=facts)


def _items_and_decodes(room: float, item: float, decode: float, cost_item: float, cost_row: float) -> tuple[int, int]:
    """The cheapest items and decodes with item/I + decode/(I D) <= room, when an item costs cost_item + D cost_row."""
    if item == 0:
        return 1, max(1, math.ceil(decode / room - 1e-9))
    ideal = math.sqrt(decode * cost_item / (item * cost_row))
    spare = room * (math.floor(item / room) + 1) - item  # what the fewest items leave to decoding
    most = math.ceil(min(decode / max(spare, 1e-9 * room), 2 * ideal + 2))  # more could not save another item
    decodes = np.arange(1, max(1, most) + 1)
    items = np.maximum(1, np.ceil((item + decode / decodes) / room - 1e-9))
    cheapest = int(np.argmin(items * (cost_item + cost_row * decodes)))
    return int(items[cheapest]), int(decodes[cheapest])
