"""Who answers which question, and how: evalstats, the limit, and the peers, each with its own functions.

A function here gets the data and the number of resamples, does what a user would do once (put the scores into the
peer's own objects), and returns the call that is timed. Peers are imported where they are called: each environment has
its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from tests.bench import limits
from tests.bench.cases import CASES, LEVEL, Answer, Case, Data

Kind = Literal["ours", "limit", "bootstrap", "closed", "other"]
Later = Callable[[], Answer]  # reads the answer from a result, off the clock
Call = Callable[[], Answer | Later]
Prepare = Callable[[Data, int], Call]

ALPHA = 1 - LEVEL

# What somebody's functions are imported from.
MODULES = {
    "evalstats": "evalstats",
    "limit": "numpy",
    "scipy": "scipy.stats",
    "statsmodels": "statsmodels.stats.proportion",
    "arch": "arch.bootstrap",
    "errorbars": "errorbars",
    "truescore": "truescore",
    "honestboard": "honestboard",
    "inspect-ai": "inspect_ai.scorer",
}


@dataclass(frozen=True)
class Implementation:
    """One answer to one question."""

    case: str
    who: str
    label: str
    kind: Kind  # bootstrap: resamples the same statistic; closed: needs no resamples; other: answers in another way
    prepare: Prepare
    shrink: dict[str, int] = field(default_factory=dict)  # sizes that are divided; the time is multiplied
    note: str = ""

    @property
    def key(self) -> str:
        return f"{self.case}/{self.who}/{self.label}"

    @property
    def factor(self) -> int:
        """By how much the time of a smaller run is multiplied."""
        return int(np.prod(list(self.shrink.values()), dtype=np.int64))

    def sizes(self, case: Case) -> dict[str, int]:
        return {name: max(2, size // self.shrink.get(name, 1)) for name, size in case.sizes.items()}


IMPLEMENTATIONS: dict[str, Implementation] = {}


def answers(case: str, who: str, label: str, kind: Kind, note: str = "", **shrink: int) -> Callable[[Prepare], Prepare]:
    """Enter a function into the list."""

    def enter(prepare: Prepare) -> Prepare:
        one = Implementation(case, who, label, kind, prepare, shrink, note)
        if case not in CASES or one.key in IMPLEMENTATIONS:
            raise ValueError(f"{one.key} names no case or is there twice")
        IMPLEMENTATIONS[one.key] = one
        return prepare

    return enter


def interval(low: Any, high: Any) -> Answer:
    return {"low": float(low), "high": float(high)}


def corrected(p: Any, adjusted: Any) -> Later:
    """Not on the clock: to turn a thousand of Python's numbers into an array again takes as long as the correction."""
    return lambda: {"sum": float(np.sum(p)), "rejected": float(np.sum(np.asarray(adjusted) <= ALPHA))}


def both_ways(data: Data) -> tuple[int, int]:
    """How often only A was right, and only B."""
    return int(np.sum(data["a"] > data["b"])), int(np.sum(data["a"] < data["b"]))


# ---- evalstats -------------------------------------------------------------------------------------------------------


def ours(case: str, label: str) -> Callable[[Prepare], Prepare]:
    return answers(case, "evalstats", label, "ours")


@ours("mean", "bootstrap_mean")
@ours("large", "bootstrap_mean")
def our_mean(data: Data, n_boot: int) -> Call:
    from evalstats import bootstrap_mean

    def call() -> Answer:
        found = bootstrap_mean(data["a"], n_boot=n_boot)
        return interval(found.ci_low, found.ci_high)

    return call


@ours("clusters", "bootstrap_mean, groups")
@ours("crowd", "bootstrap_mean, groups")
def our_cluster_mean(data: Data, n_boot: int) -> Call:
    from evalstats import bootstrap_mean

    def call() -> Answer:
        found = bootstrap_mean(data["scores"], groups=data["groups"], n_boot=n_boot)
        return interval(found.ci_low, found.ci_high)

    return call


