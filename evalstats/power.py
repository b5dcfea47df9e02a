"""How many items do we need? Sample sizes, and the power a given number of items has.

Every answer names its test: 194 items are enough for one form of McNemar's test and not for another.
Sizes come from normal approximations (`required_n_paired_mean`, `required_n_mcnemar`, `required_n_two_proportions`,
`required_n_completions`) or from adding up all possible outcomes (`power_mcnemar_*`, `required_n_mcnemar_exact`,
`required_n_mcnemar_midp`).
Give them the smallest difference that would matter, not the one that was seen.
The other way round, `minimum_detectable_effect_*` says which difference a given number of items can show; and where the
noise was measured on a pilot, `pilot_required_n_*` says how far the answer can be trusted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._checks import Counts, Vector, cluster_codes, finite_vector, integer, number, positive, share, text
from .result import Estimate, Extra, Result, SampleSize

if TYPE_CHECKING:
    from .paired import PairedTable

__all__ = [
    "DetectableEffect",
    "Power",
    "minimum_detectable_effect_mcnemar",
    "minimum_detectable_effect_mcnemar_exact",
    "minimum_detectable_effect_mcnemar_midp",
    "minimum_detectable_effect_paired_mean",
    "minimum_detectable_effect_two_proportions",
    "pilot_required_n_completions",
    "pilot_required_n_mcnemar",
    "pilot_required_n_paired_mean",
    "power_mcnemar_corrected",
    "power_mcnemar_exact",
    "power_mcnemar_midp",
    "power_mcnemar_uncorrected",
    "power_paired_mean",
    "power_two_proportions",
    "required_n_completions",
    "required_n_mcnemar",
    "required_n_mcnemar_exact",
    "required_n_mcnemar_midp",
    "required_n_paired_mean",
    "required_n_two_proportions",
]

standard_normal = NormalDist()

FEW_OF_A_KIND = 10  # with fewer right or wrong answers expected, the normal approximation is poor


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
        For a probability outside [0, 1], alpha outside (0, 1), n below 1.

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

    def __post_init__(self) -> None:
        self._put(
            power=number("power", self.power, 0, 1),
            test=text("test", self.test),
            alpha=share("alpha", self.alpha),
            n=integer("n", self.n, 1),
            name=text("name", self.name),
            extra=Extra(self.extra),
        )

    def __float__(self) -> float:
        return self.power

    def __str__(self) -> str:
        return f"power {self.power:.4g} ({self.test}, alpha {self.alpha:g}, n = {self.n})"


def _normal_quantiles(alpha: float, power: float) -> tuple[float, float]:
    """The critical value of the two-sided test, and the quantile that leaves the power above it."""
    return standard_normal.inv_cdf(1 - share("alpha", alpha) / 2), standard_normal.inv_cdf(share("power", power))


def _nonzero(owner: str, value: float) -> float:
    real = number(owner, value)
    if real == 0:
        raise ValueError(f"{owner} must not be 0, got {value!r}: no number of items shows a difference of nothing")
    return real


def _rounded_up(n: float, delta: float) -> int:
    if not math.isfinite(n):
        raise ValueError(f"delta must be large enough for a finite number of items, got {delta!r}")
    return max(1, math.ceil(n))


def _in_clusters(rows: float, delta: float, cluster_size: int, icc: float) -> tuple[int, dict[str, Any]]:
    """The rows that are worth `rows` independent ones, in whole clusters, and what the design then says of them."""
    size, correlation = integer("cluster_size", cluster_size, 1), number("icc", icc, 0, 1)
    clusters = _rounded_up(rows * (1 + (size - 1) * correlation) / size, delta)
    return clusters * size, {} if size == 1 else {"cluster_size": size, "icc": correlation, "clusters": clusters}


def _discordance(delta: float, psi: float) -> tuple[float, float]:
    """Refuse pairs that cannot be: the systems cannot differ by more than they disagree."""
    difference, disagreement = number("delta", delta, -1, 1), number("psi", psi, 0, 1)
    if disagreement == 0 or abs(difference) > disagreement:
        raise ValueError(f"psi must lie in (0, 1] and be at least |delta|, got psi {psi!r} with delta {delta!r}")
    return difference, disagreement


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
        Two-sided level in (0, 0.5) and power in (0, 1).
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
        For delta 0, sd_diff not above 0, alpha or power outside (0, 1), an icc outside [0, 1].

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
    difference, spread = _nonzero("delta", delta), positive("sd_diff", sd_diff)
    z_alpha, z_power = _normal_quantiles(alpha, power)
    root_n = (z_alpha + z_power) * spread / difference
    n, clusters = _in_clusters(root_n * root_n, difference, cluster_size, icc)
    design = {"delta": difference, "sd_diff": spread, "unit": "items"} | clusters
    return SampleSize(n, test="paired_z", alpha=alpha, power=power, design=design)


def required_n_mcnemar(
    delta: float, psi: float, alpha: float = 0.05, power: float = 0.80, *, cluster_size: int = 1, icc: float = 0.0
) -> SampleSize:
    """How many shared items show a gain of `delta` in accuracy? For the uncorrected McNemar test.

    The exact test, which is the default of `mcnemar`, needs more: see `required_n_mcnemar_exact`.
    No form of McNemar's test serves clusters; with `cluster_size` the number is for `paired_cluster_t`.

    Parameters
    ----------
    delta : float
        The smallest difference in accuracy that matters, A - B; not 0.
    psi : float
        Share of items on which the systems disagree, in (0, 1], at least |delta|.
    alpha, power : float
        Two-sided level in (0, 0.5) and power in (0, 1).
    cluster_size, icc
        As in `required_n_paired_mean`.

    Returns
    -------
    SampleSize
        Of shared items, each answered once by both systems.

    Raises
    ------
    ValueError
        For delta 0, psi below |delta| or above 1, alpha or power outside (0, 1).

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
    difference, disagreement = _discordance(_nonzero("delta", delta), psi)
    z_alpha, z_power = _normal_quantiles(alpha, power)
    under_null, under_delta = math.sqrt(disagreement), math.sqrt(disagreement - difference**2)
    root_n = (z_alpha * under_null + z_power * under_delta) / difference
    n, clusters = _in_clusters(root_n * root_n, difference, cluster_size, icc)
    test = "paired_cluster_t" if clusters else "mcnemar_uncorrected"
    return _mcnemar_size(n, test, difference, disagreement, alpha, power, clusters)


