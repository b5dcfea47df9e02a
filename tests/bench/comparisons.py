"""What is compared with what, on which data, and how close the two answers must be."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as sm_mcnemar  # type: ignore[import-untyped]
from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]

import evalstats
from tests.bench.peers import LEVEL, Ends, Labels, Numbers, bootstrap_loop, cluster_bootstrap_loop, tango_by_likelihood

CELLS = (810, 45, 25, 120)  # both right, only A, only B, neither, of each thousand: the table of chapter `paired`
CLUSTER_SIZE = 5
SCIPY_BOOTSTRAP = "scipy.stats.bootstrap"
LOOP = "plain loop"

Answer = tuple[float, ...]


@dataclass(frozen=True)
class Sizes:
    """How much is computed, and how often it is timed."""

    items: tuple[int, ...] = (1000, 10_000)  # multiples of 200, so that CELLS can be scaled
    n_boot: int = 10_000
    clusters: int = 200
    pvalues: tuple[int, ...] = (10, 1000)
    imports: tuple[tuple[str, str], ...] = (
        ("import evalstats", "import numpy"),
        ("from evalstats import bootstrap_mean", "import numpy"),
        ("from evalstats import mcnemar", "import scipy.stats"),
    )
    rounds: int = 5
    at_least: float = 0.1  # seconds in one measurement; quick calls are repeated until they fill it


@dataclass(frozen=True)
class Comparison:
    """One question asked of evalstats and of a peer."""

    what: str
    peer: str
    ours: Callable[[], Answer]
    theirs: Callable[[], Answer]
    tolerance: float = 1e-9
    with_memory: bool = False

    def check(self) -> None:
        """Refuse to time two things that do not give the same answer."""
        ours, theirs = self.ours(), self.theirs()
        if len(ours) != len(theirs) or not np.allclose(ours, theirs, rtol=0, atol=self.tolerance):
            raise AssertionError(f"{self.what} gives {ours}, {self.peer} {theirs}: not within {self.tolerance:.3g}")


def of_a_thousand(n: int) -> list[int]:
    if n % 200:
        raise ValueError(f"n must be a multiple of 200, got {n}")
    return [cell * n // 1000 for cell in CELLS]


def two_systems(n: int) -> tuple[Numbers, Numbers]:
    """Scores of A and B on the same n items, in no order."""
    order = np.random.default_rng(n).permutation(n)
    a, b = (np.repeat(right, of_a_thousand(n))[order] for right in ([1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0]))
    return a, b


def clustered_scores(clusters: int) -> tuple[Numbers, Labels]:
    """0/1 scores of templates that are easy or hard as a whole."""
    rng = np.random.default_rng(clusters)
    groups = np.repeat(np.arange(clusters), CLUSTER_SIZE)
    return (rng.random(groups.size) < rng.beta(1.4, 0.6, clusters)[groups]).astype(np.float64), groups


def chance_of_simulation(drawn: Numbers, n_boot: int, step: float) -> float:
    """How far two simulated ends may lie apart: one step of the mean, and five standard errors of a quantile twice."""
    tail = (1 - LEVEL) / 2
    of_quantile = math.sqrt(tail * (1 - tail) / n_boot) / float(stats.norm.pdf(stats.norm.isf(tail)))
    return step + 5 * math.sqrt(2) * of_quantile * float(drawn.std(ddof=1)) / math.sqrt(drawn.size)


def ends(estimate: evalstats.Estimate) -> Ends:
    return estimate.ci_low, estimate.ci_high


def scipy_ends(scores: Numbers, n_boot: int, method: Literal["percentile", "BCa"] = "percentile") -> Ends:
    rng = np.random.default_rng(0)
    answer = stats.bootstrap((scores,), np.mean, n_resamples=n_boot, vectorized=True, method=method, rng=rng)
    return float(answer.confidence_interval.low), float(answer.confidence_interval.high)


def of_bootstraps(n: int, n_boot: int) -> Iterator[Comparison]:
    """For a pair the peers get the differences, which is quicker for them than two vectors."""
    a, b = two_systems(n)

    def mean() -> Answer:
        return ends(evalstats.bootstrap_mean(a, n_boot=n_boot))

    def paired() -> Answer:
        return ends(evalstats.bootstrap_paired_diff(a, b, n_boot=n_boot))

    for peer, function in ((SCIPY_BOOTSTRAP, scipy_ends), (LOOP, bootstrap_loop)):
        of_mean = partial(function, a, n_boot)
        tolerance = chance_of_simulation(a, n_boot, 1 / n)
        yield Comparison(f"bootstrap_mean, n = {n:,}", peer, mean, of_mean, tolerance, with_memory=True)
        of_pair = partial(_on_differences, function, a, b, n_boot)
        tolerance = chance_of_simulation(a - b, n_boot, 1 / n)
        yield Comparison(f"bootstrap_paired_diff, n = {n:,}", peer, paired, of_pair, tolerance, with_memory=True)


def _on_differences(function: Callable[[Numbers, int], Ends], a: Numbers, b: Numbers, n_boot: int) -> Ends:
    return function(a - b, n_boot)


def of_other_bootstraps(sizes: Sizes) -> Iterator[Comparison]:
    n, n_boot = sizes.items[0], sizes.n_boot
    a, _ = two_systems(n)
    scores, groups = clustered_scores(sizes.clusters)
    means = scores.reshape(-1, CLUSTER_SIZE).mean(axis=1)
    yield Comparison(
        f"bootstrap_mean, {sizes.clusters} clusters of {CLUSTER_SIZE}",
        LOOP,
        lambda: ends(evalstats.bootstrap_mean(scores, groups=groups, n_boot=n_boot)),
        lambda: cluster_bootstrap_loop(scores, groups, n_boot),
        chance_of_simulation(means, n_boot, 1 / scores.size),
        with_memory=True,
    )
    yield Comparison(
        f"bca_mean, n = {n:,}",
        f"{SCIPY_BOOTSTRAP}, BCa",
        lambda: ends(evalstats.bca_mean(a, n_boot=n_boot)),
        lambda: scipy_ends(a, n_boot, "BCa"),
        chance_of_simulation(a, n_boot, 1 / n),
        with_memory=True,
    )


def of_paired_tests(n: int) -> Iterator[Comparison]:
    """All but the t test start from counts. For mid-p the peers' exact p is reduced by the chance of the split seen."""
    cells = of_a_thousand(n)
    table, square = evalstats.PairedTable(*cells), np.reshape(cells, (2, 2))
    b, c = table.a_only, table.b_only
    a_scores, b_scores = two_systems(n)

    def exact() -> Answer:
        return (evalstats.mcnemar_exact(table).pvalue,)

    def midp() -> Answer:
        return (evalstats.mcnemar_midp(table).pvalue,)

    def statsmodels_exact() -> Answer:
        return (float(sm_mcnemar(square, exact=True).pvalue),)

    def scipy_exact() -> Answer:
        return (float(stats.binomtest(b, b + c).pvalue),)

    def less_tie(exact: Callable[[], Answer]) -> Answer:
        return (exact()[0] - float(stats.binom.pmf(min(b, c), b + c, 0.5)),)

    for peer, theirs in (("statsmodels mcnemar", statsmodels_exact), ("scipy.stats.binomtest", scipy_exact)):
        yield Comparison("mcnemar_exact", peer, exact, theirs)
        yield Comparison("mcnemar_midp", f"{peer} less binom.pmf", midp, partial(less_tie, theirs))
    tango = partial(tango_by_likelihood, b, c, n)
    yield Comparison("tango_interval", "likelihood by brentq", lambda: ends(evalstats.tango_interval(table)), tango)
    what, peer = f"paired_t, n = {n:,}", "scipy ttest_rel and its interval"
    yield Comparison(what, peer, lambda: our_t(a_scores, b_scores), lambda: scipy_t(a_scores, b_scores))


