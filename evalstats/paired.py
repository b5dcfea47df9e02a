"""Two systems, the same items: is A better than B, and by how much?

Everything for two 0/1 scores sits in one `PairedTable` of four counts; the tests and intervals take either the two
vectors or that table. All differences are A - B. In the names of the field, b counts the items that only A got right
and c those that only B got right.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, special, stats

from . import _checks as checks
from ._checks import Groups
from ._replicates import check_executor, replicates
from .io import Alignment
from .proportion import normal_quantile, wilson_limits
from .result import Estimate, TestResult

ONE_PAIR_PER_ITEM = "one pair of outcomes per item, items independent; for clustered items use paired_cluster_interval"
FEW_DIFFERING = 10  # with a difference in fewer items or clusters t covers too seldom: tests/calibration
MOST_SUMS = 2**18  # that the exact sign-flip test holds at once, or more where more resamples are asked for
NO_DIFFERENCE = "every difference is 0: no sign of a difference, and no spread to make an interval from"


@dataclass(frozen=True)
class PairedTable:
    """How often were both systems right, only A, only B, or neither?

    Parameters
    ----------
    both_right, a_only, b_only, neither : int
        Numbers of items, at least 0; in all from 1 to 2**53.

    Raises
    ------
    ValueError
        For a count that is negative or not whole, for a table without items, and for one of more than 2**53.

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
            object.__setattr__(self, name, checks.counted(name, getattr(self, name), 0))
        if not 1 <= self.n <= checks.MOST_COUNTED:
            raise ValueError(f"a PairedTable must hold from 1 to {checks.MOST_COUNTED} items, got {self.n}")

    @classmethod
    def from_vectors(cls, a: ArrayLike, b: ArrayLike) -> PairedTable:
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
        graded = "paired_t(a, b), or with groups paired_cluster_t(a, b, groups)"
        right_a, right_b = checks.binary_vector("a", a, better=graded), checks.binary_vector("b", b, better=graded)
        checks.same_rows(a=a, b=b)
        checks.equal_lengths("a", right_a, "b", right_b)
        return cls(*np.bincount(3 - 2 * right_a - right_b, minlength=4).tolist())

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
        line = f"{{:7}}  {{:>{width + 2}}}  {{:>{width}}}".format
        right, wrong = line("A right", self.both_right, self.a_only), line("A wrong", self.b_only, self.neither)
        return f"{line('', 'B right', 'B wrong')}\n{right}\n{wrong}"


Marks = ArrayLike | PairedTable | Alignment
Rows = tuple[Any, Any, Groups, Groups]
Form = Callable[[int, int, int], tuple[str, float, float]]  # of b, c and a correction; a named statistic and its p


def rows_of(a: Marks, b: ArrayLike | None, groups: Groups = None, strata: Groups = None) -> Rows:
    """Two vectors (or a table) with their clusters and strata: those that an Alignment has, where none are given."""
    if (b is None) != isinstance(a, (PairedTable, Alignment)):
        got = f"only {checks.kind_of(a)}" if b is None else f"{checks.kind_of(a)} and b"
        raise ValueError(f"give one PairedTable, one Alignment or two vectors, got {got}")
    if isinstance(a, PairedTable) and not groups is strata is None:
        raise ValueError("groups and strata need one score a row: give two vectors, not a PairedTable")
    if isinstance(a, Alignment):
        return a.a, a.b, a.clusters if groups is None else groups, a.strata if strata is None else strata
    return a, b, groups, strata


def table_of(a: Marks, b: ArrayLike | None) -> PairedTable:
    """The table of two vectors, or the table itself."""
    marks_a, marks_b, groups, strata = rows_of(a, b)
    if not groups is strata is None:
        hint = "use compare_paired(m), or give m.a and m.b as if drawn one by one"
        raise ValueError(f"these items come in clusters or strata, which would be ignored here: {hint}")
    return marks_a if isinstance(marks_a, PairedTable) else PairedTable.from_vectors(marks_a, marks_b)


