"""Sample sizes and power against R, statsmodels and enumeration; monotone; by simulation; what is refused."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import samplesize_proportions_2indep_onetail

from evalstats import (
    DetectableEffect,
    Estimate,
    PairedTable,
    Power,
    SampleSize,
    intraclass_correlation,
    mcnemar_corrected,
    mcnemar_exact,
    mcnemar_midp,
    mcnemar_uncorrected,
    minimum_detectable_effect,
    minimum_detectable_effect_two_proportions,
    pilot_required_n_mcnemar,
    pilot_required_n_paired_mean,
    power_equivalence,
    power_mcnemar_corrected,
    power_mcnemar_exact,
    power_mcnemar_midp,
    power_mcnemar_uncorrected,
    power_noninferiority,
    power_paired_mean,
    power_two_proportions,
    required_n_completions,
    required_n_equivalence,
    required_n_mcnemar,
    required_n_mcnemar_corrected,
    required_n_mcnemar_exact,
    required_n_mcnemar_midp,
    required_n_noninferiority,
    required_n_paired_mean,
    required_n_two_proportions,
)

REFERENCE = Path(__file__).parents[1] / "reference"
R = json.loads((REFERENCE / "bootstrap_power.json").read_text())
PLANS = json.loads((REFERENCE / "power.json").read_text())
POWERS = {
    "exact": power_mcnemar_exact,
    "midp": power_mcnemar_midp,
    "uncorrected": power_mcnemar_uncorrected,
    "corrected": power_mcnemar_corrected,
}
TESTS = {
    "exact": mcnemar_exact,
    "midp": mcnemar_midp,
    "uncorrected": mcnemar_uncorrected,
    "corrected": mcnemar_corrected,
}
REQUIRED = {
    "exact": required_n_mcnemar_exact,
    "midp": required_n_mcnemar_midp,
    "corrected": required_n_mcnemar_corrected,
}
every = pytest.mark.parametrize("form", POWERS)


# Reference values


def test_the_chapters_numbers() -> None:
    assert [int(required_n_mcnemar(delta, 0.25)) for delta in (0.10, 0.08, 0.05)] == [194, 305, 783]
    assert [int(required_n_mcnemar_exact(delta, 0.25)) for delta in (0.10, 0.08, 0.05)] == [207, 324, 817]
    assert [int(required_n_mcnemar_midp(delta, 0.25)) for delta in (0.10, 0.08, 0.05)] == [190, 302, 779]
    assert [int(required_n_mcnemar_corrected(delta, 0.25)) for delta in (0.10, 0.08, 0.05)] == [208, 325, 818]
    assert required_n_two_proportions(0.85, 0.86) == 19458
    assert required_n_two_proportions(0.85, 0.855) == 78952
    assert required_n_mcnemar(0.01, 0.07) == 5492


@pytest.mark.parametrize(("delta", "rows"), [(0.10, 193.85), (0.08, 304.23), (0.05, 782.53)])
def test_mcnemar_against_truescore(delta: float, rows: float) -> None:
    """What truescore 0.7.4's `required_pairs` computes before it rounds up."""
    assert required_n_mcnemar(delta, 0.25) == math.ceil(rows)
    clustered = required_n_mcnemar(delta, 0.25, cluster_size=2, icc=1)  # each row asked twice
    assert clustered == 2 * math.ceil(rows)


def test_r_agrees_on_mcnemar_at_the_required_sizes() -> None:
    for n, delta, psi, *powers in PLANS["mcnemar"]:
        for form, power in zip(REQUIRED, powers, strict=True):
            assert POWERS[form](int(n), delta, psi).power == pytest.approx(power, rel=1e-9)
            assert (n >= REQUIRED[form](delta, psi)) == (power >= 0.8)


def test_r_agrees_on_the_paired_t() -> None:
    for n, effect, alpha, power in PLANS["t_power"]:
        assert power_paired_mean(int(n), effect, 1.0, alpha).power == pytest.approx(power, rel=1e-7)
    for n, alpha, power, effect in PLANS["t_effect"]:  # R stops when it is within 1e-4
        answer = minimum_detectable_effect(power_paired_mean, int(n), sd_diff=2.0, alpha=alpha, power=power)
        assert answer.up == pytest.approx(2 * effect, rel=1e-4)


def test_r_agrees_on_margins() -> None:
    """The restricted variance by numerical maximisation, not by the quadratic."""
    for margin, psi, delta, rows in PLANS["noninferiority"]:
        assert required_n_noninferiority(margin, psi, delta) == math.ceil(rows)
    for n, margin, psi, delta, power in PLANS["equivalence"]:
        assert power_equivalence(int(n), margin, psi, delta).power == pytest.approx(power, rel=1e-6)


@every
@pytest.mark.parametrize(
    ("case", "design"),
    [
        ("power_40_15_30", (40, 0.15, 0.30)),
        ("power_60_0_25", (60, 0, 0.25)),
        ("power_25_40_60", (25, 0.40, 0.60, 0.10)),
    ],
)
def test_r_agrees_table_by_table(form: str, case: str, design: tuple[float, ...]) -> None:
    assert POWERS[form](*design).power == pytest.approx(R[case][form], rel=1e-9)


