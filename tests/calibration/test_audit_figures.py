"""Figures that an independent audit of the sources found, found again with this library; run with `make slow`.

Enumerations are compared to the printed digits, simulations within four Monte Carlo standard errors of ours and theirs.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

import evalstats as es

pytestmark = pytest.mark.slow


def near(value: float, digits: float, printed: int = 3) -> None:
    """Equal to the printed number of decimals; half a unit more, for a figure rounded twice."""
    assert value == pytest.approx(digits, abs=1.01 * 10**-printed)


def marks(k: int, n: int) -> list[int]:
    return [1] * k + [0] * (n - k)


def limits(interval: Callable[[int, int], es.Estimate], n: int) -> tuple[np.ndarray, np.ndarray]:
    low, high = np.array([[one.ci_low, one.ci_high] for one in (interval(k, n) for k in range(n + 1))]).T
    return low, high


def coverage(ends: tuple[np.ndarray, np.ndarray], p: np.ndarray | float) -> np.ndarray:
    """The chance of all counts whose interval holds p, for each p."""
    low, high = ends
    truths = np.atleast_1d(np.asarray(p, dtype=float))
    n = low.size - 1
    held = (low[None, :] <= truths[:, None]) & (truths[:, None] <= high[None, :])
    return (stats.binom.pmf(np.arange(n + 1)[None, :], n, truths[:, None]) * held).sum(axis=1)


# --- E03, E05: percentile, BCa and Wilson intervals of one accuracy --------------------------------------------------


def ideal(k: int, n: int) -> es.Estimate:
    return es.ideal_bootstrap_mean(marks(k, n))


def bca(k: int, n: int) -> es.Estimate:
    """BCa is undefined for constant data; the audit took its percentile interval there, without width."""
    return ideal(k, n) if k in (0, n) else es.bca_mean(marks(k, n), n_boot=100_000)


@pytest.mark.parametrize(
    ("n", "p", "percentile", "wilson"),
    [
        (20, 0.7, 94.7, 97.5),
        (20, 0.85, 95.5, 97.8),
        (20, 0.95, 63.9, 92.5),
        (40, 0.7, 96.1, 94.4),
        (40, 0.85, 93.9, 95.8),
        (40, 0.95, 86.8, 95.2),
        (200, 0.95, 96.8, 96.7),
        (200, 0.99, 86.5, 94.8),
    ],
)
def test_percentile_and_wilson(n: int, p: float, percentile: float, wilson: float) -> None:
    near(100 * coverage(limits(ideal, n), p)[0], percentile, 1)
    near(100 * coverage(limits(es.wilson_interval, n), p)[0], wilson, 1)


@pytest.mark.parametrize(
    ("n", "p", "found"),
    [
        (10, 0.85, 79.3),
        (20, 0.95, 63.9),
        (40, 0.95, 86.8),
        (10, 0.5, 99.8),
        (20, 0.85, 95.5),
        (40, 0.5, 96.2),
        (40, 0.99, 32.4),
        (100, 0.99, 63.1),
        (200, 0.99, 86.2),
    ],
)
def test_bca_is_no_better_near_the_ends(n: int, p: float, found: float) -> None:
    near(100 * coverage(limits(bca, n), p)[0], found, 1)


@pytest.mark.parametrize("n", [20, 40, 100, 200, 1000])
def test_the_dip_of_wilson_near_the_ends(n: int) -> None:
    ends = limits(es.wilson_interval, n)
    dip = coverage(ends, np.linspace(0.15, 0.25, 2001) / n).min()
    assert 0.8345 <= dip <= 0.8385


@pytest.mark.parametrize(
    ("n", "wald", "wilson"), [(40, 0.908, 0.930), (100, 0.909, 0.933), (200, 0.904, 0.934), (1000, 0.906, 0.9375)]
)
def test_the_rule_of_ten(n: int, wald: float, wilson: float) -> None:
    """Where np and n(1 - p) exceed 10 (E67); the grid is finer than any step of the count."""
    p = np.linspace(10 / n, 1 - 10 / n, 40_001)[1:-1]
    near(coverage(limits(es.wald_interval, n), p).min(), wald)
    near(coverage(limits(es.wilson_interval, n), p).min(), wilson)


@pytest.mark.parametrize(("n", "worst"), [(20, 0.916), (40, 0.919), (100, 0.926), (200, 0.925)])
def test_the_rule_of_ten_used_on_the_sample(n: int, worst: float) -> None:
    def interval(k: int, total: int) -> es.Estimate:
        return (es.wald_interval if min(k, total - k) > 10 else es.wilson_interval)(k, total)

    near(coverage(limits(interval, n), np.linspace(0.05, 0.95, 36_001)).min(), worst)


# --- E09: completions are not items ----------------------------------------------------------------------------------


def pooled_size(icc: float, own: bool, repeats: int = 2000) -> float:
    """How often uncorrected McNemar on 100 items x 5 completions, pooled, rejects for two equal systems."""
    rng, strength, hits = np.random.default_rng(9), (1 - icc) / icc, 0
    for _ in range(repeats):
        chance = rng.beta(strength / 2, strength / 2, size=(2, 100))
        a, b = (np.repeat(chance[i if own else 0], 5) for i in (0, 1))
        right_a, right_b = rng.random(500) < a, rng.random(500) < b
        hits += es.mcnemar_uncorrected(right_a.astype(int), right_b.astype(int)).pvalue <= 0.05
    return hits / repeats


@pytest.mark.parametrize(("icc", "found"), [(0.05, 0.066), (0.1, 0.091), (0.2, 0.134), (0.5, 0.236)])
def test_pooled_completions(icc: float, found: float) -> None:
    """Chances of the two systems drawn independently on every item; with one chance for both nothing is wrong."""
    assert pooled_size(icc, own=True) == pytest.approx(found, abs=4 * math.sqrt(2 * found * (1 - found) / 2000))
    assert pooled_size(icc, own=False) <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / 2000)


# --- E43, E59 and the power of the exact test ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("delta", "psi", "asymptotic", "power", "exact"),
    [(0.03, 0.10, 870, 0.776, 920), (0.03, 0.25, 2178, 0.789, 2238), (0.01, 0.07, 5492, 0.787, 5665)],
)
def test_exact_mcnemar_needs_more(delta: float, psi: float, asymptotic: int, power: float, exact: int) -> None:
    assert es.required_n_mcnemar(delta, psi) == asymptotic
    near(float(es.power_mcnemar_exact(asymptotic, delta, psi)), power)
    assert es.required_n_mcnemar_exact(delta, psi) == exact


@pytest.mark.parametrize(("psi", "power"), [(0.15, 0.954), (0.25, 0.773), (0.35, 0.618), (0.40, 0.555)])
def test_power_hangs_on_the_discordance(psi: float, power: float) -> None:
    near(float(es.power_mcnemar_exact(194, 0.1, psi)), power)


# --- E44, E55, E57: minimum detectable effects of two separate sets --------------------------------------------------


@pytest.mark.parametrize(
    ("n", "accuracy", "up", "down"),
    [
        (40, 0.82, 0.174, -0.279),
        (40, 0.85, None, -0.270),
        (100, 0.85, 0.113, -0.164),
        (500, 0.85, 0.058, -0.068),
        (1000, 0.85, 0.0419, -0.0474),
    ],
)
def test_smallest_gap_of_two_sets(n: int, accuracy: float, up: float | None, down: float) -> None:
    found = es.minimum_detectable_effect_two_proportions(n, accuracy)
    assert (found.up is None) if up is None else found.up == pytest.approx(up, abs=5.1e-4)
    assert found.down == pytest.approx(down, abs=5.1e-4)


# --- E45: a gate on forty-nine items ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "fresh", "same"), [(3, 0.335, 0.244), (5, 0.239, 0.125), (10, 0.100, 0.021)])
def test_a_gate_of_points(points: int, fresh: float, same: float) -> None:
    threshold = (math.floor(points / 100 * 49) + 1) / 49  # the first attainable drop above so many points
    near(es.gate(49, 0.85, 0.1, threshold=threshold).extra["false_alarm"], fresh)
    near(es.gate(49, 0.85, 0.1, threshold=threshold, flip_rate=0.1).extra["false_alarm"], same)


def test_the_gate_that_lets_nothing_through_misses_half() -> None:
    """Above 10 points it misses a true drop from 85 to 75 in 46% of builds; the audit's page has the other 54%."""
    near(es.gate(49, 0.85, 0.1, threshold=5 / 49).extra["miss"], 0.46, 2)