def _mcnemar_size(
    n: int, test: str, delta: float, psi: float, alpha: float, power: float, more: Mapping[str, Any] | None = None
) -> SampleSize:
    design = {"delta": delta, "psi": psi, "unit": "shared items"} | dict(more or {})
    return SampleSize(n, test=test, alpha=alpha, power=power, design=design)


def required_n_two_proportions(
    p_a: float, p_b: float, alpha: float = 0.05, power: float = 0.80, *, cluster_size: int = 1, icc: float = 0.0
) -> SampleSize:
    """How many items does each system need if they answer different items? For the two-sided unpaired z test.

    Parameters
    ----------
    p_a, p_b : float
        The two accuracies, in (0, 1), different.
    alpha, power : float
        Two-sided level in (0, 0.5) and power in (0, 1).
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
        For equal accuracies, an accuracy outside (0, 1), alpha or power outside (0, 1).

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
    first, second = share("p_a", p_a), share("p_b", p_b)
    difference = first - second
    if difference == 0:
        raise ValueError(f"p_a and p_b must differ, got {p_a!r} twice")
    z_alpha, z_power = _normal_quantiles(alpha, power)
    variance = first * (1 - first) + second * (1 - second)
    n, clusters = _in_clusters((z_alpha + z_power) ** 2 * variance / difference**2, difference, cluster_size, icc)
    design = {"p_a": first, "p_b": second, "unit": "items for each system"} | clusters
    return SampleSize(n, test="unpaired_z_unpooled", alpha=alpha, power=power, design=design)


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
        Two-sided level in (0, 0.5) and power in (0, 1).

    Returns
    -------
    SampleSize
        Of shared items; `design["sd_diff"]` serves `power_paired_mean` and `minimum_detectable_effect_paired_mean`.

    Raises
    ------
    ValueError
        For delta 0, a negative variance, variances all 0, fewer than 1 completion, alpha or power outside (0, 1).

    Notes
    -----
    Equation `eq-required-n-completions` of chapter `power`.
    Source: E. Miller, "Adding Error Bars to Evals" (2024), arXiv:2411.00640.

    Examples
    --------
    >>> from evalstats import required_n_completions
    >>> [int(required_n_completions(0.05, 0.05, 0.15, 0.15, k, k)) for k in (1, 5, 100)]
    [1099, 346, 167]
    """
    between = number("var_between", var_between, 0)
    within_a, within_b = number("var_within_a", var_within_a, 0), number("var_within_b", var_within_b, 0)
    k_a, k_b = integer("completions_a", completions_a, 1), integer("completions_b", completions_b, 1)
    variance = between + within_a / k_a + within_b / k_b
    if variance == 0:
        raise ValueError("at least one variance must be above 0, got 0 for all three")
    size = required_n_paired_mean(delta, math.sqrt(variance), alpha, power)
    design = dict(size.design) | {"var_between": between, "var_within_a": within_a, "var_within_b": within_b}
    design |= {"completions_a": k_a, "completions_b": k_b}
    return SampleSize(int(size), test=size.test, alpha=alpha, power=power, design=design)


