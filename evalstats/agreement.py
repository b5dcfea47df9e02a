"""Judges: how far do two of them agree, and what is an accuracy worth that an imperfect judge measured?

`cohen_kappa` and `bootstrap_kappa` take the labels of two raters, row by row on the same items.
`rogan_gladen_accuracy` takes counts: how many answers the judge passed, and how it did on a calibration sample whose
truth people had settled.

Outside this module: a judge's scores beside a few true labels on the same items are a case for prediction-powered
inference.
"""

from __future__ import annotations

import math
from concurrent.futures import Executor
from typing import Any

import numpy as np
from scipy import stats

from . import _checks as checks
from ._checks import Counts, Labels, Vector
from .bootstrap import Run, resampled, table_totals
from .cluster import cluster_standard_error
from .proportion import normal_quantile
from .result import Estimate

FEW_OF_A_KIND = 10  # with fewer items of agreement or disagreement the intervals cover too seldom: tests/calibration


# --- two raters ------------------------------------------------------------------------------------------------------


def _cells(a: Labels, b: Labels, groups: Labels | None) -> tuple[Counts, Counts, str | None]:
    """The cell of each item, counted row by row; the table of both raters' labels; what to beware of."""
    checks.same_rows(a=a, b=b, groups=groups)
    first, second = checks.labels_of("a", a), checks.labels_of("b", b)
    if not first:
        raise ValueError("a must hold at least 1 label, got 0")
    for owner, labels in (("a", first), ("b", second)):
        checks.label_codes(owner, "label", labels, len(first))
    codes, k = checks.label_codes("a and b", "label", first + second, 2 * len(first))
    if k < 2:
        only = f"both raters gave every item the label {checks.short(first[0])}"
        raise ValueError(f"{only}: they must agree by chance alone, and kappa is 0/0")
    of_a, of_b = np.split(codes, 2)
    cells = of_a * k + of_b
    table = np.bincount(cells, minlength=k * k).reshape(k, k)
    return cells, table, _beware(of_a, of_b)


def _beware(of_a: Counts, of_b: Counts) -> str | None:
    for rater, codes in (("a", of_a), ("b", of_b)):
        if np.ptp(codes) == 0:
            return f"{rater} gave every item the same label: kappa is 0 whatever the other says"
    n, agreed = of_a.size, int((of_a == of_b).sum())
    if agreed == n:
        return "the raters agree on every item: the interval has no width; use wilson_interval for the agreement"
    if (scarce := min(agreed, n - agreed)) < FEW_OF_A_KIND:
        kind = "agreements" if scarce == agreed else "disagreements"
        return f"only {scarce} {kind} among {n} items: the interval is too short"
    return None


def _counts_of(tables: Any) -> tuple[Any, Any, Any]:
    """Of tables along the last axis, or one: items, agreements, and agreements by chance times the items."""
    n, chance = tables.sum(axis=(0, 1)), (tables.sum(axis=0) * tables.sum(axis=1)).sum(axis=0)
    return n, np.trace(tables), chance


def _kappa(tables: Any) -> Any:
    """Kappa of each table, from whole numbers: what is exactly 1 or 0 comes out so; 0/0 where chance is certain."""
    n, agreed, chance = _counts_of(tables)
    return (n * agreed - chance) / (n * n - chance)


def _pulls(table: Counts) -> Vector:
    """How far an item of each cell pulls kappa: the derivative along the cell, less its mean; in whole numbers."""
    exact = table.astype(object)  # of any size, so that an error of exactly 0 has no rounding in it
    n, agreed, chance = _counts_of(exact)
    same = n * np.eye(len(table), dtype=np.int64).astype(object) - agreed
    by_chance = n * (exact.sum(axis=0)[:, None] + exact.sum(axis=1)) - 2 * chance
    pulls = n * (same * (n * n - chance) - by_chance * (n - agreed)) / (n * n - chance) ** 2
    return np.asarray(pulls, dtype=np.float64)


def _facts(table: Counts) -> dict[str, Any]:
    n, agreed, chance = (int(count) for count in _counts_of(table))
    return {"agreement": agreed / n, "chance_agreement": chance / n**2, "n_labels": len(table)}


