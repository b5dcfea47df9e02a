"""What an attacker found: input that gave a confident wrong answer, or lost a part of the right one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evalstats as es

RNG = np.random.default_rng(1)
A, B = RNG.integers(0, 2, (2, 40))
GROUPS = [f"t{row // 4}" for row in range(40)]
OTHER_ORDER = pd.Series(GROUPS, index=range(39, -1, -1))
TWO = {"A": A.tolist(), "B": pd.Series(B)}  # only the second names its rows


@pytest.mark.parametrize(
    "call",
    [
        lambda: es.simultaneous_differences(TWO, groups=OTHER_ORDER),
        lambda: es.rank_intervals(TWO, groups=OTHER_ORDER),
        lambda: es.rank_intervals(TWO, strata=pd.Series(["x", "y"] * 20, index=range(39, -1, -1))),
        lambda: es.item_pass_at_k(pd.Series([1, 2]), pd.Series([2, 3], index=[1, 0]), 2),
        lambda: es.macro_average_interval(pd.Series(A), OTHER_ORDER),
        lambda: es.macro_average_interval(A, OTHER_ORDER, groups=pd.Series(range(40))),
        lambda: es.pilot_required_n_paired_mean(pd.Series(A), B, delta=0.1, groups=OTHER_ORDER),
    ],
)
def test_rows_in_another_order_are_noticed_whoever_names_them(call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="labelled differently"):
        call()


@pytest.mark.parametrize(
    ("a", "b"), [([True, False], ["True", "False"]), ([1, 0], ["1", "0"]), (["yes ", "no"], ["yes", "no"])]
)
def test_raters_that_write_one_label_in_two_ways(a: list[Any], b: list[Any]) -> None:
    with pytest.raises(ValueError, match="a and b must write each label in one way"):
        es.cohen_kappa(a * 10, b * 10)


@pytest.mark.parametrize(
    ("labels", "must"),
    [
        (["t1", "t1 "], "write each label in one way"),
        ([1, "1"], "write each label in one way"),
        ([7.0, "7"], "write each label in one way"),
        ([("t1", 1), ("t1", "1")], "write each label in one way"),
        (["", "a"], "not be blank"),
        ([" ", "a"], "not be blank"),
        ([("a", ""), "a"], "not be blank"),
        ([object(), object()], "hold labels such as numbers or words, got an object"),
    ],
)
def test_labels_that_nobody_tells_apart(labels: list[Any], must: str) -> None:
    for owner in ("groups", "strata"):
        with pytest.raises(ValueError, match=f"{owner} must {must}"):
            es.mean_interval(A, **{owner: labels * 20})
    with pytest.raises(ValueError, match=f"strata must {must}"):
        es.weighted_mean_interval(A, labels * 20, {each: 1 for each in labels})
    with pytest.raises(ValueError, match=f"tasks must {must}"):
        es.macro_average_interval(A, labels * 20)


@pytest.mark.parametrize("labels", [["t1", "t1 "], ["", "a"]])
def test_labels_in_parquet_are_those_in_memory(labels: list[str], tmp_path: Path) -> None:
    pq.write_table(pa.table({"right": A, "odd": labels * 20, "row": range(40)}), tmp_path / "rows")
    with pytest.raises(ValueError, match="column 'odd' must"):
        es.parquet_cluster_sums(tmp_path / "rows", "right", groups="odd")
    with pytest.raises(ValueError, match="column 'odd' must"):
        es.parquet_cluster_sums(tmp_path / "rows", "right", groups="row", strata="odd")


@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_both_zeros_are_one_cluster(kind: str, tmp_path: Path) -> None:
    clusters = np.array([-0.0, 0.0, 1.0, 2.0] * 10, dtype=kind)
    pq.write_table(pa.table({"right": A, "cluster": clusters}), tmp_path / "rows")
    assert es.parquet_cluster_sums(tmp_path / "rows", "right", groups="cluster").n_clusters == 3
    assert es.cluster_sums(A, clusters).n_clusters == 3


@pytest.mark.parametrize("decisions", [[True, False, True], np.array([True, False]), {"x": 0.1, "y": np.bool_(True)}])
def test_decisions_are_no_pvalues(decisions: Any) -> None:
    for correct in (es.holm, es.bonferroni, es.benjamini_hochberg):
        with pytest.raises(ValueError, match=r"pvalues\[\d\] must be a finite number in \[0, 1\], got True"):
            correct(decisions)


def test_no_key_of_mlflow_is_taken_twice() -> None:
    board = es.rank_intervals({"gpt:4": A, "gpt_4": B})
    with pytest.raises(ValueError, match=r"'gpt:4\..*' and 'gpt_4\..*' become .*; rename one"):
        board.as_mlflow()
    with pytest.raises(ValueError, match="must differ in MLflow's characters"):
        es.Estimate("x", 0, 0, 0, 0.95, "none", 1, extra={"a:b": 1, "a_b": 2}).as_mlflow()


def test_keys_of_mlflow_say_whose_they_are() -> None:
    parts = es.item_decode_components([[1, 1], [1, 0], [0, 0], [1, 1]])
    assert all(key.startswith("variance_components.") for kind in parts.as_mlflow().values() for key in kind)
    assert "pilot.decode.point" in parts.as_mlflow("pilot")["metrics"]
    sizes = es.required_n_mcnemar(0.1, 0.25), es.required_n_mcnemar_exact(0.1, 0.25)
    assert not set(sizes[0].as_mlflow()["metrics"]) & set(sizes[1].as_mlflow()["metrics"])


def test_a_gate_says_no_more_than_it_knows() -> None:
    never = es.gate(400, 0.85, 0.05, threshold=0.9)
    assert never.extra["false_alarm"] == 1e-10
    assert es.gate(2000, 0.85, 0.3).extra["miss"] >= 1e-10
    assert es.gate(400, 0.85, 0.05, flip_rate=0.0).extra["false_alarm"] == 0, "no item turns, so this is exact"
    with pytest.raises(ValueError, match="alpha must be a finite number in"):
        es.gate(400, 0.85, 0.05, alpha=1e-13)


@pytest.mark.parametrize("kind", [float, np.float64, np.float32])
def test_sums_of_marks_are_counts_and_shares_are_not(kind: type) -> None:
    assert es.wilson_interval(kind(0), 20) == es.wilson_interval(0, 20)
    assert es.wilson_interval(kind(17), kind(20)) == es.wilson_interval(17, 20)
    assert es.PairedTable(kind(810), kind(45), kind(25), kind(0)) == es.PairedTable(810, 45, 25, 0)
    for share in (lambda: es.wilson_interval(kind(1), 20), lambda: es.PairedTable(kind(1), 0, 0, 0)):
        with pytest.raises(ValueError, match=r"1\.0.*which may be a share; write int\("):
            share()
    with pytest.raises(ValueError, match="integer"):
        es.PairedTable(0.81, 0.04, 0.03, 0.12)


class Forgetful(ThreadPoolExecutor):
    def __init__(self, kept: int) -> None:
        super().__init__(2)
        self.kept = kept

    def map(self, *args: Any, **options: Any) -> Iterator[Any]:
        return iter(list(super().map(*args, **options))[: self.kept])


@pytest.mark.parametrize("kept", [0, -1])
def test_an_executor_that_loses_blocks_is_noticed(kept: int) -> None:
    scores = np.linspace(0, 1, 3000) ** 3
    with Forgetful(kept) as executor, pytest.raises(ValueError, match="executor must return every block"):
        es.bootstrap_mean(scores, n_boot=4000, executor=executor)


def test_no_count_makes_pass_at_k_run_for_ever() -> None:
    for function in (es.pass_at_k, es.pass_hat_k, es.item_pass_at_k, es.item_pass_hat_k):
        with pytest.raises(ValueError, match="k must be at most 100000, got 100000000"):
            function([10**8] * 20, 10**9, 10**8)
    assert es.item_pass_hat_k([10**9 - 1], 10**9, 10**5) == pytest.approx(1 - 1e-4, rel=1e-9)


@pytest.mark.parametrize("right", [0, 17, 20])
def test_clusters_of_one_row_are_items(right: int, tmp_path: Path) -> None:
    marks = [1] * right + [0] * (20 - right)
    alone = es.mean_interval(marks)
    assert es.mean_interval(marks, groups=range(20)) == alone
    assert es.sums_interval(es.cluster_sums(marks, groups=range(20))) == alone
    tasks, weights = ["x", "y"] * 10, {"x": 1, "y": 3}
    one, each = (es.weighted_mean_interval(marks, tasks, weights, groups) for groups in (None, range(20)))
    assert (one.ci_low, one.ci_high, one.warning) == (each.ci_low, each.ci_high, each.warning)


@pytest.mark.parametrize("level", [0.99995, 0.999999, 1 - 1e-9, 1 - 2**-53])
def test_no_level_below_one_is_written_as_all(level: float) -> None:
    interval = es.wilson_interval(17, 20, level=level)
    board = es.rank_intervals({"A": A, "B": B}, level=level)
    for words in (str(interval), str(board), es.verdict(es.tango_interval(A, B, level=level)).reason):
        assert "100%" not in words
        assert "99.99" in words
    assert "95% interval" in str(es.wilson_interval(17, 20))
    assert json.dumps(interval.to_dict())
