"""Is A as good as B? A claim with a margin, which a large p-value cannot make.

"No significant difference" says that the items cannot tell; it is no evidence of equality. To claim that A is not
worse, or is as good, name beforehand the largest difference that would not matter (the margin), and show that the truth
lies on the right side of it. A one-sided test at 2.5% goes with a 95% interval, two of them at 5% with a 90% interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from . import _checks as checks
from ._checks import Groups
from .cluster import _paired_interval, _paired_sums
from .paired import Marks, PairedTable, Rows, _tango_excess, rows_of, table_of, tango_interval
from .result import Estimate, TestResult

FIXED = "must be fixed before the data are seen"


def _tango_z(table: PairedTable, delta: float) -> float:
    """How many standard deviations b - c lies above its mean under `delta`; inverted by `tango_interval`."""
    above, one_less = (_tango_excess(delta, table.a_only, table.b_only, table.n, z) for z in (0, 1))
    return above / (above - one_less)


# An interval, how far it lies above a difference that might be true, and the degrees of freedom for that.
Comparison = tuple[Estimate, Callable[[float], float], float]


def _compared(a: Any, b: Any, groups: Groups, strata: Groups, level: float, binary: bool) -> Comparison:
    if binary and groups is strata is None:
        table = table_of(a, b)
        return tango_interval(table, level=level), partial(_tango_z, table), math.inf
    interval = _paired_interval(_paired_sums(a, b, groups, strata), level, "A - B")
    error, df = interval.extra["standard_error"], interval.extra["df"]
    if error == 0:  # two vectors of 0 and 1 that never differ; any others are refused there
        same = PairedTable(interval.n_clusters or interval.n, 0, 0, 0)
        return interval, partial(_tango_z, same), math.inf
    return interval, lambda delta: (interval.point - delta) / error, df


def _against_margin(data: Rows, margin: float, alpha: float, name: str, claim: str) -> TestResult:
    """One one-sided test at -margin, or for equivalence a second at margin; the larger p-value decides."""
    (a, b, groups, strata), size = rows_of(*data), checks.positive("margin", margin)
    level = 1 - 2 * checks.number("alpha", checks.share("alpha", alpha), 1e-12, 0.25)
    binary = isinstance(a, PairedTable) or _binary(a, b)
    if binary and size >= 1:
        raise ValueError(f"margin must lie strictly between 0 and 1 for 0/1 scores, got {margin!r}")
    interval, above, df = _compared(a, b, groups, strata, level, binary)
    worst = min(above(-size), -above(size)) if claim == "equivalence" else above(-size)
    p = float(stats.norm.sf(worst) if math.isinf(df) else stats.t.sf(worst, df))
    facts = {"margin": size, "margin_is": FIXED, "alpha": alpha, "shown": p <= alpha, "interval": interval.method}
    answer = (name, worst, p, interval.point, f"{claim}_{interval.method}", interval.n, facts)
    found = (interval.ci_low, interval.ci_high, level, interval.n_clusters)
    return TestResult(*answer, *found, warning=interval.warning)


def _binary(a: ArrayLike, b: ArrayLike) -> bool:
    return all(np.isin(checks.finite_vector(owner, scores), (0, 1)).all() for owner, scores in (("a", a), ("b", b)))


def noninferiority_test(
    a: Marks,
    b: ArrayLike | None = None,
    *,
    margin: float,
    groups: Groups = None,
    strata: Groups = None,
    alpha: float = 0.025,
    name: str = "A - B",
) -> TestResult:
    r"""Is A at most `margin` worse than B? One one-sided test against $A - B \le -\text{margin}$.

    For 0/1 scores the score test whose inverse is `tango_interval`; otherwise, and with groups or strata, the t of
    `paired_cluster_t`. It is shown exactly when the lower end of the interval of level $1 - 2\alpha$ is at or above
    -margin: one-sided 2.5% goes with the usual 95% interval.

    Parameters
    ----------
    a, b : arrays of numbers, or one PairedTable, or one Alignment
        Position i is the same item in both; A is the cheaper or newer system that need not win.
    margin : float
        The largest loss that would not matter, above 0, in the unit of the scores. Fix it before seeing the data. It is
        a size: 0.04 here is the bar of -0.04 that `verdict` compares the interval with.
    groups, strata : sequence of labels, optional
        As in `paired_cluster_t`; by default those that an Alignment has.
    alpha : float
        One-sided level, below 0.5.
    name : str
        What is tested.

    Returns
    -------
    TestResult
        `pvalue` is one-sided; `extra["shown"]` says whether it is at most alpha. Not shown does not mean worse.

    Raises
    ------
    ValueError
        For a margin not above 0 (for 0/1 scores: not below 1), an alpha outside (0, 0.25], groups beside a PairedTable,
        and as `tango_interval` and `paired_cluster_t`.

    Notes
    -----
    Chapter `decisions`, eq-noninferiority. T. Tango, "Equivalence test and confidence interval for the difference in
    proportions for the paired-sample design", Statistics in Medicine 17 (1998), 891-908.

    Examples
    --------
    A cheap system A won 25 disagreements and lost 45. At most one point worse? At most four?

    >>> cheap = PairedTable(both_right=810, a_only=25, b_only=45, neither=120)
    >>> answer = noninferiority_test(cheap, margin=0.01)
    >>> answer.extra["shown"], round(answer.pvalue, 3), round(answer.ci_low, 3)
    (False, 0.886, -0.037)
    >>> noninferiority_test(cheap, margin=0.04).extra["shown"]
    True
    """
    return _against_margin((a, b, groups, strata), margin, alpha, name, "noninferiority")


def equivalence_test(
    a: Marks,
    b: ArrayLike | None = None,
    *,
    margin: float,
    groups: Groups = None,
    strata: Groups = None,
    alpha: float = 0.05,
    name: str = "A - B",
) -> TestResult:
    r"""Do A and B differ by at most `margin`, either way? Two one-sided tests (TOST).

    Both $A - B \le -\text{margin}$ and $A - B \ge \text{margin}$ must be rejected; the p-value is the larger one. It is
    shown exactly when the interval of level $1 - 2\alpha$ lies inside the margins: two tests at 5% go with a 90%
    interval.

    Parameters
    ----------
    a, b, margin, groups, strata, name
        As in `noninferiority_test`.
    alpha : float
        Level of each of the two tests, below 0.5.

    Returns
    -------
    TestResult
        `statistic` and `pvalue` are those of the test that is closer to failing.

    Raises
    ------
    ValueError
        As `noninferiority_test`.

    Notes
    -----
    Chapter `decisions`, eq-equivalence. The two one-sided tests are Schuirmann's (1987), as cited in the documentation
    of SAS's TTEST procedure.

    Examples
    --------
    >>> same = PairedTable(both_right=810, a_only=35, b_only=35, neither=120)
    >>> answer = equivalence_test(same, margin=0.02)
    >>> answer.extra["shown"], answer.level, round(answer.ci_high, 4)
    (True, 0.9, 0.014)
    >>> equivalence_test(same, margin=0.01).extra["shown"]
    False
    """
    return _against_margin((a, b, groups, strata), margin, alpha, name, "equivalence")