def cohen_kappa(
    a: Labels, b: Labels, groups: Labels | None = None, level: float = 0.95, *, name: str = "kappa"
) -> Estimate:
    r"""How far do two raters agree beyond what their habits alone would give?

    $\kappa = (p_o - p_e)/(1 - p_e)$ with $p_o$ the share of items on which they agree and $p_e$ the share on which they
    would if each drew labels at random with the frequencies that it has. The interval is $\kappa$ give or take z
    standard errors (the formula of large samples), cut off at -1 and 1. With groups, the items' pulls on kappa are
    added up over clusters, and t with `cluster_standard_error`'s degrees of freedom replaces z.

    Parameters
    ----------
    a, b : sequences of n hashable labels
        The two raters' labels of the same items in the same order; any labels, without order among them.
    groups : sequence of n labels, optional
        The cluster of each item.
    level : float
        Confidence level in [0.5, 1).
    name : str
        What is estimated.

    Returns
    -------
    Estimate
        `extra` holds observed and chance agreement and the standard error. When the raters agree everywhere kappa is 1
        and the interval has no width; when one of them uses a single label kappa is 0 and has none; both come with a
        warning, as do fewer than 10 agreements or disagreements.

    Raises
    ------
    ValueError
        When both raters give every item one and the same label, where kappa is 0/0; for missing or blank labels, labels
        that differ only in type or spaces, unequal lengths, one cluster, a level outside [0.5, 1).

    Notes
    -----
    Equation `eq-kappa` of chapter `judges`.
    Sources: J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20
    (1960), 37-46; J. L. Fleiss, J. Cohen and B. S. Everitt, "Large sample standard errors of kappa and weighted kappa",
    Psychological Bulletin 72 (1969).

    Examples
    --------
    >>> from evalstats import cohen_kappa
    >>> judge = ["pass"] * 45 + ["pass"] * 15 + ["fail"] * 10 + ["fail"] * 30
    >>> person = ["pass"] * 45 + ["fail"] * 15 + ["pass"] * 10 + ["fail"] * 30
    >>> print(cohen_kappa(judge, person))
    kappa = 0.4898, 95% interval [0.3181, 0.6615] (kappa_analytic, n = 100)
    """
    quantile = normal_quantile(level)
    cells, table, warning = _cells(a, b, groups)
    point, pulls, facts = float(_kappa(table)), _pulls(table).ravel()[cells], _facts(table)
    error, n_clusters, method = math.sqrt(float((pulls**2).mean()) / cells.size), None, "kappa_analytic"
    if groups is not None:
        clustered = cluster_standard_error(pulls, groups)
        error, n_clusters, method = float(clustered), clustered.n_clusters, "kappa_cluster_cr2_t"
        facts["df"] = clustered.extra["df"]
        quantile = float(stats.t.isf((1 - level) / 2, facts["df"]))
    low, high = max(point - quantile * error, -1.0), min(point + quantile * error, 1.0)
    facts["standard_error"] = error
    made = (level, method, cells.size, None, None, facts, n_clusters, warning)
    return Estimate(name, point, low, high, *made)


def bootstrap_kappa(
    a: Labels,
    b: Labels,
    groups: Labels | None = None,
    level: float = 0.95,
    n_boot: int = 10000,
    seed: int = 0,
    name: str = "kappa",
    *,
    executor: Executor | None = None,
) -> Estimate:
    """As `cohen_kappa`, with the percentile bootstrap: what is drawn are counts of the table, not rows.

    The cost does not depend on the number of items; with groups whole clusters are drawn, counted by their tables.

    Parameters
    ----------
    a, b, groups, level
        As in `cohen_kappa`.
    n_boot, seed, name, executor
        As in `bootstrap_mean`.

    Returns
    -------
    Estimate
        `extra` holds `boot_se` and `undefined_replicates`: how many resamples had one label only and were left out.

    Raises
    ------
    ValueError
        As `cohen_kappa`; and when so many resamples are undefined, half of 1 - level, that a whole tail could be
        missing: then use `cohen_kappa`.

    Notes
    -----
    Equations `eq-kappa` of chapter `judges` and `eq-percentile-interval` of chapter `bootstrap`.

    Examples
    --------
    >>> from evalstats import bootstrap_kappa
    >>> judge = ["pass"] * 45 + ["pass"] * 15 + ["fail"] * 10 + ["fail"] * 30
    >>> person = ["pass"] * 45 + ["fail"] * 15 + ["pass"] * 10 + ["fail"] * 30
    >>> print(bootstrap_kappa(judge, person))
    kappa = 0.4898, 95% interval [0.3096, 0.6529] (kappa_bootstrap_percentile, n = 100)
    """
    run = Run(level, n_boot, seed, name, executor)
    cells, table, warning = _cells(a, b, groups)
    data = table_totals(table, _kappa)
    if groups is not None:
        codes, n_clusters = checks.cluster_codes(groups, cells.size)
        tables = np.bincount(codes * table.size + cells, minlength=n_clusters * table.size)
        data = table_totals(tables.reshape(n_clusters, *table.shape), _kappa, range(n_clusters))
    return resampled(data, run, "kappa_", ("more data", warning), _facts(table))


# --- a judge whose errors were measured ------------------------------------------------------------------------------

ASSUMES = "the judge errs on these answers as often as on the calibration sample, right ones and wrong ones alike"
UNFIT = "the answers pass more often, or less often, than this calibration allows: it does not fit them"


