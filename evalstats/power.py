"""How many items do we need? Sample sizes, and the power a given number of items has.

Every answer names its test: 194 items are enough for one form of McNemar's test and not for another.
There are three questions: `required_n_*` for the number of items, `power_*` for how often that number sees a
difference, and `minimum_detectable_effect` for the difference it can show.
Sizes come from normal approximations, save those of McNemar's exact, mid-p and corrected tests: these, and the power of
all four forms, come from adding up all possible outcomes.
Give them the smallest difference that would matter, not the one that was seen; and where the noise was measured on a
pilot, `pilot_required_n_*` says how far the answer can be trusted.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from inspect import signature
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ._checks import MOST_COUNTED as MOST
from ._checks import Counts, Groups, Vector, cluster_codes, function, integer, number, positive, share
from .result import Estimate, Result, SampleSize, _warning_words

if TYPE_CHECKING:
    from .paired import PairedTable


Facts = dict[str, Any]

_standard_normal = NormalDist()

FEW_OF_A_KIND = 10  # with fewer right or wrong answers expected, the normal approximation is poor
MOST_COUNTED = 10**7  # items whose outcomes are added up, in less than a second; beyond, approximations are as good
MOST_SEARCHED = 10**6  # the same where the number of items is looked for


@dataclass(frozen=True)
class Power(Result):
    """How often would this test see the difference? A probability of rejection with its design.

    Parameters
    ----------
    power : float
        Probability of rejecting, in [0, 1]; with a difference of 0 it is the false-alarm rate.
    test : str
        The named test.
    alpha : float
        Its two-sided level, in (0, 0.5).
    n : int
        Number of items.
    name : str
        Of the comparison.
    extra : mapping
        The assumed difference and noise.

    Raises
    ------
    ValueError
        For a probability outside [0, 1], alpha outside (0, 0.5), n below 1.

    Examples
    --------
    >>> from evalstats import Power
    >>> print(Power(0.7731, "mcnemar_exact", 0.05, 194, extra={"delta": 0.1, "psi": 0.25}))
    power 0.7731 (mcnemar_exact, alpha 0.05, n = 194)
    """

    METRICS: ClassVar[tuple[str, ...]] = ("power",)

    power: float
    test: str
    alpha: float
    n: int
    name: str = "power"
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __float__(self) -> float:
        return self.power

    def __str__(self) -> str:
        return f"power {self.power:.4g} ({self.test}, alpha {self.alpha:g}, n = {self.n})"


@dataclass(frozen=True)
class DetectableEffect(Result):
    """Which difference would this eval show, with this power? One for each direction.

    A smaller difference can still come out significant by luck; this is the smallest one that does so often enough to
    plan on.

    Parameters
    ----------
    up, down : float or None
        The gain (above 0) and the loss (below 0), in the unit of the scores; None where no possible one is seen often
        enough.
    test : str
        The named test.
    alpha, power : float
        Two-sided level in (0, 0.5), and power, above alpha and below 1.
    n : int
        Number of items.
    name : str
        Of the plan.
    extra : mapping
        The assumed noise.
    warning : str or None
        What to beware of.

    Raises
    ------
    ValueError
        For a gain not above 0 or a loss not below, alpha outside (0, 0.5) or power outside (alpha, 1), n below 1.

    Examples
    --------
    >>> print(DetectableEffect(0.0419, -0.0474, "unpaired_z_unpooled", 0.05, 0.8, 1000))
    up 0.0419, down -0.0474 (unpaired_z_unpooled, alpha 0.05, power 0.8, n = 1000)
    """

    METRICS: ClassVar[tuple[str, ...]] = ("up", "down")

    up: float | None
    down: float | None
    test: str
    alpha: float
    power: float
    n: int
    name: str = "minimum_detectable_effect"
    extra: Mapping[str, Any] = field(default_factory=dict)
    warning: str | None = None

    def __post_init__(self) -> None:
        up = None if self.up is None else positive("up", self.up)
        down = None if self.down is None else number("down", self.down)
        if down is not None and down >= 0:
            raise ValueError(f"down must be below 0, got {self.down!r}")
        self._put(up=up, down=down)
        super().__post_init__()

    def __str__(self) -> str:
        up, down = ("none" if size is None else f"{size:.4g}" for size in (self.up, self.down))
        facts = f"{self.test}, alpha {self.alpha:g}, power {self.power:g}, n = {self.n}"
        return f"up {up}, down {down} ({facts})" + _warning_words(self.warning)


# --- what the designs share ------------------------------------------------------------------------------------------


def _critical_z(alpha: float, sides: int = 2) -> float:
    """The z that chance alone exceeds with probability alpha/sides."""
    return -_standard_normal.inv_cdf(share("alpha", alpha) / sides)


def _quantiles(alpha: float, power: float) -> tuple[float, float]:
    """The critical value of the test, and the normal quantile that leaves the power below it."""
    if share("power", power) <= share("alpha", alpha):
        raise ValueError(f"power must be above alpha, which no difference at all would give, got {power!r}")
    return _critical_z(alpha), _standard_normal.inv_cdf(power)


def _discordance(delta: float, psi: float) -> tuple[float, float]:
    """Refuse pairs that cannot be: the systems cannot differ by more than they disagree."""
    difference, disagreement = number("delta", delta, -1, 1), number("psi", psi, 0, 1)
    if disagreement == 0 or abs(difference) > disagreement:
        raise ValueError(f"psi must lie in (0, 1] and be at least |delta|, got psi {psi!r} with delta {delta!r}")
    return difference, disagreement


def _design_effect(cluster_size: int, icc: float) -> float:
    if -1 <= number("icc", icc) < 0:
        raise ValueError(f"icc must lie in [0, 1], got {icc!r}: a negative estimate shows no likeness; give 0")
    return 1 + (integer("cluster_size", cluster_size, 1) - 1) * number("icc", icc, 0, 1)


def _whole_clusters(n: int, cluster_size: int, icc: float, low: int = 1) -> tuple[int, float, Facts]:
    """How many clusters n rows fill, how many independent rows these are worth, and the design in words."""
    rows, effect = integer("n", n, low), _design_effect(cluster_size, icc)
    if rows % cluster_size or (cluster_size > 1 and rows < 2 * cluster_size):
        raise ValueError(f"n must fill 2 or more whole clusters of {cluster_size}, got {n}")
    return rows // cluster_size, rows / effect, {"cluster_size": cluster_size, "icc": float(icc)}


def _required(
    test: str, spread: tuple[float, float, float], alpha: float, power: float, facts: Facts, size: int, icc: float
) -> SampleSize:
    """The rows at which a z test has the power, in whole clusters of `size`.

    `spread` holds the difference, and the standard deviations of a row without and with it.
    """
    (delta, null_sd, true_sd), (z_alpha, z_power) = spread, _quantiles(alpha, power)
    if delta == 0:
        raise ValueError(f"delta must not be 0, got {delta!r}: no number of items shows a difference of nothing")
    effect, root_n = _design_effect(size, icc), (z_alpha * null_sd + z_power * true_sd) / delta
    if not math.isfinite(root_n * root_n):
        raise ValueError(f"delta must be large enough for a finite number of items, got {delta!r}")
    clusters = max(1, math.ceil(root_n * root_n * (effect / size)))
    design = facts | ({} if size == 1 else {"cluster_size": size, "icc": float(icc), "clusters": clusters})
    return SampleSize(clusters * size, test=test, alpha=alpha, power=power, design=design)


# --- items of their own for each system ------------------------------------------------------------------------------


def _shift(rows: float, p_a: float, p_b: float) -> float:
    """The expected z: the difference in standard errors, both variances as assumed."""
    return (p_a - p_b) * math.sqrt(rows / (p_a * (1 - p_a) + p_b * (1 - p_b)))


def required_n_two_proportions(
    p_a: float, p_b: float, alpha: float = 0.05, power: float = 0.80, *, cluster_size: int = 1, icc: float = 0.0
) -> SampleSize:
    """How many items does each system need if they answer different items? For the two-sided unpaired z test.

    Parameters
    ----------
    p_a, p_b : float
        The two accuracies, in (0, 1), different.
    alpha, power : float
        Two-sided level in (0, 0.5), and power, above alpha and below 1.
    cluster_size : int
        Items a cluster, the same for all.
    icc : float
        Intraclass correlation of the scores, in [0, 1].

    Returns
    -------
    SampleSize
        Of items for each of the two systems.

    Raises
    ------
    ValueError
        For equal accuracies, an accuracy outside (0, 1), alpha outside (0, 0.5) or power outside (alpha, 1).

    Notes
    -----
    Equation `eq-required-n-two-proportions` of chapter `power`; both variances as assumed, unpooled.

    Examples
    --------
    One point, from 85% to 86%, on two separate test sets:

    >>> from evalstats import required_n_two_proportions
    >>> print(required_n_two_proportions(0.85, 0.86))
    19458
    """
    facts = {"p_a": share("p_a", p_a), "p_b": share("p_b", p_b), "unit": "items for each system"}
    if p_a == p_b:
        raise ValueError(f"p_a and p_b must differ, got {p_a!r} twice")
    spread = (_shift(1, p_a, p_b), 1.0, 1.0)
    return _required("unpaired_z_unpooled", spread, alpha, power, facts, cluster_size, icc)


def power_two_proportions(
    n: int, p_a: float, p_b: float, alpha: float = 0.05, *, cluster_size: int = 1, icc: float = 0.0
) -> Power:
    """How often does the unpaired z test see the difference with n items for each system?

    Parameters
    ----------
    n : int
        Items for each system, at least 1.
    p_a, p_b : float
        The two accuracies, in (0, 1); equal ones give the rate of false alarms.
    alpha : float
        Two-sided level, in (0, 0.5).
    cluster_size, icc
        As in `required_n_two_proportions`; n fills whole clusters, at least 2.

    Returns
    -------
    Power

    Raises
    ------
    ValueError
        For n below 1, an accuracy outside (0, 1), alpha outside (0, 0.5).

    Notes
    -----
    Equation `eq-required-n-two-proportions` of chapter `power`; a normal approximation with both variances as assumed.

    Examples
    --------
    >>> from evalstats import power_two_proportions
    >>> print(power_two_proportions(19458, 0.85, 0.86))
    power 0.8 (unpaired_z_unpooled, alpha 0.05, n = 19458)
    """
    _, rows, clustered = _whole_clusters(n, cluster_size, icc)
    facts = {"p_a": share("p_a", p_a), "p_b": share("p_b", p_b)} | (clustered if cluster_size > 1 else {})
    shift, z = _shift(rows, p_a, p_b), _critical_z(alpha)
    rate = _standard_normal.cdf(shift - z) + _standard_normal.cdf(-shift - z)
    return Power(rate, "unpaired_z_unpooled", alpha, n, extra=facts)


def minimum_detectable_effect_two_proportions(
    n: int, p: float, alpha: float = 0.05, power: float = 0.80, *, cluster_size: int = 1, icc: float = 0.0
) -> DetectableEffect:
    """Which gain or loss against an accuracy of p do n separate items for each system show?

    Parameters
    ----------
    n : int
        Items for each system, at least 1.
    p : float
        The accuracy to compare with, in (0, 1).
    alpha, power : float
        Two-sided level in (0, 0.5), and power, above alpha and below 1.
    cluster_size, icc
        As in `power_two_proportions`.

    Returns
    -------
    DetectableEffect
        Both directions solved with both variances, which is why they differ; `extra["both_at_baseline"]` is the figure
        in common use that takes the variance of p twice.

    Raises
    ------
    ValueError
        For n below 1, p, alpha outside (0, 0.5) or power outside (alpha, 1), power not above alpha.

    Notes
    -----
    Equation `eq-minimum-detectable-effect` of chapter `power`: the two roots of a quadratic.

    Examples
    --------
    >>> from evalstats import minimum_detectable_effect_two_proportions
    >>> answer = minimum_detectable_effect_two_proportions(1000, 0.85)
    >>> print(answer)
    up 0.04192, down -0.04737 (unpaired_z_unpooled, alpha 0.05, power 0.8, n = 1000)
    >>> round(answer.extra["both_at_baseline"], 4)
    0.0447
    """
    (_, rows, clustered), base, z = _whole_clusters(n, cluster_size, icc), share("p", p), sum(_quantiles(alpha, power))
    square, linear, constant = rows / z**2 + 1, 1 - 2 * base, 2 * base * (1 - base)
    # delta^2 rows / z^2 = p(1-p) + (p+delta)(1-p-delta), solved for delta
    root = math.sqrt(linear**2 + 4 * square * constant)
    up, down = ((linear + sign * root) / (2 * square) for sign in (1, -1))
    reached = [q for q in (base, base + up, base + down) if 0 < q < 1]
    fewest = rows * min(min(q, 1 - q) for q in reached)
    poor = f"only {fewest:.2g} right or wrong answers expected at one end: the normal approximation is poor there"
    facts = {"p": base, "both_at_baseline": z * math.sqrt(constant / rows)} | (clustered if cluster_size > 1 else {})
    ways = up if base + up < 1 else None, down if base + down > 0 else None
    warning = poor if fewest < FEW_OF_A_KIND else None
    return DetectableEffect(*ways, "unpaired_z_unpooled", alpha, power, n, extra=facts, warning=warning)


# --- mean differences on the same items ------------------------------------------------------------------------------


def required_n_paired_mean(
    delta: float, sd_diff: float, alpha: float = 0.05, power: float = 0.80, *, cluster_size: int = 1, icc: float = 0.0
) -> SampleSize:
    """How many items show a mean paired difference of `delta`? For the two-sided paired z or t test.

    With `cluster_size` rows a cluster the number grows by 1 + (cluster_size - 1) icc, and is rounded up to whole
    clusters.
    It counts rows; `design["clusters"]` counts clusters.

    Parameters
    ----------
    delta : float
        The smallest mean difference that matters, in the unit of the scores; not 0.
    sd_diff : float
        Standard deviation of the per-item differences, same unit; above 0.
        For 0/1 scores it is the square root of psi - delta squared.
    alpha, power : float
        Two-sided level in (0, 0.5), and power, above alpha and below 1.
    cluster_size : int
        Rows a cluster, the same for all.
    icc : float
        Intraclass correlation of the differences (not of the scores), in [0, 1].

    Returns
    -------
    SampleSize

    Raises
    ------
    ValueError
        For delta 0, sd_diff not above 0, alpha outside (0, 0.5) or power outside (alpha, 1), an icc outside [0, 1].

    Notes
    -----
    Equation `eq-required-n-paired-mean` of chapter `power`.
    A normal approximation: it takes the standard deviation as known, so below some 30 items it is a little short.

    Examples
    --------
    >>> from evalstats import required_n_paired_mean
    >>> print(required_n_paired_mean(0.02, 0.264))
    1368
    >>> clustered = required_n_paired_mean(0.02, 0.264, cluster_size=5, icc=0.2)
    >>> print(clustered, clustered.design["clusters"])
    2465 493
    """
    difference, sd = number("delta", delta), positive("sd_diff", sd_diff)
    facts = {"delta": difference, "sd_diff": sd, "unit": "items"}
    return _required("paired_z", (difference, sd, sd), alpha, power, facts, cluster_size, icc)


def power_paired_mean(
    n: int, delta: float, sd_diff: float, alpha: float = 0.05, *, cluster_size: int = 1, icc: float = 0.0
) -> Power:
    """How often does the paired t test see a mean difference of `delta` with n items?

    Parameters
    ----------
    n : int
        Shared items (with clusters: rows), at least 2 and whole clusters.
    delta : float
        The true mean difference; 0 gives the rate of false alarms.
    sd_diff, cluster_size, icc
        As in `required_n_paired_mean`.
    alpha : float
        Two-sided level, in (0, 0.5).

    Returns
    -------
    Power
        Exact for normal differences; with clusters the t test of their means.

    Raises
    ------
    ValueError
        For n below 2 or not in whole clusters, sd_diff not above 0, icc outside [0, 1], alpha outside (0, 0.5).

    Notes
    -----
    Equation `eq-power-paired-mean` of chapter `power`: the noncentral t distribution.

    Examples
    --------
    >>> from evalstats import power_paired_mean
    >>> print(power_paired_mean(1368, 0.02, 0.264))
    power 0.7996 (paired_t, alpha 0.05, n = 1368)
    """
    from scipy.stats import nct, t

    difference, sd = number("delta", delta), positive("sd_diff", sd_diff)
    clusters, rows, clustered = _whole_clusters(n, cluster_size, icc, low=2)
    shift, critical = abs(difference) / sd * math.sqrt(rows), t.isf(share("alpha", alpha) / 2, clusters - 1)
    seen, wrong_way = (nct.sf(critical, clusters - 1, moved) for moved in (shift, -shift))
    rate = np.nan_to_num(seen, nan=1.0) + np.nan_to_num(wrong_way)  # scipy cannot say where it is next to 1, or to 0
    test = "paired_t" if cluster_size == 1 else "paired_cluster_t"
    return Power(min(1.0, float(rate)), test, alpha, n, extra={"delta": difference, "sd_diff": sd} | clustered)


def required_n_completions(
    delta: float,
    var_between: float,
    var_within_a: float,
    var_within_b: float,
    completions_a: int = 1,
    completions_b: int = 1,
    alpha: float = 0.05,
    power: float = 0.80,
) -> SampleSize:
    r"""How many items, when each is answered several times and the answers are averaged?

    More completions shrink the noise within items, $\sigma_A^2/K_A + \sigma_B^2/K_B$, and nothing else: the variance
    between items stays.

    Parameters
    ----------
    delta : float
        The smallest mean difference that matters; not 0.
    var_between : float
        Variance over items of the difference between the two systems' true means on an item, at least 0.
    var_within_a, var_within_b : float
        Mean variance of repeated answers to one item, at least 0; for 0/1 scores the mean of p(1 - p).
    completions_a, completions_b : int
        Answers to each item.
    alpha, power : float
        Two-sided level in (0, 0.5), and power, above alpha and below 1.

    Returns
    -------
    SampleSize
        Of shared items. `design["sd_diff"]` is what averaging leaves of the noise, whatever delta: with it
        `power_paired_mean` and `minimum_detectable_effect` answer the other two questions.

    Raises
    ------
    ValueError
        For delta 0, a negative variance, variances all 0, fewer than 1 completion, alpha outside (0, 0.5) or power
        outside (alpha, 1).

    Notes
    -----
    Equation `eq-required-n-completions` of chapter `power`.
    Source: E. Miller, "Adding Error Bars to Evals" (2024), arXiv:2411.00640.

    Examples
    --------
    >>> from evalstats import required_n_completions
    >>> [int(required_n_completions(0.05, 0.05, 0.15, 0.15, k, k)) for k in (1, 5, 100)]
    [1099, 346, 167]

    The variances from a pilot of 60 items, each answered four times by both systems. The item variance of the
    differences is the one between items; each system's own decode variance is the one within:

    >>> import numpy as np
    >>> from evalstats import item_decode_components
    >>> rng = np.random.default_rng(3)
    >>> easy = rng.normal(size=(60, 1))
    >>> a, b = ((easy + skill + rng.normal(size=(60, 4)) > 0) * 1 for skill in (0.4, 0.2))
    >>> between = item_decode_components(a - b)["item"].point
    >>> within = [item_decode_components(scores)["decode"].point for scores in (a, b)]
    >>> [round(variance, 3) for variance in (between, *within)]
    [0.018, 0.129, 0.154]
    >>> print(required_n_completions(0.05, between, *within, completions_a=4, completions_b=4))
    280
    """
    noise = {"var_between": var_between, "var_within_a": var_within_a, "var_within_b": var_within_b}
    repeats = {"completions_a": completions_a, "completions_b": completions_b}
    between, within_a, within_b = (number(owner, variance, 0) for owner, variance in noise.items())
    k_a, k_b = (integer(owner, k, 1) for owner, k in repeats.items())
    variance = between + within_a / k_a + within_b / k_b
    if variance == 0:
        raise ValueError("at least one variance must be above 0, got 0 for all three")
    size = required_n_paired_mean(delta, math.sqrt(variance), alpha, power)
    return SampleSize(int(size), test=size.test, alpha=alpha, power=power, design=dict(size.design) | noise | repeats)


# --- McNemar's test --------------------------------------------------------------------------------------------------


def required_n_mcnemar(
    delta: float, psi: float, alpha: float = 0.05, power: float = 0.80, *, cluster_size: int = 1, icc: float = 0.0
) -> SampleSize:
    """How many shared items show a gain of `delta` in accuracy? For the uncorrected McNemar test.

    The exact test, which is the default of `mcnemar`, needs more: see `required_n_mcnemar_exact`.
    No form of McNemar's test serves clusters; with `cluster_size` the number is for `paired_cluster_t`, whose power
    is that of `power_paired_mean` with the square root of psi - delta squared for `sd_diff`.

    Parameters
    ----------
    delta : float
        The smallest difference in accuracy that matters, A - B; not 0.
    psi : float
        Share of items on which the systems disagree, in (0, 1], at least |delta|.
    alpha, power : float
        Two-sided level in (0, 0.5), and power, above alpha and below 1.
    cluster_size, icc
        As in `required_n_paired_mean`.

    Returns
    -------
    SampleSize
        Of shared items, each answered once by both systems.

    Raises
    ------
    ValueError
        For delta 0, psi below |delta| or above 1, alpha outside (0, 0.5) or power outside (alpha, 1).

    Notes
    -----
    Equation `eq-required-n-mcnemar` of chapter `power`.
    Source: R. J. Connor, "Sample size for testing differences in proportions for the paired-sample design",
    Biometrics 43 (1987), 207-211.

    Examples
    --------
    >>> from evalstats import required_n_mcnemar
    >>> [int(required_n_mcnemar(delta, psi=0.25)) for delta in (0.10, 0.08, 0.05)]
    [194, 305, 783]
    >>> required_n_mcnemar(0.10, 0.25).test
    'mcnemar_uncorrected'
    """
    difference, disagreement = _discordance(delta, psi)
    spread = (difference, math.sqrt(disagreement), math.sqrt(disagreement - difference**2))
    facts = {"delta": difference, "psi": disagreement, "unit": "shared items"}
    test = "mcnemar_uncorrected" if integer("cluster_size", cluster_size, 1) == 1 else "paired_cluster_t"
    return _required(test, spread, alpha, power, facts, cluster_size, icc)


def _critical_binomial(discordant: Counts, alpha: float, midp: int) -> Vector:
    from scipy.stats import binom

    k = binom.ppf(alpha / 2, discordant, 0.5)  # the smallest k with P(Bin(D, 1/2) <= k) >= alpha/2
    p = binom.cdf(k - midp, discordant, 0.5) + binom.cdf(k, discordant, 0.5)
    return np.where(p <= alpha * (1 + 1e-12), k, k - 1)  # a p-value equal to alpha rejects, whatever its last digit


def _critical_chi_square(discordant: Counts, alpha: float, correction: int) -> Vector:
    reach = _critical_z(alpha) * np.sqrt(discordant)
    k = np.floor((discordant - correction - reach) / 2 + 1e-9)
    return np.where(discordant == 0, -1, k)


class _Form(NamedTuple):
    """A form of McNemar's test, all of whose outcomes can be added up.

    With D items on which the systems disagree it rejects when the smaller of b and c is at most `critical` (-1: never).
    """

    test: str
    critical: Callable[[Counts, float], Vector]

    def rates(self, sizes: range, delta: float, psi: float, alpha: float) -> Vector:
        """For each number of items P(D) P(reject | D), added up over D."""
        from scipy.stats import binom

        low, high = (int(quantile(1e-14, sizes[0], psi)) for quantile in (binom.ppf, binom.isf))  # negligible beyond
        more = int(binom.isf(1e-14, len(sizes), psi))
        discordant, a_wins = np.arange(low, high + more + 1), (psi + delta) / (2 * psi)
        k = self.critical(discordant, alpha)
        reject = np.asarray(binom.cdf(k, discordant, a_wins) + binom.cdf(k, discordant, 1 - a_wins))
        chances = binom.pmf(np.arange(low, high + 1), sizes[0], psi)
        rates: Vector = np.correlate(reject, chances, "valid")  # with D disagreements, D + 1, D + 2, ...
        found = []
        for _ in sizes:
            found.append(rates[0])
            rates = (1 - psi) * rates + psi * np.append(rates[1:], rates[-1])  # one item more: agreement, or not
        return np.minimum(found, 1.0)

    def power(self, n: int, delta: float, psi: float, alpha: float) -> Power:
        items, level = integer("n", n, 1, MOST_COUNTED), share("alpha", alpha)
        difference, disagreement = _discordance(delta, psi)
        rate = self.rates(range(items, items + 1), difference, disagreement, level)[0]
        return Power(rate, self.test, level, items, extra={"delta": difference, "psi": disagreement})

    def required_n(self, delta: float, psi: float, alpha: float, power: float) -> SampleSize:
        """The smallest n that has the power and keeps it at every larger n: counts are whole, so power climbs in teeth.

        The teeth, and what the exact test needs beyond the approximation, are some 1/|delta| items wide.
        """
        approximate = required_n_mcnemar(delta, psi, alpha, power)
        gap, disagreement = approximate.design["delta"], approximate.design["psi"]
        about, reach = int(approximate), math.ceil(8 / abs(gap)) + 20
        if about > MOST_SEARCHED:
            raise ValueError(f"delta must need at most {MOST_SEARCHED} items, got {delta!r}; use required_n_mcnemar")
        while True:
            sizes = range(max(1, about - reach // 4), about + reach)
            short = np.flatnonzero(self.rates(sizes, gap, disagreement, approximate.alpha) < power)
            n = sizes[int(short[-1])] + 1 if short.size else sizes[0]
            if n == 1 or sizes[0] < n < sizes.stop:
                return SampleSize(n, test=self.test, alpha=alpha, power=power, design=approximate.design)
            reach *= 2


EXACT = _Form("mcnemar_exact", partial(_critical_binomial, midp=0))
MIDP = _Form("mcnemar_midp", partial(_critical_binomial, midp=1))
UNCORRECTED = _Form("mcnemar_uncorrected", partial(_critical_chi_square, correction=0))
CORRECTED = _Form("mcnemar_corrected", partial(_critical_chi_square, correction=1))


def power_mcnemar_exact(n: int, delta: float, psi: float, alpha: float = 0.05) -> Power:
    """How often does the exact McNemar test see a difference of `delta` with n items? All outcomes added up.

    Parameters
    ----------
    n : int
        Number of shared items, at least 1.
    delta : float
        The true difference in accuracy, A - B; 0 gives the rate of false alarms at this psi.
    psi : float
        Share of items on which the systems disagree, in (0, 1], at least |delta|.
    alpha : float
        Two-sided level, in (0, 0.5).

    Returns
    -------
    Power

    Raises
    ------
    ValueError
        For n below 1, psi below |delta| or above 1, alpha outside (0, 0.5).

    Notes
    -----
    Equation `eq-power-mcnemar` of chapter `power`.

    Examples
    --------
    The size that the approximation promises .80 for, and the false alarms of an exact test held to .05:

    >>> from evalstats import power_mcnemar_exact
    >>> print(power_mcnemar_exact(194, delta=0.10, psi=0.25))
    power 0.7731 (mcnemar_exact, alpha 0.05, n = 194)
    >>> print(power_mcnemar_exact(1000, delta=0, psi=0.07))
    power 0.03796 (mcnemar_exact, alpha 0.05, n = 1000)
    """
    return EXACT.power(n, delta, psi, alpha)


def power_mcnemar_midp(n: int, delta: float, psi: float, alpha: float = 0.05) -> Power:
    """How often does the mid-p McNemar test see a difference of `delta` with n items? All outcomes added up.

    Parameters, returns and errors are those of `power_mcnemar_exact`.

    Notes
    -----
    Equation `eq-power-mcnemar` of chapter `power`.

    Examples
    --------
    >>> from evalstats import power_mcnemar_midp
    >>> print(power_mcnemar_midp(194, delta=0.10, psi=0.25))
    power 0.8102 (mcnemar_midp, alpha 0.05, n = 194)
    """
    return MIDP.power(n, delta, psi, alpha)


def power_mcnemar_uncorrected(n: int, delta: float, psi: float, alpha: float = 0.05) -> Power:
    """How often does the uncorrected McNemar test see a difference of `delta` with n items? All outcomes added up.

    Parameters, returns and errors are those of `power_mcnemar_exact`.

    Notes
    -----
    Equation `eq-power-mcnemar` of chapter `power`.

    Examples
    --------
    >>> from evalstats import power_mcnemar_uncorrected
    >>> print(power_mcnemar_uncorrected(194, delta=0.10, psi=0.25))
    power 0.8103 (mcnemar_uncorrected, alpha 0.05, n = 194)
    """
    return UNCORRECTED.power(n, delta, psi, alpha)


def power_mcnemar_corrected(n: int, delta: float, psi: float, alpha: float = 0.05) -> Power:
    """How often does the continuity-corrected McNemar test see a difference of `delta` with n items?

    Parameters, returns and errors are those of `power_mcnemar_exact`.

    Notes
    -----
    Equation `eq-power-mcnemar` of chapter `power`.

    Examples
    --------
    >>> from evalstats import power_mcnemar_corrected
    >>> print(power_mcnemar_corrected(194, delta=0.10, psi=0.25))
    power 0.7676 (mcnemar_corrected, alpha 0.05, n = 194)
    """
    return CORRECTED.power(n, delta, psi, alpha)


def required_n_mcnemar_exact(delta: float, psi: float, alpha: float = 0.05, power: float = 0.80) -> SampleSize:
    """How many shared items show a gain of `delta` in accuracy? For the exact McNemar test.

    Parameters
    ----------
    delta, psi, alpha, power
        As in `required_n_mcnemar`.

    Returns
    -------
    SampleSize
        The smallest number of shared items from which on the power is never below the one asked for.

    Raises
    ------
    ValueError
        As `required_n_mcnemar`.

    Notes
    -----
    Equation `eq-power-mcnemar` of chapter `power`; no approximation.

    Examples
    --------
    >>> from evalstats import required_n_mcnemar_exact
    >>> [int(required_n_mcnemar_exact(delta, psi=0.25)) for delta in (0.10, 0.08, 0.05)]
    [207, 324, 817]
    """
    return EXACT.required_n(delta, psi, alpha, power)


def required_n_mcnemar_midp(delta: float, psi: float, alpha: float = 0.05, power: float = 0.80) -> SampleSize:
    """How many shared items show a gain of `delta` in accuracy? For the mid-p McNemar test.

    Parameters
    ----------
    delta, psi, alpha, power
        As in `required_n_mcnemar`.

    Returns
    -------
    SampleSize
        The smallest number of shared items from which on the power is never below the one asked for.

    Raises
    ------
    ValueError
        As `required_n_mcnemar`.

    Notes
    -----
    Equation `eq-power-mcnemar` of chapter `power`; no approximation.

    Examples
    --------
    >>> from evalstats import required_n_mcnemar_midp
    >>> [int(required_n_mcnemar_midp(delta, psi=0.25)) for delta in (0.10, 0.08)]
    [190, 302]
    """
    return MIDP.required_n(delta, psi, alpha, power)


def required_n_mcnemar_corrected(delta: float, psi: float, alpha: float = 0.05, power: float = 0.80) -> SampleSize:
    """How many shared items show a gain of `delta` in accuracy? For the continuity-corrected McNemar test.

    Parameters, returns and errors are those of `required_n_mcnemar_exact`.

    Notes
    -----
    Equation `eq-power-mcnemar` of chapter `power`; no approximation.

    Examples
    --------
    >>> from evalstats import required_n_mcnemar_corrected
    >>> [int(required_n_mcnemar_corrected(delta, psi=0.25)) for delta in (0.10, 0.08, 0.05)]
    [208, 325, 818]
    """
    return CORRECTED.required_n(delta, psi, alpha, power)


# --- against a margin ------------------------------------------------------------------------------------------------


NONINFERIORITY, EQUIVALENCE = "noninferiority_tango", "equivalence_tango"  # one side shown, or both


def _margin_power(test: str, n: int, margin: float, psi: float, delta: float, alpha: float) -> Power:
    """How often Tango's score test of `alpha` shows the margin on one side, or on both; a normal approximation."""
    from .paired import _tango_excess

    items, size, (truth, disagreement) = integer("n", n, 1), share("margin", margin), _discordance(delta, psi)
    z, spread, rate = _critical_z(alpha, sides=1), math.sqrt(disagreement - truth**2), 1.0
    for gap in (truth, -truth) if test == EQUIVALENCE else (truth,):
        shares = (disagreement + gap) / 2, (disagreement - gap) / 2
        excess = _tango_excess(-size, *shares, 1, z / math.sqrt(items))  # type: ignore[arg-type]
        rate -= NormalDist(0, max(spread, 1e-9)).cdf(-math.sqrt(items) * excess)
    return Power(max(rate, 0.0), test, alpha, items, extra={"margin": size, "psi": disagreement, "delta": truth})