@every
@pytest.mark.parametrize(
    ("n", "delta", "psi", "alpha"), [(12, 0.2, 0.5, 0.05), (9, -0.4, 1.0, 0.1), (30, 0.1, 0.1, 0.01)]
)
def test_power_is_what_our_own_tests_do(form: str, n: int, delta: float, psi: float, alpha: float) -> None:
    """Every table that n items can give, tested by the function of that name, weighted by its probability."""
    total = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            cells = [b, c, n - b - c]
            weight = stats.multinomial.pmf(cells, n, [(psi + delta) / 2, (psi - delta) / 2, 1 - psi])
            if weight > 0:
                a_right, b_right = np.repeat([1, 0, 1], cells), np.repeat([0, 1, 1], cells)
                total += weight * (TESTS[form](a_right, b_right).pvalue <= alpha)
    assert POWERS[form](n, delta, psi, alpha).power == pytest.approx(total, abs=1e-10)


@pytest.mark.parametrize(
    ("n", "psi", "exact", "midp", "uncorrected"),
    [(40, 0.10, 0.0050, 0.017, 0.043), (200, 0.25, 0.037, 0.049, 0.049), (1000, 0.07, 0.038, 0.049, 0.050)],
)
def test_false_alarms_of_the_audit(n: int, psi: float, exact: float, midp: float, uncorrected: float) -> None:
    assert power_mcnemar_exact(n, 0, psi).power == pytest.approx(exact, abs=0.0006)
    assert power_mcnemar_midp(n, 0, psi).power == pytest.approx(midp, abs=0.0006)
    assert power_mcnemar_uncorrected(n, 0, psi).power == pytest.approx(uncorrected, abs=0.0006)


@pytest.mark.parametrize(("delta", "sd"), [(0.02, 0.264), (0.5, 1.0), (-0.1, 0.4)])
def test_paired_mean_against_the_noncentral_t(delta: float, sd: float) -> None:
    """The t test, which must estimate the spread, needs about z squared / 2 = 2 items more."""
    exact = TTestPower().solve_power(effect_size=abs(delta) / sd, alpha=0.05, power=0.8)
    assert 0 <= exact - (required_n_paired_mean(delta, sd) - 1) <= 3.1


@pytest.mark.parametrize(("p_a", "p_b"), [(0.85, 0.86), (0.5, 0.6), (0.9, 0.8)])
def test_two_proportions_against_statsmodels(p_a: float, p_b: float) -> None:
    """statsmodels pools the variance under the null, which asks for a little more (2% at ten points, .01% at one)."""
    pooled = samplesize_proportions_2indep_onetail(p_a - p_b, p_b, 0.8, alpha=0.05, alternative="two-sided")
    assert required_n_two_proportions(p_a, p_b) - 1 <= pooled <= 1.02 * required_n_two_proportions(p_a, p_b)


@pytest.mark.parametrize(("p_a", "p_b"), [(0.85, 0.86), (0.5, 0.6), (0.9, 0.8)])
def test_two_proportions_give_the_power_and_not_one_item_more(p_a: float, p_b: float) -> None:
    def power(n: int) -> float:
        se = math.sqrt((p_a * (1 - p_a) + p_b * (1 - p_b)) / n)
        return float(stats.norm.sf(stats.norm.isf(0.025) - abs(p_a - p_b) / se))

    n = int(required_n_two_proportions(p_a, p_b))
    assert power(n - 1) < 0.8 <= power(n)


@pytest.mark.parametrize(("n", "effect", "alpha"), [(2, 1.0, 0.05), (12, 0.8, 0.01), (200, 0.2, 0.05), (50, 0, 0.1)])
def test_power_of_the_paired_t_against_statsmodels(n: int, effect: float, alpha: float) -> None:
    theirs = TTestPower().power(effect, n, alpha, alternative="two-sided")
    assert power_paired_mean(n, -effect * 3, 3.0, alpha).power == pytest.approx(theirs, abs=1e-9)


def test_power_of_the_unpaired_z_by_hand() -> None:
    """A gap of two standard errors: P(Z > -.04) + P(Z < -3.96)."""
    assert power_two_proportions(48, 0.6, 0.4).power == pytest.approx(0.516005, abs=1e-6)  # standard error .1
    assert power_two_proportions(200, 0.5, 0.5).power == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("n", "p", "up", "down"),
    [
        (40, 0.82, 0.174, -0.279),
        (40, 0.85, None, -0.270),
        (100, 0.85, 0.113, -0.164),
        (500, 0.85, 0.058, -0.068),
        (1000, 0.85, 0.0419, -0.0474),
    ],
)
def test_detectable_gaps_of_the_audit(n: int, p: float, up: float | None, down: float) -> None:
    answer = minimum_detectable_effect_two_proportions(n, p)
    assert answer.up is None if up is None else answer.up == pytest.approx(up, abs=6e-4)
    assert answer.down == pytest.approx(down, abs=6e-4)
    assert (answer.warning is not None) == (n <= 100)