@ours("pair", "bootstrap_paired_diff")
def our_pair(data: Data, n_boot: int) -> Call:
    from evalstats import bootstrap_paired_diff

    def call() -> Answer:
        found = bootstrap_paired_diff(data["a"], data["b"], n_boot=n_boot)
        return interval(found.ci_low, found.ci_high)

    return call


@ours("f1", "bootstrap_table_statistic")
def our_f1(data: Data, n_boot: int) -> Call:
    from evalstats import bootstrap_table_statistic

    def f1(table: np.ndarray) -> np.ndarray:
        (_, false), (missed, both) = table
        return 2 * both / (2 * both + false + missed)

    def call() -> Answer:
        table = np.bincount(2 * data["truth"] + data["found"], minlength=4).reshape(2, 2)
        found = bootstrap_table_statistic(table, f1, n_boot=n_boot)
        return interval(found.ci_low, found.ci_high)

    return call


@ours("kappa", "bootstrap_kappa")
@ours("passes", "bootstrap_kappa")
def our_kappa(data: Data, n_boot: int) -> Call:
    from evalstats import bootstrap_kappa

    def call() -> Answer:
        found = bootstrap_kappa(data["a"], data["b"], n_boot=n_boot)
        return interval(found.ci_low, found.ci_high)

    return call


@ours("bca", "bca_mean")
def our_bca(data: Data, n_boot: int) -> Call:
    from evalstats import bca_mean

    def call() -> Answer:
        found = bca_mean(data["a"], n_boot=n_boot)
        return interval(found.ci_low, found.ci_high)

    return call


@ours("pairs", "pairwise_mcnemar_exact")
def our_pairs(data: Data, n_boot: int) -> Call:
    from evalstats import pairwise_mcnemar_exact

    scores = {f"system {number:03}": row for number, row in enumerate(data["board"])}

    def call() -> Later:
        found = pairwise_mcnemar_exact(scores)
        return corrected(found.pvalues, found.adjusted)

    return call


@ours("ranks", "rank_intervals")
def our_ranks(data: Data, n_boot: int) -> Call:
    from evalstats import rank_intervals

    scores = {f"system {number:03}": row for number, row in enumerate(data["board"])}

    def call() -> Answer:
        return {"critical": float(rank_intervals(scores, n_draws=n_boot).extra["critical_value"])}

    return call


@ours("ideal", "ideal_bootstrap_mean")
@ours("ideal-large", "ideal_bootstrap_mean")
def our_ideal(data: Data, n_boot: int) -> Call:
    from evalstats import ideal_bootstrap_mean

    def call() -> Answer:
        found = ideal_bootstrap_mean(data["a"])
        return interval(found.ci_low, found.ci_high)

    return call


@ours("counts", "bootstrap_table_statistic")
@ours("counts-large", "bootstrap_table_statistic")
def our_counts(data: Data, n_boot: int) -> Call:
    from evalstats import bootstrap_table_statistic

    right = int(data["a"].sum())
    table = [data["a"].size - right, right]

    def call() -> Answer:
        found = bootstrap_table_statistic(table, lambda cells: cells[1] / cells.sum(axis=0), n_boot=n_boot)
        return interval(found.ci_low, found.ci_high)

    return call


@ours("mcnemar", "mcnemar_exact")
def our_mcnemar(data: Data, n_boot: int) -> Call:
    from evalstats import mcnemar_exact

    return lambda: {"p": mcnemar_exact(data["a"], data["b"]).pvalue}


@ours("table", "mcnemar_exact")
def our_table(data: Data, n_boot: int) -> Call:
    from evalstats import PairedTable, mcnemar_exact

    table = PairedTable.from_vectors(data["a"], data["b"])
    return lambda: {"p": mcnemar_exact(table).pvalue}


