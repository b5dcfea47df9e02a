"""Many systems in one table: which ranks does the evidence support?

A rank is decided by differences, and with k systems there are k(k - 1)/2 of them. Everything here rests on intervals
that hold for all these differences at once: a system's rank can be no better than 1 plus the number of systems that are
surely better. (Resampling the ranks themselves promises 95% and covers far less where systems are close.)

Systems that cannot be told apart are listed system by system, as sets that overlap: A may be tied with B, and B with C,
while A beats C.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from . import _checks as checks
from .cluster import Design, _cr2, make_design, mean_interval
from .proportion import Quantity
from .result import Estimate, Extra, Result

__all__ = [
    "Leaderboard",
    "flip_probability_paired",
    "flip_probability_separate",
    "rank_intervals",
    "shrunken_winner",
    "simultaneous_differences",
]

Labels = Iterable[Hashable]
Matrix = NDArray[np.float64]

CELLS_PER_BLOCK = 1_000_000  # numbers held at once while maxima are drawn
FEW_DF = 20  # with fewer degrees of freedom all intervals hold less often than promised: tests/calibration
METHOD = "simultaneous_t"


# --- two systems -----------------------------------------------------------------------------------------------------


def _flip(p_less: float, p_tie: float, normal: float, n: int, method: str) -> Quantity:
    facts = {"p_worse_ahead": p_less, "p_tie": p_tie, "normal_approximation": normal}
    return Quantity(min(p_less + p_tie / 2, 1.0), method=method, n=n, extra=facts)


def flip_probability_separate(p_a: float, p_b: float, n: int) -> Quantity:
    r"""Two systems, each on its own n items: how often does the worse one come out ahead?

    The exact probability from the two binomial distributions, a tie counting as half a flip. It is close to
    $\Phi(-|p_A - p_B|/\mathrm{SE})$ with $\mathrm{SE}^2 = p_A(1-p_A)/n + p_B(1-p_B)/n$.

    Parameters
    ----------
    p_a, p_b : float
        The true accuracies, in [0, 1].
    n : int
        Number of items of each; for items in clusters the effective number, of which it is an approximation.

    Returns
    -------
    Quantity
        At most about 1/2, which is what equal systems get: they too have a winner in every run. `extra` holds its two
        parts and the normal approximation.

    Raises
    ------
    ValueError
        For accuracies outside [0, 1] and n below 1.

    Notes
    -----
    Equation `eq-flip-probability` of chapter `leaderboards`.

    Examples
    --------
    >>> from evalstats import flip_probability_separate
    >>> [round(flip_probability_separate(0.86, 0.85, n).extra["normal_approximation"], 3) for n in (500, 5000)]
    [0.327, 0.078]
    >>> round(flip_probability_separate(0.86, 0.85, 500), 3)
    0.327
    """
    items = checks.integer("n", n, 1)
    worse, better = sorted((checks.number("p_a", p_a, 0, 1), checks.number("p_b", p_b, 0, 1)))
    right = np.arange(items + 1)
    of_worse = stats.binom.pmf(right, items, worse)
    ahead = float(of_worse @ stats.binom.cdf(right - 1, items, better))
    tie = float(of_worse @ stats.binom.pmf(right, items, better))
    error = math.sqrt((worse * (1 - worse) + better * (1 - better)) / items)
    return _flip(ahead, tie, _normal_flip(better - worse, error), items, "flip_separate")


def flip_probability_paired(delta: float, psi: float, n: int) -> Quantity:
    r"""Two systems on the same n items: how often does the worse one come out ahead?

    The exact probability from the number of disagreements and who wins them, a tie counting as half a flip. It is close
    to $\Phi(-|\delta|/\sqrt{(\psi - \delta^2)/n})$. Systems that agree on most items flip less often than on separate
    items.

    Parameters
    ----------
    delta : float
        The true difference of the accuracies.
    psi : float
        The true share of items on which exactly one of the two is right, in [abs(delta), 1].
    n : int
        Number of items; for items in clusters the effective number, of which it is an approximation.

    Returns
    -------
    Quantity
        As `flip_probability_separate`.

    Raises
    ------
    ValueError
        For psi outside [0, 1] or below abs(delta), and n below 1.

    Notes
    -----
    Equation `eq-flip-probability` of chapter `leaderboards`.

    Examples
    --------
    >>> from evalstats import flip_probability_paired
    >>> round(flip_probability_paired(0.01, 0.1, 500), 3)
    0.24
    """
    items = checks.integer("n", n, 1)
    gap = abs(checks.number("delta", delta, -1, 1))
    rate = checks.number("psi", psi, 0, 1)
    if gap > rate:
        raise ValueError(
            f"psi must be at least abs(delta): systems differ by {gap:g} only where they disagree, got {psi}"
        )
    disagreements = np.arange(items + 1)
    weights = stats.binom.pmf(disagreements, items, rate)
    won = (rate + gap) / (2 * rate) if rate else 0.5
    ahead = float(weights @ stats.binom.cdf((disagreements - 1) // 2, disagreements, won))
    half = disagreements // 2
    tie = float((weights * stats.binom.pmf(half, disagreements, won))[::2].sum())
    error = math.sqrt(max(rate - gap**2, 0.0) / items)
    return _flip(ahead, tie, _normal_flip(gap, error), items, "flip_paired")


def _normal_flip(gap: float, error: float) -> float:
    if error == 0:
        return 0.5 if gap == 0 else 0.0
    return float(stats.norm.sf(gap / error))


# --- all differences at once -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Pairs:
    """Means of k systems, the standard error of every difference, and how many errors all intervals allow for."""

    names: tuple[str, ...]
    design: Design
    means: NDArray[np.float64]
    errors: Matrix
    df: float
    critical: float
    n_draws: int
    seed: int
    level: float
    clustered: bool

    @classmethod
    def of(
        cls,
        scores: Mapping[str, ArrayLike],
        groups: Labels | None,
        strata: Labels | None,
        level: float,
        n_draws: int,
        seed: int,
    ) -> _Pairs:
        share = checks.share("level", level)
        draws, first_seed = checks.integer("n_draws", n_draws, 1000), checks.integer("seed", seed, 0)
        names, table = checks.score_table("scores", scores, at_least=2)
        checks.same_rows(**{f"scores[{names[0]!r}]": scores[names[0]], "groups": groups, "strata": strata})
        design = make_design(len(table), groups, strata)
        covariance = _covariance(table, design)
        variances = np.diag(covariance)[:, None] + np.diag(covariance) - 2 * covariance
        rounding = 1e-12 * (np.diag(covariance)[:, None] + np.diag(covariance))
        errors = np.sqrt(np.where(variances > rounding, variances, 0.0))
        means = np.array([math.fsum(column) for column in table.T]) / len(table)  # equal scores give equal means
        _refuse_constant(names, means, errors)
        _, df = _cr2(np.zeros(design.n_clusters), design)
        maxima = _largest_of_pairs(covariance, errors, df, draws, first_seed)
        critical = float(np.quantile(maxima, share))
        return cls(names, design, means, errors, df, critical, draws, first_seed, share, groups is not None)

    def ahead(self) -> NDArray[np.bool_]:
        """Is the system of the row surely better than that of the column: is the whole interval above 0?"""
        return np.asarray(self.means[:, None] - self.means > self.critical * self.errors)

    def facts(self) -> dict[str, Any]:
        return {"critical_value": self.critical, "df": self.df, "n_draws": self.n_draws} | self.design.facts()

    @property
    def n_clusters(self) -> int | None:
        return self.design.n_clusters if self.clustered else None

    def warning(self) -> str | None:
        if self.df < FEW_DF:
            return f"only {self.df:.3g} degrees of freedom: all intervals together hold less often than promised"
        return None


def _refuse_constant(names: tuple[str, ...], means: NDArray[np.float64], errors: Matrix) -> None:
    """Say which two systems differ by one number on every item; systems that never differ are tied."""
    constant = np.argwhere((errors == 0) & (means[:, None] > means))
    if constant.size:
        a, b = constant[0]
        gap = means[a] - means[b]
        raise ValueError(
            f"{names[a]!r} is better than {names[b]!r} by {gap:g} on every item: without spread there is no error; "
            "compare them by sign_flip_test and leave one out"
        )


def _covariance(table: Matrix, design: Design) -> Matrix:
    """The CR2 covariance of the means, of which `cluster_standard_error` is the square root of the diagonal."""
    totals = np.column_stack([design.residual_totals(column) for column in table.T])
    weights = 1 / (1 - design.sizes / design.rows[design.stratum])
    return np.asarray(totals.T @ (totals * weights[:, None]) / design.n**2)


def _largest_of_pairs(covariance: Matrix, errors: Matrix, df: float, n_draws: int, seed: int) -> NDArray[np.float64]:
    """Draws of the largest |t| over all pairs, if means had this covariance, all truths were equal and df were shared.

    The symmetric square root of the covariance belongs to the systems and not to their order.
    """
    values, vectors = np.linalg.eigh(covariance)
    root = ((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T).astype(np.float32)
    weights = np.divide(1.0, errors, out=np.zeros_like(errors), where=errors > 0).astype(np.float32)
    rng, k = np.random.default_rng(seed), len(root)
    largest = np.zeros(n_draws, dtype=np.float32)
    for start in range(0, n_draws, block := max(1, CELLS_PER_BLOCK // k**2)):
        part = largest[start : start + block]
        # One row a system, so that each step below runs along memory.
        means = root @ rng.standard_normal((k, part.size), dtype=np.float32)
        for system in range(k - 1):
            gaps = np.abs(means[system + 1 :] - means[system]) * weights[system + 1 :, system, None]
            np.maximum(part, gaps.max(axis=0), out=part)
    return largest / np.sqrt(rng.chisquare(df, n_draws) / df)


def simultaneous_differences(
    scores: Mapping[str, ArrayLike],
    groups: Labels | None = None,
    strata: Labels | None = None,
    level: float = 0.95,
    *,
    n_draws: int = 10_000,
    seed: int = 0,
) -> dict[tuple[str, str], Estimate]:
    r"""How far is each system from each other one, if no interval of all may miss?

    For each pair, mean difference give or take c standard errors of the difference on the same items. The factor c is
    the `level` quantile of the largest $|t|$ of all pairs, drawn from the multivariate t distribution with the
    correlations that the shared items show; for independent systems it is Tukey's, and the more alike the systems are,
    the smaller it is.

    Parameters
    ----------
    scores : mapping from name to array of shape (n,)
        The scores of two systems or more, all on the same items in the same order.
    groups : sequence of labels, optional
        The cluster of each item: what was drawn.
    strata : sequence of labels, optional
        The fixed stratum of each item.
    level : float
        The chance that all intervals hold at once, in [0.5, 1).
    n_draws, seed : int
        Number of draws for c, at least 1000, and their seed.

    Returns
    -------
    dict
        From (A, B), in alphabetical order, to the Estimate of A - B. Two systems with the same score on every item get
        [0, 0], with a warning.

    Raises
    ------
    ValueError
        For NaN, unequal lengths, one system, one cluster, a level outside (0, 1).

    Notes
    -----
    Equation `eq-simultaneous-differences` of chapter `leaderboards`. The standard errors are those of
    `paired_cluster_interval`. With 0/1 scores the promise is asymptotic.
    Source: T. Hothorn, F. Bretz and P. Westfall, "Simultaneous inference in general parametric models", Biometrical
    Journal 50 (2008), 346-363.

    Examples
    --------
    >>> from evalstats import simultaneous_differences
    >>> right = {"A": [1] * 90 + [0] * 10, "B": [1] * 50 + [0] * 50, "C": [0] * 60 + [1] * 40}
    >>> for estimate in simultaneous_differences(right).values():
    ...     print(f"{estimate.name} = {estimate.point:.2f} [{estimate.ci_low:.2f}, {estimate.ci_high:.2f}]")
    A - B = 0.40 [0.29, 0.51]
    A - C = 0.50 [0.35, 0.65]
    B - C = 0.10 [-0.12, 0.32]
    """
    pairs = _Pairs.of(scores, groups, strata, level, n_draws, seed)
    alike = "the two have the same score on every item: nothing shows how far apart they could be"
    found = {}
    for a, b in zip(*np.triu_indices(len(pairs.names), 1), strict=True):
        gap, half = float(pairs.means[a] - pairs.means[b]), pairs.critical * float(pairs.errors[a, b])
        found[pairs.names[a], pairs.names[b]] = Estimate(
            f"{pairs.names[a]} - {pairs.names[b]}",
            gap,
            gap - half,
            gap + half,
            level=pairs.level,
            method=METHOD,
            n=pairs.design.n,
            seed=pairs.seed,
            extra=pairs.facts(),
            n_clusters=pairs.n_clusters,
            warning=pairs.warning() if half else alike,
        )
    return found


# --- ranks -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Leaderboard(Result):
    """Which ranks does each system's evidence support? Scores, rank intervals and ties, with their provenance.

    Parameters
    ----------
    systems : tuple of k names
        Best score first; systems of equal score in alphabetical order, which means nothing.
    points : tuple of k floats
        Their mean scores.
    rank_low, rank_high : tuples of k ints
        The best and the worst rank that each may have.
    tied : tuple of k tuples of names
        For each system, those from which it cannot be told apart. The sets overlap: they are no division into groups.
    level : float
        The chance that all rank intervals hold at once, in [0.5, 1).
    method, n, n_clusters, seed, name, extra, warning
        As in `Estimate`.

    Raises
    ------
    ValueError
        For parts of unequal length, ranks outside 1..k or in the wrong order.

    Examples
    --------
    >>> from evalstats import Leaderboard
    >>> board = Leaderboard(("A", "B"), (0.9, 0.6), (1, 2), (1, 2), ((), ()), 0.95, "simultaneous_t", 100)
    >>> board.may_be_best
    ('A',)
    """

    METRICS: ClassVar[tuple[str, ...]] = ()

    systems: tuple[str, ...]
    points: tuple[float, ...]
    rank_low: tuple[int, ...]
    rank_high: tuple[int, ...]
    tied: tuple[tuple[str, ...], ...]
    level: float
    method: str
    n: int
    n_clusters: int | None = None
    seed: int | None = None
    name: str = "leaderboard"
    extra: Mapping[str, Any] = field(default_factory=dict)
    warning: str | None = None

    def __post_init__(self) -> None:
        parts = (self.systems, self.points, self.rank_low, self.rank_high, self.tied)
        if len({len(part) for part in parts}) != 1:
            raise ValueError(f"every system has one score, rank interval and set of ties, got {[*map(len, parts)]}")
        for system, low, high in zip(self.systems, self.rank_low, self.rank_high, strict=True):
            checks.integer(f"rank_low of {system!r}", low, 1)
            if not low <= high <= len(self.systems):
                raise ValueError(
                    f"ranks of {system!r} must be in order and at most {len(self.systems)}, got {low}, {high}"
                )
        self._put(
            systems=tuple(checks.text("systems", system) for system in self.systems),
            points=tuple(checks.number("points", point) for point in self.points),
            rank_low=tuple(self.rank_low),
            rank_high=tuple(self.rank_high),
            tied=tuple(tuple(names) for names in self.tied),
            level=checks.share("level", self.level),
            method=checks.text("method", self.method),
            n=checks.integer("n", self.n, 1),
            name=checks.text("name", self.name),
            extra=Extra(self.extra),
        )

    @property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each score as it stands: 1 plus the number of higher scores, so equal scores share a rank."""
        return tuple(1 + sum(other > point for other in self.points) for point in self.points)

    @property
    def may_be_best(self) -> tuple[str, ...]:
        """The systems to which no other is surely superior."""
        return tuple(system for system, low in zip(self.systems, self.rank_low, strict=True) if low == 1)

    def tied_with(self, system: str) -> tuple[str, ...]:
        """The systems from which this one cannot be told apart."""
        if system not in self.systems:
            raise ValueError(f"system must be one of {list(self.systems)}, got {system!r}")
        return self.tied[self.systems.index(system)]

    def __str__(self) -> str:
        size = f"n = {self.n}" if self.n_clusters is None else f"n = {self.n} in {self.n_clusters} clusters"
        lines = [f"{self.name}: score, and the ranks that all hold at {100 * self.level:.4g}% ({self.method}, {size})"]
        for system, point, low, high in zip(self.systems, self.points, self.rank_low, self.rank_high, strict=True):
            lines.append(f"{point:8.4g}  {f'{low}' if low == high else f'{low}-{high}':>7}  {system}")
        return "\n".join([*lines, *([f"warning: {self.warning}"] if self.warning else [])])