def test_the_figure_in_common_use() -> None:
    """Twice the variance at 85%: 4.47 points with 1000 items; a half-width is only 1.96/2.80 of it."""
    answer = minimum_detectable_effect_two_proportions(1000, 0.85)
    assert answer.extra["both_at_baseline"] == pytest.approx(0.0447, abs=5e-5)


def test_completions_leave_the_variance_between_items() -> None:
    """From the formula of arXiv:2411.00640 by hand: 7.8489 (.05 + .15/K + .05/K')/.0025."""
    z = (1.959964 + 0.841621) ** 2
    for k_a, k_b in ((1, 1), (5, 2), (1000, 1000)):
        n = required_n_completions(0.05, 0.05, 0.15, 0.05, k_a, k_b)
        assert n == math.ceil(z * (0.05 + 0.15 / k_a + 0.05 / k_b) / 0.0025)
    assert n.design["sd_diff"] == pytest.approx(math.sqrt(0.0502))
    single = required_n_completions(0.1, 0.03, 0.1, 0.1)
    assert single == required_n_paired_mean(0.1, math.sqrt(0.23))


# Properties

designs = st.tuples(
    st.floats(0.02, 1), st.floats(0.05, 1), st.sampled_from([0.01, 0.05, 0.2]), st.sampled_from([0.5, 0.8, 0.95])
)
few = settings(max_examples=25, deadline=None)


@few
@given(designs)
def test_more_is_asked_for_smaller_gaps_more_power_and_stricter_levels(
    design: tuple[float, float, float, float],
) -> None:
    psi, share_of_psi, alpha, power = design
    delta = psi * share_of_psi
    n = required_n_mcnemar(delta, psi, alpha, power)
    assert required_n_mcnemar(-delta, psi, alpha, power) == n
    assert required_n_mcnemar(delta / 2, psi, alpha, power) >= n
    assert required_n_mcnemar(delta, psi, alpha / 2, power) >= n
    assert required_n_mcnemar(delta, psi, alpha, (1 + power) / 2) >= n
    assert required_n_mcnemar(delta, (1 + psi) / 2, alpha, power) >= n


@few
@given(st.integers(1, 120), designs)
def test_power_is_a_probability_and_symmetric(n: int, design: tuple[float, float, float, float]) -> None:
    psi, share_of_psi, alpha, _ = design
    delta = psi * share_of_psi
    for power in POWERS.values():
        here = power(n, delta, psi, alpha).power
        assert 0 <= here <= 1
        assert power(n, -delta, psi, alpha).power == pytest.approx(here, abs=1e-12)
    assert power_mcnemar_exact(n, 0, psi, alpha).power <= alpha + 1e-12  # an exact test never exceeds its level
    assert power_mcnemar_exact(n, delta, psi, alpha).power <= power_mcnemar_midp(n, delta, psi, alpha).power + 1e-12


@pytest.mark.parametrize(
    ("delta", "psi", "alpha", "power"),
    [
        (0.3, 0.3, 0.05, 0.8),
        (0.2, 1.0, 0.05, 0.8),
        (0.25, 1.0, 0.05, 0.8),
        (0.3, 1.0, 0.05, 0.9),
        (1.0, 1.0, 1e-6, 0.9),
        (0.5, 0.8, 0.2, 0.25),
        (0.15, 0.2, 0.01, 0.95),
        (0.05, 0.05, 0.05, 0.8),
    ],
)
@pytest.mark.parametrize("form", REQUIRED)
def test_required_n_is_where_the_power_stays(form: str, delta: float, psi: float, alpha: float, power: float) -> None:
    """Power climbs in teeth: from the answer on, none of the next numbers has too little, and the one before has."""
    n = int(REQUIRED[form](delta, psi, alpha, power))
    after = [POWERS[form](size, delta, psi, alpha).power for size in range(n, 3 * n + 20)]
    assert min(after) >= power
    if n > 1:
        assert POWERS[form](n - 1, delta, psi, alpha).power < power


@few
@given(st.integers(1, 20), st.floats(0, 1))
def test_clusters_cost_their_design_effect(size: int, icc: float) -> None:
    alone = ((stats.norm.isf(0.025) + stats.norm.isf(0.2)) * 0.5 / 0.1) ** 2
    n = required_n_paired_mean(0.1, 0.5, cluster_size=size, icc=icc)
    assert n % size == 0
    assert 0 <= n - alone * (1 + (size - 1) * icc) < size + 1e-6
    assert n.design.get("clusters", n) == n // size


@pytest.mark.parametrize(("delta", "psi"), [(0.01, 0.9), (0.012, 1.0), (0.004, 0.2), (0.003, 0.003)])
def test_many_items_are_searched_at_once(delta: float, psi: float) -> None:
    """One step of the recursion is one item: its powers are those of `power_mcnemar_exact`, far from where it began."""
    n = int(required_n_mcnemar_exact(delta, psi))
    assert power_mcnemar_exact(n, delta, psi).power >= 0.8 > power_mcnemar_exact(n - 1, delta, psi).power
    later = [n + step * step for step in range(1, 60)]
    assert min(power_mcnemar_exact(size, delta, psi).power for size in later) >= 0.8