def _required_margin(test: str, margin: float, psi: float, delta: float, alpha: float, power: float) -> SampleSize:
    design = dict(_margin_power(test, 1, margin, psi, delta, alpha).extra)
    if (-abs(delta) if test == EQUIVALENCE else delta) <= -margin:
        allowed = f"inside margin = {margin:g}" if test == EQUIVALENCE else f"above -margin = {-margin:g}"
        raise ValueError(f"delta must lie {allowed}, got {delta!r}: what is not true cannot be shown")
    _quantiles(alpha, power)
    sizes = range(1, MOST + 1)
    n = bisect_left(sizes, power, key=lambda n: float(_margin_power(test, n, margin, psi, delta, alpha)))
    if n == MOST:
        raise ValueError(f"margin must be larger for a finite number of items, got {margin!r} with delta {delta!r}")
    design |= {"unit": "shared items", "sides": 1}
    return SampleSize(sizes[n], test=test, alpha=alpha, power=power, design=design)


def required_n_noninferiority(
    margin: float, psi: float, delta: float = 0.0, alpha: float = 0.025, power: float = 0.80
) -> SampleSize:
    r"""How many shared items show that A is at most `margin` worse than B? For the score test of `noninferiority_test`.

    $n = \left(z_{1-\alpha}\,\sigma_0 + z_{\text{power}}\,\sigma_1\right)^2/(\delta + \text{margin})^2$, with
    $\sigma_1^2 = \psi - \delta^2$ and $\sigma_0^2$ the variance that the test uses at -margin. For scores other than
    0/1, for several answers to an item, or for clusters, give `required_n_paired_mean` and `power_paired_mean` the
    distance delta + margin and twice the alpha.

    Parameters
    ----------
    margin : float
        The largest loss that would not matter, in (0, 1).
    psi : float
        Share of items on which the systems disagree, in (0, 1].
    delta : float
        The difference A - B supposed to be true, above -margin; 0 when both are thought equally good.
    alpha, power : float
        One-sided level, in (0, 0.5), and power, in (0, 1) and above alpha.

    Returns
    -------
    SampleSize
        Of shared items; `alpha` is the one-sided level.

    Raises
    ------
    ValueError
        For a delta at or below -margin, psi below |delta| or above 1, a margin, alpha or power out of range.

    Notes
    -----
    Chapter `decisions`, eq-required-n-noninferiority; a normal approximation. The restricted variance is the one
    recommended in Biometrics, doi:10.2307/2533508, over the unrestricted one, whose test rejects too often.

    Examples
    --------
    >>> from evalstats import required_n_noninferiority
    >>> print(required_n_noninferiority(margin=0.02, psi=0.07))
    1436
    >>> print(required_n_noninferiority(margin=0.02, psi=0.07, delta=0.01))
    652

    Graded scores in clusters of 5, thought equally good, against a margin of two points:

    >>> from evalstats import required_n_paired_mean
    >>> print(required_n_paired_mean(0 + 0.02, 0.264, alpha=2 * 0.025, cluster_size=5, icc=0.2))
    2465
    """
    return _required_margin(NONINFERIORITY, margin, psi, delta, alpha, power)