# --- E47, E65: the percentile bootstrap of a difference --------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "psi", "size"), [(40, 0.05, 0.014), (40, 0.1, 0.043), (40, 0.25, 0.043), (20, 0.2, 0.044)]
)
def test_percentile_of_a_difference_rejects(n: int, psi: float, size: float) -> None:
    """Zero lies outside: the least count below 0, or above, is rarer than 1 in 40."""
    total = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            chance = stats.multinomial.pmf([b, c, n - b - c], n, [psi / 2, psi / 2, 1 - psi])
            if chance > 1e-7 and b != c:
                answer = es.ideal_bootstrap_paired_diff([1] * b + [0] * (n - b), [0] * b + [1] * c + [0] * (n - b - c))
                total += chance * (answer.ci_low > 0 or answer.ci_high < 0)
    near(total, size)


def test_the_share_of_resamples_that_flip_sign() -> None:
    """P(difference below 0) = .0066 and P(0) = .0026 among resamples of 45 against 25 in a thousand."""
    c = np.arange(200)
    of_c = stats.binom.pmf(c, 1000, 0.025)
    gain = [stats.binom.cdf([k - 1, k], 1000 - k, 0.045 / 0.975) for k in c]
    below, at_most = (float(of_c @ np.array(gain)[:, column]) for column in (0, 1))
    near(below, 0.0066, 4)
    near(at_most - below, 0.0026, 4)
    a, b = [1] * 45 + [0] * 955, [0] * 45 + [1] * 25 + [0] * 930
    replicates_below = es.bootstrap_paired_diff(a, b, n_boot=400_000, level=1 - 2 * at_most)
    assert replicates_below.ci_low == pytest.approx(0, abs=0.0011)  # the quantile at that share sits on 0


