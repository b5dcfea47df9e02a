"""How many items do we need? Sample sizes, and the power a given number of items has.

Every answer names its test: 194 items are enough for one form of McNemar's test and not for another.
Sizes come from normal approximations (`required_n_paired_mean`, `required_n_mcnemar`, `required_n_two_proportions`) or
from adding up all possible outcomes (`power_mcnemar_*`, `required_n_mcnemar_exact`, `required_n_mcnemar_midp`).
Give them the smallest difference that would matter, not the one that was seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._checks import Counts, Vector, integer, number, positive, share, text
from .result import Extra, Result, SampleSize

__all__ = [
    "Power",
    "power_mcnemar_corrected",
    "power_mcnemar_exact",
    "power_mcnemar_midp",
    "power_mcnemar_uncorrected",
    "required_n_mcnemar",
    "required_n_mcnemar_exact",
    "required_n_mcnemar_midp",
    "required_n_paired_mean",
    "required_n_two_proportions",
]

standard_normal = NormalDist()


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
        Its two-sided level, in (0, 1).
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


def _discordance(delta: float, psi: float) -> tuple[float, float]:
    """Refuse pairs that cannot be: the systems cannot differ by more than they disagree."""
    difference, disagreement = number("delta", delta, -1, 1), number("psi", psi, 0, 1)
    if disagreement == 0 or abs(difference) > disagreement:
        raise ValueError(f"psi must lie in (0, 1] and be at least |delta|, got psi {psi!r} with delta {delta!r}")
    return difference, disagreement


def required_n_paired_mean(
    delta: float,
    sd_diff: float,
    alpha: float = 0.05,
    power: float = 0.80,
    *,
    cluster_size: int = 1,
    icc: float = 0.0,
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
        Two-sided level and power, in (0, 1).
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
    size, correlation = integer("cluster_size", cluster_size, 1), number("icc", icc, 0, 1)
    z_alpha, z_power = _normal_quantiles(alpha, power)
    root_n = (z_alpha + z_power) * spread / difference
    clusters = _rounded_up(root_n * root_n * (1 + (size - 1) * correlation) / size, difference)
    design: dict[str, Any] = {"delta": difference, "sd_diff": spread, "unit": "items"}
    if size > 1:
        design |= {"cluster_size": size, "icc": correlation, "clusters": clusters}
    return SampleSize(clusters * size, test="paired_z", alpha=alpha, power=power, design=design)


def required_n_mcnemar(delta: float, psi: float, alpha: float = 0.05, power: float = 0.80) -> SampleSize:
    """How many shared items show a gain of `delta` in accuracy? For the uncorrected McNemar test.

    The exact test, which is the default of `mcnemar`, needs more: see `required_n_mcnemar_exact`.

    Parameters
    ----------
    delta : float
        The smallest difference in accuracy that matters, A - B; not 0.
    psi : float
        Share of items on which the systems disagree, in (0, 1], at least |delta|.
    alpha, power : float
        Two-sided level and power, in (0, 1).

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
    For items that come in clusters use `required_n_paired_mean` with `sd_diff` the square root of psi - delta squared.

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
    n = _rounded_up(root_n * root_n, difference)
    return _mcnemar_size(n, "mcnemar_uncorrected", difference, disagreement, alpha, power)


def _mcnemar_size(n: int, test: str, delta: float, psi: float, alpha: float, power: float) -> SampleSize:
    design = {"delta": delta, "psi": psi, "unit": "shared items"}
    return SampleSize(n, test=test, alpha=alpha, power=power, design=design)


def required_n_two_proportions(p_a: float, p_b: float, alpha: float = 0.05, power: float = 0.80) -> SampleSize:
    """How many items does each system need if they answer different items? For the two-sided unpaired z test.

    Parameters
    ----------
    p_a, p_b : float
        The two accuracies, in (0, 1), different.
    alpha, power : float
        Two-sided level and power, in (0, 1).

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
    n = _rounded_up((z_alpha + z_power) ** 2 * variance / difference**2, difference)
    design = {"p_a": first, "p_b": second, "unit": "items for each system"}
    return SampleSize(n, test="unpaired_z_unpooled", alpha=alpha, power=power, design=design)


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
        Two-sided level, in (0, 1).

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