# --- power -----------------------------------------------------------------------------------------------------------


def power_two_proportions(n: int, p_a: float, p_b: float, alpha: float = 0.05) -> Power:
    """How often does the unpaired z test see the difference with n items for each system?

    Parameters
    ----------
    n : int
        Items for each system, at least 1.
    p_a, p_b : float
        The two accuracies, in (0, 1); equal ones give the rate of false alarms.
    alpha : float
        Two-sided level, in (0, 0.5).

    Returns
    -------
    Power

    Raises
    ------
    ValueError
        For n below 1, an accuracy or alpha outside (0, 1).

    Notes
    -----
    Equation `eq-required-n-two-proportions` of chapter `power`; a normal approximation with both variances as assumed.

    Examples
    --------
    >>> from evalstats import power_two_proportions
    >>> print(power_two_proportions(19458, 0.85, 0.86))
    power 0.8 (unpaired_z_unpooled, alpha 0.05, n = 19458)
    """
    items, first, second = integer("n", n, 1), share("p_a", p_a), share("p_b", p_b)
    shift = (first - second) / math.sqrt((first * (1 - first) + second * (1 - second)) / items)
    z = standard_normal.inv_cdf(1 - share("alpha", alpha) / 2)
    rate = standard_normal.cdf(shift - z) + standard_normal.cdf(-shift - z)
    return Power(rate, "unpaired_z_unpooled", alpha, items, extra={"p_a": first, "p_b": second})


def _whole_clusters(n: int, cluster_size: int, icc: float) -> tuple[int, float]:
    """How many clusters n rows fill, at least two, and the design effect."""
    rows, size, correlation = integer("n", n, 2), integer("cluster_size", cluster_size, 1), number("icc", icc, 0, 1)
    if rows % size or rows < 2 * size:
        raise ValueError(f"n must fill 2 or more whole clusters of {size}, got {n}")
    return rows // size, 1 + (size - 1) * correlation


