"""Judges: how far do two of them agree, and what is an accuracy worth that an imperfect judge measured?

`cohen_kappa` and `bootstrap_kappa` take the labels of two raters, row by row on the same items.
`rogan_gladen_accuracy` takes counts: how many answers the judge passed, and how it did on a calibration sample whose
truth people had settled.

Outside this module: a judge's scores beside a few true labels on the same items are a case for prediction-powered
inference.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray
from scipy import stats

from . import _checks as checks
from .cluster import cluster_standard_error
from .proportion import normal_quantile
from .result import Estimate

__all__ = ["bootstrap_kappa", "cohen_kappa", "rogan_gladen_accuracy"]

Labels = Iterable[Hashable]
Vector = NDArray[np.float64]
Codes = NDArray[np.int64]

CELLS_PER_BLOCK = 1_000_000  # numbers held at once while a block of replicates is drawn
FEW_OF_A_KIND = 10  # with fewer items of agreement or disagreement the intervals cover too seldom: tests/calibration


# --- two raters ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Ratings:
    """Two raters' labels as codes 0, 1, ..., of which both use the same."""

    a: Codes
    b: Codes
    labels: tuple[Hashable, ...]

    @classmethod
    def of(cls, a: Labels, b: Labels) -> _Ratings:
        seen: dict[Hashable, int] = {}
        checks.same_rows(a=a, b=b)
        first, second = _coded("a", a, seen), _coded("b", b, seen)
        checks.equal_lengths("a", first, "b", second)
        if len(seen) < 2:
            raise ValueError(
                f"both raters gave every item the label {next(iter(seen))!r}: "
                "they must agree by chance alone, and kappa is 0/0"
            )
        return cls(first, second, tuple(seen))

    @property
    def n(self) -> int:
        return self.a.size

    @property
    def cells(self) -> Codes:
        """The cell of each item in the table of both labels, row by row."""
        return self.a * len(self.labels) + self.b

    def warning(self) -> str | None:
        for rater, codes in (("a", self.a), ("b", self.b)):
            if np.ptp(codes) == 0:
                label = self.labels[codes[0]]
                return f"{rater} gave every item the label {label!r}: kappa is 0 whatever the other says"
        agreed = int((self.a == self.b).sum())
        if agreed == self.n:
            return "the raters agree on every item: the interval has no width; use wilson_interval for the agreement"
        if (scarce := min(agreed, self.n - agreed)) < FEW_OF_A_KIND:
            kind = "agreements" if scarce == agreed else "disagreements"
            return f"only {scarce} {kind} among {self.n} items: the interval is too short"
        return None


def _coded(owner: str, labels: Labels, seen: dict[Hashable, int]) -> Codes:
    codes = []
    for row, label in enumerate(checks.labels_of(owner, labels)):
        if not isinstance(label, Hashable):
            raise ValueError(f"{owner} must hold one label an item, got {label!r} at position {row}")
        if checks.missing(label):
            raise ValueError(f"{owner} must not be missing, got {label!r} at position {row}")
        codes.append(seen.setdefault(label, len(seen)))
    if not codes:
        raise ValueError(f"{owner} must hold at least 1 label, got 0")
    return np.array(codes, dtype=np.int64)


def _kappa(shares: Vector) -> tuple[Vector, Vector, Vector]:
    """Kappa, observed and chance agreement of each table of shares; NaN where agreement by chance is certain."""
    observed = np.trace(shares, axis1=-2, axis2=-1)
    chance = (shares.sum(axis=-1) * shares.sum(axis=-2)).sum(axis=-1)
    room = np.where(chance < 1 - 1e-12, 1 - chance, np.nan)
    return (observed - chance) / room, observed, chance


def _influence(ratings: _Ratings, shares: Vector) -> Vector:
    """How far each item pulls kappa: the derivative along its cell, whose mean is 0."""
    _, observed, chance = _kappa(shares)
    of_a, of_b = shares.sum(axis=1), shares.sum(axis=0)
    agree = (ratings.a == ratings.b) - observed
    by_chance = of_b[ratings.a] + of_a[ratings.b] - 2 * chance
    return np.asarray(agree / (1 - chance) - by_chance * (1 - observed) / (1 - chance) ** 2)


def _table(ratings: _Ratings) -> Vector:
    k = len(ratings.labels)
    return np.asarray(np.bincount(ratings.cells, minlength=k * k).reshape(k, k) / ratings.n)


def _facts(ratings: _Ratings, shares: Vector) -> dict[str, Any]:
    _, observed, chance = _kappa(shares)
    return {"agreement": float(observed), "chance_agreement": float(chance), "n_labels": len(ratings.labels)}


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
        When both raters give every item one and the same label, where kappa is 0/0; for missing labels, unequal
        lengths, one cluster, a level outside (0, 1).

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
    ratings = _Ratings.of(a, b)
    shares = _table(ratings)
    point, pulls = float(_kappa(shares)[0]), _influence(ratings, shares)
    error, n_clusters = math.sqrt(float((pulls**2).mean()) / ratings.n), None
    facts = _facts(ratings, shares)
    if groups is not None:
        clustered = cluster_standard_error(pulls, groups)
        error, n_clusters, facts["df"] = float(clustered), clustered.n_clusters, clustered.extra["df"]
        quantile = float(stats.t.isf((1 - level) / 2, facts["df"]))
    half = quantile * error
    return Estimate(
        name,
        point,
        max(point - half, -1.0),
        min(point + half, 1.0),
        level=level,
        method="kappa_analytic" if groups is None else "kappa_cluster_cr2_t",
        n=ratings.n,
        extra=facts | {"standard_error": error},
        n_clusters=n_clusters,
        warning=ratings.warning(),
    )