@every
@pytest.mark.parametrize(("n", "psi", "power"), [(40, 0.5, 0.8), (194, 0.25, 0.8), (1000, 0.07, 0.9), (60, 1.0, 0.5)])
def test_the_detectable_difference_has_the_power(form: str, n: int, psi: float, power: float) -> None:
    answer = minimum_detectable_effect(POWERS[form], n, psi=psi, power=power)
    assert answer.up is not None
    assert (answer.down, answer.test, answer.n) == (-answer.up, f"mcnemar_{form}", n)
    assert POWERS[form](n, answer.up, psi).power == pytest.approx(power, abs=1e-6)
    assert POWERS[form](n, answer.up, psi).power >= power > POWERS[form](n, answer.up * (1 - 1e-6), psi).power


@few
@given(st.integers(20, 5000), st.floats(0.02, 0.98), st.sampled_from([0.01, 0.05]), st.sampled_from([0.5, 0.8, 0.95]))
def test_detectable_gaps_turn_back_into_n(n: int, p: float, alpha: float, power: float) -> None:
    answer = minimum_detectable_effect_two_proportions(n, p, alpha, power)
    mirrored = minimum_detectable_effect_two_proportions(n, 1 - p, alpha, power)
    for gap, other in ((answer.up, mirrored.down), (answer.down, mirrored.up)):
        assert (gap is None) == (other is None)
        if gap is not None:
            assert gap == pytest.approx(-float(other or 0))
            assert abs(required_n_two_proportions(p, p + gap, alpha, power) - n) <= 1


@few
@given(st.integers(2, 3000), st.floats(0.01, 5), st.integers(1, 6), st.floats(0, 1))
def test_detectable_means_turn_back_into_power(clusters: int, sd: float, size: int, icc: float) -> None:
    design = {"cluster_size": size, "icc": icc}
    answer = minimum_detectable_effect(power_paired_mean, clusters * size, sd_diff=sd, **design)
    assert answer.up is not None
    assert power_paired_mean(clusters * size, answer.up, sd, **design).power == pytest.approx(0.8, abs=1e-6)
    more = minimum_detectable_effect(power_paired_mean, 2 * clusters * size, sd_diff=sd, **design)
    assert more.up is not None
    assert more.up < answer.up


@few
@given(designs, st.floats(0.02, 0.5), st.floats(-0.9, 0.9))
def test_margins_turn_back_into_n(design: tuple[float, float, float, float], margin: float, place: float) -> None:
    psi, _, alpha, power = design
    delta = place * min(margin, psi)
    if power <= alpha:
        return
    for required, power_of in (
        (required_n_noninferiority, power_noninferiority),
        (required_n_equivalence, power_equivalence),
    ):
        n = int(required(margin, psi, delta, alpha, power))
        assert power_of(n, margin, psi, delta, alpha).power >= power
        assert n == 1 or power_of(n - 1, margin, psi, delta, alpha).power < power
        assert required(margin, psi, delta, alpha, (1 + power) / 2) >= n
        if delta <= 0 and margin < psi:
            answer = minimum_detectable_effect(power_of, n, psi=psi, delta=delta, alpha=alpha, power=power)
            assert answer.up is not None
            assert answer.up <= margin * (1 + 1e-9)
    assert required_n_equivalence(margin, psi, delta, alpha, power) == required_n_equivalence(
        margin, psi, -delta, alpha, power
    )


def test_both_sides_take_more_than_one() -> None:
    """With no difference both tests must hold, each failing in 10% of evals: z .90 in place of z .80."""
    one, both = required_n_noninferiority(0.02, 0.07, alpha=0.05, power=0.9), required_n_equivalence(0.02, 0.07)
    assert one == both
    assert (both.test, both.alpha, both.design["sides"]) == ("equivalence_tango", 0.05, 1)


def test_graded_margins_by_the_paired_mean() -> None:
    """One-sided at 2.5% against -margin is two-sided at 5% with the distance moved, as the docstring says."""
    n = required_n_paired_mean(0.01 + 0.02, 0.3, alpha=2 * 0.025)
    z = stats.norm.isf(0.025) + stats.norm.isf(0.2)
    assert n == math.ceil((z * 0.3 / 0.03) ** 2)


def test_clusters_shrink_what_separate_sets_show() -> None:
    """Ten rows a cluster with ICC 1/3 are worth a quarter: 4000 rows see what 1000 independent ones see."""
    alone, clustered = {}, {"cluster_size": 10, "icc": 1 / 3}
    gaps = [
        minimum_detectable_effect_two_proportions(n, 0.85, **how).up for n, how in ((1000, alone), (4000, clustered))
    ]
    assert gaps[0] == pytest.approx(gaps[1])
    powers = [power_two_proportions(n, 0.85, 0.89, **how).power for n, how in ((1000, alone), (4000, clustered))]
    assert powers[0] == pytest.approx(powers[1])