def power_noninferiority(n: int, margin: float, psi: float, delta: float = 0.0, alpha: float = 0.025) -> Power:
    """How often do n shared items show that A is at most `margin` worse than B?

    Parameters
    ----------
    n : int
        Number of shared items, at least 1.
    margin, psi, alpha
        As in `required_n_noninferiority`.
    delta : float
        The true difference A - B.

    Returns
    -------
    Power

    Raises
    ------
    ValueError
        For n below 1, psi below |delta| or above 1, a margin or alpha out of range.

    Notes
    -----
    Chapter `decisions`, eq-required-n-noninferiority, solved for the power; a normal approximation.

    Examples
    --------
    >>> from evalstats import power_noninferiority
    >>> print(power_noninferiority(1436, margin=0.02, psi=0.07))
    power 0.8 (noninferiority_tango, alpha 0.025, n = 1436)
    >>> print(power_noninferiority(1436, margin=0.02, psi=0.07, delta=-0.01))
    power 0.2883 (noninferiority_tango, alpha 0.025, n = 1436)
    """
    return _margin_power(NONINFERIORITY, n, margin, psi, delta, alpha)


def required_n_equivalence(
    margin: float, psi: float, delta: float = 0.0, alpha: float = 0.05, power: float = 0.80
) -> SampleSize:
    """How many shared items show that A and B differ by at most `margin`? For the score tests of `equivalence_test`.

    Parameters
    ----------
    margin : float
        The largest difference that would not matter, either way, in (0, 1).
    psi : float
        Share of items on which the systems disagree, in (0, 1].
    delta : float
        The difference A - B supposed to be true, strictly between -margin and margin.
    alpha, power : float
        Level of each of the two one-sided tests, in (0, 0.5), and power, in (0, 1) and above alpha.

    Returns
    -------
    SampleSize
        Of shared items; `alpha` is the level of each one-sided test.

    Raises
    ------
    ValueError
        For a delta not inside the margins, psi below |delta| or above 1, a margin, alpha or power out of range.

    Notes
    -----
    Chapter `decisions`, eq-required-n-noninferiority on both sides: the power is 1 minus the chances that one of the
    tests fails, which exclude each other. A normal approximation.

    Examples
    --------
    >>> from evalstats import required_n_equivalence
    >>> print(required_n_equivalence(margin=0.02, psi=0.07))
    1554
    """
    return _required_margin(EQUIVALENCE, margin, psi, delta, alpha, power)