@ours("t", "paired_t")
def our_t(data: Data, n_boot: int) -> Call:
    from evalstats import paired_t

    def call() -> Answer:
        found = paired_t(data["a"], data["b"])
        return interval(found.ci_low, found.ci_high) | {"p": found.pvalue}

    return call


@ours("wilson", "wilson_interval")
def our_wilson(data: Data, n_boot: int) -> Call:
    from evalstats import wilson_interval

    right = int(data["a"].sum())

    def call() -> Answer:
        found = wilson_interval(right, data["a"].size)
        return interval(found.ci_low, found.ci_high)

    return call


@ours("agree", "cohen_kappa")
def our_agreement(data: Data, n_boot: int) -> Call:
    from evalstats import cohen_kappa

    def call() -> Answer:
        found = cohen_kappa(data["a"], data["b"])
        return interval(found.ci_low, found.ci_high)

    return call


@ours("holm", "holm")
def our_holm(data: Data, n_boot: int) -> Call:
    from evalstats import holm

    def call() -> Later:
        adjusted = holm(data["p"]).adjusted
        return corrected(adjusted, adjusted)

    return call


@ours("bh", "benjamini_hochberg")
@ours("bh-few", "benjamini_hochberg")
def our_bh(data: Data, n_boot: int) -> Call:
    from evalstats import benjamini_hochberg

    def call() -> Later:
        adjusted = benjamini_hochberg(data["p"]).adjusted
        return corrected(adjusted, adjusted)

    return call


# ---- the limit -------------------------------------------------------------------------------------------------------


def limit(case: str, note: str = "") -> Callable[[Prepare], Prepare]:
    return answers(case, "limit", f"limits.{_LIMITS[case]}", "limit", note)


_LIMITS = {
    "mean": "mean",
    "large": "mean",
    "clusters": "cluster_mean",
    "crowd": "cluster_mean",
    "pair": "difference",
    "f1": "f1",
    "kappa": "kappa",
    "passes": "kappa",
    "bca": "bca_mean",
    "pairs": "all_pairs",
    "ranks": "ranks",
    "ideal": "ideal_mean",
    "ideal-large": "ideal_mean",
}


@limit("mean")
@limit("large")
def limit_mean(data: Data, n_boot: int) -> Call:
    rng = np.random.default_rng(0)
    return lambda: interval(*limits.ends(limits.mean(data["a"], n_boot, rng)))


@limit("clusters")
@limit("crowd")
def limit_cluster_mean(data: Data, n_boot: int) -> Call:
    rng = np.random.default_rng(0)
    return lambda: interval(*limits.ends(limits.cluster_mean(data["scores"], data["groups"], n_boot, rng)))


@limit("pair")
def limit_pair(data: Data, n_boot: int) -> Call:
    rng = np.random.default_rng(0)
    return lambda: interval(*limits.ends(limits.difference(data["a"], data["b"], n_boot, rng)))


@limit("f1")
def limit_f1(data: Data, n_boot: int) -> Call:
    rng = np.random.default_rng(0)
    return lambda: interval(*limits.ends(limits.f1(data["truth"], data["found"], n_boot, rng)))


@limit("kappa")
@limit("passes")
def limit_kappa(data: Data, n_boot: int) -> Call:
    rng = np.random.default_rng(0)
    return lambda: interval(*limits.ends(limits.kappa(data["a"], data["b"], data["kinds"], n_boot, rng)))


@limit("bca")
def limit_bca(data: Data, n_boot: int) -> Call:
    rng = np.random.default_rng(0)
    return lambda: interval(*limits.bca_mean(data["a"], n_boot, rng))


@limit("pairs")
def limit_pairs(data: Data, n_boot: int) -> Call:
    return lambda: corrected(*limits.all_pairs(data["board"]))


@limit("ranks", note="another answer: percentiles of resampled ranks, which cover less than they promise")
def limit_ranks(data: Data, n_boot: int) -> Call:
    rng = np.random.default_rng(0)

    def call() -> Answer:
        low, high = limits.ranks(data["board"], n_boot, rng)
        middle = len(low) // 2
        return {"rank_low": float(low[middle]), "rank_high": float(high[middle])}

    return call


