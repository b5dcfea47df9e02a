"""Items that hang together: what is one answer worth when its neighbours share its fate?

A cluster (a passage with its questions, a template with its fillings, an item asked five times) is what was drawn.
A stratum (a kind of question, a task) is what was fixed, and a claim is about these strata. Clusters are drawn inside
strata, and the two are never confused: `groups` names the cluster of each row, `strata` its stratum.

Every row counts the same. Clusters of unequal size therefore weigh by their size.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from . import _checks as checks
from ._checks import Groups, Labels, Vector
from .paired import NO_DIFFERENCE, PairedTable, few_differing, tango_interval
from .proportion import Quantity, clopper_pearson_limits, wilson_interval, wilson_limits
from .result import Estimate, TestResult
from .sums import Clusters, ClusterSums, added, cluster_sums, make_design, marks_only, rows_by_cluster, sums_of

FEW_DF = 10  # with fewer degrees of freedom the t interval leans hard on normal cluster means
FEW_EFFECTIVE = 10  # with fewer effective right or wrong answers it covers too seldom: tests/calibration
ALL_EQUAL = "all scores are equal, so the effective n is taken as the number of clusters"
FEW_FILLED = 3  # where the rarer answers would fill fewer clusters, effective sizes mislead: tests/calibration


# --- standard errors -------------------------------------------------------------------------------------------------


def _cr2(residuals: Vector, clusters: Clusters) -> tuple[float, float]:
    """Standard error and Satterthwaite degrees of freedom.

    The residuals of a large cluster are pulled towards 0, for it helped to make the mean they are measured from; the
    factor 1/(1 - m_g/N_h) undoes that. The degrees of freedom are those of the chi-square with the mean and variance
    that the estimated variance has when rows are independent and equally variable.
    """
    correction = 1 / (1 - clusters.sizes / clusters.rows[clusters.stratum])
    variance = math.fsum(correction * residuals**2) / clusters.n**2
    # Covariance of the totals: m_g (1 - m_g/N_h) on the diagonal, -m_g m_k/N_h beside it within a stratum.
    weights = correction * clusters.sizes**2
    beside, diagonal = added(clusters.stratum, weights), added(clusters.stratum, weights**2)
    squares = math.fsum(clusters.sizes**2) + math.fsum((beside**2 - diagonal) / clusters.rows**2)
    return math.sqrt(variance), clusters.n**2 / squares


def _quantity(value: float, method: str, clusters: Clusters, warning: str | None = None, **facts: object) -> Quantity:
    extra = clusters.facts() | facts
    return Quantity(value, method=method, n=clusters.n, n_clusters=clusters.n_clusters, extra=extra, warning=warning)


def cluster_standard_error(scores: ArrayLike, groups: Labels, strata: Groups = None) -> Quantity:
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
        clusters less the number of strata when all clusters have one size and all strata equally many. It warns where
        an interval made from it would lean on few clusters, or on few right or wrong answers.

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
    sums = cluster_sums(scores, groups, strata)
    error, df = _cr2(sums.residuals(sums.totals), sums)
    return _quantity(error, "cluster_cr2", sums, _warning(sums, error, df), df=df)


def cluster_standard_error_cr1(scores: ArrayLike, groups: Labels, strata: Groups = None) -> Quantity:
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
    sums = cluster_sums(scores, groups, strata)
    correction = (sums.clusters / (sums.clusters - 1))[sums.stratum]
    error = math.sqrt(math.fsum(correction * sums.residuals(sums.totals) ** 2)) / sums.n
    df = sums.n_clusters - sums.n_strata
    return _quantity(error, "cluster_cr1", sums, _warning(sums, error, df), df=df)


# --- how much the clusters cost --------------------------------------------------------------------------------------


def intraclass_correlation(scores: ArrayLike, groups: Labels, strata: Groups = None) -> Quantity:
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
    values, design = rows_by_cluster(scores, groups, strata)
    df_between, df_within = design.n_clusters - design.n_strata, design.n - design.n_clusters
    if df_within == 0:
        raise ValueError("intraclass_correlation needs a cluster of at least 2 rows, got only clusters of 1")
    cluster_means = added(design.codes, values) / design.sizes
    between = math.fsum(design.residual_totals(values) ** 2 / design.sizes) / df_between
    within = math.fsum((values - cluster_means[design.codes]) ** 2) / df_within
    n0 = (design.n - math.fsum(added(design.stratum, design.sizes**2) / design.rows)) / df_between
    scale = between + (n0 - 1) * within
    if scale <= 1e-24 * max(1.0, float(np.abs(values).max()) ** 2):
        raise ValueError("all scores of each stratum are equal, so nothing shows what clusters share")
    squares = {"mean_square_between": between, "mean_square_within": within}
    return _quantity((between - within) / scale, "icc_anova", design, _few(df_between), **squares, n0=n0)


def design_effect(scores: ArrayLike, groups: Labels, strata: Groups = None) -> Quantity:
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
    values, design = rows_by_cluster(scores, groups, strata)
    if np.ptp(values) == 0:
        warning = "all scores are equal, so the design effect is 0/0; taken as if each cluster were one row"
        return _quantity(design.n / design.n_clusters, "design_effect", design, warning)
    error, df = _cr2(design.residual_totals(values), design)
    return _quantity(error**2 * design.n / float(values.var(ddof=1)), "design_effect", design, _few(df))


def effective_n(scores: ArrayLike, groups: Labels, strata: Groups = None) -> Quantity:
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
    return Quantity.from_dict(effect.to_dict() | {"value": effect.n / effect, "method": "effective_n"})


# --- the mean of one system ------------------------------------------------------------------------------------------


def mean_interval(
    scores: ArrayLike, groups: Groups = None, strata: Groups = None, level: float = 0.95, *, name: str = "mean"
) -> Estimate:
    r"""What is the mean score, and how sure are we? The everyday answer.

    Wilson's interval for 0/1 scores; otherwise mean give or take t standard errors. With groups (or strata) the
    standard error is `cluster_standard_error` and t has its degrees of freedom.

    Parameters
    ----------
    scores : array of numbers
        One row each. Of an `EvalLog` its `scores`, with its `items` as groups where these were answered several times.
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
        answers; when clustered 0/1 scores are all equal it is `wilson_cluster_interval`. Clusters that hold one 0/1 row
        each are no clusters, and get Wilson's interval as without groups.

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
    if marks_only(values) and groups is None and strata is None:
        return wilson_interval(int(values.sum()), values.size, level, name=name)
    method = "cluster_cr2_t" if groups is not None else "t" if strata is None else "stratified_t"
    return _mean_interval(cluster_sums(scores, groups, strata), level, name, method)