def _t_power(shift: float, df: int, alpha: float) -> float:
    """How often |t| passes its critical value when its mean is moved by `shift` standard errors."""
    from scipy.stats import nct, t

    critical = float(t.isf(alpha / 2, df))
    seen, wrong_way = float(nct.sf(critical, df, abs(shift))), float(nct.sf(critical, df, -abs(shift)))
    return min(1.0, seen + (wrong_way if math.isfinite(wrong_way) else 0.0))


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
        For n below 2 or not in whole clusters, sd_diff not above 0, icc outside [0, 1], alpha outside (0, 1).

    Notes
    -----
    Equation `eq-power-paired-mean` of chapter `power`: the noncentral t distribution.

    Examples
    --------
    >>> from evalstats import power_paired_mean
    >>> print(power_paired_mean(1368, 0.02, 0.264))
    power 0.7996 (paired_t, alpha 0.05, n = 1368)
    """
    difference, spread = number("delta", delta), positive("sd_diff", sd_diff)
    clusters, effect = _whole_clusters(n, cluster_size, icc)
    rate = _t_power(difference / (spread * math.sqrt(effect / n)), clusters - 1, share("alpha", alpha))
    facts = {"delta": difference, "sd_diff": spread, "cluster_size": cluster_size, "icc": float(icc)}
    return Power(rate, "paired_t" if cluster_size == 1 else "paired_cluster_t", alpha, n, extra=facts)


# The four forms of McNemar's test, each as a rule: with D items on which the systems disagree, it rejects when the
# smaller of b and c is at most the critical count (-1: never).
Critical = Callable[[Counts, float], Vector]


def _binomial_half(discordant: Counts, tail: float) -> Vector:
    """The smallest k with P(Bin(D, 1/2) <= k) >= tail."""
    from scipy.stats import binom

    return np.asarray(binom.ppf(tail, discordant, 0.5), dtype=np.float64)


def _not_above(p: ArrayLike, alpha: float) -> NDArray[np.bool_]:
    return np.asarray(p) <= alpha * (1 + 1e-12)  # a p-value equal to alpha rejects, whatever its last digit


def _critical_exact(discordant: Counts, alpha: float) -> Vector:
    from scipy.stats import binom

    k = _binomial_half(discordant, alpha / 2)
    return np.where(_not_above(2 * binom.cdf(k, discordant, 0.5), alpha), k, k - 1)


def _critical_midp(discordant: Counts, alpha: float) -> Vector:
    from scipy.stats import binom

    k = _binomial_half(discordant, alpha / 2)
    p = binom.cdf(k - 1, discordant, 0.5) + binom.cdf(k, discordant, 0.5)
    return np.where(_not_above(p, alpha), k, k - 1)


def _critical_chi_square(discordant: Counts, alpha: float, correction: int) -> Vector:
    reach = standard_normal.inv_cdf(1 - alpha / 2) * np.sqrt(discordant)
    k = np.floor((discordant - correction - reach) / 2 + 1e-9)
    return np.where(discordant == 0, -1, k)


def _critical_uncorrected(discordant: Counts, alpha: float) -> Vector:
    return _critical_chi_square(discordant, alpha, 0)


def _critical_corrected(discordant: Counts, alpha: float) -> Vector:
    return _critical_chi_square(discordant, alpha, 1)


def _rejection_rate(critical: Critical, n: int, delta: float, psi: float, alpha: float) -> float:
    """Add up P(D) P(reject | D) over the number D of items on which the systems disagree."""
    from scipy.stats import binom

    negligible = 1e-14
    low, high = int(binom.ppf(negligible, n, psi)), int(binom.isf(negligible, n, psi))
    discordant = np.arange(low, high + 1, dtype=np.int64)
    k = critical(discordant, alpha)
    a_wins = (psi + delta) / (2 * psi)
    reject = binom.cdf(k, discordant, a_wins) + binom.cdf(k, discordant, 1 - a_wins)
    return min(1.0, float(binom.pmf(discordant, n, psi) @ reject))


def _power(critical: Critical, test: str, n: int, delta: float, psi: float, alpha: float) -> Power:
    items, level = integer("n", n, 1), share("alpha", alpha)
    difference, disagreement = _discordance(delta, psi)
    rate = _rejection_rate(critical, items, difference, disagreement, level)
    return Power(rate, test, level, items, extra={"delta": difference, "psi": disagreement})


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
        For n below 1, psi below |delta| or above 1, alpha outside (0, 1).

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
    return _power(_critical_exact, "mcnemar_exact", n, delta, psi, alpha)


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
    return _power(_critical_midp, "mcnemar_midp", n, delta, psi, alpha)


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
    return _power(_critical_uncorrected, "mcnemar_uncorrected", n, delta, psi, alpha)


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
    return _power(_critical_corrected, "mcnemar_corrected", n, delta, psi, alpha)


def _smallest_n(critical: Critical, delta: float, psi: float, alpha: float, power: float) -> int:
    """The smallest n that has the power and keeps it at every larger n.

    Power climbs in small teeth, because counts are whole: walking down from a size that is surely enough, the first
    that is too small is found, and the answer is the one above it.
    """
    n = int(required_n_mcnemar(delta, psi, alpha, power)) + math.ceil(8 / abs(delta)) + 20
    while _rejection_rate(critical, n, delta, psi, alpha) < power:
        n *= 2
    while n > 1 and _rejection_rate(critical, n - 1, delta, psi, alpha) >= power:
        n -= 1
    return n


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
    difference, disagreement = _discordance(_nonzero("delta", delta), psi)
    n = _smallest_n(_critical_exact, difference, disagreement, share("alpha", alpha), share("power", power))
    return _mcnemar_size(n, "mcnemar_exact", difference, disagreement, alpha, power)


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
    difference, disagreement = _discordance(_nonzero("delta", delta), psi)
    n = _smallest_n(_critical_midp, difference, disagreement, share("alpha", alpha), share("power", power))
    return _mcnemar_size(n, "mcnemar_midp", difference, disagreement, alpha, power)


# --- the smallest difference that n items show -----------------------------------------------------------------------


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
        Two-sided level in (0, 0.5) and power in (0, 1).
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
        For a gain not above 0 or a loss not below, alpha or power outside (0, 1), n below 1.

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
        self._put(
            up=None if self.up is None else positive("up", self.up),
            down=None if self.down is None else number("down", self.down),
            test=text("test", self.test),
            alpha=share("alpha", self.alpha),
            power=share("power", self.power),
            n=integer("n", self.n, 1),
            name=text("name", self.name),
            extra=Extra(self.extra),
            warning=None if self.warning is None else text("warning", self.warning),
        )
        if self.down is not None and self.down >= 0:
            raise ValueError(f"down must be below 0, got {self.down!r}")

    def __str__(self) -> str:
        ways = ", ".join(
            f"{way} {'none' if size is None else format(size, '.4g')}"
            for way, size in (("up", self.up), ("down", self.down))
        )
        warning = f"\nwarning: {self.warning}" if self.warning else ""
        return f"{ways} ({self.test}, alpha {self.alpha:g}, power {self.power:g}, n = {self.n}){warning}"


def _above_alpha(alpha: float, power: float) -> tuple[float, float]:
    level, wanted = share("alpha", alpha), share("power", power)
    if wanted <= level:
        raise ValueError(f"power must be above alpha, which no difference at all would give, got {power!r}")
    return level, wanted


def minimum_detectable_effect_two_proportions(
    n: int, p: float, alpha: float = 0.05, power: float = 0.80
) -> DetectableEffect:
    """Which gain or loss against an accuracy of p do n separate items for each system show?

    Parameters
    ----------
    n : int
        Items for each system, at least 1.
    p : float
        The accuracy to compare with, in (0, 1).
    alpha, power : float
        Two-sided level in (0, 0.5) and power in (0, 1); power above alpha.

    Returns
    -------
    DetectableEffect
        Both directions solved with both variances, which is why they differ; `extra["both_at_baseline"]` is the figure
        in common use that takes the variance of p twice.

    Raises
    ------
    ValueError
        For n below 1, p, alpha or power outside (0, 1), power not above alpha.

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
    items, base = integer("n", n, 1), share("p", p)
    z = sum(_normal_quantiles(*_above_alpha(alpha, power)))
    # delta^2 n / z^2 = p(1-p) + (p+delta)(1-p-delta), solved for delta
    square, linear, constant = items / z**2 + 1, 1 - 2 * base, 2 * base * (1 - base)
    root = math.sqrt(linear**2 + 4 * square * constant)
    up, down = (linear + root) / (2 * square), (linear - root) / (2 * square)
    reached = [size for size in (base + up, base + down) if 0 < size < 1]
    fewest = items * min(min(q, 1 - q) for q in (base, *reached))
    warning = None
    if fewest < FEW_OF_A_KIND:
        warning = (
            f"only {fewest:.2g} right or wrong answers expected at one end: the normal approximation is poor there"
        )
    facts = {"p": base, "both_at_baseline": z * math.sqrt(constant / items)}
    return DetectableEffect(
        up if base + up < 1 else None,
        down if base + down > 0 else None,
        "unpaired_z_unpooled",
        alpha,
        power,
        items,
        extra=facts,
        warning=warning,
    )