def power_equivalence(n: int, margin: float, psi: float, delta: float = 0.0, alpha: float = 0.05) -> Power:
    """How often do n shared items show that A and B differ by at most `margin`?

    Parameters
    ----------
    n, margin, psi, delta, alpha
        As in `power_noninferiority` and `required_n_equivalence`.

    Returns
    -------
    Power

    Raises
    ------
    ValueError
        As `power_noninferiority`.

    Notes
    -----
    Chapter `decisions`, eq-required-n-noninferiority on both sides, solved for the power; a normal approximation.

    Examples
    --------
    The items that are enough for one side, and so few that nothing can be shown:

    >>> from evalstats import power_equivalence
    >>> print(power_equivalence(1436, margin=0.02, psi=0.07))
    power 0.7568 (equivalence_tango, alpha 0.05, n = 1436)
    >>> print(power_equivalence(200, margin=0.02, psi=0.07))
    power 0 (equivalence_tango, alpha 0.05, n = 200)
    """
    return _margin_power(EQUIVALENCE, n, margin, psi, delta, alpha)


# --- the smallest difference that n items show -----------------------------------------------------------------------


def minimum_detectable_effect(
    power_of: Callable[..., Power], n: int, *, alpha: float = 0.05, power: float = 0.80, **design: Any
) -> DetectableEffect:
    """Which difference do n items show, with this power? Solved for any of the tests that have a power here.

    Parameters
    ----------
    power_of : function
        The power of the test: one of `power_mcnemar_*`, `power_paired_mean`, `power_noninferiority`,
        `power_equivalence`. For items of their own, `minimum_detectable_effect_two_proportions`.
    n : int
        Number of shared items.
    alpha : float
        Level of the test, in (0, 0.5): two-sided, and for a claim against a margin one-sided.
    power : float
        Above alpha and below 1.
    **design
        What else `power_of` takes: `psi`, or `sd_diff` with `cluster_size` and `icc`. For several answers to an item,
        the `sd_diff` that `required_n_completions` has in its design.

    Returns
    -------
    DetectableEffect
        The same in both directions. For `power_noninferiority` and `power_equivalence` it is the margin: the smallest
        loss, or difference, that n items rule out.

    Raises
    ------
    ValueError
        As `power_of`; for power not above alpha; and for n so small that not even the largest possible difference, psi,
        is seen often enough.

    Notes
    -----
    Equations `eq-power-mcnemar` and `eq-power-paired-mean` of chapter `power`, and eq-required-n-noninferiority of
    chapter `decisions`, solved for the difference.

    Examples
    --------
    >>> import evalstats as es
    >>> print(es.minimum_detectable_effect(es.power_mcnemar_exact, 194, psi=0.25))
    up 0.1031, down -0.1031 (mcnemar_exact, alpha 0.05, power 0.8, n = 194)
    >>> print(es.minimum_detectable_effect(es.power_paired_mean, 1000, sd_diff=0.264, cluster_size=5, icc=0.2))
    up 0.03153, down -0.03153 (paired_cluster_t, alpha 0.05, power 0.8, n = 1000)
    >>> print(es.minimum_detectable_effect(es.power_noninferiority, 1436, psi=0.07, alpha=0.025))
    up 0.02, down -0.02 (noninferiority_tango, alpha 0.025, power 0.8, n = 1436)

    Five answers of each system to each of 346 items:

    >>> noise = es.required_n_completions(0.05, 0.05, 0.15, 0.15, completions_a=5, completions_b=5).design["sd_diff"]
    >>> print(es.minimum_detectable_effect(es.power_paired_mean, 346, sd_diff=noise))
    up 0.05009, down -0.05009 (paired_t, alpha 0.05, power 0.8, n = 346)
    """
    function("power_of", power_of)
    _quantiles(alpha, power)

    def enough(size: float) -> bool:
        return float(power_of(n, size, alpha=alpha, **design)) >= power

    capped = "psi" in signature(power_of).parameters  # systems differ by no more than they disagree; means by anything
    needed = design.get("psi" if capped else "sd_diff")
    high = number("psi", needed, 0, 1) * math.nextafter(1, 0) if capped else positive("sd_diff", needed)
    low = 0.0
    while not enough(high):
        if capped:
            raise ValueError(f"n must be larger: with {n} items and psi {design['psi']!r} nothing has power {power!r}")
        low, high = high, 2 * high
    for _ in range(52):  # as many bits as a float has
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    found = power_of(n, high, alpha=alpha, **design)
    return DetectableEffect(high, -high, found.test, alpha, power, n, extra=found.extra)


