"""evalstats.decide: one verdict by one rule, and disagreement said aloud."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats.cluster import paired_cluster_interval, paired_cluster_t
from evalstats.decide import NO_SPREAD, PairedComparison, compare_paired
from evalstats.paired import PairedTable, mcnemar_exact, sign_flip_test, tango_interval
from evalstats.result import Estimate, TestResult

CHAPTER = PairedTable(810, 45, 25, 120)


def vectors(table: PairedTable) -> tuple[np.ndarray, np.ndarray]:
    cells = [table.both_right, table.a_only, table.b_only, table.neither]
    return np.repeat([1, 1, 0, 0], cells), np.repeat([1, 0, 1, 0], cells)


def clustered_systems(gap: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(6)
    groups = np.repeat(np.arange(60), 5)
    easy = np.repeat(rng.beta(2, 2, 60), 5)
    return (rng.random(300) < easy + gap).astype(int), (rng.random(300) < easy).astype(int), groups


def is_made_of(answer: PairedComparison, test: TestResult, interval: Estimate) -> bool:
    """Statistic, p-value and size are the test's; the ends, the level and the point are the interval's."""
    parts = ("statistic", "pvalue", "effect", "method", "n", "n_clusters", "seed")
    ends = ("ci_low", "ci_high", "level")
    return (
        all(getattr(answer, part) == getattr(test, part) for part in parts)
        and all(getattr(answer, end) == getattr(interval, end) for end in ends)
        and (answer.interval, answer.effect) == (interval.method, pytest.approx(interval.point))
        and test.extra.items() <= answer.extra.items()
    )


def test_the_chapters_verdict():
    answer = compare_paired(*vectors(CHAPTER))
    assert answer == compare_paired(CHAPTER)
    assert answer.verdict == "A better"
    assert is_made_of(answer, mcnemar_exact(CHAPTER), tango_interval(CHAPTER))
    assert (answer.alpha, answer.agree, answer.note, answer.table) == (0.05, True, None, CHAPTER)
    assert compare_paired(PairedTable(810, 25, 45, 120)).verdict == "B better"
    assert compare_paired(CHAPTER, alpha=0.02).verdict == "inconclusive"


def test_four_to_nothing_is_inconclusive_and_says_why():
    answer = compare_paired(PairedTable(20, 4, 0, 16))
    assert answer.verdict == "inconclusive"
    assert answer.ci_low > 0
    assert not answer.agree
    for words in ("disagree", "p = 0.125", "does not reject", "tango", "excludes 0", "the test governs"):
        assert words in (answer.note or "")
    assert answer.note in " ".join(str(answer).split())
    assert max(map(len, str(answer).splitlines())) <= 68


def test_the_test_governs_every_table_of_40():
    """The verdict is exact McNemar's; the note stands exactly where Tango's interval would have spoken otherwise."""
    disagreements = 0
    for b in range(41):
        for c in range(41 - b):
            table = PairedTable(40 - b - c, b, c, 0)
            answer = compare_paired(table)
            p, interval = mcnemar_exact(table).pvalue, tango_interval(table)
            better = "A better" if b > c else "B better"
            assert answer.verdict == (better if p <= 0.05 else "inconclusive")
            assert answer.agree == ((p <= 0.05) == (interval.ci_low > 0 or interval.ci_high < 0))
            disagreements += not answer.agree
    assert disagreements == 36


def test_clusters_change_test_and_interval_together():
    a, b, groups = clustered_systems(0.15)
    kinds = groups % 3
    answer = compare_paired(a, b, groups=groups, strata=kinds)
    assert is_made_of(answer, paired_cluster_t(a, b, groups, kinds), paired_cluster_interval(a, b, groups, kinds))
    assert (answer.verdict, answer.agree) == ("A better", True)
    assert answer.table == PairedTable.from_vectors(a, b)
    assert "in 60 clusters" in str(answer)
    assert compare_paired(a, b, groups=iter(groups.tolist()), strata=iter(kinds.tolist())) == answer
    assert compare_paired(b, a, groups=groups).verdict == "B better"


def test_strata_alone_make_each_item_a_cluster():
    a, b, groups = clustered_systems(0.15)
    answer = compare_paired(a, b, strata=groups % 3)
    rows = (a, b, range(300), groups % 3)
    assert is_made_of(answer, paired_cluster_t(*rows), paired_cluster_interval(*rows))


@pytest.mark.parametrize("groups", [None, [row // 5 for row in range(300)]])
def test_a_system_is_not_better_than_itself(groups):
    a, _, _ = clustered_systems(0)
    answer = compare_paired(a, a, groups=groups)
    assert (answer.verdict, answer.agree, answer.pvalue) == ("inconclusive", True, 1)
    assert answer.ci_low < 0 < answer.ci_high


@pytest.mark.parametrize(("n_clusters", "verdict", "agree"), [(30, "B better", True), (4, "inconclusive", False)])
def test_one_system_alone_right_on_every_item(n_clusters, verdict, agree):
    """There is no spread for a t: clusters are flipped whole, and Tango's interval takes each as one row."""
    groups = np.arange(60) % n_clusters
    answer = compare_paired([0] * 60, [1] * 60, groups=groups)
    rows = tango_interval(PairedTable(0, 0, n_clusters, 0))
    assert answer.pvalue == pytest.approx(2 * 0.5**n_clusters)
    assert answer.pvalue == sign_flip_test([0] * 60, [1] * 60, groups).pvalue
    assert (answer.ci_low, answer.ci_high, answer.effect) == (rows.ci_low, rows.ci_high, -1)
    assert (answer.verdict, answer.agree, answer.n_clusters, answer.n) == (verdict, agree, n_clusters, 60)
    assert (answer.method, answer.interval, answer.warning) == ("sign_flip_exact", "tango_of_clusters", NO_SPREAD)
    mirrored = compare_paired([1] * 60, [0] * 60, groups=groups, strata=groups % 2)
    assert (mirrored.pvalue, mirrored.ci_low, mirrored.ci_high) == (answer.pvalue, -answer.ci_high, -answer.ci_low)
    assert compare_paired([1] * 8, [0] * 8, strata=[1, 1, 1, 1, 2, 2, 2, 2]).n_clusters is None
    with pytest.raises(ValueError, match="each stratum needs at least 2 clusters"):
        compare_paired([1] * 60, [0] * 60, groups=groups, strata=groups)