def minimum_detectable_effect_paired_mean(
    n: int, sd_diff: float, alpha: float = 0.05, power: float = 0.80, *, cluster_size: int = 1, icc: float = 0.0
) -> DetectableEffect:
    """Which mean paired difference do n items show? For the paired t test.

    Parameters
    ----------
    n, sd_diff, cluster_size, icc
        As in `power_paired_mean`.
    alpha, power : float
        Two-sided level in (0, 0.5) and power in (0, 1); power above alpha.

    Returns
    -------
    DetectableEffect
        The same in both directions.

    Raises
    ------
    ValueError
        As `power_paired_mean`; and for power not above alpha.

    Notes
    -----
    Equation `eq-power-paired-mean` of chapter `power`, solved for the difference.

    Examples
    --------
    >>> from evalstats import minimum_detectable_effect_paired_mean
    >>> print(minimum_detectable_effect_paired_mean(1000, 0.264))
    up 0.02341, down -0.02341 (paired_t, alpha 0.05, power 0.8, n = 1000)
    """
    from scipy.optimize import brentq

    level, wanted = _above_alpha(alpha, power)
    spread, (clusters, effect) = positive("sd_diff", sd_diff), _whole_clusters(n, cluster_size, icc)
    far = 1.0
    while _t_power(far, clusters - 1, level) < wanted:
        far *= 2
    shift = float(brentq(lambda moved: _t_power(moved, clusters - 1, level) - wanted, 0.0, far))
    delta = shift * spread * math.sqrt(effect / n)
    facts = {"sd_diff": spread, "cluster_size": cluster_size, "icc": float(icc)}
    test = "paired_t" if cluster_size == 1 else "paired_cluster_t"
    return DetectableEffect(delta, -delta, test, alpha, power, n, extra=facts)


