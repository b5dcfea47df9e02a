"""The traps that other packages fall into, one test each: what is done here instead, a refusal or the right number.

The numbers are those of the list of traps in the survey of peers; each was seen in at least one package.
"""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import evalstats as es

LOGS = Path(__file__).parents[1] / "reference" / "logs"
RIGHT, WRONG = [1] * 20, [0] * 20
A = [1, 1, 1, 0, 1, 1, 0, 0] * 5
B = [1, 0, 1, 0, 1, 1, 1, 0] * 5
GROUPS = [row // 2 for row in range(40)]
PAIRED: dict[str, Callable[[Any, Any], Any]] = {
    "compare_paired": es.compare_paired,
    "mcnemar_exact": es.mcnemar_exact,
    "mcnemar_midp": es.mcnemar_midp,
    "mcnemar_corrected": es.mcnemar_corrected,
    "mcnemar_uncorrected": es.mcnemar_uncorrected,
    "newcombe_interval": es.newcombe_interval,
    "tango_interval": es.tango_interval,
    "wald_difference_interval": es.wald_difference_interval,
    "ideal_bootstrap_paired_diff": es.ideal_bootstrap_paired_diff,
    "paired_t": es.paired_t,
    "sign_flip_test": es.sign_flip_test,
    "bootstrap_paired_diff": es.bootstrap_paired_diff,
    "bca_paired_diff": es.bca_paired_diff,
    "noninferiority_test": lambda a, b: es.noninferiority_test(a, b, margin=0.1),
    "equivalence_test": lambda a, b: es.equivalence_test(a, b, margin=0.1),
}
ONLY_MARKS = [*PAIRED][:9]
CLUSTERED: dict[str, Callable[[Any], Any]] = {
    "mean_interval": lambda groups: es.mean_interval(A, groups),
    "cluster_standard_error": lambda groups: es.cluster_standard_error(A, groups),
    "cluster_standard_error_cr1": lambda groups: es.cluster_standard_error_cr1(A, groups),
    "design_effect": lambda groups: es.design_effect(A, groups),
    "wilson_cluster_interval": lambda groups: es.wilson_cluster_interval(A, groups),
    "clopper_pearson_cluster_interval": lambda groups: es.clopper_pearson_cluster_interval(A, groups),
    "bootstrap_mean": lambda groups: es.bootstrap_mean(A, groups),
    "bca_mean": lambda groups: es.bca_mean(A, groups),
    "bootstrap_paired_diff": lambda groups: es.bootstrap_paired_diff(A, B, groups),
    "paired_cluster_t": lambda groups: es.paired_cluster_t(A, B, groups),
    "paired_cluster_interval": lambda groups: es.paired_cluster_interval(A, B, groups),
    "sign_flip_test": lambda groups: es.sign_flip_test(A, B, groups),
    "compare_paired": lambda groups: es.compare_paired(A, B, groups=groups),
}


def counted_by_inspect(name: str) -> dict[str, Any]:
    """The metrics that inspect-ai wrote into its own log."""
    with zipfile.ZipFile(LOGS / f"sums_{name}.eval") as archive:
        metrics: dict[str, Any] = json.loads(archive.read("header.json"))["results"]["scores"][0]["metrics"]
    return metrics


@pytest.mark.parametrize("name", PAIRED)
def test_1_one_nan_is_refused_and_never_significant(name: str) -> None:
    for spoilt, good in (([math.nan, *A[1:]], B), (A, [*B[:-1], math.nan])):
        with pytest.raises(ValueError, match=r"must be finite, got nan at position (0|39)"):
            PAIRED[name](spoilt, good)


@pytest.mark.parametrize("correct", [es.bonferroni, es.holm, es.benjamini_hochberg, es.benjamini_yekutieli])
def test_2_a_nan_among_pvalues_is_refused(correct: Callable[..., es.Correction]) -> None:
    with pytest.raises(ValueError, match="pvalues must be finite, got nan at position 3"):
        correct([0.001, 0.008, 0.039, math.nan, 0.041])


def test_3_no_epoch_is_dropped(tmp_path: Path) -> None:
    """A's first answer to every item is -1 and its mean is +0.6: the mean is compared, and said to be one."""
    rows = [(f"q{item}", epoch, -1.0 if epoch == 0 else 1.0) for item in range(5) for epoch in range(5)]
    table = pd.DataFrame(rows, columns=["item", "epoch", "correct"])
    table.to_csv(tmp_path / "a.csv", index=False)
    table.assign(correct=0.0).to_csv(tmp_path / "b.csv", index=False)
    a, b = (es.read_table(tmp_path / f"{name}.csv", epoch="epoch") for name in "ab")
    both = es.align(a, b)
    assert both.a.tolist() == pytest.approx([0.6] * 5)
    assert both.notes == ("A: mean of 5 answers an item", "B: mean of 5 answers an item")


def test_4_logs_of_inspect_are_read() -> None:
    """As inspect-ai 0.3.285 writes them: 60 items, three epochs, and the accuracy that it counted itself."""
    for name in "ab":
        log = es.read_inspect(LOGS / f"sums_{name}.eval", metric="match")
        assert (len(log.items), len(log.means())) == (180, 60)
        assert np.mean(log.scores) == pytest.approx(counted_by_inspect(name)["accuracy"]["value"], abs=1e-12)


@pytest.mark.parametrize("name", ONLY_MARKS)
def test_5_partial_scores_are_not_rounded_into_mcnemar(name: str) -> None:
    with pytest.raises(ValueError, match="a must be 0 or 1 for each item, got 0\\.9 at position 0; for other"):
        PAIRED[name]([0.9, 0.5, 1.0, 0.0], [1, 0, 1, 0])


@pytest.mark.parametrize("name", PAIRED)
@pytest.mark.parametrize("length", [1, 19])
def test_6_lengths_are_neither_broadcast_nor_cut(name: str, length: int) -> None:
    with pytest.raises(ValueError, match=f"a and b must describe the same items, got 20 and {length} values|at least"):
        PAIRED[name](RIGHT, WRONG[:length])


@pytest.mark.parametrize("name", CLUSTERED)
def test_6_groups_are_not_cut(name: str) -> None:
    with pytest.raises(ValueError, match="groups must name one cluster for each of the 40 rows, got 39"):
        CLUSTERED[name](GROUPS[:-1])


@pytest.mark.parametrize("test", [es.mcnemar_exact, es.mcnemar_midp, es.mcnemar_corrected, es.mcnemar_uncorrected])
@pytest.mark.parametrize("discordant", [0, 1, 50])
def test_7_mcnemar_of_a_tie_is_1(test: Callable[..., es.TestResult], discordant: int) -> None:
    """No discordant pairs are no evidence, and the continuity correction never makes a tie into some."""
    assert test(es.PairedTable(7, discordant, discordant, 7)).pvalue == 1


@pytest.mark.parametrize("n", [20, 30, 300])
def test_8_all_right_has_a_width(n: int) -> None:
    """The default is Wilson's interval at any size; what has no width says so, or is refused."""
    wilson = es.wilson_interval(n, n)
    default = es.mean_interval([1] * n)
    assert (default.ci_low, default.ci_high) == (wilson.ci_low, 1.0)
    assert wilson.ci_low == pytest.approx(1 / (1 + 1.959963984540054**2 / n), abs=1e-12)
    for flat in (es.bootstrap_mean([1] * n), es.ideal_bootstrap_mean([1] * n), es.wald_interval(n, n)):
        assert flat.ci_low == flat.ci_high == 1
        assert flat.warning is not None
        assert "use wilson_interval" in flat.warning
    with pytest.raises(ValueError, match="use wilson_interval"):
        es.bca_mean([1] * n)


@pytest.mark.parametrize("name", CLUSTERED)
def test_9_one_cluster_and_unnamed_clusters_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="groups must name at least 2 clusters, got 1"):
        CLUSTERED[name](["template"] * 40)
    for missing in (math.nan, None, pd.NA):
        with pytest.raises(ValueError, match=r"groups must not be missing, got .* at position 39"):
            CLUSTERED[name]([*GROUPS[:-1], missing])