def our_t(a: Numbers, b: Numbers) -> Answer:
    answer = evalstats.paired_t(a, b)
    assert answer.ci_low is not None
    assert answer.ci_high is not None
    return answer.statistic, answer.pvalue, answer.ci_low, answer.ci_high


def scipy_t(a: Numbers, b: Numbers) -> Answer:
    answer = stats.ttest_rel(a, b)
    interval = answer.confidence_interval(LEVEL)
    return float(answer.statistic), float(answer.pvalue), float(interval.low), float(interval.high)


def of_corrections(m: int) -> Iterator[Comparison]:
    pvalues = np.random.default_rng(m).beta(0.5, 1.0, m)  # more small ones than chance would give

    def adjusted(function: Callable[..., evalstats.Correction]) -> Answer:
        return function(pvalues).adjusted

    def by_statsmodels(method: str) -> Answer:
        return tuple(multipletests(pvalues, method=method)[1].tolist())

    # For Holm multipletests also collects garbage (gc.collect), which is most of its time.
    for function, method, peer in (
        (evalstats.holm, "holm", "statsmodels multipletests, with gc"),
        (evalstats.benjamini_hochberg, "fdr_bh", "statsmodels multipletests"),
    ):
        ours, theirs = partial(adjusted, function), partial(by_statsmodels, method)
        yield Comparison(f"{function.__name__}, {m:,} p-values", peer, ours, theirs)


def all_comparisons(sizes: Sizes) -> list[Comparison]:
    """Everything but the imports, which are of whole processes."""
    bootstraps = [row for n in sizes.items for row in of_bootstraps(n, sizes.n_boot)]
    corrections = [row for m in sizes.pvalues for row in of_corrections(m)]
    return [*bootstraps, *of_other_bootstraps(sizes), *of_paired_tests(sizes.items[0]), *corrections]