@limit("ideal")
@limit("ideal-large")
def limit_ideal(data: Data, n_boot: int) -> Call:
    return lambda: interval(*limits.ideal_mean(data["a"]))


# ---- scipy -----------------------------------------------------------------------------------------------------------


def share_f1(truth: np.ndarray, found: np.ndarray, axis: int = -1) -> np.ndarray:
    both = np.sum(truth & found, axis=axis)
    return 2 * both / (np.sum(truth, axis=axis) + np.sum(found, axis=axis))


def share_kappa(kinds: int) -> Callable[..., np.ndarray]:
    def kappa(a: np.ndarray, b: np.ndarray, axis: int = -1) -> np.ndarray:
        observed = np.mean(a == b, axis=axis)
        expected = sum(np.mean(a == kind, axis=axis) * np.mean(b == kind, axis=axis) for kind in range(kinds))
        return (observed - expected) / (1 - expected)

    return kappa


def sums_and_sizes(data: Data) -> tuple[np.ndarray, np.ndarray]:
    return np.bincount(data["groups"], data["scores"]), np.bincount(data["groups"]).astype(float)


def ratio(sums: np.ndarray, sizes: np.ndarray, axis: int = -1) -> np.ndarray:
    return np.sum(sums, axis=axis) / np.sum(sizes, axis=axis)


def scipy_ends(samples: tuple[np.ndarray, ...], statistic: Callable[..., Any], n_boot: int, **options: Any) -> Answer:
    from scipy import stats

    options = {"method": "percentile", "paired": len(samples) > 1} | options
    found = stats.bootstrap(
        samples, statistic, n_resamples=n_boot, vectorized=True, rng=np.random.default_rng(0), **options
    )
    return interval(*found.confidence_interval)


@answers("mean", "scipy", "bootstrap", "bootstrap")
@answers("large", "scipy", "bootstrap", "bootstrap", n_boot=200)
def scipy_mean(data: Data, n_boot: int) -> Call:
    return lambda: scipy_ends((data["a"],), np.mean, n_boot)


@answers("clusters", "scipy", "bootstrap of sums and sizes", "bootstrap", note="sums and sizes by hand")
@answers("crowd", "scipy", "bootstrap of sums and sizes", "bootstrap", note="sums and sizes by hand", n_boot=10)
def scipy_cluster_mean(data: Data, n_boot: int) -> Call:
    return lambda: scipy_ends(sums_and_sizes(data), ratio, n_boot, batch=200)


@answers("pair", "scipy", "bootstrap of differences", "bootstrap")
def scipy_pair(data: Data, n_boot: int) -> Call:
    return lambda: scipy_ends((data["a"] - data["b"],), np.mean, n_boot)


@answers("f1", "scipy", "bootstrap, F1 in numpy", "bootstrap", n_boot=5)
def scipy_f1(data: Data, n_boot: int) -> Call:
    return lambda: scipy_ends((data["truth"], data["found"]), share_f1, n_boot, batch=200)


@answers("kappa", "scipy", "bootstrap, κ in numpy", "bootstrap", n_boot=2)
@answers("passes", "scipy", "bootstrap, κ in numpy", "bootstrap", n_boot=2)
def scipy_kappa(data: Data, n_boot: int) -> Call:
    return lambda: scipy_ends((data["a"], data["b"]), share_kappa(data["kinds"]), n_boot, batch=200)


@answers("bca", "scipy", "bootstrap, BCa", "bootstrap")
def scipy_bca(data: Data, n_boot: int) -> Call:
    return lambda: scipy_ends((data["a"],), np.mean, n_boot, method="BCa")


