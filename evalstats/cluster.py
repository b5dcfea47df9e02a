"""Items that hang together: what is one answer worth when its neighbours share its fate?

A cluster (a passage with its questions, a template with its fillings, an item asked five times) is what was drawn.
A stratum (a kind of question, a task) is what was fixed, and a claim is about these strata. Clusters are drawn inside
strata, and the two are never confused: `groups` names the cluster of each row, `strata` its stratum.

Every row counts the same. Clusters of unequal size therefore weigh by their size.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from . import _checks as checks
from .paired import NO_DIFFERENCE, PairedTable, paired_differences, refuse_constant, tango_interval
from .proportion import Quantity, wilson_interval, wilson_limits
from .result import Estimate, TestResult

__all__ = [
    "cluster_standard_error",
    "cluster_standard_error_cr1",
    "design_effect",
    "effective_n",
    "intraclass_correlation",
    "mean_interval",
    "paired_cluster_interval",
    "paired_cluster_t",
    "wilson_cluster_interval",
]

Labels = Iterable[Hashable]
Vector = NDArray[np.float64]
Codes = NDArray[np.int64]

ESTIMAND = "mean over rows, each row weighted equally"
FEW_DF = 10  # with fewer degrees of freedom the t interval leans hard on normal cluster means
FEW_EFFECTIVE = 10  # with fewer effective right or wrong answers it covers too seldom: tests/calibration
FEW_DIFFERING = 10  # with a difference in fewer clusters the paired interval covers too seldom: tests/calibration
PAIRED_METHOD = "paired_cluster_cr2_t"


@dataclass(frozen=True)
class Design:
    """Who sits in which cluster, and which cluster in which stratum; checked once, used by every formula.

    `sizes[g]` and `stratum[g]` belong to cluster g; `rows[h]` and `clusters[h]` count what stratum h holds.
    """

    codes: Codes
    sizes: Vector
    stratum: Codes
    rows: Vector
    clusters: Vector

    @property
    def n(self) -> int:
        return self.codes.size

    @property
    def n_clusters(self) -> int:
        return self.sizes.size

    @property
    def n_strata(self) -> int:
        return self.rows.size

    def residual_totals(self, scores: Vector) -> Vector:
        """For each cluster the sum over its rows of score minus stratum mean."""
        stratum_of_row = self.stratum[self.codes]
        means = np.bincount(stratum_of_row, weights=scores) / self.rows
        return np.bincount(self.codes, weights=scores - means[stratum_of_row]).astype(np.float64)

    def facts(self) -> dict[str, object]:
        """What was drawn and what is fixed, in words and numbers for `extra`."""
        drawn = "clusters" if self.n_strata == 1 else "clusters within fixed strata"
        return {"estimand": ESTIMAND, "drawn": drawn, "n_strata": self.n_strata}


def make_design(n: int, groups: Labels | None, strata: Labels | None) -> Design:
    """The checked design of n rows; without groups each row is a cluster of its own."""
    codes = np.arange(n) if groups is None else checks.cluster_codes(groups, n)[0]
    if codes.max() == 0:
        raise ValueError("at least 2 rows are needed, got 1: one row says nothing of the next")
    rows_in = np.zeros(n, dtype=np.int64) if strata is None else checks.label_codes("strata", "stratum", strata, n)[0]
    sizes = np.bincount(codes).astype(np.float64)
    stratum = np.zeros(sizes.size, dtype=np.int64)
    stratum[codes] = rows_in
    if (torn := np.flatnonzero(stratum[codes] != rows_in)).size:
        row = int(torn[0])
        raise ValueError(f"a cluster lies inside one stratum, but that of row {row} has rows in two or more strata")
    clusters = np.bincount(stratum).astype(np.float64)
    if clusters.min() < 2:
        row = int(np.flatnonzero(rows_in == clusters.argmin())[0])
        raise ValueError(
            f"each stratum needs at least 2 clusters, but the one of row {row} has 1: "
            "nothing shows how much its clusters differ; join it to a similar stratum or leave it out of the claim"
        )
    return Design(codes, sizes, stratum, np.bincount(rows_in).astype(np.float64), clusters)


# --- standard errors -------------------------------------------------------------------------------------------------


def _cr2(totals: Vector, design: Design) -> tuple[float, float]:
    """Standard error and Satterthwaite degrees of freedom.

    The residuals of a large cluster are pulled towards 0, for it helped to make the mean they are measured from; the
    factor 1/(1 - m_g/N_h) undoes that. The degrees of freedom are those of the chi-square with the mean and variance
    that the estimated variance has when rows are independent and equally variable.
    """
    share = design.sizes / design.rows[design.stratum]
    correction = 1 / (1 - share)
    variance = math.fsum(correction * totals**2) / design.n**2
    # Covariance of the totals: m_g (1 - m_g/N_h) on the diagonal, -m_g m_k/N_h beside it within a stratum.
    beside = np.bincount(design.stratum, weights=correction * design.sizes**2)
    diagonal = np.bincount(design.stratum, weights=(correction * design.sizes**2) ** 2)
    squares = math.fsum(design.sizes**2) + math.fsum((beside**2 - diagonal) / design.rows**2)
    return math.sqrt(variance), design.n**2 / squares


def cluster_standard_error(scores: ArrayLike, groups: Labels, strata: Labels | None = None) -> Quantity:
    r"""How far does a mean typically fall from the truth when whole clusters were drawn?

    The CR2 standard error: $\frac1N\sqrt{\sum_g T_g^2/(1 - m_g/N_h)}$, where $T_g$ sums, over the $m_g$ rows of
    cluster g, score minus the mean of the stratum h with its $N_h$ rows. For clusters of one size it equals CR1.

    Parameters
    ----------
    scores : array of numbers
        One row each.
    groups : sequence of labels
        The cluster of each row: what was drawn.
    strata : sequence of labels, optional
        The fixed stratum of each row; each cluster lies inside one.

    Returns
    -------
    Quantity
        In the unit of the scores; `extra["df"]` holds Satterthwaite's degrees of freedom, which are the number of
        clusters less the number of strata when all clusters have one size and all strata equally many.

    Raises
    ------
    ValueError
        For NaN, unequal lengths, a single cluster, a stratum with a single cluster, a cluster in two strata.

    Notes
    -----
    Chapter `paired`, eq-cluster-paired. The shares of the strata are taken as fixed.
    CR2 and its degrees of freedom are Bell and McCaffrey's (2002), in the form of J. E. Pustejovsky and E. Tipton
    (2017), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    Two templates of five questions, the second never answered right:

    >>> error = cluster_standard_error([0, 1, 1, 1, 1, 0, 0, 0, 0, 0], groups=["plural"] * 5 + ["last letter"] * 5)
    >>> float(error), error.n_clusters, error.extra["df"]
    (0.4, 2, 1.0)
    """
    values, design = _checked(scores, groups, strata)
    error, df = _cr2(design.residual_totals(values), design)
    return Quantity(error, method="cluster_cr2", n=design.n, n_clusters=design.n_clusters, extra=_with(design, df=df))


def cluster_standard_error_cr1(scores: ArrayLike, groups: Labels, strata: Labels | None = None) -> Quantity:
    r"""The cluster-robust standard error with the simple correction G/(G - 1), for comparison.

    $\frac1N\sqrt{\sum_h \frac{G_h}{G_h-1}\sum_{g \in h} T_g^2}$, used with the number of clusters less the number of
    strata as degrees of freedom. With clusters of very unequal size it is too small; `cluster_standard_error` is not.

    Parameters
    ----------
    scores : array of numbers
        One row each.
    groups, strata : sequence of labels
        As in `cluster_standard_error`.

    Returns
    -------
    Quantity
        In the unit of the scores; `extra["df"]` is clusters less strata.

    Raises
    ------
    ValueError
        As `cluster_standard_error`.

    Notes
    -----
    Chapter `paired`, eq-cluster-paired.

    Examples
    --------
    >>> error = cluster_standard_error_cr1([0, 1, 1, 1, 1, 0, 0, 0, 0, 0], groups=["plural"] * 5 + ["last letter"] * 5)
    >>> float(error), error.extra["df"]
    (0.4, 1)
    """
    values, design = _checked(scores, groups, strata)
    correction = (design.clusters / (design.clusters - 1))[design.stratum]
    error = math.sqrt(math.fsum(correction * design.residual_totals(values) ** 2)) / design.n
    facts = _with(design, df=design.n_clusters - design.n_strata)
    return Quantity(error, method="cluster_cr1", n=design.n, n_clusters=design.n_clusters, extra=facts)


def _checked(scores: ArrayLike, groups: Labels | None, strata: Labels | None) -> tuple[Vector, Design]:
    values = checks.finite_vector("scores", scores)
    checks.same_rows(scores=scores, groups=groups, strata=strata)
    return values, make_design(values.size, groups, strata)


def _with(design: Design, **more: object) -> dict[str, object]:
    return design.facts() | more


# --- how much the clusters cost --------------------------------------------------------------------------------------


def intraclass_correlation(scores: ArrayLike, groups: Labels, strata: Labels | None = None) -> Quantity:
    r"""How alike are two rows of one cluster, compared with two rows of different clusters?

    The analysis-of-variance estimate $(MSB - MSW)/(MSB + (n_0 - 1)\,MSW)$ from the mean squares between and within
    clusters, where $n_0$ is the mean cluster size, reduced for unequal sizes. With strata, the means of the strata are
    taken out first: the question is then about clusters of one stratum.

    Parameters
    ----------
    scores : array of numbers
        One row each.
    groups, strata : sequence of labels
        As in `cluster_standard_error`; at least one cluster has two rows or more.

    Returns
    -------
    Quantity
        At most 1. It can come out negative, most of all when the truth is 0; cutting it off at 0 would make it too
        large on average, so it is left.

    Raises
    ------
    ValueError
        As `cluster_standard_error`; when no cluster has two rows, and when all scores of each stratum are equal: then
        the rows show nothing that could be shared.

    Notes
    -----
    Chapter `paired`, eq-design-effect.

    Examples
    --------
    >>> round(intraclass_correlation([0, 1, 1, 1, 1, 0, 0, 0, 0, 0], groups=[1] * 5 + [2] * 5), 3)
    0.75
    """
    values, design = _checked(scores, groups, strata)
    df_between, df_within = design.n_clusters - design.n_strata, design.n - design.n_clusters
    if df_within == 0:
        raise ValueError("intraclass_correlation needs a cluster of at least 2 rows, got only clusters of 1")
    cluster_means = np.bincount(design.codes, weights=values) / design.sizes
    between = math.fsum(design.residual_totals(values) ** 2 / design.sizes) / df_between
    within = math.fsum((values - cluster_means[design.codes]) ** 2) / df_within
    squares = np.bincount(design.stratum, weights=design.sizes**2)
    n0 = (design.n - math.fsum(squares / design.rows)) / df_between
    scale = between + (n0 - 1) * within
    if scale <= 1e-24 * max(1.0, float(np.abs(values).max()) ** 2):
        raise ValueError("all scores of each stratum are equal, so nothing shows what clusters share")
    facts = _with(design, mean_square_between=between, mean_square_within=within, n0=n0)
    return Quantity(
        (between - within) / scale, method="icc_anova", n=design.n, n_clusters=design.n_clusters, extra=facts
    )


def design_effect(scores: ArrayLike, groups: Labels, strata: Labels | None = None) -> Quantity:
    r"""By what factor do clusters (and strata) change the variance of the mean?

    The squared `cluster_standard_error` over $s^2/N$, the squared standard error of N rows drawn one by one. For
    clusters of one size m without strata it is close to $1 + (m-1)\rho$ with $\rho$ the `intraclass_correlation`.
    With strata it also holds what the strata save, so it can lie well below $1 + (m-1)\rho$ of the correlation within
    strata, and below 1.

    Parameters
    ----------
    scores : array of numbers
        One row each.
    groups, strata : sequence of labels
        As in `cluster_standard_error`.

    Returns
    -------
    Quantity
        Above 1 where clusters cost. When all scores are equal it is 0/0; the mean cluster size is then returned, as
        if clusters shared everything, with a warning.

    Raises
    ------
    ValueError
        As `cluster_standard_error`.

    Notes
    -----
    Chapter `paired`, eq-design-effect.

    Examples
    --------
    >>> round(design_effect([0, 1, 1, 1, 1, 0, 0, 0, 0, 0], groups=[1] * 5 + [2] * 5), 2)
    6.0
    """
    values, design = _checked(scores, groups, strata)
    facts = design.facts()
    if np.ptp(values) == 0:
        warning = "all scores are equal, so the design effect is 0/0; taken as if each cluster were one row"
        return Quantity(
            design.n / design.n_clusters,
            method="design_effect",
            n=design.n,
            n_clusters=design.n_clusters,
            extra=facts,
            warning=warning,
        )
    error, _ = _cr2(design.residual_totals(values), design)
    ratio = error**2 / (float(values.var(ddof=1)) / design.n)
    return Quantity(ratio, method="design_effect", n=design.n, n_clusters=design.n_clusters, extra=facts)


def effective_n(scores: ArrayLike, groups: Labels, strata: Labels | None = None) -> Quantity:
    r"""How many rows drawn one by one would be worth as much as these?

    The number of rows over the `design_effect`.

    Parameters
    ----------
    scores : array of numbers
        One row each.
    groups, strata : sequence of labels
        As in `cluster_standard_error`.

    Returns
    -------
    Quantity
        When all scores are equal: the number of clusters, the cautious end of what is possible, with a warning.

    Raises
    ------
    ValueError
        As `cluster_standard_error`; and when the cluster totals show no spread at all, so that the answer would be
        infinite.

    Notes
    -----
    Chapter `paired`, eq-design-effect.

    Examples
    --------
    >>> round(effective_n([0, 1, 1, 1, 1, 0, 0, 0, 0, 0], groups=[1] * 5 + [2] * 5), 2)
    1.67
    """
    effect = design_effect(scores, groups, strata)
    if effect <= 0:
        raise ValueError("all clusters have the same mean, so the design effect is 0 and the effective n has no bound")
    n = effect.n
    return Quantity(
        n / effect, method="effective_n", n=n, n_clusters=effect.n_clusters, extra=effect.extra, warning=effect.warning
    )


# --- the mean of one system ------------------------------------------------------------------------------------------


def mean_interval(
    scores: ArrayLike,
    groups: Labels | None = None,
    strata: Labels | None = None,
    level: float = 0.95,
    *,
    name: str = "mean",
) -> Estimate:
    r"""What is the mean score, and how sure are we? The everyday answer.

    Wilson's interval for 0/1 scores; otherwise mean give or take t standard errors. With groups (or strata) the
    standard error is `cluster_standard_error` and t has its degrees of freedom.

    Parameters
    ----------
    scores : array of numbers
        One row each.
    groups : sequence of labels, optional
        The cluster of each row: what was drawn. Without groups each row was drawn by itself.
    strata : sequence of labels, optional
        The fixed stratum of each row; each cluster lies inside one.
    level : float
        Confidence level in [0.5, 1).
    name : str
        What is estimated.

    Returns
    -------
    Estimate
        `n` counts rows, `n_clusters` clusters; `extra` says what was drawn and that each row weighs the same. For 0/1
        scores the interval is cut off at 0 and 1. It warns where it leans on few clusters, or on few right or wrong
        answers; when clustered 0/1 scores are all equal it is `wilson_cluster_interval`.

    Raises
    ------
    ValueError
        For NaN, unequal lengths, a single cluster, a stratum with a single cluster, a cluster in two strata; and where
        there is no spread to make an interval from.

    Notes
    -----
    Chapter `intervals`; with groups, chapter `paired`, eq-cluster-paired.

    Examples
    --------
    >>> print(mean_interval([1] * 17 + [0] * 3, name="accuracy"))
    accuracy = 0.85, 95% interval [0.6396, 0.9476] (wilson, n = 20)
    >>> scores = [0, 1, 1, 1, 1] * 12 + [0] * 60  # one kind of template is done well, the other not at all
    >>> templates = [row // 5 for row in range(120)]
    >>> print(mean_interval(scores, templates))
    mean = 0.4, 95% interval [0.2275, 0.5725] (cluster_cr2_t, n = 120 in 24 clusters)
    """
    values = checks.finite_vector("scores", scores)
    binary = bool(np.isin(values, (0, 1)).all())
    if binary and groups is None and strata is None:
        return wilson_interval(int(values.sum()), values.size, level, name=name)
    checks.same_rows(scores=scores, groups=groups, strata=strata)
    design = make_design(values.size, groups, strata)
    if binary and np.ptp(values) == 0:
        return _wilson_cluster(values, design, level, name)
    mean, error, df = _fit(values, design, "wilson_cluster_interval for 0/1 scores")
    half = float(stats.t.isf((1 - checks.share("level", level)) / 2, df)) * error
    low, high = (max(mean - half, 0.0), min(mean + half, 1.0)) if binary else (mean - half, mean + half)
    method = "t" if groups is None and strata is None else "cluster_cr2_t" if groups is not None else "stratified_t"
    warning = _mean_warning(mean, error, df, binary)
    facts = _with(design, standard_error=error, df=df)
    n_clusters = None if groups is None else design.n_clusters
    return Estimate(name, mean, low, high, level, method, design.n, None, None, facts, n_clusters, warning)


def _fit(values: Vector, design: Design, better: str) -> tuple[float, float, float]:
    """Mean, CR2 standard error and degrees of freedom; refused where the cluster totals show no spread."""
    error, df = _cr2(design.residual_totals(values), design)
    if error <= 8 * np.finfo(float).eps * max(float(np.abs(values).max()), 1e-300):
        raise ValueError(f"the clusters show no spread, so there is no interval around {values.mean():g}; try {better}")
    return math.fsum(values) / design.n, error, df


def _mean_warning(mean: float, error: float, df: float, binary: bool) -> str | None:
    if binary and min(mean, 1 - mean) * mean * (1 - mean) / error**2 < FEW_EFFECTIVE:
        return (
            "few right or few wrong answers for clusters as alike as these: this interval may cover too seldom; "
            "use wilson_cluster_interval"
        )
    return _df_warning(df)


def _df_warning(df: float) -> str | None:
    if df >= FEW_DF:
        return None
    return f"the clusters give only {df:.1f} degrees of freedom: this rests on nearly normal cluster means; draw more"


def wilson_cluster_interval(
    scores: ArrayLike, groups: Labels, strata: Labels | None = None, level: float = 0.95, *, name: str = "accuracy"
) -> Estimate:
    r"""The interval for a clustered accuracy near 0 or 1.

    Wilson's formula with two changes: n is the effective size $\hat p(1-\hat p)/SE^2$ from `cluster_standard_error`, at
    most the number of rows, and z is the quantile of t with its degrees of freedom. When all rows are right, or all
    wrong, the effective size cannot be estimated; it is then the number of clusters, the cautious end.

    Parameters
    ----------
    scores : array of 0 and 1
        One row each.
    groups, strata : sequence of labels
        As in `mean_interval`.
    level : float
        Confidence level in [0.5, 1).
    name : str
        What is estimated.

    Returns
    -------
    Estimate
        Inside [0, 1]; `extra` holds the effective n and df.

    Raises
    ------
    ValueError
        For anything but 0 and 1, and as `mean_interval`.

    Notes
    -----
    Chapter `intervals`.

    Examples
    --------
    >>> print(wilson_cluster_interval([1] * 95 + [0] * 5, groups=[row // 5 for row in range(100)]))
    accuracy = 0.95, 95% interval [0.7392, 0.9922] (wilson_cluster, n = 100 in 20 clusters)
    """
    values = checks.binary_vector("scores", scores).astype(np.float64)
    checks.same_rows(scores=scores, groups=groups, strata=strata)
    return _wilson_cluster(values, make_design(values.size, groups, strata), level, name)


def _wilson_cluster(values: Vector, design: Design, level: float, name: str) -> Estimate:
    mean = float(values.mean())
    error, df = _cr2(design.residual_totals(values), design)
    warning = _df_warning(df)
    if mean in (0.0, 1.0):
        effective = float(design.n_clusters)
        warning = "all scores are equal, so the effective n is taken as the number of clusters"
    else:
        effective = min(mean * (1 - mean) / error**2, design.n) if error else float(design.n)
    t = float(stats.t.isf((1 - checks.share("level", level)) / 2, df))
    low, high = wilson_limits(mean, effective, t)
    facts = _with(design, effective_n=effective, df=df)
    return Estimate(
        name, mean, low, high, level, "wilson_cluster", design.n, None, None, facts, design.n_clusters, warning
    )


# --- two systems, same clustered items -------------------------------------------------------------------------------


def paired_cluster_t(
    a: ArrayLike,
    b: ArrayLike,
    groups: Labels,
    strata: Labels | None = None,
    level: float = 0.95,
    *,
    name: str = "A - B",
) -> TestResult:
    r"""Is A better than B on the same items, when items hang together in clusters?

    The mean of $a_i - b_i$ over its `cluster_standard_error`, compared with t on Satterthwaite's degrees of freedom. It
    serves 0/1 scores and any others.

    Parameters
    ----------
    a, b : arrays of numbers
        Position i is the same row in both.
    groups : sequence of labels
        The cluster of each row: what was drawn.
    strata : sequence of labels, optional
        The fixed stratum of each row; each cluster lies inside one.
    level : float
        Confidence level of the interval, in [0.5, 1).
    name : str
        What is tested.

    Returns
    -------
    TestResult
        `statistic` is t, with the interval that belongs to it. When every difference is 0, t is 0 and p is 1, with a
        warning and without an interval.

    Raises
    ------
    ValueError
        For NaN, unequal lengths, a single cluster, a stratum with a single cluster, a cluster in two strata; and when
        the differences are not all 0 but show no spread between clusters.

    Notes
    -----
    Chapter `paired`, eq-cluster-paired.

    Examples
    --------
    >>> a, b = [1, 1, 1, 0, 1, 1, 0, 0] * 6, [1, 0, 1, 0, 1, 1, 1, 0] * 6
    >>> clusters = [row // 2 for row in range(48)]
    >>> print(paired_cluster_t(a, b, clusters))
    A - B = 0, 95% interval [-0.1525, 0.1525], p = 1 (paired_cluster_cr2_t, statistic 0, n = 48 in 24 clusters)
    """
    differences, constant = paired_differences(a, b)
    checks.same_rows(a=a, b=b, groups=groups, strata=strata)
    design = make_design(differences.size, groups, strata)
    tail = (1 - checks.share("level", level)) / 2
    if constant:
        refuse_constant(float(differences.mean()), "sign_flip_test with groups")
        facts = _with(design, df=float(design.n_clusters - design.n_strata), standard_error=0.0, statistic_name="t")
        return TestResult(
            name, 0.0, 1.0, 0.0, PAIRED_METHOD, design.n, facts, n_clusters=design.n_clusters, warning=NO_DIFFERENCE
        )
    mean, error, df = _fit(differences, design, "sign_flip_test with groups")
    t, half = mean / error, float(stats.t.isf(tail, df)) * error
    facts = _with(design, df=df, standard_error=error, statistic_name="t")
    return TestResult(
        name,
        t,
        2 * float(stats.t.sf(abs(t), df)),
        mean,
        PAIRED_METHOD,
        design.n,
        facts,
        ci_low=mean - half,
        ci_high=mean + half,
        level=level,
        n_clusters=design.n_clusters,
        warning=_paired_warning(differences, design, df),
    )


def _paired_warning(differences: Vector, design: Design, df: float) -> str | None:
    if (few := _df_warning(df)) is not None:
        return few
    with_difference = np.count_nonzero(np.bincount(design.codes, weights=np.abs(differences)))
    if with_difference >= FEW_DIFFERING:
        return None
    return (
        f"the systems differ in only {with_difference} of {design.n_clusters} clusters: this interval may cover too "
        "seldom; check with sign_flip_test and groups"
    )


def paired_cluster_interval(
    a: ArrayLike,
    b: ArrayLike,
    groups: Labels,
    strata: Labels | None = None,
    level: float = 0.95,
    *,
    name: str = "A - B",
) -> Estimate:
    r"""How far apart are A and B on the same items, when items hang together in clusters?

    The mean of $a_i - b_i$ give or take t of its `cluster_standard_error`. The clustered alternative to
    `tango_interval`, and its p-value to `mcnemar`.

    Parameters
    ----------
    a, b : arrays of numbers
        Position i is the same row in both.
    groups : sequence of labels
        The cluster of each row: what was drawn.
    strata : sequence of labels, optional
        The fixed stratum of each row; each cluster lies inside one.
    level : float
        Confidence level in [0.5, 1).
    name : str
        What is estimated.

    Returns
    -------
    Estimate
        `extra` holds pvalue, statistic (t), df and standard_error, and says that each row weighs the same. When two
        vectors of 0 and 1 never differ, the interval is Tango's for one row a cluster, with a warning.

    Raises
    ------
    ValueError
        As `paired_cluster_t`; and when scores other than 0 and 1 never differ.

    Notes
    -----
    Chapter `paired`, eq-cluster-paired.

    Examples
    --------
    >>> a, b = [1, 1, 1, 0, 1, 1, 0, 0] * 6, [1, 0, 1, 0, 1, 1, 1, 0] * 6
    >>> clusters = [row // 2 for row in range(48)]
    >>> print(paired_cluster_interval(a, b, clusters))
    A - B = 0, 95% interval [-0.1525, 0.1525] (paired_cluster_cr2_t, n = 48 in 24 clusters)
    """
    test = paired_cluster_t(a, b, groups, strata, level, name=name)
    facts = dict(test.extra) | {"pvalue": test.pvalue, "statistic": test.statistic}
    low, high, method, warning = test.ci_low, test.ci_high, test.method, test.warning
    if low is None or high is None:
        low, high = _no_difference_interval(a, b, test.n_clusters or test.n, level)
        method, warning = "tango_of_clusters", "the systems never differ; taken as if each cluster were one row"
    return Estimate(name, test.effect, low, high, level, method, test.n, None, None, facts, test.n_clusters, warning)


def _no_difference_interval(a: ArrayLike, b: ArrayLike, n_clusters: int, level: float) -> tuple[float, float]:
    try:
        PairedTable.from_vectors(a, b)
    except ValueError as error:
        raise ValueError("every difference is 0: there is no spread to make an interval from") from error
    cautious = tango_interval(PairedTable(n_clusters, 0, 0, 0), level=level)
    return cautious.ci_low, cautious.ci_high
