"""How often intervals of variances, of pass@k and of pilots hold the truth, by simulation; run with `make slow`.

Each table gives a generator and the share of intervals that must hold the truth; Monte Carlo errors stand beside the
bounds. Two broken intervals, chi-square for 0/1 answers and resampled items near the ceiling, are shown to fail.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from scipy import stats

from evalstats import (
    item_decode_components,
    item_pass_at_k,
    pass_at_k,
    pilot_required_n_mcnemar,
    pilot_required_n_paired_mean,
    required_n_mcnemar_exact,
    required_n_paired_mean,
    seed_decode_components,
    variance_components,
)
from evalstats.paired import PairedTable

pytestmark = pytest.mark.slow
REPEATS = 1000


def margin(share: float, repeats: int = REPEATS) -> float:
    return 4 * math.sqrt(share * (1 - share) / repeats)


def holds(one, truth: float) -> bool:
    return one.ci_low <= truth <= one.ci_high


# Variance components


@pytest.mark.parametrize(("n_seeds", "n_runs"), [(3, 5), (5, 2), (8, 6)])
@pytest.mark.parametrize("seed_variance", [0.0, 0.05, 0.36])
def test_seeds_and_runs(n_seeds: int, n_runs: int, seed_variance: float) -> None:
    """Normal seeds and runs of variance .16. With no seed noise the interval is one-sided, hence .975."""
    rng, hits = np.random.default_rng(1), np.zeros(2)
    for _ in range(REPEATS):
        runs = rng.normal(0, math.sqrt(seed_variance), (n_seeds, 1)) + rng.normal(0, 0.4, (n_seeds, n_runs))
        parts = seed_decode_components(runs)
        hits += [holds(parts["seed"], seed_variance), holds(parts["decode"], 0.16)]
    assert hits[0] / REPEATS > 0.95 - margin(0.95)
    assert hits[0] / REPEATS < 0.99 + margin(0.99)
    assert hits[1] / REPEATS == pytest.approx(0.95, abs=margin(0.95))


def test_seed_estimates_of_the_audit() -> None:
    """8 seeds x 6 runs: mean .36, sd .207, 95% range .066-.857; 3 x 5: negative in 7.8%."""
    rng = np.random.default_rng(2)

    def raw(n_seeds: int, n_runs: int, repeats: int) -> np.ndarray:
        found = []
        for _ in range(repeats):
            runs = rng.normal(0, 0.6, (n_seeds, 1)) + rng.normal(0, 0.4, (n_seeds, n_runs))
            found.append(seed_decode_components(runs)["seed"].extra["raw"])
        return np.array(found)

    eight = raw(8, 6, 4000)
    assert eight.mean() == pytest.approx(0.36, abs=4 * 0.207 / math.sqrt(4000))
    assert eight.std() == pytest.approx(0.207, abs=0.012)
    assert np.quantile(eight, [0.025, 0.975]) == pytest.approx([0.066, 0.857], abs=0.05)
    assert (raw(3, 5, 4000) < 0).mean() == pytest.approx(0.078, abs=margin(0.078, 4000))


@pytest.mark.parametrize(
    ("mean", "icc", "n_items", "n_decodes", "item", "decode"),
    [
        (0.4, 0.4, 20, 2, 0.94, 0.93),
        (0.4, 0.4, 50, 5, 0.94, 0.93),
        (0.85, 1 / 3, 50, 2, 0.93, 0.93),
        (0.85, 1 / 3, 300, 5, 0.94, 0.93),
        (0.95, 0.2, 300, 2, 0.92, 0.93),
        (0.95, 0.2, 50, 2, 0.78, 0.80),  # some three items differ from the rest: the result warns
    ],
)
def test_items_and_decodes(mean: float, icc: float, n_items: int, n_decodes: int, item: float, decode: float) -> None:
    """Beta chances, 0/1 answers. Chi-square limits for decoding, right for normal scores, miss far more often."""
    rng, concentration = np.random.default_rng(3), 1 / icc - 1
    between = mean * (1 - mean) * icc
    within, df = mean * (1 - mean) - between, n_items * (n_decodes - 1)
    hits, warned, kept = np.zeros(3), 0, 0
    while kept < REPEATS:
        chance = rng.beta(mean * concentration, (1 - mean) * concentration, n_items)
        scores = rng.random((n_items, n_decodes)) < chance[:, None]
        if scores.all():
            continue  # refused: there is nothing to estimate from
        kept += 1
        parts = item_decode_components(scores)
        square = parts["decode"].point
        naive = df * square / stats.chi2.ppf([0.975, 0.025], df)
        hits += [holds(parts["item"], between), holds(parts["decode"], within), naive[0] <= within <= naive[1]]
        warned += parts.mean.warning is not None
    shares = hits / REPEATS
    assert shares[0] > item - margin(item)
    assert shares[1] > decode - margin(decode)
    assert shares[2] < 0.93
    assert shares[2] < shares[1]
    assert (warned > 0.9 * REPEATS) == (item < 0.9)


def test_crossed_design() -> None:
    """6 seeds x 60 items x 3 decodes, 0/1 answers of a chance moved by seed, item and both; the mean's interval too."""
    rng, big = np.random.default_rng(4), np.random.default_rng(5)

    def chances(rng: np.random.Generator, n_seeds: int, n_items: int) -> np.ndarray:
        seeds, items = rng.normal(0, 0.05, (n_seeds, 1)), rng.choice([0.3, 0.5, 0.7], (1, n_items))
        return items + np.clip(seeds, -0.12, 0.12) + rng.uniform(-0.15, 0.15, (n_seeds, n_items))

    seed = float(np.clip(big.normal(0, 0.05, 2_000_000), -0.12, 0.12).var())
    item, both = 0.08 / 3, 0.09 / 12
    decode = 0.25 - (seed + item + both)  # mean .5: p(1-p) on average
    truth = {"seed": seed, "item": item, "seed_item": both, "decode": decode}
    hits = dict.fromkeys([*truth, "mean"], 0)
    for _ in range(REPEATS):
        parts = variance_components(rng.random((6, 60, 3)) < chances(rng, 6, 60)[:, :, None])
        for source, value in truth.items():
            hits[source] += holds(parts[source], value)
        hits["mean"] += holds(parts.mean, 0.5)
    for source, count in hits.items():
        assert 0.94 - margin(0.94) < count / REPEATS < 0.98 + margin(0.98), source