def rogan_gladen_accuracy(
    passed: tuple[int, int],
    sensitivity: tuple[int, int],
    specificity: tuple[int, int],
    level: float = 0.95,
    *,
    name: str = "accuracy",
) -> Estimate:
    r"""How accurate is the system, seeing that the judge passes some wrong answers and fails some right ones?

    A share $\theta$ of right answers is passed at the rate $p = \theta\,Se + (1-\theta)(1-Sp)$, so
    $\hat\theta = (\hat p + \hat{Sp} - 1)/(\hat{Se} + \hat{Sp} - 1)$, cut off at 0 and 1. Sensitivity and specificity
    were measured on samples of their own, and the interval (Lang and Reiczigel's) counts the noise of all three: no
    number of judged answers makes up for a small calibration sample.

    Parameters
    ----------
    passed : (int, int)
        Answers that the judge passed, and answers judged.
    sensitivity : (int, int)
        Calibration: truly right answers that the judge passed, and truly right answers.
    specificity : (int, int)
        Calibration: truly wrong answers that the judge failed, and truly wrong answers.
    level : float
        Confidence level in [0.5, 1).
    name : str
        What is estimated.

    Returns
    -------
    Estimate
        `n` counts the answers judged. `extra` holds the rates, the raw estimate before it was cut off and the
        uncorrected pass rate. Where the calibration does not show that the judge is better than chance at this level,
        nothing is known of the accuracy: the interval is [0, 1], with a warning.

    Raises
    ------
    ValueError
        When observed sensitivity + specificity <= 1: such a judge passes wrong answers as readily as right ones, and no
        accuracy follows from its verdicts. For counts that are not whole, negative or above their totals.

    Notes
    -----
    Equation `eq-rogan-gladen` of chapter `judges`. The three samples are taken as independent, with independent items.
    Sources: W. J. Rogan and B. Gladen, "Estimating prevalence from the results of a screening test", American Journal
    of Epidemiology 107 (1978), 71-76; Z. Lang and J. Reiczigel, "Confidence limits for prevalence of disease adjusted
    for estimated sensitivity and specificity", Preventive Veterinary Medicine 113 (2014), 13-22.

    Examples
    --------
    >>> from evalstats import rogan_gladen_accuracy
    >>> print(rogan_gladen_accuracy((800, 1000), sensitivity=(90, 100), specificity=(80, 100)))
    accuracy = 0.8571, 95% interval [0.7832, 0.954] (rogan_gladen_lang_reiczigel, n = 1000)
    """
    z = normal_quantile(level)
    given = {"passed": passed, "sensitivity": sensitivity, "specificity": specificity}
    counts = [checks.hits_of(owner, pair) for owner, pair in given.items()]
    p, se, sp = (k / n for k, n in counts)
    (_, n), (k_se, n_se), (k_sp, n_sp) = counts
    if k_se * n_sp + k_sp * n_se <= n_se * n_sp:
        got = f"{se:.4g} + {sp:.4g}: this judge passes wrong answers as readily as right ones"
        raise ValueError(f"sensitivity + specificity must exceed 1 for the accuracy to be defined, got {got}")
    raw = (p + sp - 1) / (se + sp - 1)
    point = min(max(raw, 0.0), 1.0)
    low, high, warning = _lang_reiczigel(counts, z)
    rates = {"pass_rate": p, "sensitivity": se, "specificity": sp, "raw": raw}
    facts = {**rates, "n_right": n_se, "n_wrong": n_sp, "assumes": ASSUMES}
    ends, warning = (min(low, point), max(high, point)), warning or (UNFIT if low == high else None)
    return Estimate(name, point, *ends, level, "rogan_gladen_lang_reiczigel", n, extra=facts, warning=warning)


def _lang_reiczigel(counts: list[tuple[int, int]], z: float) -> tuple[float, float, str | None]:
    """Both limits, from shares moved towards 1/2 and a centre moved by the noise of the calibration."""
    (k, n), (k_se, n_se), (k_sp, n_sp) = counts
    size, size_se, size_sp = n + z**2, n_se + 2, n_sp + 2
    p, se, sp = (k + z**2 / 2) / size, (k_se + 1) / size_se, (k_sp + 1) / size_sp
    better = se + sp - 1
    noise_se, noise_sp = se * (1 - se) / size_se, sp * (1 - sp) / size_sp
    if better <= z * math.sqrt(noise_se + noise_sp):
        return 0.0, 1.0, "the calibration does not show that the judge is better than chance: nothing is known"
    theta = (p + sp - 1) / better
    shift = 2 * z**2 * (theta * noise_se - (1 - theta) * noise_sp)
    variance = p * (1 - p) / size + theta**2 * noise_se + (1 - theta) ** 2 * noise_sp
    half = z * math.sqrt(variance) / better
    return min(max(theta + shift - half, 0.0), 1.0), max(min(theta + shift + half, 1.0), 0.0), None