def _units(ratings: _Ratings, groups: Labels | None) -> tuple[Codes, Codes, int | None]:
    """The distinct tables that one unit (an item, a cluster) can add, and how many units add each."""
    k = len(ratings.labels)
    if groups is None:
        cells, counts = np.unique(ratings.cells, return_counts=True)
        return np.eye(k * k, dtype=np.int64)[cells], counts, None
    codes, n_clusters = checks.cluster_codes(groups, ratings.n)
    tables = np.bincount(codes * k * k + ratings.cells, minlength=n_clusters * k * k).reshape(n_clusters, k * k)
    distinct, counts = np.unique(tables, axis=0, return_counts=True)
    return distinct, counts, n_clusters


def _kappa_block(tables: Codes, counts: Codes, k: int, job: tuple[int, SeedSequence]) -> Vector:
    size, seed = job
    total = int(counts.sum())
    drawn = np.random.default_rng(seed).multinomial(total, counts / total, size=size) @ tables
    return _kappa((drawn / drawn.sum(axis=1, keepdims=True)).reshape(size, k, k))[0]


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
        missing.

    Notes
    -----
    Equations `eq-kappa` of chapter `judges` and `eq-percentile-interval` of chapter `intervals`.

    Examples
    --------
    >>> from evalstats import bootstrap_kappa
    >>> judge = ["pass"] * 45 + ["pass"] * 15 + ["fail"] * 10 + ["fail"] * 30
    >>> person = ["pass"] * 45 + ["fail"] * 15 + ["pass"] * 10 + ["fail"] * 30
    >>> print(bootstrap_kappa(judge, person))
    kappa = 0.4898, 95% interval [0.3096, 0.6529] (kappa_bootstrap_percentile, n = 100)
    """
    share, runs, first_seed = (
        checks.share("level", level),
        checks.integer("n_boot", n_boot, 2),
        checks.integer("seed", seed, 0),
    )
    ratings = _Ratings.of(a, b)
    checks.same_rows(a=a, b=b, groups=groups)
    tables, counts, n_clusters = _units(ratings, groups)
    block = max(1, CELLS_PER_BLOCK // max(tables.shape))
    sizes = [min(block, runs - start) for start in range(0, runs, block)]
    jobs = list(zip(sizes, SeedSequence(first_seed).spawn(len(sizes)), strict=True))
    draw = partial(_kappa_block, tables, counts, len(ratings.labels))
    replicates = np.concatenate(list(map(draw, jobs) if executor is None else executor.map(draw, jobs)))
    defined = replicates[np.isfinite(replicates)]
    if (missing := runs - defined.size) >= runs * (1 - share) / 2:
        raise ValueError(
            f"kappa is 0/0 on {missing} of {runs} resamples, whose raters use one label only; the interval could miss "
            f"a whole tail of {100 * (1 - share) / 2:.3g}%: use cohen_kappa"
        )
    low, high = np.quantile(defined, [(1 - share) / 2, (1 + share) / 2])
    shares = _table(ratings)
    return Estimate(
        name,
        float(_kappa(shares)[0]),
        float(low),
        float(high),
        level=share,
        method=f"kappa_{'' if groups is None else 'cluster_'}bootstrap_percentile",
        n=ratings.n,
        n_boot=runs,
        seed=first_seed,
        extra=_facts(ratings, shares) | {"boot_se": float(defined.std()), "undefined_replicates": missing},
        n_clusters=n_clusters,
        warning=ratings.warning(),
    )


# --- a judge whose errors were measured ------------------------------------------------------------------------------

ASSUMES = "the judge errs on these answers as often as on the calibration sample, right ones and wrong ones alike"
UNFIT = "the answers pass more often, or less often, than this calibration allows: it does not fit them"


def _counts(owner: str, pair: Any) -> tuple[int, int]:
    """(k, n) as two whole numbers with 0 <= k <= n and n >= 1."""
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise ValueError(f"{owner} must be a pair (how many, out of how many), got {pair!r}")
    total = checks.integer(f"{owner}[1]", pair[1], 1)
    hits = checks.integer(f"{owner}[0]", pair[0], 0)
    if hits > total:
        raise ValueError(f"{owner} must be how many out of how many, got {hits} of {total}")
    return hits, total


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
    (k, n), (k_se, n_se), (k_sp, n_sp) = (
        _counts(owner, pair)
        for owner, pair in (("passed", passed), ("sensitivity", sensitivity), ("specificity", specificity))
    )
    p, se, sp = k / n, k_se / n_se, k_sp / n_sp
    if k_se * n_sp + k_sp * n_se <= n_se * n_sp:
        raise ValueError(
            f"sensitivity + specificity must exceed 1 for the accuracy to be defined, got {se:.4g} + {sp:.4g}: "
            "this judge passes wrong answers as readily as right ones"
        )
    raw = (p + sp - 1) / (se + sp - 1)
    low, high, warning = _lang_reiczigel(k, n, k_se, n_se, k_sp, n_sp, z)
    point = min(max(raw, 0.0), 1.0)
    if warning is None and low == high:
        warning = UNFIT
    facts = {"pass_rate": p, "sensitivity": se, "specificity": sp, "raw": raw, "n_right": n_se, "n_wrong": n_sp}
    return Estimate(
        name,
        point,
        min(low, point),
        max(high, point),
        level=level,
        method="rogan_gladen_lang_reiczigel",
        n=n,
        extra=facts | {"assumes": ASSUMES},
        warning=warning,
    )


def _lang_reiczigel(
    k: int, n: int, k_se: int, n_se: int, k_sp: int, n_sp: int, z: float
) -> tuple[float, float, str | None]:
    """Both limits, from shares moved towards 1/2 and a centre moved by the noise of the calibration."""
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