def _detectable_mcnemar(
    enough: Callable[[float], float], test: str, n: int, psi: float, alpha: float, power: float
) -> DetectableEffect:
    """The difference at which `enough` turns positive, refused where even the lopsided one falls short."""
    from scipy.optimize import brentq

    if enough(psi) < 0:
        raise ValueError(
            f"n must be larger: with {n} items and psi {psi!r} no difference has power {power!r}, not even one of psi"
        )
    delta = float(brentq(enough, 0.0, psi))
    return DetectableEffect(delta, -delta, test, alpha, power, n, extra={"psi": psi})


def minimum_detectable_effect_mcnemar(n: int, psi: float, alpha: float = 0.05, power: float = 0.80) -> DetectableEffect:
    """Which gain in accuracy do n shared items show? For the uncorrected McNemar test.

    Parameters
    ----------
    n : int
        Shared items, at least 1.
    psi : float
        Share of items on which the systems disagree, in (0, 1].
    alpha, power : float
        Two-sided level in (0, 0.5) and power in (0, 1); power above alpha.

    Returns
    -------
    DetectableEffect
        The same in both directions.

    Raises
    ------
    ValueError
        For n below 1, psi outside (0, 1], power not above alpha; and for n so small that not even the largest
        possible difference, psi, is seen often enough.

    Notes
    -----
    Equation `eq-required-n-mcnemar` of chapter `power`, solved for the difference.

    Examples
    --------
    >>> from evalstats import minimum_detectable_effect_mcnemar
    >>> print(minimum_detectable_effect_mcnemar(194, psi=0.25))
    up 0.09996, down -0.09996 (mcnemar_uncorrected, alpha 0.05, power 0.8, n = 194)
    """
    items, (_, disagreement) = integer("n", n, 1), _discordance(0, psi)
    z_alpha, z_power = _normal_quantiles(*_above_alpha(alpha, power))

    def enough(delta: float) -> float:
        spread = math.sqrt(max(disagreement - delta**2, 0.0))
        return delta * math.sqrt(items) - z_alpha * math.sqrt(disagreement) - z_power * spread

    return _detectable_mcnemar(enough, "mcnemar_uncorrected", items, disagreement, alpha, power)


def _enumerated_effect(
    critical: Critical, test: str, n: int, psi: float, alpha: float, power: float
) -> DetectableEffect:
    items, (_, disagreement) = integer("n", n, 1), _discordance(0, psi)
    level, wanted = _above_alpha(alpha, power)

    def enough(delta: float) -> float:
        return _rejection_rate(critical, items, delta, disagreement, level) - wanted

    return _detectable_mcnemar(enough, test, items, disagreement, alpha, power)