# --- from a pilot ----------------------------------------------------------------------------------------------------


def pilot_required_n_mcnemar(
    a: ArrayLike | PairedTable,
    b: ArrayLike | None = None,
    *,
    delta: float,
    alpha: float = 0.05,
    power: float = 0.80,
    level: float = 0.95,
) -> Estimate:
    """How many shared items, when how often the systems disagree is known from a pilot only? For exact McNemar.

    Parameters
    ----------
    a, b : arrays of 0 and 1, or one PairedTable, or one Alignment
        The pilot: position i is the same item in both.
    delta : float
        The smallest difference in accuracy that matters, A - B; not 0, and not the one the pilot shows.
    alpha, power : float
        Two-sided level and power of the study to plan, in (0, 0.5) and (0, 1).
    level : float
        Of the interval for the number needed, in [0.5, 1).

    Returns
    -------
    Estimate
        The number of items needed; its interval comes from Wilson's for psi. `n` is the size of the pilot.

    Raises
    ------
    ValueError
        For anything but 0 and 1, delta 0, and when the pilot's systems disagree on fewer items than a difference of
        `delta` takes.

    Notes
    -----
    Equation `eq-power-mcnemar` of chapter `power`.

    Examples
    --------
    >>> from evalstats import PairedTable, pilot_required_n_mcnemar
    >>> print(pilot_required_n_mcnemar(PairedTable(60, 14, 11, 15), delta=0.10))
    required_n = 207, 95% interval [147, 283] (mcnemar_exact, n = 100)
    """
    from .paired import table_of
    from .proportion import wilson_interval

    table = table_of(a, b)
    psi = wilson_interval(table.discordant, table.n, level)
    ends = (max(psi.ci_low, abs(number("delta", delta))), psi.point, psi.ci_high)
    facts = {"psi": psi.point, "psi_low": psi.ci_low, "psi_high": psi.ci_high, "unit": "shared items"}
    sizes = [required_n_mcnemar_exact(delta, end, alpha, power) for end in ends]
    return _from_pilot(sizes, facts, level, table.n)


