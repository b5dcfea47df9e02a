"""evalstats.decide: triage from counts, the choice of the test, ship or not, and the gate."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.proportion import test_proportions_2indep as statsmodels_two_shares

from evalstats.decide import WHY, Decision, choose_test, compare_paired, gate, triage, verdict
from evalstats.paired import PairedTable, mcnemar_exact, paired_t, tango_interval
from evalstats.result import Estimate
from exercises.paired.which_test.check import MENU, right_choice

# --- triage ---


@pytest.mark.parametrize(
    ("discordant", "p"),
    [((12, 6), 0.238), ((10, 4), 0.180), ((9, 3), 0.146), ((8, 2), 0.109), ((7, 1), 0.070), ((6, 0), 0.031)],
)
def test_the_splits_that_can_be(discordant, p):
    """Scores 180 and 174 of 200: the audit's table. The printed split 14 and 4 cannot be, and is refused."""
    assert round(triage(180, 200, 174, 200, discordant).pvalue, 3) == p


def test_the_seeds_example():
    with pytest.raises(ValueError, match=r"b - c must be k1 - k2 = 6, got 14 - 4 = 10"):
        triage(180, 200, 174, 200, discordant=(14, 4))
    assert f"{triage(180, 200, 174, 200).pvalue:.3f}" == "0.346"
    repaired = triage(184, 200, 174, 200, discordant=(14, 4))
    assert (round(repaired.pvalue, 3), round(repaired.extra["unpaired_pvalue"], 3)) == (0.031, 0.102)
    assert (round(repaired.extra["unpaired_standard_error"], 4), round(repaired.extra["unpaired_z"], 2)) == (
        0.0306,
        1.64,
    )


def test_triage_against_statsmodels():
    table = PairedTable(170, 14, 4, 12)
    theirs = statsmodels_mcnemar([[170, 14], [4, 12]], exact=True)
    answer = triage(184, 200, 174, 200, (14, 4))
    assert answer.pvalue == pytest.approx(theirs.pvalue) == mcnemar_exact(table).pvalue
    assert (answer.ci_low, answer.ci_high) == (tango_interval(table).ci_low, tango_interval(table).ci_high)
    separate = statsmodels_two_shares(184, 200, 174, 200, method="wald")
    assert triage(184, 200, 174, 200).pvalue == pytest.approx(separate.pvalue)


def test_triage_at_the_edges():
    all_right = triage(20, 20, 20, 20)
    assert (all_right.effect, all_right.pvalue) == (0, 1)
    assert "no spread" in all_right.warning
    assert triage(20, 20, 20, 20, (0, 0)).pvalue == 1
    assert triage(20, 20, 20, 20, (0, 0)).ci_low < 0 < triage(20, 20, 20, 20, (0, 0)).ci_high
    assert triage(20, 20, 0, 20).method == "unpaired_z_pooled"
    assert triage(5, 10, 5, 10, (5, 5)).pvalue == 1
    lopsided = triage(24, 40, 20, 40, (4, 0))
    assert (lopsided.pvalue, lopsided.ci_low > 0) == (0.125, True)
    assert "the test governs" in lopsided.note


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_triage_is_the_paired_tables_test(both, b, c, neither):
    n = both + b + c + neither
    if n == 0:
        return
    answer = triage(both + b, n, both + c, n, (b, c))
    table = PairedTable(both, b, c, neither)
    assert (answer.pvalue, answer.table) == (mcnemar_exact(table).pvalue, table)
    assert answer.verdict == compare_paired(table).verdict
    assert 0 <= answer.extra["unpaired_pvalue"] <= 1


# --- the choice of the test ---


def test_the_choice_is_the_exercises():
    """Every design the exercise can ask about, and more."""
    assert set(WHY) == set(MENU)
    for shared, matched, score, clusters, decodes in itertools.product(
        (True, False), (True, False), ("0/1", "graded"), (True, False), (1, 4)
    ):
        design = {"shared_items": shared, "matched_by_id": matched, "score": score}
        design |= {"clusters": clusters, "decodes_per_item": decodes}
        if matched and not shared:
            with pytest.raises(ValueError, match="matched_by_id must be False where shared_items is False"):
                choose_test(**design)
        else:
            assert choose_test(**design).decision == right_choice(design)


def test_every_function_named_exists():
    import evalstats

    for (shared, matched), score, clusters, claim in itertools.product(
        [(True, True), (True, False), (False, False)],
        ("0/1", "graded"),
        (True, False),
        ("better", "not worse", "equivalent"),
    ):
        design = {"shared_items": shared, "matched_by_id": matched, "score": score, "clusters": clusters}
        choice = choose_test(**design, claim=claim)
        assert choice.extra["functions"]
        assert all(hasattr(evalstats, function) for function in choice.extra["functions"])
        if claim != "better" and choice.decision != "align first":
            assert "margin" in choice.caveat