def _counts(table: PairedTable) -> dict[str, object]:
    return {"b": table.a_only, "c": table.b_only, "assumes": ONE_PAIR_PER_ITEM}


# --- tests for two 0/1 scores ----------------------------------------------------------------------------------------


def _mcnemar(a: Marks, b: ArrayLike | None, form: Form, less: int, method: str, name: str) -> TestResult:
    table = table_of(a, b)
    statistic_name, statistic, p = form(table.a_only, table.b_only, less)
    facts = _counts(table) | {"discordant_rate": table.discordant / table.n, "statistic_name": statistic_name}
    return TestResult(name, statistic, p, table.difference, method, table.n, facts)


def _binomial(b: int, c: int, less: int) -> tuple[str, float, float]:
    """P(X >= most) + P(X >= most + less) of b + c fair coins: the exact p for less = 0, mid-p for less = 1."""
    fewer, most = sorted((b, c))
    # P(X >= k) of n coins is betainc(k, n - k + 1, 1/2). At b = c the sum is 1 or more, which rounding might hide.
    p = special.betainc(most, fewer + 1, 0.5) + special.betainc(most + less, fewer + 1 - less, 0.5)
    return "min(b, c)", fewer, 1.0 if b == c else min(float(p), 1.0)


def _chi_square(b: int, c: int, less: int) -> tuple[str, float, float]:
    """Chi-square on 1 degree of freedom, without (less = 0) or with (less = 1) the correction for continuity."""
    chi_square = max(abs(b - c) - less, 0) ** 2 / max(b + c, 1)
    return "chi-square" + less * " with continuity correction", chi_square, math.erfc(math.sqrt(chi_square / 2))


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
        For anything but 0 and 1, NaN, empty or unequal vectors, and an `exact` that is not True or False.

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
    checks.one_of((True, False), exact=exact)
    return (mcnemar_exact if exact else mcnemar_corrected)(a_correct, b_correct, name=name)


def mcnemar_exact(a: Marks, b: ArrayLike | None = None, *, name: str = "A - B") -> TestResult:
    r"""If each disagreement were a fair coin, how often would it be as lopsided as this or more?

    $p = \min\{1,\; 2\,P(X \le \min(b, c))\}$ with $X \sim \mathrm{Bin}(b+c, 1/2)$. Its size never exceeds alpha, and
    with few disagreements it is far below.

    Parameters
    ----------
    a, b : arrays of 0 and 1, or one PairedTable, or one Alignment
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
        For anything but 0 and 1, NaN, empty or unequal vectors, and an Alignment with clusters or strata.

    Notes
    -----
    Chapter `paired`, eq-mcnemar-exact.

    Examples
    --------
    >>> round(mcnemar_exact(PairedTable(810, 45, 25, 120)).pvalue, 4)
    0.0225
    """
    return _mcnemar(a, b, _binomial, 0, "mcnemar_exact", name)