def rank_intervals(
    scores: Mapping[str, ArrayLike],
    groups: Labels | None = None,
    strata: Labels | None = None,
    level: float = 0.95,
    *,
    n_draws: int = 10_000,
    seed: int = 0,
    name: str = "leaderboard",
) -> Leaderboard:
    r"""Which ranks may each system have, and which systems may be best?

    System B is surely better than A when the interval of B - A of `simultaneous_differences` lies above 0. Then A's
    rank lies between 1 plus the number of systems surely better than A, and k less the number surely worse. Whenever
    all intervals of the differences hold, all rank intervals do, and the set of systems that may be best holds every
    best one; with equal truths, a rank interval holds every rank that the tied systems could be given.

    Parameters
    ----------
    scores : mapping from name to array of shape (n,)
        The scores of two systems or more, all on the same items in the same order.
    groups, strata, level, n_draws, seed
        As in `simultaneous_differences`.
    name : str
        Of the board.

    Returns
    -------
    Leaderboard

    Raises
    ------
    ValueError
        As `simultaneous_differences`.

    Notes
    -----
    Equation `eq-rank-interval` of chapter `leaderboards`.
    Sources: D. Al Mohamad, J. J. Goeman and E. W. van Zwet, "Simultaneous confidence intervals for ranks with
    application to ranking institutions" (ranks from Tukey's intervals); M. Mogstad, J. P. Romano, A. M. Shaikh and
    D. Wilhelm (2023), doi:10.1093/restud/rdad006.

    Examples
    --------
    >>> from evalstats import rank_intervals
    >>> right = {"A": [1] * 90 + [0] * 10, "B": [1] * 50 + [0] * 50, "C": [0] * 60 + [1] * 40}
    >>> board = rank_intervals(right)
    >>> print(board)
    leaderboard: score, and the ranks that all hold at 95% (simultaneous_t, n = 100)
         0.9        1  A
         0.5      2-3  B
         0.4      2-3  C
    >>> board.may_be_best, board.tied_with("B")
    (('A',), ('C',))
    """
    pairs = _Pairs.of(scores, groups, strata, level, n_draws, seed)
    ahead = pairs.ahead()
    low, high = 1 + ahead.sum(axis=0), len(ahead) - ahead.sum(axis=1)
    tied = ~(ahead | ahead.T | np.eye(len(ahead), dtype=bool))
    order = sorted(range(len(ahead)), key=lambda system: (-pairs.means[system], pairs.names[system]))
    return Leaderboard(
        systems=tuple(pairs.names[system] for system in order),
        points=tuple(float(pairs.means[system]) for system in order),
        rank_low=tuple(int(low[system]) for system in order),
        rank_high=tuple(int(high[system]) for system in order),
        tied=tuple(tuple(pairs.names[other] for other in order if tied[system, other]) for system in order),
        level=pairs.level,
        method=METHOD,
        n=pairs.design.n,
        n_clusters=pairs.n_clusters,
        seed=pairs.seed,
        name=name,
        extra=pairs.facts(),
        warning=pairs.warning(),
    )