def test_what_the_choice_warns_of():
    shared = {"shared_items": True, "matched_by_id": True}
    assert choose_test(**shared, claim="not worse").extra["functions"] == ("noninferiority_test",)
    assert "95% interval" in choose_test(**shared, claim="not worse").caveat
    assert "90% interval" in choose_test(**shared, claim="equivalent").caveat
    assert "20 comparisons with holm" in choose_test(**shared, comparisons=20).caveat
    separate = choose_test(shared_items=False, matched_by_id=False, clusters=True)
    assert "cluster_standard_error" in separate.extra["functions"]
    plain = choose_test(shared_items=False, matched_by_id=False)
    assert plain.extra["functions"] == ("unpaired_z_unpooled",)
    assert "comparisons" not in plain.caveat


# --- ship, or not ---


@given(
    st.floats(-1, 1),
    st.floats(-1, 1),
    st.floats(0, 1),
    st.floats(0, 1),
    st.floats(-0.5, 0.5).map(lambda m: round(m, 3)),
)
def test_the_point_has_no_say(one, other, first, second, margin):
    low, high = sorted((one, other))
    answers = {
        verdict(Estimate("A - B", low + share * (high - low), low, high, 0.95, "any", 100), margin).decision
        for share in (first, second)
    }
    assert answers == {"ship" if low > margin else "don't ship" if high < margin else "inconclusive"}


def test_verdict_and_margin():
    interval = tango_interval(PairedTable(810, 45, 25, 120))
    assert verdict(interval).decision == "ship"
    assert verdict(interval, margin=0.01).decision == "inconclusive"
    assert verdict(interval, margin=-0.01).decision == "ship"
    assert verdict(tango_interval(PairedTable(810, 25, 45, 120))).decision == "don't ship"
    touching = Estimate("A - B", 0.1, 0.0, 0.2, 0.95, "any", 50, warning="few")
    assert verdict(touching).decision == "inconclusive"
    assert str(verdict(touching)).endswith("beware: few")
    one_sided = verdict(Estimate("A - B", 0.1, 0.05, float("inf"), 0.95, "any", 50))
    assert (one_sided.decision, one_sided.extra["interval"]["ci_high"]) == ("ship", "Infinity")
    assert verdict(compare_paired(PairedTable(810, 45, 25, 120))).decision == "ship"


# --- the gate ---


def counted(n: int, accuracy: float, loss: float, flip_rate: float | None, items: int) -> float:
    """P(drop >= items), by adding up all outcomes one by one."""
    if flip_rate is None:
        before = stats.binom.pmf(np.arange(n + 1), n, accuracy)
        after = stats.binom.pmf(np.arange(n + 1), n, accuracy - loss)
        return sum(before[x] * after[y] for x in range(n + 1) for y in range(n + 1) if x - y >= items)
    down, up = flip_rate / 2 + loss, flip_rate / 2
    chance = stats.multinomial(n, [down, up, 1 - down - up])
    pairs = ((d, u) for d in range(n + 1) for u in range(n + 1 - d) if d - u >= items)
    return sum(chance.pmf([d, u, n - d - u]) for d, u in pairs)


@pytest.mark.parametrize(
    ("points", "rate"), [(0.03, 0.335), (0.05, 0.239), (0.10, 0.100), (0.119, 0.059), (0.14, 0.033)]
)
def test_the_audits_false_alarms_with_fresh_items(points, rate):
    """A drop of more than so many points, 49 items at 85%: scores move in steps of 1/49."""
    step = (np.floor(points * 49) + 1) / 49
    assert round(gate(49, 0.85, 0.1, threshold=step).extra["false_alarm"], 3) == rate


@pytest.mark.parametrize(("points", "rate"), [(0.03, 0.2441), (0.05, 0.1246), (0.10, 0.0211)])
def test_the_audits_false_alarms_with_the_same_items(points, rate):
    """The audit drew a million: its figures hold within 4 Monte Carlo errors."""
    step = (np.floor(points * 49) + 1) / 49
    found = gate(49, 0.85, 0.05, threshold=step, flip_rate=0.10).extra["false_alarm"]
    assert found == pytest.approx(rate, abs=4 * np.sqrt(rate * (1 - rate) / 1e6))


@pytest.mark.parametrize("flip_rate", [None, 0.0, 0.1])
@pytest.mark.parametrize("items", [1, 3, 6])
def test_rates_are_those_of_all_outcomes(flip_rate, items):
    answer = gate(24, 0.8, 0.125, threshold=items / 24, flip_rate=flip_rate)
    assert answer.extra["items"] == items
    assert answer.extra["false_alarm"] == pytest.approx(counted(24, 0.8, 0, flip_rate, items), abs=1e-12)
    assert answer.extra["miss"] == pytest.approx(1 - counted(24, 0.8, 0.125, flip_rate, items), abs=1e-12)