def test_completions_have_power_and_detectable_differences() -> None:
    """By simulation: 150 items, 4 answers each; the t test of the items' means, 4000 evals, Monte Carlo SE .008."""
    between, within = 0.04, 0.2
    noise = required_n_completions(0.1, between, within, within, 4, 4).design["sd_diff"]
    assert noise == pytest.approx(math.sqrt(0.04 + 0.1))
    said = power_paired_mean(150, 0.08, noise).power
    rng = np.random.default_rng(13)
    truth = rng.normal(0.08, math.sqrt(between), (4000, 150))
    answers = [rng.normal(0, math.sqrt(within), (4000, 150, 4)).mean(axis=2) for _ in range(2)]
    seen = stats.ttest_1samp(truth + answers[0] - answers[1], 0, axis=1).pvalue <= 0.05
    assert seen.mean() == pytest.approx(said, abs=4 * 0.008)
    answer = minimum_detectable_effect(power_paired_mean, 150, sd_diff=noise, power=said)
    assert answer.up == pytest.approx(0.08)


def test_clusters_multiply_every_normal_size() -> None:
    clustered = {"cluster_size": 5, "icc": 0.3}
    flips, gap = required_n_mcnemar(0.1, 0.25, **clustered), required_n_two_proportions(0.85, 0.86, **clustered)
    assert (flips, flips.design["clusters"]) == (430, 86)  # 193.03 x 2.2 rows, whole clusters
    assert flips.test == "paired_cluster_t"
    assert 0 <= gap - 2.2 * 19457.1 < 5 + 2.2
    assert required_n_mcnemar(0.1, 0.25, cluster_size=1, icc=0.3) == 194


# From a pilot


def test_a_pilot_of_flips_gives_a_range() -> None:
    answer = pilot_required_n_mcnemar(PairedTable(60, 14, 11, 15), delta=0.10)
    ends = [float(required_n_mcnemar_exact(0.10, psi)) for psi in (0.17546, 0.25, 0.34305)]  # Wilson for 25 of 100
    assert [answer.ci_low, answer.point, answer.ci_high] == ends
    assert (answer.n, answer.extra["psi"]) == (100, 0.25)
    bigger = pilot_required_n_mcnemar(PairedTable(600, 140, 110, 150), delta=0.10)
    assert answer.ci_low < bigger.ci_low < bigger.point == answer.point < bigger.ci_high < answer.ci_high
    vectors = np.repeat([1, 1, 0, 0], [60, 14, 11, 15]), np.repeat([1, 0, 1, 0], [60, 14, 11, 15])
    assert pilot_required_n_mcnemar(*vectors, delta=-0.10) == Estimate(
        **{**answer.to_dict(), "extra": {**answer.extra, "delta": -0.10}}
    )


def test_a_pilot_of_differences_is_the_jackknife_written_out() -> None:
    rng = np.random.default_rng(8)
    a, b = rng.random(25), rng.random(25)
    answer = pilot_required_n_paired_mean(a, b, delta=0.1)
    assert answer.point == required_n_paired_mean(0.1, float((a - b).std(ddof=1)))
    logs = np.log([np.delete(a - b, item).var(ddof=1) for item in range(25)])
    reach = float(stats.t.isf(0.025, 24)) * math.sqrt(24 / 25 * ((logs - logs.mean()) ** 2).sum())
    size = ((stats.norm.isf(0.025) + stats.norm.isf(0.2)) / 0.1) ** 2 * (a - b).var(ddof=1)
    assert (answer.ci_low, answer.ci_high) == (math.ceil(size * math.exp(-reach)), math.ceil(size * math.exp(reach)))


def test_a_pilot_in_clusters_plans_other_clusters() -> None:
    rng = np.random.default_rng(9)
    groups = np.repeat(np.arange(40), 5)
    a = rng.normal(0, 0.7, 40)[groups] + rng.normal(0, 1, 200)
    icc = intraclass_correlation(a, groups)
    within = icc.extra["mean_square_within"]
    between = (icc.extra["mean_square_between"] - within) / 5
    for size in (1, 5, 20):
        answer = pilot_required_n_paired_mean(a, np.zeros(200), groups, delta=0.3, cluster_size=size)
        assert answer.point % size == 0
        sd, correlation = math.sqrt(within + between), between / (within + between)
        assert answer.point == required_n_paired_mean(0.3, sd, cluster_size=size, icc=correlation)
        assert answer.n_clusters == 40
    assert pilot_required_n_paired_mean(a, np.zeros(200), groups, delta=0.3).extra["cluster_size"] == 5


