"""Which mean? Averages in which tasks or clusters, and not rows, weigh the same.

`mean_interval` lets each row count once, so a large task or cluster weighs by its size. Where each task is to weigh the
same (a macro-average), or as its share in use (any weights), the standard error must carry the same weights as the
mean: that is what these functions are for. Tasks are fixed here; where they are a sample of tasks, they are clusters,
and `cluster_mean_interval` answers. Give differences a - b as scores to compare two systems.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from . import _checks as checks
from ._checks import Groups, Labels, Vector
from .cluster import _cr2, _effective_interval, _few, _wilson_of_items, sums_interval
from .result import Estimate
from .sums import ClusterSums, cluster_sums

ESTIMAND = "weighted mean of the means of fixed strata"


def cluster_mean_interval(
    scores: ArrayLike, groups: Labels, level: float = 0.95, *, name: str = "mean over clusters"
) -> Estimate:
    r"""What is the mean over clusters, each weighing the same whatever its size?

    The mean of the cluster means, give or take t of their standard deviation over $\sqrt G$, on G - 1 degrees of
    freedom; Wilson's interval where every cluster is all right or all wrong. The other estimand, the mean over rows, is
    `mean_interval` with groups. They differ when large clusters are harder or easier than small ones.

    Parameters
    ----------
    scores : array of numbers
        One row each.
    groups : sequence of labels
        The cluster of each row: what was drawn; at least two.
    level : float
        Confidence level in [0.5, 1).
    name : str
        What is estimated.

    Returns
    -------
    Estimate
        `extra` names the estimand and holds the other one, `mean_over_rows`. 0/1 scores are kept inside [0, 1]. It
        warns where it leans on few clusters, or on few right or wrong answers.

    Raises
    ------
    ValueError
        For NaN, unequal lengths, a single cluster; and where cluster means other than 0 and 1 show no spread.

    Notes
    -----
    Chapter `clusters`, eq-cluster-means.

    Examples
    --------
    One long passage is hard and five short ones are easy:

    >>> scores = [1, 0, 0, 0, 0, 0, 0, 1, 0, 0] + [1, 1, 1, 0, 1, 1, 1, 1, 1, 1]
    >>> passages = ["long"] * 10 + [f"short {row // 2}" for row in range(10)]
    >>> answer = cluster_mean_interval(scores, passages)
    >>> round(answer.point, 3), round(answer.ci_low, 3), answer.extra["mean_over_rows"]
    (0.783, 0.417, 0.55)
    """
    sums = cluster_sums(scores, groups)
    means = sums.totals / sums.sizes
    each_once = replace(sums, sizes=np.ones_like(means), totals=means)
    inner = sums_interval(each_once, level, name=name)
    facts = {"estimand": "mean over clusters, each weighted equally", "mean_over_rows": sums.mean, "drawn": "clusters"}
    method = "cluster_means_wilson" if inner.method == "wilson" else "cluster_means_t"
    return replace(inner, method=method, n=sums.n, n_clusters=sums.n_clusters, extra=dict(inner.extra) | facts)


def macro_average_interval(
    scores: ArrayLike, tasks: Labels, groups: Groups = None, level: float = 0.95, *, name: str = "macro-average"
) -> Estimate:
    """What is the mean of the task means, every task weighing the same, and how sure are we?

    `weighted_mean_interval` with equal weights.

    Parameters
    ----------
    scores : array of numbers
        One row each.
    tasks : sequence of labels
        The task of each row; the tasks are fixed, and each has at least two rows (clusters).
    groups : sequence of labels, optional
        The cluster of each row, inside its task.
    level : float
        Confidence level in [0.5, 1).
    name : str
        What is estimated.

    Returns
    -------
    Estimate
        As `weighted_mean_interval`.

    Raises
    ------
    ValueError
        As `weighted_mean_interval`.

    Notes
    -----
    Chapter `clusters`, eq-weighted-mean.

    Examples
    --------
    >>> scores = [1] * 90 + [0] * 10 + [1] * 12 + [0] * 8
    >>> print(macro_average_interval(scores, ["arithmetic"] * 100 + ["proofs"] * 20))
    macro-average = 0.75, 95% interval [0.637, 0.8433] (weighted_wilson, n = 120)
    """
    labels = checks.labels_of("tasks", tasks)
    checks.label_codes("tasks", "task", labels, checks.finite_vector("scores", scores).size)
    checks.same_rows(scores=scores, groups=groups, tasks=tasks)
    return weighted_mean_interval(scores, labels, dict.fromkeys(labels, 1.0), groups, level, name=name)


def weighted_mean_interval(
    scores: ArrayLike,
    strata: Labels,
    weights: Mapping[Hashable, float],
    groups: Groups = None,
    level: float = 0.95,
    *,
    name: str = "weighted mean",
) -> Estimate:
    r"""What is the mean over fixed strata with weights of our own, and how sure are we?

    $\sum_h w_h \bar y_h$ with standard error $\sqrt{\sum_h w_h^2\,SE_h^2}$, the weights scaled to sum to 1. For 0/1
    scores the interval joins the strata's own Wilson intervals $[l_h, u_h]$: its lower end lies
    $\sqrt{\sum_h w_h^2(\bar y_h - l_h)^2}$ below the mean, its upper end likewise above, so a stratum that is all right
    still adds doubt. Other scores get t on Satterthwaite's degrees of freedom.

    Parameters
    ----------
    scores : array of numbers
        One row each.
    strata : sequence of labels
        The fixed stratum of each row, with at least two rows (clusters) in each.
    weights : mapping from label to number above 0
        One weight for each stratum, for instance its share of the traffic; only their ratios count.
    groups : sequence of labels, optional
        The cluster of each row, inside one stratum.
    level : float
        Confidence level in [0.5, 1).
    name : str
        What is estimated.

    Returns
    -------
    Estimate
        `extra` holds standard_error, and each stratum's weight and mean in order of appearance. It warns where scores
        other than 0 and 1 show no spread in a stratum, and where it leans on few clusters.

    Raises
    ------
    ValueError
        For NaN, unequal lengths, weights that are not above 0 or are not those of the strata, a stratum with a single
        row or cluster, a cluster in two strata, and scores other than 0 and 1 that show no spread in any stratum.

    Notes
    -----
    Chapter `clusters`, eq-weighted-mean. Joining intervals is the method of variance estimates recovery (MOVER) of
    Zou and Donner (2008).

    Examples
    --------
    >>> scores = [1] * 90 + [0] * 10 + [1] * 12 + [0] * 8
    >>> tasks = ["arithmetic"] * 100 + ["proofs"] * 20
    >>> print(weighted_mean_interval(scores, tasks, {"arithmetic": 1, "proofs": 3}))
    weighted mean = 0.675, 95% interval [0.5139, 0.8114] (weighted_wilson, n = 120)
    """
    labels = checks.labels_of("strata", strata)
    checks.same_rows(scores=scores, groups=groups, strata=strata)
    sums = cluster_sums(scores, groups, labels)
    kinds, tail = list(dict.fromkeys(labels)), (1 - checks.share("level", level)) / 2
    share, parts = _shares(weights, kinds), _by_stratum(sums)
    mean = np.array([part.mean for part in parts])
    error, df = np.array([_cr2(part.residuals(part.totals), part) for part in parts]).T
    variances, point = (share * error) ** 2, math.fsum(share * mean)
    still = [str(kind) for kind, spread in zip(kinds, error, strict=True) if spread <= 1e-15 * sums.scale]
    if not sums.marks and len(still) == len(kinds):
        raise ValueError(f"no stratum shows any spread, so there is no interval around {point:g}")
    # The degrees of freedom of a sum of variances are Satterthwaite's.
    freedom = math.fsum(variances) ** 2 / math.fsum(variances**2 / df) if variances.any() else float(df.min())
    if sums.marks:
        low, high = np.array([_wilson_ends(part, level) for part in parts]).T
    else:
        half = float(stats.t.isf(tail, freedom)) * error
        low, high = mean - half, mean + half
    below, above = (math.sqrt(math.fsum((share * (end - mean)) ** 2)) for end in (low, high))
    ends = sums.within(point - below, point + above)
    facts = {"estimand": ESTIMAND, "standard_error": math.sqrt(math.fsum(variances))}
    facts |= {"strata": [str(kind) for kind in kinds], "weights": share, "means": mean}
    doubt = f"no spread in {', '.join(still)}: these add no doubt, and should" if still and not sums.marks else None
    warning = doubt or (None if sums.marks and sums.unit == "items" else _few(freedom))
    method, n_clusters = "weighted_wilson" if sums.marks else "weighted_t", None if groups is None else sums.n_clusters
    return Estimate(name, point, *ends, level, method, sums.n, None, None, facts, n_clusters, warning)


def _shares(weights: Mapping[Hashable, float], kinds: list[Hashable]) -> Vector:
    """The weights in the order of the strata, summing to 1."""
    if not isinstance(weights, Mapping) or set(weights) != set(kinds):
        raise ValueError(f"weights must give a number for each of {checks.short(kinds)}, got {checks.short(weights)}")
    found: Vector = np.array([checks.positive(f"weights[{kind!r}]", weights[kind]) for kind in kinds])
    return found / math.fsum(found)


def _by_stratum(sums: ClusterSums) -> list[ClusterSums]:
    each = np.split(np.argsort(sums.stratum, kind="stable"), np.cumsum(np.bincount(sums.stratum))[:-1])
    return [replace(sums, sizes=sums.sizes[i], stratum=0 * sums.stratum[i], totals=sums.totals[i]) for i in each]


def _wilson_ends(part: ClusterSums, level: float) -> tuple[float, float]:
    wilson = _wilson_of_items(part, level, "part") or _effective_interval(part, level, "part", "wilson_cluster")
    return wilson.ci_low, wilson.ci_high