def _mean_interval(sums: ClusterSums, level: float, name: str, method: str = "cluster_cr2_t") -> Estimate:
    if alone := _wilson_of_items(sums, level, name):
        return alone
    if sums.marks and sums.mean in (0.0, 1.0):
        return _effective_interval(sums, level, name, "wilson_cluster")
    error, df, low, high = _t_ends(sums, level, "wilson_cluster_interval" if sums.marks else f"more {sums.unit}")
    facts = sums.facts() | {"standard_error": error, "df": df}
    n_clusters, warning = sums.n_clusters if method == "cluster_cr2_t" else None, _warning(sums, error, df)
    return Estimate(name, sums.mean, low, high, level, method, sums.n, None, None, facts, n_clusters, warning)


def _wilson_of_items(sums: ClusterSums, level: float, name: str) -> Estimate | None:
    """Wilson's interval where every cluster is one 0/1 row: items that were drawn one by one."""
    alone = sums.n_strata == 1 and bool(np.isin(sums.totals, (0, 1)).all()) and sums.unit == "items" and sums.marks
    return wilson_interval(int(sums.totals.sum()), sums.n, level, name=name) if alone else None


def _t_ends(sums: ClusterSums, level: float, better: str) -> tuple[float, float, float, float]:
    """CR2 standard error, its degrees of freedom, and the mean give or take t errors; refused without spread."""
    error, df = _cr2(sums.residuals(sums.totals), sums)
    if error <= 8 * np.finfo(float).eps * max(sums.scale, 1e-300):
        raise ValueError(f"the {sums.unit} show no spread: there is no interval around {sums.mean:g}; try {better}")
    half = float(stats.t.isf((1 - checks.share("level", level)) / 2, df)) * error
    return error, df, *sums.within(sums.mean - half, sums.mean + half)


def _warning(sums: ClusterSums, error: float, df: float) -> str | None:
    """What to beware of: a mean of 0/1 scores near 0 or 1, or few degrees of freedom."""
    p, words = sums.mean, "few right or few wrong answers for clusters as alike as these: this may cover too seldom"
    near = sums.marks and sums.differing is None and min(p, 1 - p) * p * (1 - p) <= FEW_EFFECTIVE * error**2
    return f"{words}; use wilson_cluster_interval" if near else _few(df)


def _few(df: float) -> str | None:
    few = f"only {df:.1f} degrees of freedom: this rests on nearly normal means of what was drawn; draw more"
    return few if df < FEW_DF else None