# --- E30, E64: unpaired tests of paired data -------------------------------------------------------------------------


def paired_rejections(cells: tuple[float, ...], repeats: int = 20_000) -> tuple[float, float]:
    """How often the unpaired z and exact McNemar reject, of tables of 1,000 items."""
    tables, counts = np.unique(
        np.random.default_rng(3).multinomial(1000, cells, size=repeats), axis=0, return_counts=True
    )
    z = exact = 0
    for (both, b, c, _), count in zip(tables.tolist(), counts.tolist(), strict=True):
        z += count * (es.unpaired_z_unpooled(both + b, 1000, both + c, 1000).pvalue <= 0.05)
        exact += count * (es.mcnemar_exact(es.PairedTable(both, b, c, 1000 - both - b - c)).pvalue <= 0.05)
    return z / repeats, exact / repeats


@pytest.mark.parametrize(
    ("cells", "z", "exact"),
    [
        ((0.81, 0.045, 0.025, 0.12), 0.0806, 0.631),
        ((0.81, 0.035, 0.035, 0.12), 0.00016, None),
        ((0.70, 0.15, 0.15, 0.0), 0.071, None),
    ],
)
def test_unpaired_z_on_paired_data(cells: tuple[float, ...], z: float, exact: float | None) -> None:
    found = paired_rejections(cells)
    assert found[0] == pytest.approx(z, abs=4 * math.sqrt(z / 20_000))
    if exact is not None:
        assert found[1] == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 20_000))


# --- E73: what a false discovery rate is not -------------------------------------------------------------------------


def test_screens_with_many_false_wins() -> None:
    rng, repeats, shares = np.random.default_rng(73), 10_000, []
    for _ in range(repeats):
        z = rng.normal(size=20)
        z[:3] += 3
        rejected = np.array(es.benjamini_hochberg((2 * stats.norm.sf(np.abs(z))).tolist())["reject"])
        shares.append(rejected[3:].sum() / max(rejected.sum(), 1))
    many = float((np.array(shares) >= 0.25).mean())
    assert many == pytest.approx(0.118, abs=4 * math.sqrt(0.118 * 0.882 / repeats))
    assert np.mean(shares) == pytest.approx(0.0425, abs=4 * float(np.std(shares)) / math.sqrt(repeats))


# --- E85: eight equal models -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("interval", "disjoint"), [(es.wald_interval, 0.1073), (es.wilson_interval, 0.1003)])
def test_some_pair_of_bars_is_disjoint(interval: Callable[[int, int], es.Estimate], disjoint: float) -> None:
    low, high = limits(interval, 500)
    drawn = np.random.default_rng(85).binomial(500, 0.85, size=(100_000, 8))
    found = float((low[drawn].max(axis=1) > high[drawn].min(axis=1)).mean())
    assert found == pytest.approx(disjoint, abs=4 * math.sqrt(disjoint * (1 - disjoint) / 100_000))
    scores = 100 * drawn / 500
    assert (scores.max(axis=1) - scores.min(axis=1)).mean() == pytest.approx(4.54, abs=0.02)
    assert (scores.max(axis=1) - 85).mean() == pytest.approx(2.24, abs=0.02)