def test_10_items_that_do_not_match_are_named_and_the_rest_stays_paired() -> None:
    """30% of the items in common: only those are compared, the others are named, and strict=True refuses."""
    a = {f"q{item}": item % 2 for item in range(100)}
    b = {f"q{item}": (item + 1) % 2 for item in range(70, 170)}
    both = es.align(a, b)
    assert (both.n, len(both.only_a), len(both.only_b)) == (30, 70, 70)
    assert str(both).startswith("30 items matched by id\n70 only in A: q0, q1")
    assert es.compare_paired(both).n == 30
    with pytest.raises(ValueError, match="with strict=True every item needs a partner"):
        es.align(a, b, strict=True)
    with pytest.raises(ValueError, match="a holds 1 item more than once: q1"):
        es.align([{"item": "q1", "correct": 1}, {"item": "q1", "correct": 0}], b)


def test_11_a_constant_difference_is_neither_nothing_nor_certain() -> None:
    """A all right and B all wrong: no t without spread; exact tests give 2 x 2^-20."""
    with pytest.raises(ValueError, match="every difference a - b is 1: without spread there is no t; use sign_flip"):
        es.paired_t(RIGHT, WRONG)
    for test in (es.mcnemar_exact, es.sign_flip_test, es.compare_paired):
        assert test(RIGHT, WRONG).pvalue == pytest.approx(2 / 2**20, rel=1e-12)