# pass@k


@pytest.mark.parametrize(
    ("a", "b", "samples", "k", "n_items", "resampled"),
    [
        (3, 1.5, 10, 5, 40, 0.80),
        (4, 0.3, 10, 5, 40, 0.42),
        (4, 1, 10, 10, 40, 0.04),
        (19.4, 0.6, 5, 3, 20, 0.04),
        (0.5, 0.5, 10, 3, 40, 0.93),
        (0.15, 2.85, 20, 10, 100, 0.94),
    ],
)
def test_pass_at_k_covers_where_resampling_items_does_not(
    a: float, b: float, samples: int, k: int, n_items: int, resampled: float
) -> None:
    """Chances are Beta(a, b). Ours never falls below .95; percentiles of resampled items cover what the table says."""
    rng = np.random.default_rng(6)
    lost = math.lgamma(b + k) + math.lgamma(a + b) - math.lgamma(b) - math.lgamma(a + b + k)
    truth = 1 - math.exp(lost)

    @cache
    def ours(counts: tuple[int, ...]) -> bool:
        return holds(pass_at_k(np.repeat(np.arange(samples + 1), counts), samples, k), truth)

    hits = np.zeros(2)
    for _ in range(REPEATS):
        right = rng.binomial(samples, rng.beta(a, b, n_items))
        means = rng.multinomial(n_items, np.full(n_items, 1 / n_items), size=300) @ item_pass_at_k(right, samples, k)
        low, high = np.quantile(means / n_items, [0.025, 0.975])
        hits += [ours(tuple(np.bincount(right, minlength=samples + 1).tolist())), low <= truth <= high]
    assert hits[0] / REPEATS > 0.95 - margin(0.95) / 2
    assert hits[1] / REPEATS == pytest.approx(resampled, abs=margin(max(resampled, 0.1)))


# Pilots


def test_the_range_of_a_pilot_holds_the_number_that_the_truth_needs() -> None:
    rng, hits = np.random.default_rng(7), np.zeros(3)
    groups = np.repeat(np.arange(25), 4)
    flips = float(required_n_mcnemar_exact(0.1, 0.25))
    mean = float(required_n_paired_mean(0.1, 0.5))
    clustered = float(required_n_paired_mean(0.1, 0.5, cluster_size=4, icc=0.3))
    for _ in range(300):
        table = PairedTable(*rng.multinomial(100, [0.6, 0.14, 0.11, 0.15]).tolist())
        normal = rng.normal(0, 0.5, 40)
        shared = rng.normal(0, 0.5 * math.sqrt(0.3), 25)[groups] + rng.normal(0, 0.5 * math.sqrt(0.7), 100)
        hits += [
            holds(pilot_required_n_mcnemar(table, delta=0.1), flips),
            holds(pilot_required_n_paired_mean(normal, np.zeros(40), delta=0.1), mean),
            holds(pilot_required_n_paired_mean(shared, np.zeros(100), groups, delta=0.1), clustered),
        ]
    assert (hits / 300 > 0.95 - margin(0.95, 300)).all(), hits / 300