@answers("pairs", "scipy", "binomtest of each pair, false_discovery_control", "closed")
def scipy_pairs(data: Data, n_boot: int) -> Call:
    from scipy import stats

    def call() -> Later:
        p = []
        for a, b in itertools.combinations(data["board"], 2):
            only_a, only_b = int(np.sum(a > b)), int(np.sum(a < b))
            p.append(stats.binomtest(only_a, only_a + only_b).pvalue if only_a + only_b else 1.0)
        return corrected(p, stats.false_discovery_control(p))

    return call


@answers("table", "scipy", "binomtest", "closed")
def scipy_table(data: Data, n_boot: int) -> Call:
    from scipy import stats

    only_a, only_b = both_ways(data)
    return lambda: {"p": float(stats.binomtest(only_a, only_a + only_b).pvalue)}


@answers("t", "scipy", "ttest_rel and its interval", "closed")
def scipy_t(data: Data, n_boot: int) -> Call:
    from scipy import stats

    def call() -> Answer:
        found = stats.ttest_rel(data["a"], data["b"])
        return interval(*found.confidence_interval(LEVEL)) | {"p": float(found.pvalue)}

    return call


@answers("wilson", "scipy", "binomtest, Wilson", "closed")
def scipy_wilson(data: Data, n_boot: int) -> Call:
    from scipy import stats

    right = int(data["a"].sum())
    return lambda: interval(*stats.binomtest(right, data["a"].size).proportion_ci(LEVEL, "wilson"))


@answers("bh", "scipy", "false_discovery_control", "closed")
@answers("bh-few", "scipy", "false_discovery_control", "closed")
def scipy_bh(data: Data, n_boot: int) -> Call:
    from scipy import stats

    def call() -> Later:
        adjusted = stats.false_discovery_control(data["p"])
        return corrected(adjusted, adjusted)

    return call


# ---- statsmodels -----------------------------------------------------------------------------------------------------


@answers("pairs", "statsmodels", "mcnemar of each pair, multipletests", "closed")
def statsmodels_pairs(data: Data, n_boot: int) -> Call:
    from statsmodels.stats.contingency_tables import mcnemar
    from statsmodels.stats.multitest import multipletests

    def call() -> Later:
        p = []
        for a, b in itertools.combinations(data["board"], 2):
            square = np.array([[0, np.sum(a > b)], [np.sum(a < b), 0]])  # the exact test looks at these two alone
            p.append(mcnemar(square, exact=True).pvalue if square.any() else 1.0)
        return corrected(p, multipletests(p, method="fdr_bh")[1])

    return call


@answers("table", "statsmodels", "mcnemar", "closed")
def statsmodels_table(data: Data, n_boot: int) -> Call:
    from statsmodels.stats.contingency_tables import mcnemar

    only_a, only_b = both_ways(data)
    square = np.array([[0, only_a], [only_b, 0]])
    return lambda: {"p": float(mcnemar(square, exact=True).pvalue)}


@answers("wilson", "statsmodels", "proportion_confint", "closed")
def statsmodels_wilson(data: Data, n_boot: int) -> Call:
    from statsmodels.stats.proportion import proportion_confint

    right = int(data["a"].sum())
    return lambda: interval(*proportion_confint(right, data["a"].size, ALPHA, method="wilson"))


@answers("agree", "statsmodels", "to_table, cohens_kappa", "closed")
def statsmodels_agreement(data: Data, n_boot: int) -> Call:
    from statsmodels.stats.inter_rater import cohens_kappa, to_table

    def call() -> Answer:
        found = cohens_kappa(to_table(np.column_stack([data["a"], data["b"]]), data["kinds"])[0])
        return interval(found.kappa_low, found.kappa_upp)

    return call


def statsmodels_correction(method: str) -> Prepare:
    def prepare(data: Data, n_boot: int) -> Call:
        from statsmodels.stats.multitest import multipletests

        def call() -> Later:
            adjusted = multipletests(data["p"], method=method)[1]
            return corrected(adjusted, adjusted)

        return call

    return prepare


