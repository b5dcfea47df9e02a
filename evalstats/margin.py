"""Is A as good as B? A claim with a margin, which a large p-value cannot make.

"No significant difference" says that the items cannot tell; it is no evidence of equality. To claim that A is not
worse, or is as good, name beforehand the largest difference that would not matter (the margin), and show that the truth
lies on the right side of it. A one-sided test at 2.5% goes with a 95% interval, two of them at 5% with a 90% interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from . import _checks as checks
from .cluster import paired_cluster_interval, paired_cluster_t
from .paired import PairedTable, _tango_excess, paired_differences, table_of, tango_interval
from .result import Estimate, SampleSize, TestResult

__all__ = ["equivalence_test", "noninferiority_test", "required_n_noninferiority"]

Labels = Iterable[Hashable]
FIXED = "fixed before the data were seen"


def _restricted_sd(delta: float, b: float, c: float, n: float) -> float:
    """Standard deviation of b - c were `delta` true; counts, or shares of n = 1."""
    return _tango_excess(delta, b, c, n, 0) - _tango_excess(delta, b, c, n, 1)  # type: ignore[arg-type]


def _tango_z(table: PairedTable, delta: float) -> float:
    """How many standard deviations b - c lies above its mean under `delta`; inverted by `tango_interval`."""
    b, c, n = table.a_only, table.b_only, table.n
    return (b - c - n * delta) / _restricted_sd(delta, b, c, n)


def _score(a: ArrayLike | PairedTable, b: ArrayLike | None, level: float) -> tuple[Estimate, Callable[[float], float]]:
    """Tango's interval, and the score statistic for each difference that might be true."""
    table = table_of(a, b)
    return tango_interval(table, level=level), lambda delta: _tango_z(table, delta)


def _mean(a: ArrayLike, b: ArrayLike, groups: Labels | None, strata: Labels | None, level: float) -> Any:
    """The interval of the (clustered) t, its statistic for each difference that might be true, and its df."""
    differences, constant = paired_differences(a, b)
    checks.same_rows(a=a, b=b, groups=groups, strata=strata)
    clusters = np.arange(differences.size) if groups is None else checks.labels_of("groups", groups)
    kinds = None if strata is None else checks.labels_of("strata", strata)
    if constant:  # two vectors of 0 and 1 that never differ; any others are refused there
        fallback = paired_cluster_interval(a, b, clusters, kinds, level)
        same = PairedTable(fallback.n_clusters or fallback.n, 0, 0, 0)
        return fallback, lambda delta: _tango_z(same, delta), math.inf
    test = paired_cluster_t(a, b, clusters, kinds, level)
    error, df = test.extra["standard_error"], test.extra["df"]
    method = "paired_t" if groups is None and strata is None else test.method
    facts = (test.effect, test.ci_low, test.ci_high, level, method, test.n)
    interval = Estimate("A - B", *facts, None, None, test.extra, test.n_clusters, test.warning)  # type: ignore[arg-type]
    return interval, lambda delta: (test.effect - delta) / error, df


def _against_margin(
    data: tuple[Any, Any, Labels | None, Labels | None], margin: float, alpha: float, name: str, both_sides: bool
) -> TestResult:
    """One one-sided test at -margin, or two at -margin and margin; the larger p-value decides."""
    a, b, groups, strata = data
    size, one_sided = checks.positive("margin", margin), checks.share("alpha", alpha)
    level = 1 - 2 * checks.number("alpha", one_sided, 1e-12, 0.25)
    binary = isinstance(a, PairedTable) or _binary(a, b)
    alone = groups is None and strata is None
    if isinstance(a, PairedTable) and not alone:
        raise ValueError("groups and strata need one score a row: give two vectors, not a PairedTable")
    if binary and size >= 1:
        raise ValueError(f"margin must lie strictly between 0 and 1 for 0/1 scores, got {margin!r}")
    interval, statistic, df = (
        (*_score(a, b, level), math.inf) if binary and alone else _mean(a, b, groups, strata, level)
    )
    sides = [statistic(-size)] + ([-statistic(size)] if both_sides else [])
    worst = min(sides)
    p = float(stats.norm.sf(worst) if math.isinf(df) else stats.t.sf(worst, df))
    facts = {"margin": size, "margin_is": FIXED, "alpha": alpha, "shown": p <= alpha, "interval": interval.method}
    return TestResult(
        name,
        worst,
        p,
        interval.point,
        f"{'equivalence' if both_sides else 'noninferiority'}_{interval.method}",
        interval.n,
        facts,
        interval.ci_low,
        interval.ci_high,
        level,
        interval.n_clusters if groups is not None else None,
        warning=interval.warning,
    )