def wilson_cluster_interval(
    scores: ArrayLike, groups: Labels, strata: Groups = None, level: float = 0.95, *, name: str = "accuracy"
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
        Inside [0, 1]; `extra` holds the effective n and df. It warns where it leans on few clusters, and where the
        right or the wrong answers would fill fewer than three.

    Raises
    ------
    ValueError
        For anything but 0 and 1, and as `mean_interval`.

    Notes
    -----
    Chapter `intervals`. In simulations (tests/calibration) it held the truth in .90 of runs and more, where the rarer
    answers fill three clusters or more; with fewer it warns, for few large clusters that share everything, almost none
    of them wrong, can take it down to .57. No interval can see what such clusters do not show.

    Examples
    --------
    >>> print(wilson_cluster_interval([1] * 180 + [0] * 20, groups=[row // 5 for row in range(200)]))
    accuracy = 0.9, 95% interval [0.7621, 0.962] (wilson_cluster, n = 200 in 40 clusters)
    """
    checks.binary_vector("scores", scores)
    return _effective_interval(cluster_sums(scores, groups, strata), level, name, "wilson_cluster")


def clopper_pearson_cluster_interval(
    scores: ArrayLike, groups: Labels, strata: Groups = None, level: float = 0.95, *, name: str = "accuracy"
) -> Estimate:
    r"""The cautious interval for a clustered accuracy near 0 or 1.

    Clopper and Pearson's formula with effective sizes, as Korn and Graubard proposed: n is the effective size of
    `wilson_cluster_interval` times $(t_{N-1}/t_{df})^2$, the ratio of two quantiles of t, and k is $\hat p$ times
    that. When all rows are right, or all wrong, nothing is estimated and nothing adjusted: n is the number of clusters,
    which is exact for clusters that share everything, and cautious for others. "Exact" holds for no other data.

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
        Inside [0, 1]; `extra` holds the effective n (before the adjustment) and df. It warns as
        `wilson_cluster_interval` does.

    Raises
    ------
    ValueError
        As `wilson_cluster_interval`.

    Notes
    -----
    Chapter `intervals`. E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with small expected number
    of positive counts estimated from survey data", Survey Methodology (1998), 193-201. In R it is
    `survey::svyciprop(method = "beta")`, with CR1 and its degrees of freedom where this has CR2 and Satterthwaite's.
    What `wilson_cluster_interval` says of its coverage holds here too, with .91 for .90 and .58 for .57.

    Examples
    --------
    >>> print(clopper_pearson_cluster_interval([1] * 180 + [0] * 20, groups=[row // 5 for row in range(200)]))
    accuracy = 0.9, 95% interval [0.7563, 0.9739] (clopper_pearson_cluster, n = 200 in 40 clusters)
    """
    checks.binary_vector("scores", scores)
    return _effective_interval(cluster_sums(scores, groups, strata), level, name, "clopper_pearson_cluster")


def _effective_interval(sums: ClusterSums, level: float, name: str, method: str) -> Estimate:
    """Wilson's or Clopper and Pearson's interval of an effective n."""
    (error, df), p, tail = _cr2(sums.residuals(sums.totals), sums), sums.mean, (1 - checks.share("level", level)) / 2
    t, all_equal = float(stats.t.isf(tail, df)), p in (0.0, 1.0)
    effective = min(p * (1 - p) / error**2, sums.n) if error else float(sums.n_clusters if all_equal else sums.n)
    if method == "wilson_cluster":
        low, high = wilson_limits(p, effective, t)
    else:
        adjusted = effective * (1 if all_equal else float(stats.t.isf(tail, sums.n - 1)) / t) ** 2
        low, high = clopper_pearson_limits(p * adjusted, adjusted, level)
    filled = min(p, 1 - p) * sums.n**2 / math.fsum(sums.sizes**2)  # of as many equal clusters as these are worth
    sparse = f"the rarer answers would fill only {filled:.1f} clusters: this may cover too seldom; draw more clusters"
    warning = ALL_EQUAL if all_equal else sparse if filled < FEW_FILLED else _few(df)
    facts = sums.facts() | {"effective_n": effective, "df": df}
    return Estimate(name, p, low, high, level, method, sums.n, None, None, facts, sums.n_clusters, warning)


# --- from sums -------------------------------------------------------------------------------------------------------


def sums_interval(sums: ClusterSums, level: float = 0.95, *, method: str = "t", name: str = "mean") -> Estimate:
    """What is the mean score, or the mean difference of two systems, and how sure are we, from cluster sums alone?

    For data that do not fit in memory: the sums come from `parquet_cluster_sums`, or from a database. The answer is
    that of `mean_interval`, for two systems that of `paired_cluster_interval`, which are computed from the same sums.

    Parameters
    ----------
    sums : ClusterSums
        Of one system, or of the differences of two.
    level : float
        Confidence level in [0.5, 1).
    method : {"t", "wilson", "clopper_pearson"}
        The last two are `wilson_cluster_interval` and `clopper_pearson_cluster_interval`, for 0/1 scores of one system.
    name : str
        What is estimated.

    Returns
    -------
    Estimate

    Raises
    ------
    ValueError
        As these functions, and for a method that there is not or that the scores do not allow.

    Notes
    -----
    Chapter `paired`, eq-cluster-paired.

    Examples
    --------
    Twelve templates of five questions with four right in each, and twelve with none:

    >>> sums = ClusterSums(sizes=[5] * 24, stratum=[0] * 24, totals=[4] * 12 + [0] * 12, marks=True, scale=1)
    >>> print(sums_interval(sums))
    mean = 0.4, 95% interval [0.2275, 0.5725] (cluster_cr2_t, n = 120 in 24 clusters)
    """
    checks.instance("sums", sums, ClusterSums)
    checks.one_of(("t", "wilson", "clopper_pearson"), method=method)
    if method == "t":
        answer = _mean_interval if sums.differing is None else _paired_interval
        return answer(sums, level, name)
    if not sums.marks or sums.differing is not None:
        raise ValueError(f"method {method} needs scores of 0 and 1 of one system; use t")
    return _effective_interval(sums, level, name, f"{method}_cluster")


# --- two systems, same clustered items -------------------------------------------------------------------------------


def paired_cluster_t(
    a: ArrayLike, b: ArrayLike, groups: Labels, strata: Groups = None, level: float = 0.95, *, name: str = "A - B"
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
        `statistic` is t, with the interval that belongs to it, for 0/1 scores cut off at -1 and 1. When every
        difference is 0, t is 0 and p is 1, with a warning and without an interval. It warns where it leans on few
        clusters, or on few in which the systems differ.

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
    return _paired_t(_paired_sums(a, b, groups, strata), level, name)


def _paired_sums(a: ArrayLike, b: ArrayLike, groups: Groups, strata: Groups) -> ClusterSums:
    scores_a, scores_b = checks.pair(a, b, groups=groups, strata=strata)
    return sums_of(make_design(scores_a.size, groups, strata), scores_a, scores_b)


def _paired_t(sums: ClusterSums, level: float, name: str) -> TestResult:
    checks.share("level", level)
    kind, n_clusters = "stratified_" * (sums.n_strata > 1), None
    if sums.unit == "clusters":
        kind, n_clusters = "cluster_cr2_", sums.n_clusters
    made = partial(TestResult, name, method=f"paired_{kind}t", n=sums.n, n_clusters=n_clusters)
    facts: dict[str, object] = sums.facts() | {"statistic_name": "t"}
    if not sums.differing:
        facts |= {"df": float(sums.n_clusters - sums.n_strata), "standard_error": 0.0}
        return made(statistic=0.0, pvalue=1.0, effect=0.0, extra=facts, warning=NO_DIFFERENCE)
    error, df, low, high = _t_ends(sums, level, "sign_flip_test" + " with groups" * (sums.unit == "clusters"))
    facts |= {"df": df, "standard_error": error}
    t, warning = sums.mean / error, _few(df) or few_differing(sums.differing, sums.n_clusters, sums.unit)
    answer = made(t, 2 * float(stats.t.sf(abs(t), df)), sums.mean, extra=facts, warning=warning)
    return replace(answer, ci_low=low, ci_high=high, level=level)


def paired_cluster_interval(
    a: ArrayLike, b: ArrayLike, groups: Labels, strata: Groups = None, level: float = 0.95, *, name: str = "A - B"
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
        `extra` holds pvalue, statistic (t), df and standard_error, and says that each row weighs the same. For 0/1
        scores the interval is cut off at -1 and 1. When these never differ, it is Tango's for one row a cluster, with a
        warning. It warns as `paired_cluster_t` does.

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
    return _paired_interval(_paired_sums(a, b, groups, strata), level, name)


def _paired_interval(sums: ClusterSums, level: float, name: str) -> Estimate:
    test = _paired_t(sums, level, name)
    facts = dict(test.extra) | {"pvalue": test.pvalue, "statistic": test.statistic}
    low, high, method, warning = test.ci_low, test.ci_high, test.method, test.warning
    if low is None or high is None:
        if not sums.marks:
            raise ValueError("every difference is 0: there is no spread to make an interval from")
        cautious = tango_interval(PairedTable(sums.n_clusters, 0, 0, 0), level=level)
        low, high, method = cautious.ci_low, cautious.ci_high, "tango" + "_of_clusters" * (sums.unit == "clusters")
        warning = "the systems never differ" + "; taken as if each cluster were one row" * (sums.unit == "clusters")
    return Estimate(name, test.effect, low, high, level, method, sums.n, None, None, facts, test.n_clusters, warning)