answers("holm", "statsmodels", "multipletests", "closed", note="collects garbage")(statsmodels_correction("holm"))
answers("bh", "statsmodels", "multipletests", "closed")(statsmodels_correction("fdr_bh"))
answers("bh-few", "statsmodels", "multipletests", "closed")(statsmodels_correction("fdr_bh"))


# ---- arch ------------------------------------------------------------------------------------------------------------


def arch_ends(statistic: Callable[..., Any], *samples: np.ndarray, n_boot: int, method: str = "percentile") -> Answer:
    from arch.bootstrap import IIDBootstrap

    low, high = IIDBootstrap(*samples, seed=0).conf_int(statistic, reps=n_boot, method=method, size=LEVEL)
    return interval(low.item(), high.item())


@answers("mean", "arch", "IIDBootstrap", "bootstrap")
@answers("large", "arch", "IIDBootstrap", "bootstrap", n_boot=200)
def arch_mean(data: Data, n_boot: int) -> Call:
    return lambda: arch_ends(np.mean, data["a"], n_boot=n_boot)


@answers("clusters", "arch", "IIDBootstrap of sums and sizes", "bootstrap", note="sums and sizes by hand")
@answers("crowd", "arch", "IIDBootstrap of sums and sizes", "bootstrap", note="sums and sizes by hand", n_boot=10)
def arch_cluster_mean(data: Data, n_boot: int) -> Call:
    return lambda: arch_ends(ratio, *sums_and_sizes(data), n_boot=n_boot)


@answers("pair", "arch", "IIDBootstrap of differences", "bootstrap")
def arch_pair(data: Data, n_boot: int) -> Call:
    return lambda: arch_ends(np.mean, data["a"] - data["b"], n_boot=n_boot)


@answers("f1", "arch", "IIDBootstrap, F1 in numpy", "bootstrap", n_boot=5)
def arch_f1(data: Data, n_boot: int) -> Call:
    return lambda: arch_ends(share_f1, data["truth"], data["found"], n_boot=n_boot)


@answers("kappa", "arch", "IIDBootstrap, κ in numpy", "bootstrap", n_boot=5)
@answers("passes", "arch", "IIDBootstrap, κ in numpy", "bootstrap", n_boot=5)
def arch_kappa(data: Data, n_boot: int) -> Call:
    return lambda: arch_ends(share_kappa(data["kinds"]), data["a"], data["b"], n_boot=n_boot)


@answers("bca", "arch", "IIDBootstrap, BCa", "bootstrap")
def arch_bca(data: Data, n_boot: int) -> Call:
    return lambda: arch_ends(np.mean, data["a"], n_boot=n_boot, method="bca")


# ---- errorbars -------------------------------------------------------------------------------------------------------


@answers("mean", "errorbars", "bootstrap_ci", "bootstrap")
@answers("large", "errorbars", "bootstrap_ci", "bootstrap", n_boot=200)
def errorbars_mean(data: Data, n_boot: int) -> Call:
    from errorbars import bootstrap_ci

    def call() -> Answer:
        found = bootstrap_ci(data["a"], LEVEL, n_boot)
        return interval(found.ci_low, found.ci_high)

    return call


@answers("pair", "errorbars", "bootstrap_ci of differences", "bootstrap")
def errorbars_pair(data: Data, n_boot: int) -> Call:
    from errorbars import bootstrap_ci

    def call() -> Answer:
        found = bootstrap_ci(data["a"] - data["b"], LEVEL, n_boot)
        return interval(found.ci_low, found.ci_high)

    return call


@answers("pairs", "errorbars", "mcnemar_exact of each pair, holm_correction", "other", note="Holm, it has no BH")
def errorbars_pairs(data: Data, n_boot: int) -> Call:
    from errorbars.compare import mcnemar_exact
    from errorbars.leaderboard import holm_correction

    def call() -> Answer:
        p = [mcnemar_exact(a, b).p_value for a, b in itertools.combinations(data["board"], 2)]
        holm_correction(p)
        return {"sum": float(np.sum(p))}

    return call