def _binary(a: ArrayLike, b: ArrayLike | None) -> bool:
    if b is None:
        raise ValueError(f"give one PairedTable or two vectors, got only a {type(a).__name__}")
    return all(np.isin(checks.finite_vector(owner, scores), (0, 1)).all() for owner, scores in (("a", a), ("b", b)))


def noninferiority_test(
    a: ArrayLike | PairedTable,
    b: ArrayLike | None = None,
    *,
    margin: float,
    groups: Labels | None = None,
    strata: Labels | None = None,
    alpha: float = 0.025,
    name: str = "A - B",
) -> TestResult:
    r"""Is A at most `margin` worse than B? One one-sided test against $A - B \le -\text{margin}$.

    For 0/1 scores the score test whose inverse is `tango_interval`; otherwise, and with groups or strata, the t of
    `paired_cluster_t`. It is shown exactly when the lower end of the interval of level $1 - 2\alpha$ is at or above
    -margin: one-sided 2.5% goes with the usual 95% interval.

    Parameters
    ----------
    a, b : arrays of numbers, or one PairedTable
        Position i is the same item in both; A is the cheaper or newer system that need not win.
    margin : float
        The largest loss that would not matter, above 0, in the unit of the scores. Fix it before seeing the data.
    groups, strata : sequence of labels, optional
        As in `paired_cluster_t`.
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
    return _against_margin((a, b, groups, strata), margin, alpha, name, both_sides=False)


def equivalence_test(
    a: ArrayLike | PairedTable,
    b: ArrayLike | None = None,
    *,
    margin: float,
    groups: Labels | None = None,
    strata: Labels | None = None,
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
    return _against_margin((a, b, groups, strata), margin, alpha, name, both_sides=True)


def required_n_noninferiority(
    margin: float, psi: float, delta: float = 0.0, alpha: float = 0.025, power: float = 0.80
) -> SampleSize:
    r"""How many shared items show that A is at most `margin` worse than B? For the score test of `noninferiority_test`.

    $n = \left(z_{1-\alpha}\,\sigma_0 + z_{\text{power}}\,\sigma_1\right)^2/(\delta + \text{margin})^2$, with
    $\sigma_1^2 = \psi - \delta^2$ and $\sigma_0^2$ the variance that the test uses at -margin. For scores other than
    0/1, or clusters, use `required_n_paired_mean` with the distance delta + margin and twice the alpha.

    Parameters
    ----------
    margin : float
        The largest loss that would not matter, in (0, 1).
    psi : float
        Share of items on which the systems disagree, in (0, 1].
    delta : float
        The difference A - B supposed to be true, above -margin; 0 when both are thought equally good.
    alpha, power : float
        One-sided level, in (0, 0.5), and power, in (0, 1).

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
    >>> print(required_n_noninferiority(margin=0.02, psi=0.07))
    1436
    >>> print(required_n_noninferiority(margin=0.02, psi=0.07, delta=0.01))
    652
    """
    size, disagreement = checks.share("margin", margin), checks.number("psi", psi, 0, 1)
    truth = checks.number("delta", delta, -1, 1)
    if truth <= -size:
        raise ValueError(f"delta must lie above -margin = {-size:g}, got {delta!r}: what is not true cannot be shown")
    if disagreement == 0 or abs(truth) > disagreement:
        raise ValueError(f"psi must lie in (0, 1] and be at least |delta|, got psi {psi!r} with delta {delta!r}")
    one_sided = checks.share("alpha", alpha)
    at_margin = _restricted_sd(-size, (disagreement + truth) / 2, (disagreement - truth) / 2, 1)
    z_alpha, z_power = stats.norm.isf(one_sided), stats.norm.ppf(checks.share("power", power))
    root_n = (z_alpha * at_margin + z_power * math.sqrt(disagreement - truth**2)) / (truth + size)
    design = {"margin": size, "psi": disagreement, "delta": truth, "unit": "shared items", "sides": 1}
    return SampleSize(
        max(1, math.ceil(root_n**2)), test="noninferiority_tango", alpha=one_sided, power=power, design=design
    )
