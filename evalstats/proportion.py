"""One accuracy: k of n items right, and how sure that makes us.

Five intervals for one proportion, each under its own name. `wilson_interval` is the everyday one; the others are here
because papers and dashboards use them, and to be compared with it (chapter `intervals`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Self

import scipy  # its parts are loaded when they are used

from . import _checks as checks
from .result import FIELD_CHECKS, Estimate, Extra, NumberWithFacts


class Quantity(NumberWithFacts, float):
    """How large is it, and how was it made? A float that remembers its method and size.

    It adds, compares and prints as the float it is.

    Parameters
    ----------
    value : float
        The number, finite.
    method : str
        The named method, for instance "cluster_cr2".
    n : int
        Number of items (with groups: of rows).
    n_clusters : int or None
        Number of clusters, where items hang together.
    extra : mapping
        Further facts, for instance the degrees of freedom; stored read-only.
    warning : str or None
        What to beware of, and the better tool.

    Raises
    ------
    ValueError
        For a value that is not finite, n below 1, an empty method.

    Examples
    --------
    >>> error = Quantity(0.034, method="cluster_cr2", n=300, n_clusters=60)
    >>> error * 2, error.n_clusters
    (0.068, 60)
    >>> Quantity.from_dict(error.to_dict()).method
    'cluster_cr2'
    """

    method: str
    n: int
    n_clusters: int | None
    extra: Extra
    warning: str | None

    def __new__(
        cls,
        value: float,
        *,
        method: str,
        n: int,
        n_clusters: int | None = None,
        extra: Mapping[str, Any] | None = None,
        warning: str | None = None,
    ) -> Self:
        quantity = super().__new__(cls, checks.number("value", value))
        facts = {"method": method, "n": n, "extra": extra}
        facts |= {key: fact for key, fact in (("n_clusters", n_clusters), ("warning", warning)) if fact is not None}
        checked = {key: FIELD_CHECKS[key](key, fact) for key, fact in facts.items()}
        return quantity._with({"n_clusters": None, "warning": None} | checked)

    def to_dict(self) -> dict[str, Any]:
        """Value and facts as plain values for JSON."""
        facts = {"method": self.method, "n": self.n, "n_clusters": self.n_clusters, "warning": self.warning}
        return {"value": float(self)} | facts | {"extra": dict(self.extra)}


def normal_quantile(level: float) -> float:
    """The z that leaves (1 - level)/2 in each tail: 1.96 for level = 0.95."""
    return -float(scipy.special.ndtri((1 - checks.share("level", level)) / 2))


def wilson_limits(p: float, n: float, z: float) -> tuple[float, float]:
    """Both ends of Wilson's interval; n may be an effective size, and z a quantile of t."""
    centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * math.sqrt(p * (1 - p) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    # At p = 0 and p = 1 one end is exactly the point; rounding may put it a hair beyond.
    return max(min(centre - half, p), 0.0), min(max(centre + half, p), 1.0)


def standard_error(k: int, n: int) -> Quantity:
    r"""How far does an accuracy of k in n typically fall from the truth?

    $\sqrt{\hat p(1-\hat p)/n}$, for items drawn one by one; items that hang together need
    `cluster_standard_error`.

    Parameters
    ----------
    k, n : int
        Number right and number asked, 0 <= k <= n.

    Returns
    -------
    Quantity
        The standard error, in the unit of an accuracy. At k = 0 and k = n it is 0, which is no certainty: the result
        then warns and names `wilson_interval`.

    Raises
    ------
    ValueError
        Unless k and n are whole numbers with 0 <= k <= n and n >= 1.

    Notes
    -----
    Chapter `intervals`.

    Examples
    --------
    >>> round(standard_error(855, 1000), 4)
    0.0111
    """
    right, total = checks.right_of("k", k, "n", n)
    error = math.sqrt(right * (total - right) / total) / total
    warning = None if error else f"{k} of {n}: the standard error of 0 is no certainty; use wilson_interval"
    return Quantity(error, method="binomial", n=total, warning=warning)


def wald_interval(k: int, n: int, level: float = 0.95, *, name: str = "accuracy") -> Estimate:
    r"""What does the textbook's $\hat p \pm z\sqrt{\hat p(1-\hat p)/n}$ give?

    It is here to be recognised. Near 0 and 1 it covers far too seldom, and at k = 0 or k = n it has no width at all;
    `wilson_interval` has the same cost and neither fault.

    Parameters
    ----------
    k, n : int
        Number right and number asked, 0 <= k <= n.
    level : float
        Confidence level in [0.5, 1).
    name : str
        What is estimated.

    Returns
    -------
    Estimate
        Cut off at 0 and 1; with a warning where fewer than 10 items are right or fewer than 10 are wrong.

    Raises
    ------
    ValueError
        Unless 0 <= k <= n, n >= 1 and 0.5 <= level < 1.

    Notes
    -----
    Chapter `intervals`.

    Examples
    --------
    >>> print(wald_interval(855, 1000))
    accuracy = 0.855, 95% interval [0.8332, 0.8768] (wald, n = 1000)
    """
    right, total = checks.right_of("k", k, "n", n)
    p, few = right / total, min(right, total - right)
    half = normal_quantile(level) * math.sqrt(p * (1 - p) / total)
    sparse = f"only {few} of {total} on one side: this interval covers too seldom; use wilson_interval"
    limits, warning = (max(p - half, 0.0), min(p + half, 1.0)), sparse if few < 10 else None
    return Estimate(name, p, *limits, level, "wald", total, warning=warning)


def wilson_interval(k: int, n: int, level: float = 0.95, *, name: str = "accuracy") -> Estimate:
    """Which true accuracies would a score test not reject, after k of n right?

    The everyday interval for one accuracy, also for few items and near 0 or 1.

    Parameters
    ----------
    k, n : int
        Number right and number asked, 0 <= k <= n.
    level : float
        Confidence level in [0.5, 1).
    name : str
        What is estimated.

    Returns
    -------
    Estimate
        Always inside [0, 1], and never of zero width.

    Raises
    ------
    ValueError
        Unless 0 <= k <= n, n >= 1 and 0.5 <= level < 1.

    Notes
    -----
    Chapter `intervals`. Its coverage is 95% on average, not for every truth: it falls to about 84% when the true
    accuracy is near 1 - 0.178/n or 0.178/n. E. B. Wilson, "Probable inference, the law of succession, and statistical
    inference", Journal of the American Statistical Association 22 (1927), 209-212.

    Examples
    --------
    >>> answer = wilson_interval(17, 20)
    >>> round(answer.ci_low, 4), round(answer.ci_high, 4)
    (0.6396, 0.9476)
    """
    right, total = checks.right_of("k", k, "n", n)
    limits = wilson_limits(right / total, total, normal_quantile(level))
    return Estimate(name, right / total, *limits, level, "wilson", total)


def clopper_pearson_interval(k: int, n: int, level: float = 0.95, *, name: str = "accuracy") -> Estimate:
    """Which true accuracies are not rejected by either exact one-sided binomial test?

    It covers at least `level` for every truth, and pays for it with width.

    Parameters
    ----------
    k, n : int
        Number right and number asked, 0 <= k <= n.
    level : float
        Confidence level in [0.5, 1).
    name : str
        What is estimated.

    Returns
    -------
    Estimate

    Raises
    ------
    ValueError
        Unless 0 <= k <= n, n >= 1 and 0.5 <= level < 1.

    Notes
    -----
    Chapter `intervals`. C. J. Clopper and E. S. Pearson, Biometrika 26 (1934), 404-413.

    Examples
    --------
    >>> answer = clopper_pearson_interval(17, 20)
    >>> round(answer.ci_low, 4), round(answer.ci_high, 4)
    (0.6211, 0.9679)
    """
    right, total = checks.right_of("k", k, "n", n)
    limits = clopper_pearson_limits(right, total, level)
    return Estimate(name, right / total, *limits, level, "clopper_pearson", total)


def clopper_pearson_limits(right: float, total: float, level: float, prior: float = 0.0) -> tuple[float, float]:
    """Both ends of Clopper and Pearson's interval, also for effective sizes; with a prior of 1/2, Jeffreys's."""
    tail, wrong, rest = (1 - checks.share("level", level)) / 2, total - right, 1 - prior
    low = 0.0 if right <= 0 else float(scipy.special.betaincinv(right + prior, wrong + rest, tail))
    high = 1.0 if wrong <= 0 else float(scipy.special.betainccinv(right + rest, wrong + prior, tail))
    return low, high


def jeffreys_interval(k: int, n: int, level: float = 0.95, *, name: str = "accuracy") -> Estimate:
    """Where does the accuracy lie after k of n, starting from Jeffreys's prior Beta(1/2, 1/2)?

    Parameters
    ----------
    k, n : int
        Number right and number asked, 0 <= k <= n.
    level : float
        Posterior probability in [0.5, 1), split equally between the tails.
    name : str
        What is estimated.

    Returns
    -------
    Estimate
        The lower end is 0 at k = 0 and the upper end 1 at k = n. So the interval holds the observed share, whatever the
        level: below 0.5, where it might not, no level is accepted.

    Raises
    ------
    ValueError
        Unless 0 <= k <= n, n >= 1 and 0.5 <= level < 1.

    Notes
    -----
    Chapter `intervals`. L. D. Brown, T. T. Cai and A. DasGupta, "Interval estimation for a binomial proportion",
    Statistical Science 16 (2001), 101-133.

    Examples
    --------
    >>> answer = jeffreys_interval(17, 20)
    >>> round(answer.ci_low, 4), round(answer.ci_high, 4)
    (0.6514, 0.9559)
    """
    right, total = checks.right_of("k", k, "n", n)
    limits = clopper_pearson_limits(right, total, level, prior=0.5)
    return Estimate(name, right / total, *limits, level, "jeffreys", total)