def mcnemar_midp(a: Marks, b: ArrayLike | None = None, *, name: str = "A - B") -> TestResult:
    r"""The exact test, counting only half of the outcomes that are exactly as lopsided as this.

    $p = 2\,P(X < \min(b,c)) + P(X = \min(b,c))$ with $X \sim \mathrm{Bin}(b+c, 1/2)$. Less cautious than
    `mcnemar_exact`; its size stays close to alpha without being guaranteed.

    Parameters
    ----------
    a, b : arrays of 0 and 1, or one PairedTable, or one Alignment
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
        For anything but 0 and 1, NaN, empty or unequal vectors, and an Alignment with clusters or strata.

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
    return _mcnemar(a, b, _binomial, 1, "mcnemar_midp", name)


def mcnemar_uncorrected(a: Marks, b: ArrayLike | None = None, *, name: str = "A - B") -> TestResult:
    r"""How large is the imbalance of the disagreements, in squared standard deviations?

    $\chi^2 = (b - c)^2/(b + c)$, compared with chi-square on 1 degree of freedom. It rejects exactly when
    `tango_interval` of level 1 - alpha excludes 0. Its size can exceed alpha a little.

    Parameters
    ----------
    a, b : arrays of 0 and 1, or one PairedTable, or one Alignment
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
        For anything but 0 and 1, NaN, empty or unequal vectors, and an Alignment with clusters or strata.

    Notes
    -----
    Chapter `paired`, eq-mcnemar-chi-square.

    Examples
    --------
    >>> answer = mcnemar_uncorrected(PairedTable(810, 45, 25, 120))
    >>> round(answer.statistic, 3), round(answer.pvalue, 4)
    (5.714, 0.0168)
    """
    return _mcnemar(a, b, _chi_square, 0, "mcnemar_chi2", name)


def mcnemar_corrected(a: Marks, b: ArrayLike | None = None, *, name: str = "A - B") -> TestResult:
    r"""The chi-square test moved half a step towards the exact one.

    $\chi^2 = \max(|b - c| - 1, 0)^2/(b + c)$. The maximum matters at b = c, where the formula without it gives
    1/(b + c) and a p-value below 1 for a perfect balance.

    Parameters
    ----------
    a, b : arrays of 0 and 1, or one PairedTable, or one Alignment
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
        For anything but 0 and 1, NaN, empty or unequal vectors, and an Alignment with clusters or strata.

    Notes
    -----
    Chapter `paired`, eq-mcnemar-corrected.

    Examples
    --------
    >>> answer = mcnemar_corrected(PairedTable(810, 45, 25, 120))
    >>> round(answer.statistic, 3), round(answer.pvalue, 4)
    (5.157, 0.0232)
    """
    return _mcnemar(a, b, _chi_square, 1, "mcnemar_chi2_cc", name)


# --- tests for two separate sets of items ----------------------------------------------------------------------------


def _unpaired_z(k_a: int, n_a: int, k_b: int, n_b: int, pooled: bool, method: str, name: str) -> TestResult:
    """z with the standard error of one common accuracy, or of each its own."""
    (k_a, n_a), (k_b, n_b) = checks.right_of("k_a", k_a, "n_a", n_a), checks.right_of("k_b", k_b, "n_b", n_b)
    checks.integer("n_a + n_b", n_a + n_b, 2)
    p_a, p_b, common = k_a / n_a, k_b / n_b, (k_a + k_b) / (n_a + n_b)
    of_a, of_b = (p * (1 - p) for p in ((common, common) if pooled else (p_a, p_b)))
    difference, standard_error = p_a - p_b, math.sqrt(of_a / n_a + of_b / n_b)
    if standard_error == 0 and difference != 0:
        raise ValueError(f"the unpooled standard error of {p_a:g} - {p_b:g} is 0; use unpaired_z_pooled")
    z, warning = (difference / standard_error, None) if standard_error else (0.0, "all answers are alike: no spread")
    facts = {"statistic_name": "z", "standard_error": standard_error, "n_a": n_a, "n_b": n_b}
    return TestResult(name, z, math.erfc(abs(z) / math.sqrt(2)), difference, method, n_a + n_b, facts, warning=warning)


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
    return _unpaired_z(k_a, n_a, k_b, n_b, True, "unpaired_z_pooled", name)


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
    answer = _unpaired_z(k_a, n_a, k_b, n_b, False, "unpaired_z_unpooled", name)
    return _with_interval(answer, normal_quantile(level) * answer.extra["standard_error"], level)


def _with_interval(answer: TestResult, half: float, level: float, largest: float = 1.0) -> TestResult:
    """The test with the effect give or take `half`, cut off where no difference can be; not without a spread."""
    low, high = max(answer.effect - half, -largest), min(answer.effect + half, largest)
    return replace(answer, ci_low=low, ci_high=high, level=level) if half else answer


# --- intervals for the paired difference -----------------------------------------------------------------------------


def _difference(table: PairedTable, below: float, above: float, level: float, method: str, name: str) -> Estimate:
    """The interval from `below` to `above`, which rounding may put a hair beyond the point or the range."""
    point = table.difference
    low, high = max(min(below, point), -1.0), min(max(above, point), 1.0)
    return Estimate(name, point, low, high, level, method, table.n, extra=_counts(table))


def _tango_excess(delta: float, b: int, c: int, n: int, z: float) -> float:
    """How far the observed b - c lies above what the difference `delta` allows; negative while it is allowed.

    The standard deviation is the one under `delta`: P(only B right) is estimated under the restriction that
    P(only A right) - P(only B right) = delta.
    """
    slope = (2 * n - b + c) * delta - b - c
    # The larger root of 2n q^2 + slope q - c delta (1 - delta) = 0, which is where the likelihood is largest.
    q = (math.sqrt(max(slope**2 + 8 * n * (c * delta * (1 - delta)), 0.0)) - slope) / (4 * n)
    return (b - c - n * delta) - z * math.sqrt(n * max(2 * q + delta * (1 - delta), 0.0))


def _tango_low(b: int, c: int, n: int, z: float) -> float:
    """The difference, at or below the observed one, at which the score test just rejects."""
    point = (b - c) / n
    # Just below the point, not at it: there both terms of the excess can be 0, as with no disagreement at all.
    just_below = max(min(math.nextafter(point, -math.inf), point - 1e-100), -1.0)
    return float(optimize.brentq(_tango_excess, -1.0, just_below, (b, c, n, z), 1e-15, 4 * np.finfo(float).eps))


def tango_interval(a: Marks, b: ArrayLike | None = None, level: float = 0.95, *, name: str = "A - B") -> Estimate:
    r"""Which true differences would a score test not reject, on the same items?

    The set of all $\delta$ with $|b - c - n\delta| \le z\sqrt{n(2\tilde q + \delta(1-\delta))}$, where $\tilde q$
    is the likeliest share of "only B right" if the difference were $\delta$. At $\delta = 0$ this is McNemar's
    chi-square: the interval excludes 0 exactly when `mcnemar_uncorrected` rejects at 1 - level.
    It may exclude 0 where `mcnemar_exact` does not reject; `compare_paired` says which governs.

    Parameters
    ----------
    a, b : arrays of 0 and 1, or one PairedTable, or one Alignment
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
        For anything but 0 and 1, NaN, empty or unequal vectors, an Alignment with clusters or strata, a level outside
        [0.5, 1).

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
    table, z = table_of(a, b), normal_quantile(level)
    low = _tango_low(table.a_only, table.b_only, table.n, z)
    high = -_tango_low(table.b_only, table.a_only, table.n, z)
    return _difference(table, low, high, level, "tango", name)


