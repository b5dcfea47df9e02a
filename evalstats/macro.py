"""Which mean? Averages in which tasks or clusters, and not rows, weigh the same.

`mean_interval` lets each row count once, so a large task or cluster weighs by its size. Where each task is to weigh the
same (a macro-average), or as its share in use (any weights), the standard error must carry the same weights as the
mean: that is what these functions are for. Tasks are fixed here; where they are a sample of tasks, they are clusters,
and `cluster_mean_interval` answers. Give differences a - b as scores to compare two systems.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from . import _checks as checks
from .cluster import cluster_standard_error, make_design, mean_interval, wilson_cluster_interval
from .result import Estimate

__all__ = ["cluster_mean_interval", "macro_average_interval", "weighted_mean_interval"]

Labels = Iterable[Hashable]


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
        `extra` names the estimand and holds the other one, `mean_over_rows`. 0/1 scores are kept inside [0, 1].

    Raises
    ------
    ValueError
        For NaN, unequal lengths, a single cluster; and where cluster means other than 0 and 1 show no spread.

    Notes
    -----
    Chapter `intervals`, eq-cluster-means.

    Examples
    --------
    One long passage is hard and five short ones are easy:

    >>> scores = [1, 0, 0, 0, 0, 0, 0, 1, 0, 0] + [1, 1, 1, 0, 1, 1, 1, 1, 1, 1]
    >>> passages = ["long"] * 10 + [f"short {row // 2}" for row in range(10)]
    >>> answer = cluster_mean_interval(scores, passages)
    >>> round(answer.point, 3), round(answer.ci_low, 3), answer.extra["mean_over_rows"]
    (0.783, 0.417, 0.55)
    """
    values = checks.finite_vector("scores", scores)
    checks.same_rows(scores=scores, groups=groups)
    codes, n_clusters = checks.cluster_codes(groups, values.size)
    order = np.lexsort((values, codes))
    means = np.sort(np.bincount(codes[order], weights=values[order]) / np.bincount(codes))
    inner = mean_interval(means, level=level, name=name)
    binary = bool(np.isin(values, (0, 1)).all())
    facts = dict(inner.extra) | {
        "estimand": "mean over clusters, each weighted equally",
        "mean_over_rows": math.fsum(values) / values.size,
        "drawn": "clusters",
    }
    return replace(
        inner,
        ci_low=max(inner.ci_low, 0.0) if binary else inner.ci_low,
        ci_high=min(inner.ci_high, 1.0) if binary else inner.ci_high,
        method=f"cluster_means_{inner.method}",
        n=values.size,
        n_clusters=n_clusters,
        extra=facts,
    )


def macro_average_interval(
    scores: ArrayLike, tasks: Labels, groups: Labels | None = None, level: float = 0.95, *, name: str = "macro-average"
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
    Chapter `intervals`, eq-weighted-mean.

    Examples
    --------
    >>> scores = [1] * 90 + [0] * 10 + [1] * 12 + [0] * 8
    >>> print(macro_average_interval(scores, ["arithmetic"] * 100 + ["proofs"] * 20))
    macro-average = 0.75, 95% interval [0.637, 0.8433] (weighted_wilson, n = 120)
    """
    labels = list(tasks)
    return weighted_mean_interval(scores, labels, dict.fromkeys(labels, 1), groups, level, name=name)


def weighted_mean_interval(
    scores: ArrayLike,
    strata: Labels,
    weights: Mapping[Hashable, float],
    groups: Labels | None = None,
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
        other than 0 and 1 show no spread in a stratum.

    Raises
    ------
    ValueError
        For NaN, unequal lengths, weights that are not above 0 or are not those of the strata, a stratum with a single
        row or cluster, a cluster in two strata, and scores other than 0 and 1 that show no spread in any stratum.

    Notes
    -----
    Chapter `intervals`, eq-weighted-mean. Joining intervals is the method of variance estimates recovery (MOVER) of
    Zou and Donner (2008).

    Examples
    --------
    >>> scores = [1] * 90 + [0] * 10 + [1] * 12 + [0] * 8
    >>> tasks = ["arithmetic"] * 100 + ["proofs"] * 20
    >>> print(weighted_mean_interval(scores, tasks, {"arithmetic": 1, "proofs": 3}))
    weighted mean = 0.675, 95% interval [0.5139, 0.8114] (weighted_wilson, n = 120)
    """
    values, labels = checks.finite_vector("scores", scores), checks.labels_of("strata", strata)
    checks.same_rows(scores=scores, groups=groups, strata=strata)
    design = make_design(values.size, groups, labels)
    kinds = list(dict.fromkeys(labels))
    checks.share("level", level)
    share = _shares(weights, kinds)
    binary = bool(np.isin(values, (0, 1)).all())
    stratum = design.stratum[design.codes]
    rows_of = [np.flatnonzero(stratum == code) for code in range(design.n_strata)]
    parts = [_part(values[rows], design.codes[rows], groups is not None, binary, level) for rows in rows_of]
    mean, error, df, low, high = (np.array(column) for column in zip(*parts, strict=True))
    point, variances = math.fsum(share * mean), (share * error) ** 2
    still = [str(kind) for kind, spread in zip(kinds, error, strict=True) if spread <= 1e-15 * np.abs(values).max()]
    if not binary and len(still) == len(kinds):
        raise ValueError(f"no stratum shows any spread, so there is no interval around {point:g}")
    if binary:
        below, above = (math.sqrt(math.fsum((share * (end - mean)) ** 2)) for end in (low, high))
    else:
        below = above = _joined_t(variances, df, level)
    facts = {
        "estimand": "weighted mean of the means of fixed strata",
        "standard_error": math.sqrt(math.fsum(variances)),
        "strata": [str(kind) for kind in kinds],
        "weights": share,
        "means": mean,
    }
    return Estimate(
        name,
        point,
        max(point - below, 0.0) if binary else point - below,
        min(point + above, 1.0) if binary else point + above,
        level,
        "weighted_wilson" if binary else "weighted_t",
        values.size,
        extra=facts,
        n_clusters=None if groups is None else design.n_clusters,
        warning=f"no spread in {', '.join(still)}: these add no doubt, and should" if still and not binary else None,
    )


def _shares(weights: Mapping[Hashable, float], kinds: list[Hashable]) -> checks.Vector:
    """The weights in the order of the strata, summing to 1."""
    if not isinstance(weights, Mapping) or set(weights) != set(kinds):
        raise ValueError(f"weights must give one number for each of the strata {kinds}, got {weights!r}")
    found: checks.Vector = np.array([checks.positive(f"weights[{kind!r}]", weights[kind]) for kind in kinds])
    return found / math.fsum(found)


def _part(
    values: checks.Vector, codes: checks.Counts, clustered: bool, binary: bool, level: float
) -> tuple[float, float, float, float, float]:
    """Mean, standard error and its degrees of freedom, and for 0/1 scores the ends, of one stratum."""
    error, mean = cluster_standard_error(values, codes), math.fsum(values) / values.size
    if not binary:
        return mean, float(error), error.extra["df"], mean, mean
    wilson = wilson_cluster_interval(values, codes, level=level) if clustered else mean_interval(values, level=level)
    return mean, float(error), error.extra["df"], wilson.ci_low, wilson.ci_high


def _joined_t(variances: checks.Vector, df: checks.Vector, level: float) -> float:
    """Half the width of the t interval whose degrees of freedom (Satterthwaite's) are those of a sum of variances."""
    total = math.fsum(variances)
    freedom = total**2 / math.fsum(variances**2 / df)
    return float(stats.t.isf((1 - level) / 2, freedom)) * math.sqrt(total)