def _from_pilot(sizes: list[SampleSize], facts: Facts, level: float, n: int, clusters: int | None = None) -> Estimate:
    """The number of items at the lower end of the noise, at the pilot's value, and at the upper end."""
    low, point, high = sizes
    facts |= {"delta": point.design["delta"], "alpha": point.alpha, "power": point.power}
    n_and_ends = (int(point), int(low), int(high))
    return Estimate("required_n", *n_and_ends, level, point.test, n, extra=facts, n_clusters=clusters)


def _jackknife_sd(variances: Vector, level: float) -> list[float]:
    """The standard deviation at the lower end, at the pilot's variance (the first), and at the upper end.

    The others are the variances without each unit; the interval is on the scale of the logarithm.
    """
    from scipy.stats import t

    from .variance import log_jackknife

    left_out = variances[1:]
    if left_out.min() <= 1e-12 * variances.max():
        raise ValueError("the pilot's spread rests on one item or none: it cannot say how many are needed; ask more")
    reach = float(t.isf((1 - share("level", level)) / 2, left_out.size - 1)) * log_jackknife(left_out)[1]
    return [math.sqrt(variances[0] * math.exp(step)) for step in (-reach, 0.0, min(reach, 700.0))]


def _without_each(column: ArrayLike) -> Vector:
    """The sum of a column (first), and the sums without each of its entries."""
    entries = np.asarray(column, dtype=np.float64)
    return np.append(entries.sum(), entries.sum() - entries)