def newcombe_interval(a: Marks, b: ArrayLike | None = None, level: float = 0.95, *, name: str = "A - B") -> Estimate:
    r"""The paired difference from the two Wilson intervals and the correlation of the scores.

    Each end combines the distances of the two Wilson limits from their points like two sides of a triangle whose angle
    is the correlation $\phi$ (Newcombe's method 10, in which $\phi$ is corrected for continuity). It needs no
    iteration. It is the inverse of no test, so near 0 it can disagree with each of McNemar's.

    Parameters
    ----------
    a, b : arrays of 0 and 1, or one PairedTable, or one Alignment
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
        For anything but 0 and 1, NaN, empty or unequal vectors, an Alignment with clusters or strata, a level outside
        [0.5, 1).

    Notes
    -----
    Chapter `paired`, eq-newcombe. R. G. Newcombe, "Improved confidence intervals for the difference between binomial
    proportions based on paired data", Statistics in Medicine 17 (1998), 2635-2650.

    Examples
    --------
    >>> print(newcombe_interval(PairedTable(810, 45, 25, 120)))
    A - B = 0.02, 95% interval [0.003487, 0.03678] (newcombe, n = 1000)
    """
    table, z = table_of(a, b), normal_quantile(level)
    p_a, p_b = table.accuracy_a, table.accuracy_b
    covariance = (table.both_right * table.neither - table.a_only * table.b_only) / table.n**2
    reduced = max(covariance - 0.5 / table.n, 0.0) if covariance > 0 else covariance
    # The correlation of the scores; where a system has all items right, or all wrong, the covariance is 0 as well.
    phi = reduced / math.sqrt(p_a * (1 - p_a) * p_b * (1 - p_b)) if reduced else 0.0
    (low_a, high_a), (low_b, high_b) = (wilson_limits(p, table.n, z) for p in (p_a, p_b))

    def third_side(first: float, second: float) -> float:
        return math.sqrt(max(first**2 - 2 * phi * first * second + second**2, 0.0))

    low = p_a - p_b - third_side(p_a - low_a, high_b - p_b)
    high = p_a - p_b + third_side(high_a - p_a, p_b - low_b)
    return _difference(table, low, high, level, "newcombe", name)