def test_12_impossible_plans_are_refused_and_noise_between_items_stays() -> None:
    with pytest.raises(ValueError, match=r"p_b must lie strictly between 0 and 1, got 1.04"):
        es.required_n_two_proportions(0.99, 0.99 + 0.05)
    with pytest.raises(ValueError, match="p_a and p_b must differ"):
        es.required_n_two_proportions(0.85, 0.85)
    for plan in (es.required_n_mcnemar, es.required_n_mcnemar_exact, es.required_n_paired_mean):
        with pytest.raises(ValueError, match="delta must not be 0"):
            plan(0.0, 0.25)
    alone = es.required_n_paired_mean(0.05, 0.5)
    alike = es.required_n_paired_mean(0.05, 0.5, cluster_size=5, icc=1.0)
    assert 5 * (alone - 1) < alike <= 5 * alone  # five copies of a question are one
    noise = {"var_between": 0.05, "var_within_a": 0.15, "var_within_b": 0.15}
    often = es.required_n_completions(0.05, **noise, completions_a=100, completions_b=100)
    assert often > es.required_n_paired_mean(0.05, math.sqrt(0.05))


def test_13_random_numbers_come_from_the_seed_alone() -> None:
    """The seed is part of the answer; numpy's global state is neither read nor moved."""
    np.random.seed(1)  # noqa: NPY002 - the state that must not matter
    before = np.random.get_state()[1].tolist()  # type: ignore[index]  # noqa: NPY002
    first = es.bootstrap_paired_diff(A, B, seed=3)
    assert np.random.get_state()[1].tolist() == before  # type: ignore[index]  # noqa: NPY002
    np.random.seed(2)  # noqa: NPY002
    assert es.bootstrap_paired_diff(A, B, seed=3) == first
    assert es.bootstrap_paired_diff(A, B).seed == 0
    with pytest.raises(ValueError, match="seed must be an integer of at least 0, got None"):
        es.bootstrap_paired_diff(A, B, seed=None)  # type: ignore[arg-type]


def test_14_interval_and_test_that_disagree_say_so() -> None:
    """Two methods in one answer: both are named, and near 5% a note tells which of them decides."""
    disagreements = 0
    for b in range(1, 60):
        for c in range(b):
            answer = es.compare_paired(es.PairedTable(100, b, c, 100))
            rejects, excludes = answer.pvalue <= 0.05, answer.ci_low > 0
            disagreements += rejects != excludes
            assert (answer.method, answer.interval) == ("mcnemar_exact", "tango")
            assert answer.verdict == ("A better" if rejects else "inconclusive")
            assert ("test and interval disagree" in (answer.note or "")) == (rejects != excludes)
    assert disagreements > 0


def test_15_looking_often_is_left_to_a_package_that_guarantees_it() -> None:
    """No sequence of intervals with an estimated spread in place of a bound: confseq is named instead."""
    assert "tests that\nstay valid however often one looks (confseq)" in str(es.__doc__)
    assert not [name for name in es.__all__ if "sequence" in name or "anytime" in name]


def test_4c_epochs_and_clusters_of_items_give_one_standard_error() -> None:
    """The mean of each item's answers, or all answers with the item as cluster: the error that inspect-ai wrote."""
    log = es.read_inspect(LOGS / "sums_a.eval", metric="match")
    means = list(log.means().values())
    by_item = es.cluster_standard_error(log.scores, log.items)
    assert len(log.scores) > len(means)
    assert by_item == pytest.approx(np.std(means, ddof=1) / math.sqrt(len(means)), rel=1e-9)
    assert by_item == pytest.approx(counted_by_inspect("a")["stderr"]["value"], abs=1e-12)
