"""evalstats.proportion against statsmodels, scipy and the numbers of the course."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from evalstats.proportion import (
    Quantity,
    clopper_pearson_interval,
    jeffreys_interval,
    standard_error,
    wald_interval,
    wilson_interval,
)

STATSMODELS = {
    wald_interval: "normal",
    wilson_interval: "wilson",
    clopper_pearson_interval: "beta",
    jeffreys_interval: "jeffreys",
}
counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize("interval", STATSMODELS)
@given(counts, st.floats(0.5, 0.999))
@settings(max_examples=60, deadline=None)
def test_against_statsmodels(interval, k_of_n, level):
    k, n = k_of_n
    answer = interval(k, n, level)
    low, high = proportion_confint(k, n, alpha=1 - level, method=STATSMODELS[interval])
    if interval is jeffreys_interval:  # ours holds the observed share at both ends, as its authors advise
        low, high = (0 if k == 0 else low), (1 if k == n else high)
    assert (answer.ci_low, answer.ci_high) == pytest.approx((max(low, 0), min(high, 1)), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("interval", STATSMODELS)
@given(counts, st.floats(0.5, 0.999))
@settings(max_examples=60, deadline=None)
def test_every_interval_is_an_interval(interval, k_of_n, level):
    k, n = k_of_n
    answer, mirror = interval(k, n, level), interval(n - k, n, level)
    assert 0 <= answer.ci_low <= answer.point <= answer.ci_high <= 1
    assert (answer.ci_low, answer.ci_high) == pytest.approx((1 - mirror.ci_high, 1 - mirror.ci_low), abs=1e-9)


@pytest.mark.parametrize("n", [1, 2, 3, 30, 1000, 10**7])
def test_jeffreys_holds_the_share_at_every_level_that_is_accepted(n):
    """Its narrowest interval is the one of level .5; below that the posterior's quantiles may pass the share."""
    for k in {0, 1, 2, 3, n // 3, n // 2, n - 1, n} & set(range(n + 1)):
        answer = jeffreys_interval(k, n, 0.5)
        assert answer.ci_low <= answer.point <= answer.ci_high
    with pytest.raises(ValueError, match=r"level is the confidence, such as 0\.95, got 0\.3"):
        jeffreys_interval(1, 2, 0.3)


def test_the_numbers_of_the_course():
    course = wilson_interval(17, 20)
    assert (course.ci_low, course.ci_high) == pytest.approx((0.6396, 0.9476), abs=5e-5)
    peers = wilson_interval(85, 100)
    assert (peers.ci_low, peers.ci_high) == pytest.approx((0.767164, 0.906940), abs=5e-7)
    exact = clopper_pearson_interval(85, 100)
    assert (exact.ci_low, exact.ci_high) == pytest.approx((0.764692, 0.913546), abs=5e-7)
    bayes = jeffreys_interval(85, 100)
    assert (bayes.ci_low, bayes.ci_high) == pytest.approx((0.770469, 0.909630), abs=5e-7)
    theirs = stats.binomtest(17, 20).proportion_ci()
    assert clopper_pearson_interval(17, 20).ci_low == pytest.approx(theirs.low)


@pytest.mark.parametrize("n", [1, 7, 49, 20, 10**6])
def test_the_ends_are_exact_at_0_and_1(n):
    """Rounding may not push an end a hair outside [0, 1] or past the point."""
    for interval in STATSMODELS:
        none, all_right = interval(0, n), interval(n, n)
        assert none.ci_low == none.point == 0
        assert all_right.ci_high == all_right.point == 1
        if interval is not wald_interval:
            assert all_right.ci_low < 1


def test_wald_and_its_standard_error_warn_where_they_fail():
    assert wald_interval(50, 100).warning is None
    assert standard_error(50, 100).warning is None
    for k in (0, 100):
        assert "wilson_interval" in (wald_interval(k, 100).warning or "")
        assert "wilson_interval" in (standard_error(k, 100).warning or "")
    assert "only 9 of 100" in (wald_interval(91, 100).warning or "")


def test_standard_error():
    error = standard_error(85, 100)
    assert float(error) == pytest.approx(math.sqrt(0.85 * 0.15 / 100))
    assert (error.method, error.n, error.n_clusters) == ("binomial", 100, None)


@pytest.mark.parametrize(("k", "n"), [(3, 2), (-1, 5), (0, 0), (1.0, 2), (True, 2), ("1", 2), (math.nan, 2)])
@pytest.mark.parametrize("function", [*STATSMODELS, standard_error])
def test_impossible_counts_are_refused(function, k, n):
    with pytest.raises(ValueError, match="got"):
        function(k, n)


@pytest.mark.parametrize("level", [0, 1, 95, -1, math.nan])
@pytest.mark.parametrize("interval", STATSMODELS)
def test_a_level_that_is_no_share_is_refused(interval, level):
    with pytest.raises(ValueError, match="level must"):
        interval(17, 20, level)


def test_wilson_covers_84_percent_at_its_worst_place():
    """At p near 1 - .178/n (audit_corrections, E03), where the mean of all p is 95%."""

    def coverage(n: int, p: float) -> float:
        inside = [k for k in range(n + 1) if wilson_interval(k, n).ci_low <= p <= wilson_interval(k, n).ci_high]
        return float(stats.binom.pmf(inside, n, p).sum())

    for n in (20, 100, 400):
        worst = wilson_interval(n - 1, n).ci_high + 1e-9  # only n of n still covers it
        assert worst == pytest.approx(1 - 0.178 / n, abs=0.02 / n)
        assert 0.834 <= coverage(n, worst) <= 0.839
    assert np.mean([coverage(20, p) for p in np.linspace(0.005, 0.995, 100)]) == pytest.approx(0.95, abs=0.01)


def test_a_quantity_is_a_number_with_a_memory():
    error = Quantity(0.25, method="m", n=4, n_clusters=2, extra={"df": 1.0}, warning="beware")
    assert (error * 2, error == 0.25, hash(error) == hash(0.25)) == (0.5, True, True)
    assert Quantity.from_dict(json.loads(json.dumps(error.to_dict()))).to_dict() == error.to_dict()
    assert pickle.loads(pickle.dumps(error)).to_dict() == error.to_dict()
    with pytest.raises(AttributeError, match="cannot be changed"):
        error.n = 5
    for wrong in ({"value": math.nan}, {"n": 0}, {"method": ""}, {"n_clusters": 0}, {"warning": ""}):
        with pytest.raises(ValueError, match="must"):
            Quantity.from_dict({"value": 0.1, "method": "m", "n": 1} | wrong)
    with pytest.raises(ValueError, match="cannot make"):
        Quantity.from_dict({"value": 0.1})