def wald_difference_interval(
    a: Marks, b: ArrayLike | None = None, level: float = 0.95, *, name: str = "A - B"
) -> Estimate:
    r"""The difference give or take z standard errors of the mean of $a_i - b_i$.

    The standard error is $\sqrt{(b + c) - (b - c)^2/n}\,/n$. With few disagreements the interval is too short, and
    without any it has no width; `tango_interval` has neither fault.

    Parameters
    ----------
    a, b : arrays of 0 and 1, or one PairedTable, or one Alignment
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
        For anything but 0 and 1, NaN, empty or unequal vectors, an Alignment with clusters or strata, a level outside
        [0.5, 1).

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
    answer = _difference(table, table.difference - half, table.difference + half, level, "wald_difference", name)
    few = f"only {table.discordant} disagreements: this interval is too short; use tango_interval"
    return replace(answer, warning=few) if table.discordant < 10 else answer


# --- tests for any two scores ----------------------------------------------------------------------------------------


def paired_differences(a: ArrayLike, b: ArrayLike, at_least: int = 1, **rows: Any) -> tuple[NDArray[np.float64], bool]:
    """a - b, and whether all differences are equal but for rounding."""
    scores_a, scores_b = checks.pair(a, b, at_least, **rows)
    differences = scores_a - scores_b
    rounding = 8 * np.finfo(float).eps * max(np.abs(scores_a).max(), np.abs(scores_b).max())
    return differences, bool(np.ptp(differences) <= rounding)


def few_differing(differing: int, n: int, unit: str, enough: int = FEW_DIFFERING) -> str | None:
    """What to beware of where few of these items or clusters decide, and the others show no difference."""
    few = f"the systems differ in only {differing} of {n} {unit}: this may cover too seldom; check with sign_flip_test"
    return few if differing < min(n, enough) else None


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
        `statistic` is t; `effect` is the mean difference with its 95% interval, which for marks of 0 and 1 is cut off
        at -1 and 1; `extra` holds sd_diff and df. When every difference is 0, t is 0 and p is 1, with a warning and
        without an interval. It warns where the systems differ on fewer than 10 of the items.

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
    df, mean = differences.size - 1, float(differences.mean())
    if constant and mean != 0:
        raise ValueError(f"every difference a - b is {mean:g}: without spread there is no t; use sign_flip_test")
    sd_diff = 0.0 if constant else float(differences.std(ddof=1))
    standard_error = sd_diff / math.sqrt(df + 1)
    few = few_differing(int(np.count_nonzero(differences)), df + 1, "items")
    t, warning = (0.0, NO_DIFFERENCE) if constant else (mean / standard_error, few)
    facts = {"sd_diff": sd_diff, "df": df, "statistic_name": "t"}
    test = TestResult(name, t, 2 * float(special.stdtr(df, -abs(t))), mean, "paired_t", df + 1, facts, warning=warning)
    half = float(special.stdtrit(df, 0.975)) * standard_error
    beyond = abs(mean) + half > 1 and all(np.isin(scores, (0, 1)).all() for scores in (a, b))
    return _with_interval(test, half, 0.95, 1.0 if beyond else math.inf)


def sign_flip_test(
    a: ArrayLike,
    b: ArrayLike,
    groups: Groups = None,
    *,
    n_resamples: int = 10_000,
    seed: int = 0,
    name: str = "A - B",
    executor: Executor | None = None,
) -> TestResult:
    """If swapping A and B within an item changed nothing, how often would the mean difference be as large as this?

    Swapping the systems on an item flips the sign of its difference. All ways to flip are equally likely under the
    null. With groups, whole clusters are swapped.

    All 2^k flips of the k differences (with groups: cluster totals) that are not 0 are counted where their sums are
    few: for 0/1 scores without groups, where the result is `mcnemar_exact`, for other whole numbers that are not too
    many or too large, and for any numbers up to k = 18, or more when 2^k is at most `n_resamples`. Otherwise
    `n_resamples` random flips are drawn, and the observed one is counted as one of them:
    p = (1 + as large)/(n_resamples + 1).

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
        `statistic` and `effect` are the mean difference. Where all flips were counted `seed` is None and `method` is
        "sign_flip_exact", else it is "sign_flip_monte_carlo".

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
    differences, _ = paired_differences(a, b, groups=groups)
    check_executor(executor)
    runs, first_seed = checks.integer("n_resamples", n_resamples, 1), checks.integer("seed", seed, 0)
    n = differences.size
    codes, n_clusters = (np.arange(n), None) if groups is None else checks.cluster_codes(groups, n)
    totals = np.bincount(codes, weights=differences)
    # Sorted, so that the answer depends on the items and not on their order; a 0 stays when flipped.
    sizes = np.sort(np.abs(totals[totals != 0])).astype(np.float64)
    sum_seen, facts = math.fsum(totals), {"statistic_name": "mean(a - b)"}
    make = partial(TestResult, name, sum_seen / n, effect=sum_seen / n, n=n, n_clusters=n_clusters)
    reached = abs(sum_seen) - 1e-12 * sizes.sum()  # what is equal but for rounding is as large
    if (p := _exact_flip_p(sizes, reached, max(runs, MOST_SUMS))) is not None:
        return make(pvalue=p, method="sign_flip_exact", extra=facts)
    sums = replicates(partial(_random_flips, sizes), runs, first_seed, executor, width=sizes.size)
    p = (1 + np.count_nonzero(np.abs(sums) >= reached)) / (runs + 1)
    return make(pvalue=p, method="sign_flip_monte_carlo", extra=facts | {"n_resamples": runs}, seed=first_seed)


def _exact_flip_p(sizes: NDArray[np.float64], reached: float, most: int) -> float | None:
    """P(|sum| >= reached) over all flips, None where their sums are more than `most`; those of a size are binomial."""
    sums, chances = np.zeros(1), np.ones(1)
    for size, count in zip(*np.unique(sizes, return_counts=True), strict=True):
        if sums.size > 1 and sums.size * (count + 1) > most:
            return None
        kept = np.arange(count + 1)
        joint = np.multiply.outer(chances, stats.binom.pmf(kept, count, 0.5))
        sums, where = np.unique(np.add.outer(sums, size * (2.0 * kept - count)), return_inverse=True)
        chances = np.bincount(where.ravel(), weights=joint.ravel()).astype(np.float64)
    return min(float(chances[np.abs(sums) >= reached].sum()), 1.0)


def _random_flips(sizes: NDArray[np.float64], rng: np.random.Generator, flips: int) -> NDArray[np.float64]:
    """The sums after so many random flips."""
    kept = rng.integers(0, 2, size=(flips, sizes.size), dtype=np.int8)
    return np.asarray(2 * (kept @ sizes) - sizes.sum())