def _variances(differences: Vector, codes: Counts, size: int) -> Vector:
    """What a row's variance is worth in clusters of `size`, within plus `size` times between, without each cluster."""
    centred, rows = differences - differences.mean(), np.bincount(codes)
    sums, squares = np.bincount(codes, weights=centred), np.bincount(codes, weights=centred**2)
    n, clusters = _without_each(rows), _without_each(np.ones(rows.size))
    if size > 1 and (n == clusters).any():
        raise ValueError(f"cluster_size needs 2 or more clusters of several rows in the pilot, got {size} without them")
    within = np.maximum(_without_each(squares - sums**2 / rows), 0) / np.maximum(n - clusters, 1)
    between = (_without_each(sums**2 / rows) - _without_each(sums) ** 2 / n) / (clusters - 1)
    effective = (n - _without_each(rows**2) / n) / (clusters - 1)
    return np.asarray(within + size * np.maximum((between - within) / effective, 0))


def pilot_required_n_paired_mean(
    a: ArrayLike,
    b: ArrayLike,
    groups: Groups = None,
    *,
    delta: float,
    cluster_size: int | None = None,
    alpha: float = 0.05,
    power: float = 0.80,
    level: float = 0.95,
) -> Estimate:
    """How many items, when the spread (and the intraclass correlation) is known from a pilot only?

    Parameters
    ----------
    a, b : arrays of numbers
        The pilot: position i is the same item in both; at least 3 items.
    groups : sequence of labels, optional
        The cluster of each item, where they come in clusters; at least 3 clusters.
    delta : float
        The smallest mean difference that matters; not 0, and not the one the pilot shows.
    cluster_size : int, optional
        Items a cluster in the study to plan; by default the pilot's mean, rounded.
    alpha, power, level
        As in `pilot_required_n_mcnemar`.

    Returns
    -------
    Estimate
        The number of items needed, in whole clusters; its interval comes from leaving out each item (or cluster) of the
        pilot, on the scale of the logarithm. `n` is the size of the pilot. With groups the variance of a row is that
        within clusters plus `cluster_size` times that between them (0 where it comes out negative), by analysis of
        variance; `extra["sd_diff"]` is its square root.

    Raises
    ------
    ValueError
        For NaN, unequal lengths, a pilot too small or without spread, delta 0, and `cluster_size` without groups.

    Notes
    -----
    Equation `eq-required-n-paired-mean` of chapter `power`. A correlation that comes out negative counts as 0.

    Examples
    --------
    >>> from evalstats import pilot_required_n_paired_mean
    >>> a, b = [0.9, 0.4, 0.7, 0.8, 0.5, 1.0, 0.6, 0.3] * 5, [0.7, 0.5, 0.7, 0.6, 0.5, 0.9, 0.2, 0.4] * 5
    >>> print(pilot_required_n_paired_mean(a, b, delta=0.05))
    required_n = 85, 95% interval [58, 124] (paired_z, n = 40)
    """
    from .paired import paired_differences

    differences = paired_differences(a, b, at_least=3, groups=groups)[0]
    if groups is None and cluster_size is not None:
        raise ValueError(f"cluster_size needs the pilot's groups, got {cluster_size!r} without them")
    n = differences.size
    codes, clusters = (np.arange(n), n) if groups is None else cluster_codes(groups, n)
    if clusters < 3:
        raise ValueError(f"groups must name at least 3 clusters, got {clusters}")
    size = integer("cluster_size", round(n / clusters) if cluster_size is None else cluster_size, 1)
    variances = _variances(differences, codes, size)
    facts = {"sd_diff": math.sqrt(variances[0]), "cluster_size": size}
    ends = _jackknife_sd(variances, level)
    sizes = [required_n_paired_mean(delta, sd, alpha, power, cluster_size=size) for sd in ends]
    return _from_pilot(sizes, facts, level, n, None if groups is None else clusters)