def minimum_detectable_effect_mcnemar_exact(
    n: int, psi: float, alpha: float = 0.05, power: float = 0.80
) -> DetectableEffect:
    """Which gain in accuracy do n shared items show? For the exact McNemar test, all outcomes added up.

    Parameters, returns and errors are those of `minimum_detectable_effect_mcnemar`.

    Notes
    -----
    Equation `eq-power-mcnemar` of chapter `power`, solved for the difference.

    Examples
    --------
    >>> from evalstats import minimum_detectable_effect_mcnemar_exact
    >>> print(minimum_detectable_effect_mcnemar_exact(194, psi=0.25))
    up 0.1031, down -0.1031 (mcnemar_exact, alpha 0.05, power 0.8, n = 194)
    """
    return _enumerated_effect(_critical_exact, "mcnemar_exact", n, psi, alpha, power)


def minimum_detectable_effect_mcnemar_midp(
    n: int, psi: float, alpha: float = 0.05, power: float = 0.80
) -> DetectableEffect:
    """Which gain in accuracy do n shared items show? For the mid-p McNemar test, all outcomes added up.

    Parameters, returns and errors are those of `minimum_detectable_effect_mcnemar`.

    Notes
    -----
    Equation `eq-power-mcnemar` of chapter `power`, solved for the difference.

    Examples
    --------
    >>> from evalstats import minimum_detectable_effect_mcnemar_midp
    >>> print(minimum_detectable_effect_mcnemar_midp(194, psi=0.25))
    up 0.09877, down -0.09877 (mcnemar_midp, alpha 0.05, power 0.8, n = 194)
    """
    return _enumerated_effect(_critical_midp, "mcnemar_midp", n, psi, alpha, power)


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
    a, b : arrays of 0 and 1, or one PairedTable
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
        For anything but 0 and 1, and when the pilot's systems disagree on fewer items than a difference of `delta`
        takes.

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
    if psi.point < abs(_nonzero("delta", delta)):
        raise ValueError(
            f"delta must be at most the pilot's share of disagreement, {psi.point:g}, got {delta!r}: "
            "the systems cannot differ by more than they disagree"
        )
    low, point, high = (
        int(required_n_mcnemar_exact(delta, max(share, abs(delta)), alpha, power))
        for share in (psi.ci_low, psi.point, psi.ci_high)
    )
    facts: dict[str, Any] = {"psi": psi.point, "psi_low": psi.ci_low, "psi_high": psi.ci_high}
    facts |= {"delta": delta, "alpha": alpha, "power": power, "unit": "shared items"}
    return Estimate("required_n", point, low, high, level, "mcnemar_exact", table.n, extra=facts)


def _range_of_n(
    variance: float, left_out: Vector, delta: float, alpha: float, power: float, level: float
) -> tuple[float, float, float]:
    """Rows needed at the pilot's variance and at both ends of its interval, from leaving out each unit of the pilot."""
    from scipy.stats import t

    from .variance import log_jackknife

    if left_out.min() <= 1e-12 * max(variance, left_out.max()):
        raise ValueError("the pilot's spread rests on one item or none: it cannot say how many are needed; ask more")
    reach = float(t.isf((1 - share("level", level)) / 2, left_out.size - 1)) * log_jackknife(left_out)[1]
    z = sum(_normal_quantiles(alpha, power)) / _nonzero("delta", delta)
    return z * z * variance * math.exp(-reach), z * z * variance, z * z * variance * math.exp(min(reach, 700))


def _variances_without_each(values: Vector) -> Vector:
    """The variance of all values (first) and of all but each one."""
    centred = values - values.mean()
    total = np.append(0.0, -centred)
    squares = np.append(0.0, -(centred**2)) + centred @ centred
    kept = values.size - np.append(0, np.ones(values.size))
    return np.asarray(np.maximum(squares - total**2 / kept, 0) / (kept - 1), dtype=np.float64)