@answers("mcnemar", "errorbars", "mcnemar_exact", "closed")
def errorbars_mcnemar(data: Data, n_boot: int) -> Call:
    from errorbars.compare import mcnemar_exact

    return lambda: {"p": mcnemar_exact(data["a"], data["b"]).p_value}


@answers("t", "errorbars", "paired_compare", "closed", note="and McNemar")
def errorbars_t(data: Data, n_boot: int) -> Call:
    from errorbars.compare import paired_compare

    def call() -> Answer:
        found = paired_compare(data["a"], data["b"])
        return interval(found.ci_low, found.ci_high) | {"p": found.p_value}

    return call


@answers("wilson", "errorbars", "wilson_ci", "closed")
def errorbars_wilson(data: Data, n_boot: int) -> Call:
    from errorbars import wilson_ci

    right = int(data["a"].sum())

    def call() -> Answer:
        found = wilson_ci(right, data["a"].size, LEVEL)
        return interval(found.ci_low, found.ci_high)

    return call


@answers("holm", "errorbars", "holm_correction", "closed")
def errorbars_holm(data: Data, n_boot: int) -> Call:
    from errorbars.leaderboard import holm_correction

    p = data["p"].tolist()

    def call() -> Later:
        adjusted = holm_correction(p)
        return corrected(adjusted, adjusted)

    return call


# ---- truescore -------------------------------------------------------------------------------------------------------


def truescore_ends(n_boot: int, a: np.ndarray, b: np.ndarray, clusters: np.ndarray | None = None) -> Answer:
    from truescore import paired_bootstrap

    found = paired_bootstrap(a, b, n_bootstrap=n_boot, clusters=clusters)
    return interval(found.low, found.high)


@answers("clusters", "truescore", "paired_bootstrap, clusters", "bootstrap", note="against zeros")
@answers("crowd", "truescore", "paired_bootstrap, clusters", "bootstrap", note="against zeros", n_boot=50)
def truescore_clusters(data: Data, n_boot: int) -> Call:
    zeros = np.zeros_like(data["scores"])
    return lambda: truescore_ends(n_boot, data["scores"], zeros, data["groups"])


@answers("pair", "truescore", "paired_bootstrap", "bootstrap")
def truescore_pair(data: Data, n_boot: int) -> Call:
    return lambda: truescore_ends(n_boot, data["a"], data["b"])


@answers("passes", "truescore", "judge_agreement", "bootstrap", note="and AC1", n_boot=5)
def truescore_kappa(data: Data, n_boot: int) -> Call:
    from truescore import judge_agreement

    def call() -> Answer:
        found = judge_agreement(data["a"], data["b"], n_bootstrap=n_boot).cohen_kappa
        return interval(found.low, found.high)

    return call


@answers("pairs", "truescore", "mcnemar of each pair, benjamini_hochberg", "closed")
def truescore_pairs(data: Data, n_boot: int) -> Call:
    from truescore import benjamini_hochberg, mcnemar

    def call() -> Later:
        p = [mcnemar(a, b, midp=False).p_value for a, b in itertools.combinations(data["board"], 2)]
        return corrected(p, benjamini_hochberg(p))

    return call


@answers("mcnemar", "truescore", "mcnemar", "closed")
def truescore_mcnemar(data: Data, n_boot: int) -> Call:
    from truescore import mcnemar

    return lambda: {"p": mcnemar(data["a"], data["b"], midp=False).p_value}


@answers("wilson", "truescore", "wilson_interval", "closed")
def truescore_wilson(data: Data, n_boot: int) -> Call:
    from truescore import wilson_interval

    right = int(data["a"].sum())

    def call() -> Answer:
        found = wilson_interval(right, data["a"].size)
        return interval(found.low, found.high)

    return call