def test_a_pilot_in_clusters_is_the_jackknife_written_out() -> None:
    """Unequal clusters: the variance of a row in clusters of 4, from the analysis of variance without each cluster."""
    rng = np.random.default_rng(14)
    groups = np.repeat(np.arange(9), [3, 5, 2, 4, 6, 1, 3, 4, 2])
    a = rng.normal(0, 0.5, 9)[groups] + rng.normal(0, 1, 30)
    variances = []
    for left_out in range(-1, 9):
        parts = intraclass_correlation(a[groups != left_out], groups[groups != left_out]).extra
        within, between = parts["mean_square_within"], parts["mean_square_between"]
        variances.append(within + 4 * max((between - within) / parts["n0"], 0))
    logs = np.log(variances[1:])
    reach = float(stats.t.isf(0.05, 8)) * math.sqrt(8 / 9 * ((logs - logs.mean()) ** 2).sum())
    ends = [variances[0] * math.exp(step) for step in (-reach, 0, reach)]
    low, point, high = (int(required_n_paired_mean(0.3, math.sqrt(end), cluster_size=4)) for end in ends)
    answer = pilot_required_n_paired_mean(a, np.zeros(30), groups, delta=0.3, cluster_size=4, level=0.9)
    assert (answer.ci_low, answer.point, answer.ci_high) == (low, point, high)


# Simulation


def test_clustered_power_by_simulation() -> None:
    """Differences with ICC .3 in clusters of 5: a t test on cluster means sees the gap in about 80% of 4000 evals.

    Monte Carlo SE .0063; the t test, against the normal approximation, costs about one point at 80 clusters.
    """
    n = required_n_paired_mean(0.2, 1.0, cluster_size=5, icc=0.3)
    clusters = n.design["clusters"]
    rng = np.random.default_rng(11)
    shared = rng.normal(scale=math.sqrt(0.3), size=(4000, clusters, 1))
    differences = 0.2 + shared + rng.normal(scale=math.sqrt(0.7), size=(4000, clusters, 5))
    seen = stats.ttest_1samp(differences.mean(axis=2), 0, axis=1).pvalue <= 0.05
    assert seen.mean() == pytest.approx(0.795, abs=4 * 0.0063)


def test_power_of_clustered_means_by_simulation() -> None:
    """60 clusters of 4, ICC .4, a gap with power .7 or so; 4000 evals, Monte Carlo SE .0072."""
    said = power_paired_mean(240, 0.22, 1.0, cluster_size=4, icc=0.4).power
    rng = np.random.default_rng(12)
    shared = rng.normal(scale=math.sqrt(0.4), size=(4000, 60, 1))
    differences = 0.22 + shared + rng.normal(scale=math.sqrt(0.6), size=(4000, 60, 4))
    seen = stats.ttest_1samp(differences.mean(axis=2), 0, axis=1).pvalue <= 0.05
    assert seen.mean() == pytest.approx(said, abs=4 * 0.0072)


# The results


def test_detectable_effects_travel() -> None:
    for answer in (
        minimum_detectable_effect_two_proportions(40, 0.85),
        minimum_detectable_effect(power_mcnemar_midp, 194, psi=0.25),
    ):
        assert DetectableEffect.from_dict(json.loads(json.dumps(answer.to_dict()))) == answer
    logged = minimum_detectable_effect_two_proportions(40, 0.85).as_mlflow()
    assert "minimum_detectable_effect.down" in logged["metrics"]
    assert logged["params"]["minimum_detectable_effect.up"] is None
    assert str(minimum_detectable_effect_two_proportions(40, 0.85)).startswith("up none, down -0.2698 (unpaired_z")


def test_sample_sizes_say_what_they_are_for() -> None:
    answers = {
        "mcnemar_uncorrected": required_n_mcnemar(0.1, 0.25),
        "mcnemar_exact": required_n_mcnemar_exact(0.1, 0.25),
        "mcnemar_midp": required_n_mcnemar_midp(0.1, 0.25),
        "mcnemar_corrected": required_n_mcnemar_corrected(0.1, 0.25),
        "noninferiority_tango": required_n_noninferiority(0.1, 0.25, alpha=0.05),
        "paired_z": required_n_paired_mean(0.1, 0.5),
        "unpaired_z_unpooled": required_n_two_proportions(0.8, 0.9),
    }
    for test, n in answers.items():
        assert isinstance(n, SampleSize)
        assert (n.test, n.alpha, n.power) == (test, 0.05, 0.8)
        assert "unit" in n.design
    assert answers["mcnemar_exact"].design == {"delta": 0.1, "psi": 0.25, "unit": "shared items"}


@every
def test_power_results_travel(form: str) -> None:
    answer = POWERS[form](50, 0.1, 0.25)
    assert answer.test == f"mcnemar_{form}"
    assert answer.extra == {"delta": 0.1, "psi": 0.25}
    assert Power.from_dict(json.loads(json.dumps(answer.to_dict()))) == answer
    assert float(answer) == answer.power
    assert answer.as_mlflow()["metrics"] == {
        "power.power": answer.power,
        "power.extra.delta": 0.1,
        "power.extra.psi": 0.25,
    }


# Refusals

PAIRED = [required_n_mcnemar, *REQUIRED.values()]