def pilot_required_n_paired_mean(
    a: ArrayLike,
    b: ArrayLike,
    groups: Iterable[Hashable] | None = None,
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
        pilot, on the scale of the logarithm. `n` is the size of the pilot.

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

    differences = paired_differences(a, b)[0]
    if groups is None:
        if cluster_size is not None:
            raise ValueError(f"cluster_size needs the pilot's groups, got {cluster_size!r} without them")
        size, variances = 1, _variances_without_each(finite_vector("a - b", differences, 3))
    else:
        codes, n_clusters = cluster_codes(groups, differences.size)
        if n_clusters < 3:
            raise ValueError(f"groups must name at least 3 clusters, got {n_clusters}")
        size = integer(
            "cluster_size", round(differences.size / n_clusters) if cluster_size is None else cluster_size, 1
        )
        kept = [codes >= 0, *(codes != code for code in range(n_clusters))]
        variances = np.array([_clustered_variance(differences[rows], codes[rows], size) for rows in kept])
    ends = _range_of_n(float(variances[0]), variances[1:], delta, alpha, power, level)
    low, point, high = (size * _rounded_up(rows / size, delta) for rows in ends)
    facts = {"sd_diff": math.sqrt(variances[0]), "cluster_size": size, "delta": delta, "alpha": alpha, "power": power}
    n_clusters_drawn = None if groups is None else variances.size - 1
    return Estimate(
        "required_n", point, low, high, level, "paired_z", differences.size, extra=facts, n_clusters=n_clusters_drawn
    )


def _clustered_variance(differences: Vector, codes: Counts, size: int) -> float:
    """The variance that a row is worth in clusters of `size`: within clusters, plus size times between them."""
    from .cluster import intraclass_correlation

    parts = intraclass_correlation(differences, codes.tolist()).extra
    within, between = parts["mean_square_within"], parts["mean_square_between"]
    return float(within + size * max((between - within) / parts["n0"], 0.0))


def pilot_required_n_completions(
    a: ArrayLike,
    b: ArrayLike,
    *,
    delta: float,
    completions: int,
    alpha: float = 0.05,
    power: float = 0.80,
    level: float = 0.95,
) -> Estimate:
    """How many items, each answered `completions` times, when the noise is known from a pilot only?

    Parameters
    ----------
    a, b : arrays of numbers, items x completions
        The pilot: row i is the same item in both; at least 3 items and 2 completions, which may differ in number.
    delta : float
        The smallest mean difference that matters; not 0, and not the one the pilot shows.
    completions : int
        Answers of each system to each item in the study to plan.
    alpha, power, level
        As in `pilot_required_n_mcnemar`.

    Returns
    -------
    Estimate
        The number of items needed, with an interval from leaving out each item of the pilot. `extra` holds the
        variances for `required_n_completions`; the one between items is what the others leave, at least 0.

    Raises
    ------
    ValueError
        For NaN or ragged scores, unequal numbers of items, a pilot too small or without spread, delta 0.

    Notes
    -----
    Equation `eq-required-n-completions` of chapter `power`.

    Examples
    --------
    >>> from evalstats import pilot_required_n_completions
    >>> a, b = [[1, 1], [1, 0], [0, 0], [1, 1], [0, 1]] * 8, [[1, 0], [0, 0], [0, 0], [1, 1], [1, 1]] * 8
    >>> print(pilot_required_n_completions(a, b, delta=0.1, completions=5))
    required_n = 48, 95% interval [37, 62] (paired_z, n = 40)
    """
    from .variance import balanced

    k, axes = integer("completions", completions, 1), ("items", "completions")
    rows_a, rows_b = balanced(a, axes, (3, 2)), balanced(b, axes, (3, 2))
    if len(rows_a) != len(rows_b):
        raise ValueError(f"a and b must describe the same items, got {len(rows_a)} and {len(rows_b)} rows")
    within = [_means_without_each(rows.var(axis=1, ddof=1)) for rows in (rows_a, rows_b)]
    seen = _variances_without_each(rows_a.mean(axis=1) - rows_b.mean(axis=1))
    between = np.maximum(seen - within[0] / rows_a.shape[1] - within[1] / rows_b.shape[1], 0)
    variances = between + (within[0] + within[1]) / k
    ends = _range_of_n(float(variances[0]), variances[1:], delta, alpha, power, level)
    low, point, high = (_rounded_up(rows, delta) for rows in ends)
    facts = {"var_between": float(between[0]), "var_within_a": float(within[0][0]), "var_within_b": float(within[1][0])}
    facts |= {"completions": k, "delta": delta, "alpha": alpha, "power": power}
    return Estimate("required_n", point, low, high, level, "paired_z", len(rows_a), extra=facts)


def _means_without_each(values: Vector) -> Vector:
    """The mean of all values (first) and of all but each one."""
    return np.append(values.mean(), (values.sum() - values) / (values.size - 1))
