"""Two systems, the same items: is A better than B, and by how much?

Everything for two 0/1 scores sits in one `PairedTable` of four counts; the tests and intervals take either the two
vectors or that table. All differences are A - B. In the names of the field, b counts the items that only A got right
and c those that only B got right.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, stats

from . import _checks as checks
from .io import Alignment
from .proportion import normal_quantile, wilson_limits
from .result import Estimate, TestResult

__all__ = [
    "PairedTable",
    "mcnemar",
    "mcnemar_corrected",
    "mcnemar_exact",
    "mcnemar_midp",
    "mcnemar_uncorrected",
    "newcombe_interval",
    "paired_t",
    "sign_flip_test",
    "tango_interval",
    "unpaired_z_pooled",
    "unpaired_z_unpooled",
    "wald_difference_interval",
]

ONE_PAIR_PER_ITEM = "one pair of outcomes per item, items independent; for clustered items use paired_cluster_interval"
GRADED = "paired_t (with groups paired_cluster_t)"
NO_DIFFERENCE = "every difference is 0: no sign of a difference, and no spread to make an interval from"


@dataclass(frozen=True)
class PairedTable:
    """How often were both systems right, only A, only B, or neither?

    Parameters
    ----------
    both_right, a_only, b_only, neither : int
        Numbers of items, at least 0, of which at least one is above 0.

    Raises
    ------
    ValueError
        For a count that is negative or not whole, and for a table without items.

    Notes
    -----
    Chapter `paired`. In the field's letters, b is `a_only` and c is `b_only`.

    Examples
    --------
    >>> table = PairedTable(both_right=810, a_only=45, b_only=25, neither=120)
    >>> table.n, table.discordant, table.accuracy_a, table.accuracy_b, table.difference
    (1000, 70, 0.855, 0.835, 0.02)
    >>> print(table)
               B right  B wrong
    A right        810       45
    A wrong         25      120
    """

    both_right: int
    a_only: int
    b_only: int
    neither: int

    def __post_init__(self) -> None:
        for name in ("both_right", "a_only", "b_only", "neither"):
            object.__setattr__(self, name, checks.integer(name, getattr(self, name), 0))
        if self.n == 0:
            raise ValueError("a PairedTable needs at least 1 item, got four counts of 0")

    @classmethod
    def from_vectors(cls, a: ArrayLike, b: ArrayLike) -> Self:
        """The table of two vectors of 0 and 1, in which position i is the same item in both.

        Raises
        ------
        ValueError
            For anything but 0 and 1 (0.9 is not rounded, NaN is not dropped), for unequal lengths, and for two pandas
            Series with different labels.

        Examples
        --------
        >>> PairedTable.from_vectors([1, 1, 0, 1], [1, 0, 0, 0])
        PairedTable(both_right=1, a_only=2, b_only=0, neither=1)
        """
        right_a, right_b = (checks.binary_vector(*each, better=GRADED) for each in (("a", a), ("b", b)))
        checks.same_rows(a=a, b=b)
        checks.equal_lengths("a", right_a, "b", right_b)
        cells = np.bincount(2 * (1 - right_a) + (1 - right_b), minlength=4)
        return cls(*cells.tolist())

    @property
    def n(self) -> int:
        """Number of items."""
        return self.both_right + self.a_only + self.b_only + self.neither

    @property
    def discordant(self) -> int:
        """Number of items on which the systems disagree, b + c."""
        return self.a_only + self.b_only

    @property
    def accuracy_a(self) -> float:
        """Share of items that A got right."""
        return (self.both_right + self.a_only) / self.n

    @property
    def accuracy_b(self) -> float:
        """Share of items that B got right."""
        return (self.both_right + self.b_only) / self.n

    @property
    def difference(self) -> float:
        """Accuracy of A minus accuracy of B, (b - c)/n."""
        return (self.a_only - self.b_only) / self.n

    def __str__(self) -> str:
        width = max(7, len(str(self.n)))
        return (
            f"         {'B right':>{width + 2}}  {'B wrong':>{width}}\n"
            f"A right  {self.both_right:>{width + 2}}  {self.a_only:>{width}}\n"
            f"A wrong  {self.b_only:>{width + 2}}  {self.neither:>{width}}"
        )


def table_of(a: ArrayLike | PairedTable, b: ArrayLike | None) -> PairedTable:
    """The table of two vectors, or the table itself."""
    if isinstance(a, PairedTable):
        if b is not None:
            raise ValueError("give one PairedTable or two vectors, got a PairedTable and b")
        return a
    if b is None:
        hint = "; pass both: (m.a, m.b)" if isinstance(a, Alignment) else ""
        raise ValueError(f"give one PairedTable or two vectors, got only {checks.kind_of(a)}{hint}")
    return PairedTable.from_vectors(a, b)


# --- tests for two 0/1 scores ----------------------------------------------------------------------------------------


def _mcnemar(table: PairedTable, statistic: float, statistic_name: str, p: float, method: str, name: str) -> TestResult:
    facts = {
        "b": table.a_only,
        "c": table.b_only,
        "discordant_rate": table.discordant / table.n,
        "statistic_name": statistic_name,
        "assumes": ONE_PAIR_PER_ITEM,
    }
    return TestResult(name, statistic, min(p, 1.0), table.difference, method, table.n, facts)


def mcnemar(a_correct: ArrayLike, b_correct: ArrayLike, exact: bool = True, name: str = "mcnemar") -> TestResult:
    """Could two systems that are equally good disagree as lopsidedly as this?

    The everyday paired test for two vectors of 0/1 scores: `mcnemar_exact`, or with `exact=False` `mcnemar_corrected`.

    It takes no clusters. When several rows share a template, a passage or a question asked twice, the rows are not
    independent pairs: use `paired_cluster_interval`, or `paired_cluster_t` for its p-value.

    Parameters
    ----------
    a_correct, b_correct : array of 0 and 1
        Position i is the same item in both.
    exact : bool
        True for the exact binomial test, False for the chi-square with continuity correction.
    name : str
        What is tested.

    Returns
    -------
    TestResult
        `statistic` is min(b, c) in the exact test and chi-square otherwise, as `extra["statistic_name"]` says; `extra`
        holds b, c and the discordant rate (b + c)/n.

    Raises
    ------
    ValueError
        For anything but 0 and 1, NaN, empty or unequal vectors.

    Notes
    -----
    Chapter `paired`, eq-mcnemar-exact and eq-mcnemar-corrected. Q. McNemar, Psychometrika 12 (1947), 153-157.

    Examples
    --------
    >>> import numpy as np
    >>> a = np.repeat([1, 1, 0, 0], [810, 45, 25, 120])
    >>> b = np.repeat([1, 0, 1, 0], [810, 45, 25, 120])
    >>> print(mcnemar(a, b))
    mcnemar = 0.02, p = 0.0225 (mcnemar_exact, statistic 25, n = 1000)
    >>> print(mcnemar(a, b, exact=False))
    mcnemar = 0.02, p = 0.0232 (mcnemar_chi2_cc, statistic 5.157, n = 1000)
    """
    test = mcnemar_exact if exact else mcnemar_corrected
    return test(a_correct, b_correct, name=name)


def mcnemar_exact(a: ArrayLike | PairedTable, b: ArrayLike | None = None, *, name: str = "A - B") -> TestResult:
    r"""If each disagreement were a fair coin, how often would it be as lopsided as this or more?

    $p = \min\{1,\; 2\,P(X \le \min(b, c))\}$ with $X \sim \mathrm{Bin}(b+c, 1/2)$. Its size never exceeds alpha, and
    with few disagreements it is far below.

    Parameters
    ----------
    a, b : arrays of 0 and 1, or one PairedTable
        Position i is the same item in both.
    name : str
        What is tested.

    Returns
    -------
    TestResult
        `statistic` is min(b, c); p is 1 when b = c, also without any disagreement.

    Raises
    ------
    ValueError
        For anything but 0 and 1, NaN, empty or unequal vectors.

    Notes
    -----
    Chapter `paired`, eq-mcnemar-exact.

    Examples
    --------
    >>> round(mcnemar_exact(PairedTable(810, 45, 25, 120)).pvalue, 4)
    0.0225
    """
    table = table_of(a, b)
    fewer = min(table.a_only, table.b_only)
    p = 2 * float(stats.binom.cdf(fewer, table.discordant, 0.5))
    return _mcnemar(table, fewer, "min(b, c)", p, "mcnemar_exact", name)


def mcnemar_midp(a: ArrayLike | PairedTable, b: ArrayLike | None = None, *, name: str = "A - B") -> TestResult:
    r"""The exact test, counting only half of the outcomes that are exactly as lopsided as this.

    $p = 2\,P(X < \min(b,c)) + P(X = \min(b,c))$ with $X \sim \mathrm{Bin}(b+c, 1/2)$. Less cautious than
    `mcnemar_exact`; its size stays close to alpha without being guaranteed.

    Parameters
    ----------
    a, b : arrays of 0 and 1, or one PairedTable
        Position i is the same item in both.
    name : str
        What is tested.

    Returns
    -------
    TestResult
        `statistic` is min(b, c); p is 1 when b = c. (Some programs print 1 - P(X = b)/2 there.)

    Raises
    ------
    ValueError
        For anything but 0 and 1, NaN, empty or unequal vectors.

    Notes
    -----
    Chapter `paired`, eq-mcnemar-midp. M. W. Fagerland, S. Lydersen and P. Laake, "The McNemar test for binary
    matched-pairs data: mid-p and asymptotic are better than exact conditional", BMC Medical Research Methodology 13
    (2013), 91.

    Examples
    --------
    >>> round(mcnemar_midp(PairedTable(810, 45, 25, 120)).pvalue, 4)
    0.017
    """
    table = table_of(a, b)
    fewer = min(table.a_only, table.b_only)
    # At b = c the sum is 1 by symmetry; saying so keeps rounding out of it.
    balanced = table.a_only == table.b_only
    below, equal = stats.binom.cdf(fewer - 1, table.discordant, 0.5), stats.binom.pmf(fewer, table.discordant, 0.5)
    p = 1.0 if balanced else float(2 * below + equal)
    return _mcnemar(table, fewer, "min(b, c)", p, "mcnemar_midp", name)


def mcnemar_uncorrected(a: ArrayLike | PairedTable, b: ArrayLike | None = None, *, name: str = "A - B") -> TestResult:
    r"""How large is the imbalance of the disagreements, in squared standard deviations?

    $\chi^2 = (b - c)^2/(b + c)$, compared with chi-square on 1 degree of freedom. It rejects exactly when
    `tango_interval` of level 1 - alpha excludes 0. Its size can exceed alpha a little.

    Parameters
    ----------
    a, b : arrays of 0 and 1, or one PairedTable
        Position i is the same item in both.
    name : str
        What is tested.

    Returns
    -------
    TestResult
        `statistic` is chi-square; 0 with p = 1 when b = c, also without any disagreement.

    Raises
    ------
    ValueError
        For anything but 0 and 1, NaN, empty or unequal vectors.

    Notes
    -----
    Chapter `paired`, eq-mcnemar-chi-square.

    Examples
    --------
    >>> answer = mcnemar_uncorrected(PairedTable(810, 45, 25, 120))
    >>> round(answer.statistic, 3), round(answer.pvalue, 4)
    (5.714, 0.0168)
    """
    table = table_of(a, b)
    chi_square = (table.a_only - table.b_only) ** 2 / max(table.discordant, 1)
    p = float(stats.chi2.sf(chi_square, df=1))
    return _mcnemar(table, chi_square, "chi-square", p, "mcnemar_chi2", name)


def mcnemar_corrected(a: ArrayLike | PairedTable, b: ArrayLike | None = None, *, name: str = "A - B") -> TestResult:
    r"""The chi-square test moved half a step towards the exact one.

    $\chi^2 = \max(|b - c| - 1, 0)^2/(b + c)$. The maximum matters at b = c, where the formula without it gives
    1/(b + c) and a p-value below 1 for a perfect balance.

    Parameters
    ----------
    a, b : arrays of 0 and 1, or one PairedTable
        Position i is the same item in both.
    name : str
        What is tested.

    Returns
    -------
    TestResult
        `statistic` is chi-square; 0 with p = 1 when b = c, also without any disagreement.

    Raises
    ------
    ValueError
        For anything but 0 and 1, NaN, empty or unequal vectors.

    Notes
    -----
    Chapter `paired`, eq-mcnemar-corrected.

    Examples
    --------
    >>> answer = mcnemar_corrected(PairedTable(810, 45, 25, 120))
    >>> round(answer.statistic, 3), round(answer.pvalue, 4)
    (5.157, 0.0232)
    """
    table = table_of(a, b)
    chi_square = max(abs(table.a_only - table.b_only) - 1, 0) ** 2 / max(table.discordant, 1)
    p = float(stats.chi2.sf(chi_square, df=1))
    return _mcnemar(table, chi_square, "chi-square with continuity correction", p, "mcnemar_chi2_cc", name)


# --- tests for two separate sets of items ----------------------------------------------------------------------------


def _two_shares(k_a: Any, n_a: Any, k_b: Any, n_b: Any) -> tuple[int, int, int, int]:
    counts = []
    for system, k, n in (("a", k_a, n_a), ("b", k_b, n_b)):
        total = checks.integer(f"n_{system}", n, 1)
        right = checks.integer(f"k_{system}", k, 0)
        if right > total:
            raise ValueError(f"k_{system} must be at most n_{system}, got {right} of {total}")
        counts += [right, total]
    return counts[0], counts[1], counts[2], counts[3]


def unpaired_z_pooled(k_a: int, n_a: int, k_b: int, n_b: int, *, name: str = "A - B") -> TestResult:
    r"""Two systems on two **separate** sets of items: could their accuracies be equal?

    The textbook's z, with the standard error of one common accuracy. Not for two systems on the same items: there the
    two scores rise and fall together, which this formula ignores. With positive covariance it then almost never
    rejects; use `mcnemar_exact`.

    Parameters
    ----------
    k_a, n_a, k_b, n_b : int
        Number right and number asked, for each system.
    name : str
        What is tested.

    Returns
    -------
    TestResult
        `statistic` is z; `n` is n_a + n_b. When all answers are right, or all wrong, z is 0 and p is 1, with a warning.

    Raises
    ------
    ValueError
        Unless 0 <= k <= n and n >= 1 for both.

    Notes
    -----
    Chapter `paired`, eq-unpaired-z.

    Examples
    --------
    >>> answer = unpaired_z_pooled(855, 1000, 835, 1000)
    >>> round(answer.statistic, 3), round(answer.pvalue, 3)
    (1.236, 0.217)
    """
    right_a, total_a, right_b, total_b = _two_shares(k_a, n_a, k_b, n_b)
    common = (right_a + right_b) / (total_a + total_b)
    standard_error = math.sqrt(common * (1 - common) * (1 / total_a + 1 / total_b))
    difference = right_a / total_a - right_b / total_b
    z = difference / standard_error if standard_error else 0.0
    warning = None if standard_error else "all answers are alike, so there is no spread to compare with"
    facts = {"statistic_name": "z", "standard_error": standard_error, "n_a": total_a, "n_b": total_b}
    p = 2 * float(stats.norm.sf(abs(z)))
    return TestResult(name, z, p, difference, "unpaired_z_pooled", total_a + total_b, facts, warning=warning)


def unpaired_z_unpooled(
    k_a: int, n_a: int, k_b: int, n_b: int, level: float = 0.95, *, name: str = "A - B"
) -> TestResult:
    r"""Two systems on two **separate** sets of items: how far apart are their accuracies?

    z with each system's own standard error, and the interval that belongs to it. Not for two systems on the same
    items; use `tango_interval` and `mcnemar_exact` there.

    Parameters
    ----------
    k_a, n_a, k_b, n_b : int
        Number right and number asked, for each system.
    level : float
        Confidence level of the interval, in [0.5, 1).
    name : str
        What is tested.

    Returns
    -------
    TestResult
        `statistic` is z; `n` is n_a + n_b; with the interval, cut off at -1 and 1. When all answers are right, or all
        wrong, z is 0 and p is 1, with a warning and without an interval.

    Raises
    ------
    ValueError
        Unless 0 <= k <= n and n >= 1 for both, and 0 < level < 1; and when one system is all right and the other all
        wrong, where this standard error is 0 (`unpaired_z_pooled` can answer).

    Notes
    -----
    Chapter `paired`, eq-unpaired-z.

    Examples
    --------
    >>> answer = unpaired_z_unpooled(855, 1000, 835, 1000)
    >>> round(answer.statistic, 3), round(answer.pvalue, 3)
    (1.236, 0.216)
    >>> round(answer.ci_low, 3), round(answer.ci_high, 3)
    (-0.012, 0.052)
    """
    right_a, total_a, right_b, total_b = _two_shares(k_a, n_a, k_b, n_b)
    z_level = normal_quantile(level)
    p_a, p_b = right_a / total_a, right_b / total_b
    standard_error = math.sqrt(p_a * (1 - p_a) / total_a + p_b * (1 - p_b) / total_b)
    facts = {"statistic_name": "z", "standard_error": standard_error, "n_a": total_a, "n_b": total_b}
    make = partial(TestResult, name, effect=p_a - p_b, method="unpaired_z_unpooled", n=total_a + total_b, extra=facts)
    if standard_error == 0:
        if p_a != p_b:
            raise ValueError(
                f"the unpooled standard error is 0 for {right_a} of {total_a} against {right_b} of {total_b}; "
                "use unpaired_z_pooled"
            )
        return make(statistic=0.0, pvalue=1.0, warning="all answers are alike, so there is no spread to compare with")
    z = (p_a - p_b) / standard_error
    low, high = _cut(p_a - p_b - z_level * standard_error, p_a - p_b + z_level * standard_error, p_a - p_b)
    return make(statistic=z, pvalue=2 * float(stats.norm.sf(abs(z))), ci_low=low, ci_high=high, level=level)


def _cut(low: float, high: float, point: float) -> tuple[float, float]:
    """The interval inside [-1, 1] and around its point: rounding may leave either by a hair."""
    return max(min(low, point), -1.0), min(max(high, point), 1.0)


# --- intervals for the paired difference -----------------------------------------------------------------------------


def _difference(
    table: PairedTable, limits: tuple[float, float], level: float, method: str, name: str, warning: str | None = None
) -> Estimate:
    low, high = _cut(*limits, table.difference)
    facts = {"b": table.a_only, "c": table.b_only, "assumes": ONE_PAIR_PER_ITEM}
    return Estimate(name, table.difference, low, high, level, method, table.n, extra=facts, warning=warning)


def _tango_excess(delta: float, b: int, c: int, n: int, z: float) -> float:
    """How far the observed b - c lies above what the difference `delta` allows; negative while it is allowed.

    The standard deviation is the one under `delta`: P(only B right) is estimated under the restriction that
    P(only A right) - P(only B right) = delta.
    """
    slope = (2 * n - b + c) * delta - b - c
    constant = -c * delta * (1 - delta)
    # The larger root of 2n q^2 + slope q + constant = 0, which is where the likelihood is largest.
    q = (math.sqrt(max(slope**2 - 8 * n * constant, 0.0)) - slope) / (4 * n)
    variance = max(2 * q + delta * (1 - delta), 0.0)
    return (b - c - n * delta) - z * math.sqrt(n * variance)


def _tango_low(b: int, c: int, n: int, z: float) -> float:
    """The difference, at or below the observed one, at which the score test just rejects."""
    point = (b - c) / n
    if point == -1:
        return -1.0
    # Just below the point, not at it: there both terms of the excess can be 0, as with no disagreement at all.
    just_below = min(math.nextafter(point, -math.inf), point - 1e-100)
    excess = partial(_tango_excess, b=b, c=c, n=n, z=z)
    return float(optimize.brentq(excess, -1.0, just_below, xtol=1e-15, rtol=4 * np.finfo(float).eps))


def tango_interval(
    a: ArrayLike | PairedTable, b: ArrayLike | None = None, level: float = 0.95, *, name: str = "A - B"
) -> Estimate:
    r"""Which true differences would a score test not reject, on the same items?

    The set of all $\delta$ with $|b - c - n\delta| \le z\sqrt{n(2\tilde q + \delta(1-\delta))}$, where $\tilde q$
    is the likeliest share of "only B right" if the difference were $\delta$. At $\delta = 0$ this is McNemar's
    chi-square: the interval excludes 0 exactly when `mcnemar_uncorrected` rejects at 1 - level.
    It may exclude 0 where `mcnemar_exact` does not reject; `compare_paired` says which governs.

    Parameters
    ----------
    a, b : arrays of 0 and 1, or one PairedTable
        Position i is the same item in both.
    level : float
        Confidence level in [0.5, 1).
    name : str
        What is estimated.

    Returns
    -------
    Estimate
        The difference of the accuracies. The interval stays inside [-1, 1] and has a width even when the systems never
        disagree.

    Raises
    ------
    ValueError
        For anything but 0 and 1, NaN, empty or unequal vectors, a level outside [0.5, 1).

    Notes
    -----
    Chapter `paired`, eq-tango. T. Tango, "Equivalence test and confidence interval for the difference in proportions
    for the paired-sample design", Statistics in Medicine 17 (1998), 891-908.

    Examples
    --------
    >>> print(tango_interval(PairedTable(810, 45, 25, 120)))
    A - B = 0.02, 95% interval [0.003699, 0.03712] (tango, n = 1000)
    >>> print(tango_interval(PairedTable(20, 0, 0, 20)))
    A - B = 0, 95% interval [-0.08762, 0.08762] (tango, n = 40)
    """
    table = table_of(a, b)
    z = normal_quantile(level)
    low = _tango_low(table.a_only, table.b_only, table.n, z)
    high = -_tango_low(table.b_only, table.a_only, table.n, z)
    return _difference(table, (low, high), level, "tango", name)


def _newcombe_phi(table: PairedTable) -> float:
    """Correlation of the two scores, its numerator reduced by n/2 where it is positive; 0 when a margin is empty."""
    right_a, right_b = table.both_right + table.a_only, table.both_right + table.b_only
    margins = right_a * (table.n - right_a) * right_b * (table.n - right_b)
    if margins == 0:
        return 0.0
    numerator: float = table.both_right * table.neither - table.a_only * table.b_only
    if numerator > 0:
        numerator = max(numerator - table.n / 2, 0.0)
    return numerator / math.sqrt(margins)


def newcombe_interval(
    a: ArrayLike | PairedTable, b: ArrayLike | None = None, level: float = 0.95, *, name: str = "A - B"
) -> Estimate:
    r"""The paired difference from the two Wilson intervals and the correlation of the scores.

    Each end combines the distances of the two Wilson limits from their points like two sides of a triangle whose angle
    is the correlation $\phi$ (Newcombe's method 10, in which $\phi$ is corrected for continuity). It needs no
    iteration. It is the inverse of no test, so near 0 it can disagree with each of McNemar's.

    Parameters
    ----------
    a, b : arrays of 0 and 1, or one PairedTable
        Position i is the same item in both.
    level : float
        Confidence level in [0.5, 1).
    name : str
        What is estimated.

    Returns
    -------
    Estimate
        The difference of the accuracies.

    Raises
    ------
    ValueError
        For anything but 0 and 1, NaN, empty or unequal vectors, a level outside [0.5, 1).

    Notes
    -----
    Chapter `paired`, eq-newcombe. R. G. Newcombe, "Improved confidence intervals for the difference between binomial
    proportions based on paired data", Statistics in Medicine 17 (1998), 2635-2650.

    Examples
    --------
    >>> print(newcombe_interval(PairedTable(810, 45, 25, 120)))
    A - B = 0.02, 95% interval [0.003487, 0.03678] (newcombe, n = 1000)
    """
    table = table_of(a, b)
    z = normal_quantile(level)
    p_a, p_b = table.accuracy_a, table.accuracy_b
    low_a, high_a = wilson_limits(p_a, table.n, z)
    low_b, high_b = wilson_limits(p_b, table.n, z)
    phi = _newcombe_phi(table)

    def third_side(first: float, second: float) -> float:
        return math.sqrt(max(first**2 - 2 * phi * first * second + second**2, 0.0))

    low = p_a - p_b - third_side(p_a - low_a, high_b - p_b)
    high = p_a - p_b + third_side(high_a - p_a, p_b - low_b)
    return _difference(table, (low, high), level, "newcombe", name)


def wald_difference_interval(
    a: ArrayLike | PairedTable, b: ArrayLike | None = None, level: float = 0.95, *, name: str = "A - B"
) -> Estimate:
    r"""The difference give or take z standard errors of the mean of $a_i - b_i$.

    The standard error is $\sqrt{(b + c) - (b - c)^2/n}\,/n$. With few disagreements the interval is too short, and
    without any it has no width; `tango_interval` has neither fault.

    Parameters
    ----------
    a, b : arrays of 0 and 1, or one PairedTable
        Position i is the same item in both.
    level : float
        Confidence level in [0.5, 1).
    name : str
        What is estimated.

    Returns
    -------
    Estimate
        The difference of the accuracies, with a warning where the systems disagree on fewer than 10 items.

    Raises
    ------
    ValueError
        For anything but 0 and 1, NaN, empty or unequal vectors, a level outside [0.5, 1).

    Notes
    -----
    Chapter `paired`, eq-paired-variance.

    Examples
    --------
    >>> print(wald_difference_interval(PairedTable(810, 45, 25, 120)))
    A - B = 0.02, 95% interval [0.003649, 0.03635] (wald_difference, n = 1000)
    """
    table = table_of(a, b)
    sum_of_squares = table.discordant - (table.a_only - table.b_only) ** 2 / table.n
    half = normal_quantile(level) * math.sqrt(max(sum_of_squares, 0.0)) / table.n
    warning = None
    if table.discordant < 10:
        warning = f"only {table.discordant} disagreements: this interval is too short; use tango_interval"
    limits = (table.difference - half, table.difference + half)
    return _difference(table, limits, level, "wald_difference", name, warning)


# --- tests for any two scores ----------------------------------------------------------------------------------------


def paired_differences(a: ArrayLike, b: ArrayLike, at_least: int = 1) -> tuple[NDArray[np.float64], bool]:
    """a - b, and whether all differences are equal but for rounding."""
    scores_a, scores_b = checks.finite_vector("a", a, at_least), checks.finite_vector("b", b, at_least)
    checks.same_rows(a=a, b=b)
    checks.equal_lengths("a", scores_a, "b", scores_b)
    differences = scores_a - scores_b
    rounding = 8 * np.finfo(float).eps * max(np.abs(scores_a).max(), np.abs(scores_b).max())
    return differences, bool(np.ptp(differences) <= rounding)


def paired_t(a: ArrayLike, b: ArrayLike, name: str = "paired_t") -> TestResult:
    r"""Is the mean of the differences $a_i - b_i$ further from 0 than their spread allows?

    $t = \bar d/(s_d/\sqrt n)$ on n - 1 degrees of freedom, for any two scores of the same items. It takes no
    clusters: use `paired_cluster_t` for items that hang together.

    Parameters
    ----------
    a, b : arrays of numbers
        Position i is the same item in both; at least two items.
    name : str
        What is tested.

    Returns
    -------
    TestResult
        `statistic` is t; `effect` is the mean difference with its 95% interval; `extra` holds sd_diff and df. When
        every difference is 0, t is 0 and p is 1, with a warning and without an interval.

    Raises
    ------
    ValueError
        For NaN, fewer than two items, unequal lengths; and when every difference is the same number other than 0:
        without spread there is no t, and the p of 0 that the formula suggests is not true for any n.

    Notes
    -----
    Chapter `paired`, eq-paired-t. For 0/1 scores t^2 = ((n-1)/n) (b-c)^2 / ((b+c) - (b-c)^2/n), close to McNemar's
    uncorrected chi-square.

    Examples
    --------
    >>> import numpy as np
    >>> a = np.repeat([1, 1, 0, 0], [810, 45, 25, 120])
    >>> b = np.repeat([1, 0, 1, 0], [810, 45, 25, 120])
    >>> answer = paired_t(a, b)
    >>> round(answer.statistic, 3), round(answer.pvalue, 4)
    (2.396, 0.0168)
    """
    differences, constant = paired_differences(a, b, at_least=2)
    n, mean = differences.size, float(differences.mean())
    sd_diff = 0.0 if constant else float(differences.std(ddof=1))
    facts = {"sd_diff": sd_diff, "df": n - 1, "statistic_name": "t"}
    make = partial(TestResult, name, effect=mean, method="paired_t", n=n, extra=facts)
    if constant:
        refuse_constant(mean, "sign_flip_test (or mcnemar_exact for 0/1 scores)")
        return make(statistic=0.0, pvalue=1.0, warning=NO_DIFFERENCE)
    standard_error = sd_diff / math.sqrt(n)
    t = mean / standard_error
    half = float(stats.t.isf(0.025, n - 1)) * standard_error
    p = 2 * float(stats.t.sf(abs(t), n - 1))
    return make(statistic=t, pvalue=p, ci_low=mean - half, ci_high=mean + half, level=0.95)


def refuse_constant(mean: float, better: str) -> None:
    """Say which test can answer when every difference is the same number other than 0."""
    if mean != 0:
        raise ValueError(f"every difference a - b is {mean:g}: without spread there is no t; use {better}")


def sign_flip_test(
    a: ArrayLike,
    b: ArrayLike,
    groups: Iterable[Hashable] | None = None,
    *,
    n_resamples: int = 10_000,
    seed: int = 0,
    name: str = "A - B",
    executor: Executor | None = None,
) -> TestResult:
    """If swapping A and B within an item changed nothing, how often would the mean difference be as large as this?

    Swapping the systems on an item flips the sign of its difference. All ways to flip are equally likely under the
    null. With groups, whole clusters are swapped.

    When the differences (with groups: their cluster totals) are whole numbers, the distribution over all flips is
    computed exactly; for 0/1 scores without groups the result is `mcnemar_exact`. Otherwise `n_resamples` random
    flips are drawn, and the observed one is counted as one of them: p = (1 + as large)/(n_resamples + 1).

    Parameters
    ----------
    a, b : arrays of numbers
        Position i is the same item in both.
    groups : sequence of labels, optional
        The cluster of each item.
    n_resamples : int
        Number of random flips, where they are needed.
    seed : int
        Seed of the random flips.
    name : str
        What is tested.
    executor : concurrent.futures.Executor, optional
        Where the flips are drawn; the answer does not depend on it.

    Returns
    -------
    TestResult
        `statistic` and `effect` are the mean difference. `seed` is None where the test was exact.

    Raises
    ------
    ValueError
        For NaN, empty or unequal vectors, a single cluster, n_resamples below 1.

    Notes
    -----
    Chapter `paired`. The null is that each difference (or cluster of them) is symmetric about 0, which is more than
    a mean of 0.

    Examples
    --------
    >>> import numpy as np
    >>> a = np.repeat([1, 1, 0, 0], [810, 45, 25, 120])
    >>> b = np.repeat([1, 0, 1, 0], [810, 45, 25, 120])
    >>> print(sign_flip_test(a, b))
    A - B = 0.02, p = 0.0225 (sign_flip_exact, statistic 0.02, n = 1000)
    """
    differences, _ = paired_differences(a, b)
    checks.same_rows(a=a, b=b, groups=groups)
    resamples, first_seed = checks.integer("n_resamples", n_resamples, 1), checks.integer("seed", seed, 0)
    n, n_clusters = differences.size, None
    totals: NDArray[np.float64] = differences
    if groups is not None:
        codes, n_clusters = checks.cluster_codes(groups, n)
        totals = np.bincount(codes, weights=differences).astype(np.float64)
    # Sorted, so that the answer depends on the items and not on their order.
    sizes = np.sort(np.abs(totals))
    observed = abs(math.fsum(totals))
    mean = math.fsum(totals) / n
    facts: dict[str, Any] = {"statistic_name": "mean(a - b)"}
    make = partial(TestResult, name, mean, effect=mean, n=n, n_clusters=n_clusters)
    if _whole_and_few(sizes):
        p = _exact_flip_p(sizes.astype(np.int64), round(observed))
        return make(pvalue=p, method="sign_flip_exact", extra=facts)
    p = _random_flip_p(sizes, observed, resamples, first_seed, executor)
    facts["n_resamples"] = resamples
    return make(pvalue=p, method="sign_flip_monte_carlo", extra=facts, seed=first_seed)


def _whole_and_few(sizes: NDArray[np.float64]) -> bool:
    """Whole numbers whose exact distribution is quick: all of one size, or not too large in all."""
    whole = bool((sizes == np.round(sizes)).all())
    return whole and (np.unique(sizes[sizes > 0]).size <= 1 or sizes.sum() <= 20_000)


def _exact_flip_p(sizes: NDArray[np.int64], observed: int) -> float:
    """P(|sum of randomly signed sizes| >= observed): all sizes of one value are a binomial, and these are convolved."""
    unit = int(np.gcd.reduce(sizes)) or 1
    distribution = np.ones(1)
    for size, count in zip(*np.unique(sizes[sizes > 0] // unit, return_counts=True), strict=True):
        steps = np.zeros(2 * size * count + 1)
        steps[:: 2 * size] = stats.binom.pmf(np.arange(count + 1), count, 0.5)
        distribution = np.convolve(distribution, steps)
    sums = np.arange(distribution.size) - distribution.size // 2
    return min(float(distribution[np.abs(sums) >= observed // unit].sum()), 1.0)


def _random_flip_p(
    sizes: NDArray[np.float64], observed: float, n_resamples: int, seed: int, executor: Executor | None
) -> float:
    """Monte Carlo p-value; blocks have seeds of their own, so the number of workers does not matter."""
    block = max(1, min(1000, 4_000_000 // sizes.size))
    blocks = [min(block, n_resamples - start) for start in range(0, n_resamples, block)]
    seeds = np.random.SeedSequence(seed).spawn(len(blocks))
    count = partial(_count_as_large, sizes=sizes, observed=observed)
    run = map if executor is None else executor.map
    return (1 + sum(run(count, blocks, seeds))) / (n_resamples + 1)


def _count_as_large(n_resamples: int, seed: np.random.SeedSequence, sizes: NDArray[np.float64], observed: float) -> int:
    """In how many random flips the absolute sum is at least the observed one, or equal to it but for rounding."""
    kept = np.random.default_rng(seed).integers(0, 2, size=(n_resamples, sizes.size), dtype=np.int8)
    total = float(sizes.sum())
    sums = np.abs(2 * (kept @ sizes) - total)
    return int(np.count_nonzero(sums >= observed - 1e-12 * total))