@pytest.mark.parametrize("function", PAIRED)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.3, 0.25), r"psi must lie in \(0, 1\] and be at least \|delta\|, got psi 0.25 with delta 0.3"),
        ((-0.3, 0.25), "got psi 0.25 with delta -0.3"),
        ((0.1, 1.5), r"psi must be a finite number in \[0, 1\], got 1.5"),
        ((0.1, -0.2), r"psi must be a finite number in \[0, 1\], got -0.2"),
        ((1.2, 1.0), r"delta must be a finite number in \[-1, 1\], got 1.2"),
        ((0, 0.25), "delta must not be 0, got 0"),
        ((math.nan, 0.25), r"delta must be a finite number in \[-1, 1\], got nan"),
        ((0.1, 0.25, 0), "alpha must lie strictly between 0 and 1, got 0"),
        ((0.1, 0.25, 5), "alpha must lie strictly between 0 and 1, got 5"),
        ((0.1, 0.25, 0.05, 1), "power must lie strictly between 0 and 1, got 1"),
        ((0.1, 0.25, 0.05, 80), "power must lie strictly between 0 and 1, got 80"),
        ((0.1, 0.25, 0.05, 0.05), "power must be above alpha, which no difference at all would give, got 0.05"),
        ((1e-200, 0.25), "delta must be large enough for a finite number of items, got 1e-200"),
    ],
)
def test_impossible_pairs_are_refused(function: Any, arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        function(*arguments)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((0, 1), {}, "delta must not be 0, got 0"),
        ((0.1, 0), {}, "sd_diff must be above 0, got 0"),
        ((0.1, -1), {}, "sd_diff must be above 0, got -1"),
        ((0.1, math.inf), {}, "sd_diff must be a finite number above 0, got inf"),
        ((0.1, 1, 1.0), {}, "alpha must lie strictly between 0 and 1, got 1.0"),
        ((0.1, 1, 0.05, 0), {}, "power must lie strictly between 0 and 1, got 0"),
        ((0.1, 1, 0.05, 0.03), {}, "power must be above alpha, which no difference at all would give, got 0.03"),
        ((0.1, 1), {"cluster_size": 2**60}, "cluster_size must be at most 9007199254740992, got 1152921504606846976"),
        ((0.1, 1), {"cluster_size": 0}, "cluster_size must be an integer of at least 1, got 0"),
        ((0.1, 1), {"cluster_size": 5, "icc": 1.1}, r"icc must be a finite number in \[0, 1\], got 1.1"),
    ],
)
def test_impossible_means_are_refused(arguments: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        required_n_paired_mean(*arguments, **options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.85, 0.85), "p_a and p_b must differ, got 0.85 twice"),
        ((1, 0.9), "p_a must lie strictly between 0 and 1, got 1"),
        ((0.9, 86), "p_b must lie strictly between 0 and 1, got 86"),
        ((0.9, 0.8, 0.2, 0.1), "power must be above alpha, which no difference at all would give, got 0.1"),
    ],
)
def test_impossible_proportions_are_refused(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        required_n_two_proportions(*arguments)


@every
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 0.1, 0.25), "n must be an integer of at least 1, got 0"),
        ((10.5, 0.1, 0.25), "n must be an integer of at least 1, got 10.5"),
        ((10, 0.3, 0.25), "got psi 0.25 with delta 0.3"),
        ((10, 0, 0), "got psi 0 with delta 0"),
        ((10**12, 0.1, 0.25), "n must be at most 10000000, got 1000000000000"),
        ((10, 0.1, 0.25, 1.0), "alpha must lie strictly between 0 and 1, got 1.0"),
    ],
)
def test_impossible_power_is_refused(form: str, arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        POWERS[form](*arguments)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: minimum_detectable_effect_two_proportions(0, 0.8), "n must be an integer of at least 1, got 0"),
        (lambda: minimum_detectable_effect_two_proportions(10, 1), "p must lie strictly between 0 and 1, got 1"),
        (lambda: minimum_detectable_effect_two_proportions(10, 0.8, 0.2, 0.1), "power must be above alpha.*, got 0.1"),
        (lambda: minimum_detectable_effect(power_paired_mean, 1, sd_diff=1.0), "n must be an integer of at least 2"),
        (lambda: minimum_detectable_effect(power_paired_mean, 10, sd_diff=0), "sd_diff must be above 0, got 0"),
        (lambda: minimum_detectable_effect(power_paired_mean, 10), "sd_diff must be a finite number above 0, got None"),
        (lambda: power_paired_mean(10, 0.1, 1, cluster_size=4), "n must fill 2 or more whole clusters of 4, got 10"),
        (lambda: power_paired_mean(4, 0.1, 1, cluster_size=4), "n must fill 2 or more whole clusters of 4, got 4"),
        (lambda: power_paired_mean(8, math.nan, 1), "delta must be a finite number, got nan"),
        (lambda: power_paired_mean(8, 0.1, 1, icc=2), r"icc must be a finite number in \[0, 1\], got 2"),
        (lambda: power_two_proportions(8, 0, 0.5), "p_a must lie strictly between 0 and 1, got 0"),
        (lambda: minimum_detectable_effect(power_mcnemar_exact, 5, psi=1), "n must be larger: with 5 items and psi 1 "),
        (lambda: minimum_detectable_effect(power_mcnemar_exact, 0, psi=1), "n must be an integer of at least 1, got 0"),
        (lambda: minimum_detectable_effect(power_mcnemar_midp, 50, psi=0), "got psi 0 with delta 0.0"),
        (lambda: minimum_detectable_effect(power_mcnemar_midp, 50, psi=1.2), r"psi must be .* in \[0, 1\], got 1.2"),
        (lambda: minimum_detectable_effect(power_mcnemar_midp, 50, psi=0.5, power=0.04), "power must be above alpha"),
        (lambda: minimum_detectable_effect(power_noninferiority, 3, psi=0.1), "with 3 items and psi 0.1 nothing has"),
        (lambda: power_two_proportions(10**400, 0.5, 0.6), "n must be at most 9007199254740992, got 1000"),
        (lambda: power_two_proportions(15, 0.5, 0.6, cluster_size=10), "2 or more whole clusters of 10, got 15"),
        (lambda: required_n_mcnemar_exact(1e-5, 0.25), "at most 1000000 items, got 1e-05; use required_n_mcnemar"),
        (
            lambda: required_n_equivalence(0.02, 0.07, 0.02),
            "delta must lie inside margin = 0.02, got 0.02: what is not",
        ),
        (lambda: required_n_equivalence(0.02, 0.07, -0.03), "delta must lie inside margin = 0.02, got -0.03"),
        (lambda: required_n_equivalence(1, 0.07), "margin must lie strictly between 0 and 1, got 1"),
        (
            lambda: required_n_noninferiority(1e-9, 0.07),
            "margin must be larger for a finite number of items, got 1e-09",
        ),
        (lambda: required_n_noninferiority(0.02, 0.07, 0, 0.1, 0.1), "power must be above alpha"),
        (lambda: power_noninferiority(0, 0.02, 0.07), "n must be an integer of at least 1, got 0"),
        (lambda: power_equivalence(9, 0.02, 0.07, 0.08), "got psi 0.07 with delta 0.08"),
        (lambda: required_n_completions(0.1, 0, 0, 0), "at least one variance must be above 0"),
        (
            lambda: required_n_completions(0.1, -0.1, 0, 1),
            r"var_between must be a finite number in \[0, inf\], got -0.1",
        ),
        (lambda: required_n_completions(0.1, 0.1, 0, 1, 0), "completions_a must be an integer of at least 1, got 0"),
        (lambda: required_n_completions(0, 0.1, 0, 1), "delta must not be 0, got 0"),
        (lambda: required_n_mcnemar(0.1, 0.25, cluster_size=0), "cluster_size must be an integer of at least 1, got 0"),
        (
            lambda: pilot_required_n_mcnemar(PairedTable(95, 3, 2, 0), delta=0.1),
            "psi must .* be at least .delta., got psi 0.05 with delta 0.1",
        ),
        (lambda: pilot_required_n_mcnemar(PairedTable(5, 3, 2, 0), delta=0), "delta must not be 0, got 0"),
        (lambda: pilot_required_n_mcnemar([0.9, 1], [1, 0], delta=0.1), "a must be 0 or 1 for each item, got 0.9"),
        (lambda: pilot_required_n_paired_mean([1, 2], [0, 3], delta=1), "at least 3 values, got 2"),
        (lambda: pilot_required_n_paired_mean([1, 1, 1], [0, 0, 0], delta=1), "the pilot's spread rests on one item"),
        (lambda: pilot_required_n_paired_mean([1, 1, 2], [0, 0, 0], delta=1), "the pilot's spread rests on one item"),
        (lambda: pilot_required_n_paired_mean([1, 2, 4], [0] * 3, delta=0), "delta must not be 0, got 0"),
        (lambda: pilot_required_n_paired_mean([1, 2, 4], [0] * 3, delta=1, cluster_size=3), "needs the pilot's groups"),
        (
            lambda: pilot_required_n_paired_mean([1, 2, 4, 3], [0] * 4, [1, 1, 2, 2], delta=1),
            "at least 3 clusters, got 2",
        ),
        (
            lambda: pilot_required_n_paired_mean([1, 2], [0, 0], [1, 2], delta=1, cluster_size=0),
            "at least 3 values, got 2",
        ),
        (
            lambda: pilot_required_n_paired_mean([1, 2, 4], [0] * 3, [1, 2, 3], delta=1, cluster_size=2),
            "cluster_size needs 2 or more clusters of several rows in the pilot, got 2 without them",
        ),
        (
            lambda: pilot_required_n_paired_mean([1, 2, 4, 3], [0] * 4, [1, 1, 2, 3], delta=1, cluster_size=0),
            "cluster_size must be an integer of at least 1, got 0",
        ),
        (lambda: DetectableEffect(-0.1, -0.1, "t", 0.05, 0.8, 5), "up must be above 0, got -0.1"),
        (lambda: DetectableEffect(0.1, 0.1, "t", 0.05, 0.8, 5), "down must be below 0, got 0.1"),
    ],
)
def test_impossible_plans_are_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