def truescore_correction(name: str) -> Prepare:
    def prepare(data: Data, n_boot: int) -> Call:
        import truescore

        correct = getattr(truescore, name)

        def call() -> Later:
            adjusted = correct(data["p"])
            return corrected(adjusted, adjusted)

        return call

    return prepare


answers("holm", "truescore", "holm", "closed")(truescore_correction("holm"))
answers("bh", "truescore", "benjamini_hochberg", "closed")(truescore_correction("benjamini_hochberg"))
answers("bh-few", "truescore", "benjamini_hochberg", "closed")(truescore_correction("benjamini_hochberg"))


# ---- honestboard -----------------------------------------------------------------------------------------------------


def board_of(data: Data) -> Any:
    from honestboard import Board

    return Board([f"system {number}" for number in range(len(data["board"]))], data["board"])


@answers("pair", "honestboard", "Board.compare", "bootstrap", note="and McNemar")
def honestboard_pair(data: Data, n_boot: int) -> Call:
    def call() -> Answer:
        board = board_of({"board": np.array([data["a"], data["b"]])})
        return interval(*board.compare(1, 0, B=n_boot)["ci"])

    return call


@answers("ranks", "honestboard", "rank_summary", "other", note="percentiles of resampled ranks, as the limit")
def honestboard_ranks(data: Data, n_boot: int) -> Call:
    middle = f"system {len(data['board']) // 2}"

    def call() -> Answer:
        found = next(row for row in board_of(data).rank_summary(B=n_boot) if row["name"] == middle)
        return {"rank_low": found["rank_lo"], "rank_high": found["rank_hi"]}

    return call


@answers("ranks", "honestboard", "confidence_set_best", "bootstrap", note="simultaneous; the set alone", n_boot=5)
def honestboard_best(data: Data, n_boot: int) -> Call:
    def call() -> Answer:
        found = board_of(data).confidence_set_best(ALPHA, B=n_boot, method="simultaneous")
        return {"critical": found["critical_value"]}

    return call


# ---- inspect-ai ------------------------------------------------------------------------------------------------------


def inspect_scores(scores: np.ndarray, groups: np.ndarray | None = None) -> list[Any]:
    from inspect_ai.scorer import SampleScore, Score

    if groups is None:
        return [SampleScore(score=Score(value=value)) for value in scores.tolist()]
    rows = zip(scores.tolist(), groups.tolist(), strict=True)
    return [SampleScore(score=Score(value=value), sample_metadata={"group": group}) for value, group in rows]


def inspect_ends(scores: list[Any], n_boot: int, cluster: str | None = None) -> Answer:
    from inspect_ai.scorer import ci

    np.random.seed(0)  # noqa: NPY002  (it draws from numpy's global state)
    found: Any = ci(LEVEL, "bootstrap", num_samples=n_boot, cluster=cluster)(scores)
    return interval(found["lower"], found["upper"])


@answers("mean", "inspect-ai", "ci, bootstrap", "bootstrap")
@answers("large", "inspect-ai", "ci, bootstrap", "bootstrap", n=10, n_boot=20)
def inspect_mean(data: Data, n_boot: int) -> Call:
    scores = inspect_scores(data["a"])
    return lambda: inspect_ends(scores, n_boot)


@answers("clusters", "inspect-ai", "ci, bootstrap, cluster", "bootstrap", n_boot=5)
@answers("crowd", "inspect-ai", "ci, bootstrap, cluster", "bootstrap", n_boot=200)
def inspect_clusters(data: Data, n_boot: int) -> Call:
    scores = inspect_scores(data["scores"], data["groups"])
    return lambda: inspect_ends(scores, n_boot, "group")


@answers("wilson", "inspect-ai", "ci_wilson", "closed", note="counts one score after another")
def inspect_wilson(data: Data, n_boot: int) -> Call:
    from inspect_ai.scorer import ci_wilson

    scores = inspect_scores(data["a"])

    def call() -> Answer:
        found: Any = ci_wilson(LEVEL)(scores)
        return interval(found["lower"], found["upper"])

    return call
