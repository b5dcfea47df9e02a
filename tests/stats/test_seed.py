"""The four tests printed in the first source document, unchanged, and beside each one that could really fail.

The printed coverage test passes three times in four when the true coverage is .91, the printed McNemar test computes
the same formula twice, the printed correction test looks at one list, and the printed power test compares constants.
"""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

import evalstats as es


def test_bootstrap_coverage():
    """A 95% CI should cover the true mean ~95% of the time (Eq. 7.4)."""
    rng = np.random.default_rng(0)
    p_true = 0.7
    covered = 0
    trials = 300
    for t in range(trials):
        x = rng.binomial(1, p_true, size=200)
        e = es.bootstrap_mean(x, n_boot=2000, seed=t)
        if e.ci_low <= p_true <= e.ci_high:
            covered += 1
    assert 0.90 <= covered / trials <= 0.99  # loose band for a fast test


def test_mcnemar_matches_scipy():
    from scipy import stats

    rng = np.random.default_rng(1)
    a = rng.binomial(1, 0.75, 400)
    b = rng.binomial(1, 0.68, 400)
    r = es.mcnemar(a, b, exact=True)
    # discordant-only exact test agrees with a hand binomial
    disc = r.extra["b"] + r.extra["c"]
    p = stats.binomtest(min(r.extra["b"], r.extra["c"]), disc, 0.5).pvalue
    assert abs(r.pvalue - p) < 1e-9


def test_bh_monotone_and_bonferroni_bound():
    p = [0.001, 0.01, 0.03, 0.2, 0.5]
    bh = es.benjamini_hochberg(p, q=0.05)
    bf = es.bonferroni(p, alpha=0.05)
    assert sum(bh["reject"]) >= sum(bf["reject"])  # BH at least as powerful


def test_power_numbers_match_chapter():
    # The three numbers Chapter 3.9 consumes (psi = 0.25).
    assert es.required_n_mcnemar(0.10, 0.25) == 194
    assert es.required_n_mcnemar(0.08, 0.25) == 305
    assert es.required_n_mcnemar(0.05, 0.25) == 783


# Beside them


@pytest.mark.parametrize(
    ("n", "p", "coverage"),
    [(20, 0.7, 0.947), (20, 0.85, 0.955), (20, 0.95, 0.639), (40, 0.85, 0.939), (40, 0.95, 0.868), (10, 0.95, 0.400)],
)
def test_coverage_by_visiting_every_outcome(n: int, p: float, coverage: float) -> None:
    """One interval for each possible number of right answers, weighted by its probability: no trial, no band.

    The interval's own replicates leave a Monte Carlo error only where a quantile sits on the edge of two counts.
    The reference values are the audit's, from binomial quantiles (infinitely many replicates).
    """
    right = np.arange(n + 1)
    intervals = [es.bootstrap_mean([1] * k + [0] * (n - k), n_boot=100_000) for k in right]
    covers = np.array([interval.ci_low <= p <= interval.ci_high for interval in intervals])
    assert stats.binom.pmf(right, n, p)[covers].sum() == pytest.approx(coverage, abs=0.001)


def coverage_over_clusters(interval: Callable[[np.ndarray, np.ndarray, int], es.Estimate], trials: int) -> float:
    """Share of `trials` in which the interval covers a mean of .7: 20 items, 5 completions each, ICC .5."""
    rng = np.random.default_rng(20261130)
    items = np.repeat(np.arange(20), 5)
    covered = 0
    for trial in range(trials):
        difficulty = rng.beta(0.7, 0.3, size=20)
        right = rng.binomial(1, difficulty[items])
        answer = interval(right, items, trial)
        covered += answer.ci_low <= 0.7 <= answer.ci_high
    return covered / trials


def test_coverage_with_clusters() -> None:
    """Drawing clusters covers 93.4% and drawing completions 74.0% (the audit, SE .4 and .25 points).

    With 600 trials the Monte Carlo standard errors are 1.0 and 1.8 points; the bands are four of them.
    """
    clustered = coverage_over_clusters(lambda x, g, t: es.bootstrap_mean(x, groups=g, n_boot=1000, seed=t), 600)
    ignored = coverage_over_clusters(lambda x, g, t: es.bootstrap_mean(x, n_boot=1000, seed=t), 600)
    assert clustered == pytest.approx(0.934, abs=0.041)
    assert ignored == pytest.approx(0.740, abs=0.072)