# --- the winner ------------------------------------------------------------------------------------------------------


def shrunken_winner(
    scores: Mapping[str, ArrayLike],
    groups: Labels | None = None,
    strata: Labels | None = None,
    level: float = 0.95,
    *,
    name: str = "winner",
) -> Estimate:
    r"""How good is the winner, seeing that it was chosen for its score?

    The best of k scores is better than the system that made it: eight equal systems have a winner too. The score is
    pulled towards the mean of all, $\bar x + \kappa\,(x_{\max} - \bar x)$, by the share
    $\kappa = \max\{0,\; 1 - (k-1)\,\bar v / \sum_j (x_j - \bar x)^2\}$ of the spread of scores that noise does not
    explain, where $\bar v$ is half the mean squared standard error of all differences.

    Parameters
    ----------
    scores : mapping from name to array of shape (n,)
        The scores of two systems or more, all on the same items in the same order: all that competed.
    groups, strata
        As in `simultaneous_differences`.
    level : float
        Confidence level in [0.5, 1).
    name : str
        What is estimated.

    Returns
    -------
    Estimate
        The shrunken score. Its interval is the one of `mean_interval` at level 1 - (1 - level)/k around the raw score,
        wide enough to hold whichever system wins (stretched to the shrunken score where that lies outside). `extra`
        holds the winners (several when they tie), the raw score, the mean of all and the share kept.

    Raises
    ------
    ValueError
        As `simultaneous_differences`.

    Notes
    -----
    Equation `eq-shrunken-winner` of chapter `leaderboards`. Little is gained where the systems are few or far apart;
    some of the curse remains, for the share is estimated.
    Source: after B. Efron and C. N. Morris, "Data analysis using Stein's estimator and its generalizations", RAND
    R-1394, with the moment estimate of the share.

    Examples
    --------
    >>> from evalstats import shrunken_winner
    >>> right = {"A": [1] * 90 + [0] * 10, "B": [1] * 84 + [0] * 16, "C": [0] * 20 + [1] * 80}
    >>> answer = shrunken_winner(right)
    >>> print(answer)
    winner = 0.875, 95% interval [0.8052, 0.9515] (shrunken_winner, n = 100)
    >>> answer.extra["winners"], answer.extra["raw"], round(answer.extra["share_kept"], 3)
    (('A',), 0.9, 0.532)
    """
    share = checks.share("level", level)
    names, table = checks.score_table("scores", scores, at_least=2)
    clusters, fixed = (
        None if labels is None else checks.labels_of(owner, labels)
        for owner, labels in (("groups", groups), ("strata", strata))
    )
    checks.same_rows(**{f"scores[{names[0]!r}]": scores[names[0]], "groups": groups, "strata": strata})
    covariance = _covariance(table, make_design(len(table), clusters, fixed))
    k, means = len(names), np.array([math.fsum(column) for column in table.T]) / len(table)
    centre, best = math.fsum(means) / k, float(means.max())
    spread = math.fsum((means - centre) ** 2)
    # Half the mean of v_ii + v_jj - 2 v_ij over pairs i != j.
    noise = (k * float(np.trace(covariance)) - float(covariance.sum())) / (k * (k - 1))
    kept = max(0.0, 1 - (k - 1) * noise / spread) if spread > 0 else 0.0
    point = centre + kept * (best - centre)
    winners = np.flatnonzero(means == best)
    intervals = [mean_interval(table[:, one], clusters, fixed, level=1 - (1 - share) / k) for one in winners]
    return Estimate(
        name,
        point,
        min(point, *(interval.ci_low for interval in intervals)),
        max(point, *(interval.ci_high for interval in intervals)),
        level=share,
        method="shrunken_winner",
        n=len(table),
        extra={"winners": [names[one] for one in winners], "raw": best, "mean_of_all": centre, "share_kept": kept},
        n_clusters=intervals[0].n_clusters,
        warning=intervals[0].warning,
    )