@given(st.integers(5, 300), st.floats(0.55, 0.95), st.sampled_from([0.01, 0.05, 0.2]), st.sampled_from([None, 0.05]))
def test_the_threshold_is_the_smallest_step_outside_the_noise(n, accuracy, alpha, flip_rate):
    answer = gate(n, accuracy, 0.3, alpha, flip_rate=flip_rate).extra
    items = answer["items"]
    assert answer["false_alarm"] <= alpha
    assert answer["threshold"] * n == pytest.approx(items)
    if items > 1:
        looser = gate(n, accuracy, 0.3, threshold=(items - 1) / n, flip_rate=flip_rate).extra
        assert looser["items"] == items - 1
        assert looser["false_alarm"] > alpha
        assert looser["miss"] <= answer["miss"] + 1e-12


def test_same_items_make_a_tighter_gate():
    fresh, same = gate(400, 0.85, 0.05).extra, gate(400, 0.85, 0.05, flip_rate=0.05).extra
    assert same["threshold"] < fresh["threshold"]
    assert same["miss"] < fresh["miss"]
    assert (fresh["flip_rate"], same["flip_rate"]) == (None, 0.05)
    assert "same items" in str(gate(400, 0.85, 0.05, flip_rate=0.05))
    assert gate(10, 0.85, 0.05, flip_rate=0.0).extra["threshold"] == 0.1


# --- all of them ---


@pytest.mark.parametrize(
    "answer",
    [
        choose_test(shared_items=True, matched_by_id=True),
        verdict(tango_interval(PairedTable(8, 3, 2, 7))),
        gate(49, 0.85, 0.1),
        triage(8, 20, 7, 20, (3, 2)),
    ],
)
def test_survive_json_and_mlflow(answer):
    copy = type(answer).from_dict(json.loads(json.dumps(answer.to_dict())))
    assert copy == answer
    assert hash(copy) == hash(answer)
    logged = answer.as_mlflow()
    assert all(type(value) in (int, float) for value in logged["metrics"].values())
    assert len(logged["metrics"]) + len(logged["params"]) >= 4


GOOD_DESIGN = {"shared_items": True, "matched_by_id": True}
REFUSED = [
    (lambda: triage(10, 20, 9, 19, (1, 0)), "same items for both systems, got n1 = 20 and n2 = 19"),
    (lambda: triage(10, 20, 9, 20, (11, 10)), "b must be at most k1 = 10 and c at most n1 - k1 = 10"),
    (lambda: triage(10, 20, 10, 20, (-1, -1)), "b must be an integer of at least 0, got -1"),
    (lambda: triage(10, 20, 9, 20, (1,)), "discordant must be the pair (b, c), got (1,)"),
    (lambda: triage(21, 20, 9, 20), "k1 must be at most n1, got 21 of 20"),
    (lambda: triage(0, 0, 0, 0), "n1 must be an integer of at least 1, got 0"),
    (lambda: choose_test(**GOOD_DESIGN, score="likert"), "score must be one of ('0/1', 'graded'), got 'likert'"),
    (lambda: choose_test(**GOOD_DESIGN, claim="same"), "claim must be one of"),
    (lambda: choose_test(**GOOD_DESIGN, decodes_per_item=0), "decodes_per_item must be an integer of at least 1"),
    (lambda: choose_test(**GOOD_DESIGN, comparisons=0), "comparisons must be an integer of at least 1, got 0"),
    (lambda: choose_test(**GOOD_DESIGN, clusters="no"), "clusters must be one of (True, False), got 'no'"),
    (lambda: choose_test(shared_items=False, matched_by_id=True), "got True: nothing can be matched"),
    (lambda: verdict(0.02), "interval must be an Estimate or a TestResult with an interval, got 0.02"),
    (lambda: verdict(paired_t([1, 0], [1, 0])), "gave no interval"),
    (lambda: verdict(tango_interval([1, 0], [1, 1]), float("nan")), "margin must be a finite number, got nan"),
    (lambda: Decision("", "r"), "decision must be a non-empty string, got ''"),
    (lambda: Decision("ship", " "), "reason must be a non-empty string, got ' '"),
    (lambda: Decision("ship", "r", ""), "caveat must be a non-empty string, got ''"),
    (lambda: gate(49, 85, 0.1), "accuracy must lie strictly between 0 and 1, got 85"),
    (lambda: gate(49, 0.85, 0), "drop must be above 0, got 0"),
    (lambda: gate(49, 0.85, 0.9), "drop must be a finite number in [0, 0.85], got 0.9"),
    (lambda: gate(2, 0.5, 0.1, 0.01), "no drop of 2 items is rarer than alpha = 0.01: use more items"),
    (
        lambda: gate(49, 0.95, 0.1, flip_rate=0.2),
        "flip_rate must be at most 0.1, which is the room that is left, got 0.2",
    ),
    (
        lambda: gate(49, 0.5, 0.4, flip_rate=0.3),
        "flip_rate must be at most 0.2, which is the room that is left, got 0.3",
    ),
    (lambda: gate(49, 0.85, 0.1, threshold=0), "threshold must be a finite number in"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED)
def test_refused(call, words):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        call()
    assert words in str(error.value)