MIRROR = {"A better": "B better", "B better": "A better", "inconclusive": "inconclusive"}


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 5)), min_size=1, max_size=60), st.booleans()
)
def test_swapping_the_systems_mirrors_the_answer(rows, clustered):
    a, b, groups = zip(*rows, strict=True)
    gaps = np.subtract(a, b)
    constant, no_spread = np.ptp(gaps) == 0, np.allclose(np.bincount(groups, weights=gaps - gaps.mean()), 0)
    if clustered and (len(set(groups)) < 2 or (no_spread and not constant)):
        with pytest.raises(ValueError, match=r"at least 2 clusters|no spread"):
            compare_paired(a, b, groups=groups)
        return
    answer = compare_paired(a, b, groups=groups if clustered else None)
    mirrored = compare_paired(b, a, groups=groups if clustered else None)
    assert mirrored.pvalue == pytest.approx(answer.pvalue, abs=1e-12)
    assert (mirrored.ci_low, mirrored.ci_high) == pytest.approx((-answer.ci_high, -answer.ci_low), abs=1e-9)
    assert (mirrored.verdict, mirrored.effect) == (MIRROR[answer.verdict], pytest.approx(-answer.effect))
    assert -1 <= answer.ci_low <= answer.effect <= answer.ci_high <= 1


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_the_interval_has_the_level_of_the_test(alpha):
    a, b, groups = clustered_systems(0.1)
    assert compare_paired(a, b, alpha=alpha).level == pytest.approx(1 - alpha)
    assert compare_paired(a, b, groups=groups, alpha=alpha).level == pytest.approx(1 - alpha)


def test_it_survives_json_pickle_and_mlflow():
    a, b, groups = clustered_systems(0.1)
    few = PairedTable(20, 4, 0, 16)
    for answer in (compare_paired(CHAPTER), compare_paired(few), compare_paired(a, b, groups=groups)):
        assert PairedComparison.from_dict(json.loads(json.dumps(answer.to_dict()))) == answer
        assert pickle.loads(pickle.dumps(answer)) == answer
        assert hash(answer) == hash(PairedComparison.from_dict(answer.to_dict()))
        split = answer.as_mlflow()
        assert split["params"]["A - B.verdict"] == answer.verdict
        assert split["metrics"]["A - B.pvalue"] == answer.pvalue
        assert split["metrics"]["A - B.ci_low"] == answer.ci_low
        assert json.loads(split["params"]["A - B.extra.table"])["a_only"] == answer.table.a_only


def test_a_broken_comparison_is_refused():
    whole = compare_paired(CHAPTER).to_dict()
    changes = ({"verdict": "A wins"}, {"alpha": 1}, {"surplus": 1}, {"pvalue": 2}, {"ci_low": None}, {"level": None})
    for change in changes:
        with pytest.raises(ValueError, match=next(iter(change))):
            PairedComparison.from_dict(whole | change)
    del whole["alpha"]
    with pytest.raises(ValueError, match="cannot make"):
        PairedComparison.from_dict(whole)


@pytest.mark.parametrize(
    ("arguments", "options", "says"),
    [
        (([0.5, 1], [1, 0]), {}, "0 or 1"),
        (([1, 0], [1]), {}, "got 2 and 1"),
        ((CHAPTER,), {"groups": [1, 2]}, "not a PairedTable"),
        ((CHAPTER,), {"strata": [1, 2]}, "not a PairedTable"),
        ((CHAPTER,), {"alpha": 5}, "alpha must"),
        (([1, 0], [0, 1]), {"groups": ["x", "x"]}, "at least 2 clusters"),
        (([1, 0],), {}, "two vectors"),
    ],
)
def test_nothing_is_guessed(arguments, options, says):
    with pytest.raises(ValueError, match=says):
        compare_paired(*arguments, **options)
