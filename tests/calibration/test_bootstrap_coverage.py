"""How often bootstrap intervals cover: the simulations behind the warnings, with their Monte Carlo errors.

Minutes of computing: `make slow` runs them.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from evalstats import bca_mean, bootstrap_mean, bootstrap_paired_diff
from evalstats.bootstrap import FEW_OF_A_KIND, FEW_UNITS

pytestmark = pytest.mark.slow


def band(coverage: float, trials: int, others: int = 10**9) -> float:
    """Four standard errors of the difference between a share of `trials` and one of `others`."""
    return 4 * math.sqrt(coverage * (1 - coverage) * (1 / trials + 1 / others))


@pytest.mark.parametrize(
    ("clusters", "icc", "coverage"),
    [(10, 0.5, 0.907), (20, 0.5, 0.934), (50, 0.5, 0.948), (200, 0.5, 0.949), (10, 0.2, 0.915), (50, 0.2, 0.951)],
)
def test_cluster_percentile_covers_as_the_audit_found(clusters: int, icc: float, coverage: float) -> None:
    """Items with Beta difficulty of mean .7, five completions each; the audit ran 4000 evals of each kind."""
    rng = np.random.default_rng(clusters)
    weight = 1 / icc - 1
    items = np.repeat(np.arange(clusters), 5)
    trials, covered = 4000, 0
    for trial in range(trials):
        right = rng.binomial(1, rng.beta(0.7 * weight, 0.3 * weight, clusters)[items])
        answer = bootstrap_mean(right, groups=items, n_boot=1000, seed=trial)
        covered += answer.ci_low <= 0.7 <= answer.ci_high
    assert covered / trials == pytest.approx(coverage, abs=band(coverage, trials, 4000))


@pytest.mark.parametrize("function", [bootstrap_mean, bca_mean])
def test_few_units_give_too_narrow_intervals(function: object) -> None:
    """Normal scores: below FEW_UNITS the shortfall passes two points, at five times as many it is gone."""
    assert callable(function)
    rng = np.random.default_rng(5)
    shares = {}
    for n in (8, FEW_UNITS, 5 * FEW_UNITS):
        answers = [function(rng.normal(size=n), n_boot=1000, seed=trial) for trial in range(3000)]
        shares[n] = np.mean([answer.ci_low <= 0 <= answer.ci_high for answer in answers])
    assert shares[8] < 0.93 - band(0.93, 3000) / 2
    assert 0.915 < shares[FEW_UNITS] < 0.95
    assert shares[5 * FEW_UNITS] == pytest.approx(0.945, abs=band(0.945, 3000))


def ideal_coverage(n: int, p: float) -> float:
    """Of the percentile interval with infinitely many replicates, by visiting every number right."""
    right = np.arange(n + 1)
    low, high = stats.binom.ppf([[0.025], [0.975]], n, right / n) / n
    low[[0, n]] = high[[0, n]] = [0, 1]
    return float(stats.binom.pmf(right, n, p)[(low <= p) & (p <= high)].sum())


def test_few_of_a_kind_is_where_coverage_falls() -> None:
    """Worst coverage over p: above .90 where FEW_OF_A_KIND wrong answers are expected, below it at half as many."""
    for n in (40, 100, 200):
        worst = {}
        for fewest in (FEW_OF_A_KIND, FEW_OF_A_KIND / 2):
            grid = np.linspace(0.5, 1 - fewest / n, 400)
            worst[fewest] = min(ideal_coverage(n, p) for p in grid)
        assert worst[FEW_OF_A_KIND / 2] < 0.90 < worst[FEW_OF_A_KIND]


# E[min(X + .2, 1)] - E[X] for X ~ Beta(2, 2): what the second kind gains on average.
RISE = float(stats.beta(2, 2).expect(lambda x: np.minimum(x + 0.2, 1.0)) - 0.5)


def test_stratified_pairs_cover() -> None:
    """Two fixed kinds of 30 clusters each, and a difference that varies with the cluster; 3000 evals."""
    rng = np.random.default_rng(8)
    groups, strata = np.arange(240) // 4, np.arange(240) // 120
    covered = 0
    for trial in range(3000):
        base = rng.beta(2, 2, 60)[groups]
        a, b = rng.binomial(1, np.clip(base + 0.2 * strata, 0, 1)), rng.binomial(1, base)
        answer = bootstrap_paired_diff(a, b, groups=groups, strata=strata, n_boot=1000, seed=trial)
        covered += answer.ci_low <= RISE / 2 <= answer.ci_high
    assert covered / 3000 == pytest.approx(0.945, abs=band(0.945, 3000) + 0.005)
