"""Many systems in one table: which ranks does the evidence support?

A rank is decided by differences, and with k systems there are k(k - 1)/2 of them. Everything here rests on intervals
that hold for all these differences at once: a system's rank can be no better than 1 plus the number of systems that are
surely better. (Resampling the ranks themselves promises 95% and covers far less where systems are close.)

Systems that cannot be told apart are listed system by system, as sets that overlap: A may be tied with B, and B with C,
while A beats C.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, compress
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import special, stats

from . import _checks as checks
from ._checks import Groups, Vector
from ._replicates import replicates
from .cluster import _cr2, mean_interval
from .correction import Correction, benjamini_hochberg
from .paired import FEW_DIFFERING, few_differing
from .proportion import Quantity
from .result import Estimate, Extra, Result, _level_words, _size_words, _warning_words
from .sums import Design, added, make_design

Systems = Mapping[str, ArrayLike]

FEW_APART = 30  # where a pair differs in fewer items or clusters, all intervals together cover too seldom
FEW_DF = 20  # with fewer degrees of freedom all intervals hold less often than promised: tests/calibration
MOST_ITEMS = 10**8  # with more, adding up every count takes seconds, and the normal approximation is right


# --- two systems -----------------------------------------------------------------------------------------------------


def _flip(ahead: float, tie: float, gap: float, error: float, n: int, method: str) -> Quantity:
    normal = float(stats.norm.sf(gap / error)) if error else 0.5 * (gap == 0)
    facts = {"p_worse_ahead": ahead, "p_tie": tie, "normal_approximation": normal}
    return Quantity(min(ahead + tie / 2, 1.0), method=method, n=n, extra=facts)


def _counts(n: int, p: float) -> checks.Counts:
    """The numbers of successes in n trials that can occur; all others together have a chance below 1e-80."""
    checks.integer("n", n, 1, MOST_ITEMS)
    return np.arange(max(0, math.floor(n * p - 10 * math.sqrt(n))), min(n, math.ceil(n * p + 10 * math.sqrt(n))) + 1)


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
        For accuracies outside [0, 1] and n below 1 or above 100 million, where the normal approximation is right.

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
    worse, better = sorted((checks.number("p_a", p_a, 0, 1), checks.number("p_b", p_b, 0, 1)))
    right = _counts(n, worse)
    of_worse = stats.binom.pmf(right, n, worse)
    ahead = float(of_worse @ stats.binom.cdf(right - 1, n, better))
    tie = float(of_worse @ stats.binom.pmf(right, n, better))
    error = math.sqrt((worse * (1 - worse) + better * (1 - better)) / n)
    return _flip(ahead, tie, better - worse, error, n, "flip_separate")


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
        For psi outside [0, 1] or below abs(delta), and n as in `flip_probability_separate`.

    Notes
    -----
    Equation `eq-flip-probability` of chapter `leaderboards`.

    Examples
    --------
    >>> from evalstats import flip_probability_paired
    >>> round(flip_probability_paired(0.01, 0.1, 500), 3)
    0.24
    """
    gap, rate = abs(checks.number("delta", delta, -1, 1)), checks.number("psi", psi, 0, 1)
    if gap > rate:
        raise ValueError(f"psi must be at least abs(delta): a gap of {gap:g} takes as many disagreements, got {psi}")
    disagreements = _counts(n, rate)
    weights = stats.binom.pmf(disagreements, n, rate)
    won = (rate + gap) / (2 * rate) if rate else 0.5
    ahead = float(weights @ stats.binom.cdf((disagreements - 1) // 2, disagreements, won))
    half_each = np.where(disagreements % 2, 0.0, stats.binom.pmf(disagreements // 2, disagreements, won))
    return _flip(ahead, float(weights @ half_each), gap, math.sqrt(max(rate - gap**2, 0.0) / n), n, "flip_paired")


# --- all differences at once -----------------------------------------------------------------------------------------


def _pairs(
    scores: Systems, groups: Groups, strata: Groups, level: float, n_draws: int, seed: int, executor: Executor | None
) -> tuple[tuple[str, ...], Vector, Vector, Vector, checks.Counts, dict[str, Any]]:
    """Systems, means, differences, half the widths of their intervals, on what these rest, and how they were made."""
    share, draws = checks.share("level", level), checks.integer("n_draws", n_draws, 1000)
    names, table, design = _shared_items(scores, groups, strata)
    means, covariance = _moments(table, design)
    own, scale = covariance.diagonal()[:, None] + covariance.diagonal(), float(np.abs(table).max())
    apart = own - 2 * covariance > 1e-12 * own + (1e-14 * scale) ** 2  # less is rounding
    errors = np.sqrt(np.where(apart, own - 2 * covariance, 0.0))
    gaps = np.where(apart | (abs(means[:, None] - means) > 1e-12 * scale), means[:, None] - means, 0.0)
    if (constant := np.argwhere((gaps > 0) & ~apart)).size:
        a, b = constant[0]
        words = f"{names[a]!r} is better than {names[b]!r} by {gaps[a, b]:g} on every item: without spread there is no"
        raise ValueError(f"{words} error; compare them by sign_flip_test and leave one out")
    _, df = _cr2(np.zeros(design.n_clusters), design)
    inverse = np.divide(1.0, errors, out=np.zeros_like(errors), where=apart)
    draw = partial(_largest_of_pairs, _root(covariance), inverse, df)
    largest = replicates(draw, draws, checks.integer("seed", seed, 0), executor, len(names) ** 2)
    extra = {"critical_value": float(np.quantile(largest, share)), "df": df, "n_draws": draws} | design.facts()
    few = f"only {df:.3g} degrees of freedom: all intervals together hold less often than promised"
    made = {"level": share, "method": "simultaneous_t", "n": design.n, "seed": seed, "extra": extra}
    made |= {"n_clusters": None if groups is None else design.n_clusters, "warning": few if df < FEW_DF else None}
    totals = np.column_stack([added(design.codes, column) for column in table.T])
    differing = np.array([(totals != column[:, None]).sum(axis=0) for column in totals.T])
    return names, means, gaps, extra["critical_value"] * errors, differing, made


def _shared_items(scores: Systems, groups: Groups, strata: Groups) -> tuple[tuple[str, ...], Vector, Design]:
    """The names in alphabetical order, a column of scores for each, and who sits in which cluster."""
    names, table = checks.score_table("scores", scores, at_least=2)
    checks.same_rows(**{f"scores[{name!r}]": scores[name] for name in names}, groups=groups, strata=strata)
    return names, table, make_design(len(table), groups, strata)


def _moments(table: Vector, design: Design) -> tuple[Vector, Vector]:
    """The means, and their CR2 covariance, of which `cluster_standard_error` is the square root of the diagonal."""
    means = np.array([math.fsum(column) for column in table.T]) / design.n  # equal scores give equal means
    totals = np.column_stack([design.residual_totals(column) for column in table.T])
    weights = 1 / (1 - design.sizes / design.rows[design.stratum])
    return means, np.asarray(totals.T @ (totals * weights[:, None]) / design.n**2)


def _root(covariance: Vector) -> Vector:
    """The symmetric square root: it belongs to the systems and not to their order."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)


def _largest_of_pairs(root: Vector, inverse: Vector, df: float, rng: np.random.Generator, size: int) -> Vector:
    """Draws of the largest |t| over all pairs, if means vary by this root, all truths are equal and df are shared."""
    unit = float(np.abs(root).max()) or 1.0
    # One row a system, so that each step below runs along memory.
    means = (root / unit).astype(np.float32) @ rng.standard_normal((len(root), size), dtype=np.float32)
    weights, largest = (unit * inverse).astype(np.float32), np.zeros(size, dtype=np.float32)
    for system in range(len(root) - 1):
        gaps = np.abs(means[system + 1 :] - means[system]) * weights[system + 1 :, system, None]
        np.maximum(largest, gaps.max(axis=0), out=largest)
    return np.asarray(largest / np.sqrt(rng.chisquare(df, size) / df))


def simultaneous_differences(
    scores: Systems,
    groups: Groups = None,
    strata: Groups = None,
    level: float = 0.95,
    *,
    n_draws: int = 10_000,
    seed: int = 0,
    executor: Executor | None = None,
) -> dict[tuple[str, str], Estimate]:
    r"""How far is each system from each other one, if no interval of all may miss?

    For each pair, mean difference give or take c standard errors of the difference on the same items. The factor c is
    the `level` quantile of the largest $|t|$ of all pairs, drawn from the multivariate t distribution with the
    correlations that the shared items show; for independent systems it is Tukey's, and the more alike the systems are,
    the smaller it is.

    Parameters
    ----------
    scores : mapping from name to array of shape (n,)
        The scores of two systems or more, all on the same items in the same order: of logs, the `scores` of
        `align_all`.
    groups : sequence of labels, optional
        The cluster of each item: what was drawn.
    strata : sequence of labels, optional
        The fixed stratum of each item.
    level : float
        The chance that all intervals hold at once, in [0.5, 1).
    n_draws, seed : int
        Number of draws for c, at least 1000, and their seed.
    executor : concurrent.futures.Executor, optional
        Where blocks of draws run; the answer does not depend on it.

    Returns
    -------
    dict
        From (A, B), in alphabetical order, to the Estimate of A - B. Two systems with the same score on every item get
        [0, 0], with a warning. It warns of pairs that differ in fewer than 30 items or clusters.

    Raises
    ------
    ValueError
        For NaN, unequal lengths, one system, one cluster, a level outside (0, 1), scores beyond 1e100, and two systems
        that differ by one number on every item. (What is no more than the rounding of scores is no difference.)

    Notes
    -----
    Equation `eq-simultaneous-differences` of chapter `leaderboards`. The standard errors are those of
    `paired_cluster_interval`. With 0/1 scores the promise is asymptotic: for five systems between .944
    and .989, in simulations (tests/calibration), all 95% intervals held at once in .94 of runs with 500 items or 1,500
    drawn one by one, and in .85 to .91 with 96 clusters of 2 to 20 items that are much alike. Nearly all that fail
    there rest on few clusters, and warn.
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
    names, _, gaps, halves, differing, made = _pairs(scores, groups, strata, level, n_draws, seed, executor)
    found = {}
    for a, b in combinations(range(len(names)), 2):
        gap, half, few = float(gaps[a, b]), float(halves[a, b]), _with_few(made, differing[a, b], FEW_APART)
        facts = made | {"warning": few if half else "the same score on every item: how far apart is not shown"}
        found[names[a], names[b]] = Estimate(f"{names[a]} - {names[b]}", gap, gap - half, gap + half, **facts)
    return found


def _with_few(made: dict[str, Any], differing: int, enough: int) -> str | None:
    """What to beware of where a difference rests on few items or clusters, or on few degrees of freedom."""
    few = few_differing(int(differing), made["n_clusters"] or made["n"], made["extra"]["drawn"].split()[0], enough)
    return "; ".join(filter(None, (few, made["warning"]))) or None


def pairwise_mcnemar_exact(
    scores: Systems, correction: Callable[[Vector], Correction] = benjamini_hochberg, *, name: str = "pairwise_mcnemar"
) -> Correction:
    """Which of all pairs of systems differ, once all these tests are counted?

    The exact McNemar test of `mcnemar_exact` for every pair, from one product of matrices, and a correction for all
    of them.

    Parameters
    ----------
    scores : mapping from name to array of 0 and 1, shape (n,)
        Two systems or more, all on the same items in the same order: of logs, the `scores` of
        `align_all`.
    correction : function
        From p-values to Correction: `benjamini_hochberg`, `holm`, or another of module `correction`; with another level
        write `functools.partial(holm, alpha=0.01)`. The tests hang together, for a system takes part in many;
        `benjamini_hochberg` is not proven for that, `holm` and `benjamini_yekutieli` are.
    name : str
        Of the family of tests.

    Returns
    -------
    Correction
        One test for each pair, in the order of `itertools.combinations(systems, 2)`, which `tests` names;
        `extra["systems"]` lists the systems in alphabetical order and `extra["accuracies"]` their shares of right
        answers.

    Raises
    ------
    ValueError
        For scores that are not 0 or 1, unequal lengths, one system, and what is no correction.

    Notes
    -----
    Equations `eq-mcnemar-exact` of chapter `paired` and `eq-benjamini-hochberg` of chapter `many_tests`. Items are
    taken as drawn one by one: for clusters use `simultaneous_differences` or `max_t_asymptotic`.

    Examples
    --------
    >>> from evalstats import pairwise_mcnemar_exact
    >>> right = {"A": [1] * 90 + [0] * 10, "B": [1] * 50 + [0] * 50, "C": [0] * 60 + [1] * 40}
    >>> answer = pairwise_mcnemar_exact(right)
    >>> print(answer)
    2 of 3 rejected (benjamini_hochberg, false discovery rate 0.05)
    A - B: p = 1.82e-12, adjusted 5.46e-12, rejected
    A - C: p = 8e-10, adjusted 1.2e-09, rejected
    B - C: p = 0.343, adjusted 0.343
    """
    checks.function("correction", correction)
    names, table, _ = _shared_items(scores, None, None)
    for odd in np.flatnonzero(((table != 0) & (table != 1)).any(axis=0)):
        checks.binary_vector(f"scores[{names[odd]!r}]", table[:, odd], better="`simultaneous_differences`")
    right = table.T @ table
    alone = right.diagonal()[:, None] - right
    first, second = np.triu_indices(len(names), 1)
    b, c = alone[first, second], alone[second, first]
    answer = correction(np.minimum(2 * special.bdtr(np.minimum(b, c), (b + c).astype(int), 0.5), 1.0))
    checks.instance("what correction returns", answer, Correction)
    tests = tuple(f"{a} - {b}" for a, b in combinations(names, 2))
    facts = {"systems": names, "accuracies": right.diagonal() / len(table), "n": len(table)}
    return answer._but(name=checks.text("name", name), tests=tests, extra=Extra({**answer.extra, **facts}))


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

    COLUMNS: ClassVar[tuple[str, ...]] = ("systems", "points", "rank_low", "rank_high")

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
        super().__post_init__()
        checks.one_each("system", self, "systems", "points", "rank_low", "rank_high", "tied")
        low = tuple(checks.integer("rank_low", rank, 1) for rank in self.rank_low)
        high = tuple(checks.integer("rank_high", rank, best) for rank, best in zip(self.rank_high, low, strict=True))
        if max(high, default=0) > len(self.systems):
            raise ValueError(f"rank_high must be at most {len(self.systems)}, got {max(high)}")
        points = tuple(checks.number("points", point) for point in self.points)
        systems = tuple(checks.text("systems", system) for system in self.systems)
        tied = tuple(tuple(checks.labels_of("tied", each)) for each in self.tied)
        self._put(systems=systems, points=points, rank_low=low, rank_high=high, tied=tied)

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
            raise ValueError(f"system must be one of {checks.short(list(self.systems))}, got {checks.short(system)}")
        return self.tied[self.systems.index(system)]

    def __str__(self) -> str:
        made = f"{self.method}, {_size_words(self.n, self.n_clusters)}"
        lines = [f"{self.name}: score, and the ranks that all hold at {_level_words(self.level)} ({made})"]
        for system, point, low, high in zip(self.systems, self.points, self.rank_low, self.rank_high, strict=True):
            lines.append(f"{point:8.4g}  {f'{low}' if low == high else f'{low}-{high}':>7}  {system}")
        return "\n".join(lines) + _warning_words(self.warning)


def rank_intervals(
    scores: Systems,
    groups: Groups = None,
    strata: Groups = None,
    level: float = 0.95,
    *,
    n_draws: int = 10_000,
    seed: int = 0,
    name: str = "leaderboard",
    executor: Executor | None = None,
) -> Leaderboard:
    r"""Which ranks may each system have, and which systems may be best?

    System B is surely better than A when the interval of B - A of `simultaneous_differences` lies above 0. Then A's
    rank lies between 1 plus the number of systems surely better than A, and k less the number surely worse. Whenever
    all intervals of the differences hold, all rank intervals do, and the set of systems that may be best holds every
    best one; with equal truths, a rank interval holds every rank that the tied systems could be given.

    Parameters
    ----------
    scores : mapping from name to array of shape (n,)
        The scores of two systems or more, all on the same items in the same order: of logs, the `scores` of
        `align_all`.
    groups, strata, level, n_draws, seed, executor
        As in `simultaneous_differences`.
    name : str
        Of the board.

    Returns
    -------
    Leaderboard
        It warns where systems that are surely apart differ in fewer than 10 items or clusters.

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
    names, means, gaps, halves, differing, made = _pairs(scores, groups, strata, level, n_draws, seed, executor)
    made["warning"] = _with_few(made, differing[gaps > halves].min(initial=made["n"]), FEW_DIFFERING)
    order = np.argsort(-means, kind="stable")
    systems, ahead = [names[one] for one in order], (gaps > halves)[np.ix_(order, order)]
    alike = ~(ahead | ahead.T | np.eye(len(names), dtype=bool))
    tied = tuple(tuple(compress(systems, row)) for row in alike)
    low, high = 1 + ahead.sum(axis=0), len(names) - ahead.sum(axis=1)
    return Leaderboard(tuple(systems), tuple(means[order]), tuple(low), tuple(high), tied, name=name, **made)


# --- the winner ------------------------------------------------------------------------------------------------------


def shrunken_winner(
    scores: Systems, groups: Groups = None, strata: Groups = None, level: float = 0.95, *, name: str = "winner"
) -> Estimate:
    r"""How good is the winner, seeing that it was chosen for its score?

    The best of k scores is better than the system that made it: eight equal systems have a winner too. The score is
    pulled towards the mean of all, $\bar x + \kappa\,(x_{\max} - \bar x)$, by the share
    $\kappa = \max\{0,\; 1 - (k-1)\,\bar v / \sum_j (x_j - \bar x)^2\}$ of the spread of scores that noise does not
    explain, where $\bar v$ is half the mean squared standard error of all differences.

    Parameters
    ----------
    scores : mapping from name to array of shape (n,)
        The scores of two systems or more, all on the same items in the same order: all that competed. Of
        logs, the `scores` of `align_all`.
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
    names, table, design = _shared_items(scores, groups, strata)
    means, covariance = _moments(table, design)
    k, best, centre = len(names), float(means.max()), math.fsum(means) / len(names)
    spread = math.fsum((means - centre) ** 2)
    # Half the mean of v_ii + v_jj - 2 v_ij over pairs i != j.
    noise = (k * float(np.trace(covariance)) - float(covariance.sum())) / (k * (k - 1))
    kept = max(0.0, 1 - (k - 1) * noise / spread) if spread > 0 else 0.0
    point = centre + kept * (best - centre)
    winners = np.flatnonzero(means == best)
    clusters = None if groups is None else design.codes.tolist()
    fixed = None if strata is None else design.stratum[design.codes].tolist()
    intervals = [mean_interval(table[:, one], clusters, fixed, level=1 - (1 - share) / k) for one in winners]
    lows, highs = [one.ci_low for one in intervals], [one.ci_high for one in intervals]
    facts = {"winners": [names[one] for one in winners], "raw": best, "mean_of_all": centre, "share_kept": kept}
    answer = replace(intervals[0], name=name, level=share, method="shrunken_winner", extra=facts)
    return replace(answer, point=point, ci_low=min(point, *lows), ci_high=max(point, *highs))