@pytest.mark.parametrize(("b", "c"), [(45, 25), (25, 45), (3, 0), (6, 0), (10, 10), (0, 1), (17, 30)])
def test_mcnemar_by_hand_and_statsmodels(b: int, c: int) -> None:
    """The exact p-value from whole numbers, 2 sum of C(D, k) over 2^D, and another package's."""
    a_right = [1] * 810 + [1] * b + [0] * c + [0] * 120
    b_right = [1] * 810 + [0] * b + [1] * c + [0] * 120
    by_hand = 2 * sum(math.comb(b + c, k) for k in range(min(b, c) + 1)) / 2 ** (b + c)
    answer = es.mcnemar(a_right, b_right)
    assert answer.pvalue == pytest.approx(min(1, by_hand), rel=1e-12)
    assert answer.pvalue == pytest.approx(statsmodels_mcnemar([[810, b], [c, 120]], exact=True).pvalue, rel=1e-9)
    assert answer.effect == pytest.approx((b - c) / (930 + b + c))


def test_mcnemar_of_the_chapter() -> None:
    a_right = [1] * 810 + [1] * 45 + [0] * 25 + [0] * 120
    b_right = [1] * 810 + [0] * 45 + [1] * 25 + [0] * 120
    assert round(es.mcnemar(a_right, b_right).pvalue, 7) == 0.0224629
    assert round(es.mcnemar(a_right, b_right, exact=False).statistic, 3) == 5.157


@pytest.mark.parametrize("seed", range(20))
def test_corrections_on_random_p_values(seed: int) -> None:
    """BH rejects all that Bonferroni rejects, adjusted values rise with p, and statsmodels agrees on both."""
    rng = np.random.default_rng(seed)
    p = rng.uniform(size=rng.integers(1, 40)) ** rng.uniform(1, 4)
    bh, bonferroni = es.benjamini_hochberg(p), es.bonferroni(p)
    assert all(by_bh for by_bh, by_bonferroni in zip(bh.reject, bonferroni.reject, strict=True) if by_bonferroni)
    assert (np.diff(np.array(bh.adjusted)[np.argsort(p)]) >= 0).all()
    for ours, method in ((bh, "fdr_bh"), (bonferroni, "bonferroni")):
        reject, adjusted, _, _ = multipletests(p, alpha=0.05, method=method)
        np.testing.assert_allclose(ours.adjusted, adjusted, rtol=1e-12)
        assert ours["reject"] == reject.tolist()


def power_over_all_tables(n: int, delta: float, psi: float) -> float:
    """The power of exact McNemar by visiting every pair (b, c), with its multinomial probability."""
    b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    possible = b + c <= n
    b, c = b[possible], c[possible]
    wins, losses = (psi + delta) / 2, (psi - delta) / 2
    probability = stats.multinomial.pmf(np.column_stack([b, c, n - b - c]), n, [wins, losses, 1 - psi])
    p = 2 * stats.binom.cdf(np.minimum(b, c), b + c, 0.5)
    return float(probability[p <= 0.05].sum())


@pytest.mark.parametrize(("delta", "approximate", "exact"), [(0.10, 194, 207), (0.08, 305, 324), (0.05, 783, 817)])
def test_power_numbers_against_enumeration(delta: float, approximate: int, exact: int) -> None:
    """At 194/305/783 the exact test has less than 80% power; it takes 207/324/817, and one item less is too few."""
    assert es.required_n_mcnemar(delta, 0.25) == approximate
    assert es.required_n_mcnemar_exact(delta, 0.25) == exact
    assert power_over_all_tables(approximate, delta, 0.25) < 0.79
    assert power_over_all_tables(exact - 1, delta, 0.25) < 0.80 <= power_over_all_tables(exact, delta, 0.25)
