"""evalstats.sums: the same intervals from sums as from rows, and from a file as from memory; rows in bounded memory."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evalstats.sums
from evalstats.cluster import (
    clopper_pearson_cluster_interval,
    mean_interval,
    paired_cluster_interval,
    sums_interval,
    wilson_cluster_interval,
)
from evalstats.sums import ClusterSums, cluster_sums, parquet_cluster_sums

R = json.loads((Path(__file__).parents[1] / "reference" / "cluster.json").read_text())
ROOT = Path(__file__).parents[2]
N = 3000


def rows(seed: int = 0) -> dict[str, Any]:
    """Unequal clusters within strata, two systems with marks and with other scores; neither sorted."""
    rng = np.random.default_rng(seed)
    cluster = rng.integers(0, 90, N)
    chance = rng.random(90)[cluster]
    return {
        "cluster": [f"t{code}" for code in cluster],
        "kind": cluster % 3,
        "a": rng.random(N) < chance,
        "b": (rng.random(N) < 0.9 * chance).astype(np.int8),
        "graded": rng.normal(3, 1, N) + chance,
        "float": rng.normal(3, 1, N).astype(np.float32),
    }


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sums") / "rows.parquet"
    pq.write_table(pa.table(rows()), path, row_group_size=700)
    return path


def written(tmp_path: Path, **columns: Any) -> Path:
    pq.write_table(pa.table(columns), tmp_path / "few.parquet")
    return tmp_path / "few.parquet"


def same(one: Any, other: Any) -> None:
    """Every fact and number of two estimates, to 1e-12."""
    first, second = one.to_dict(), other.to_dict()
    for facts in (first, second):
        facts.update(facts.pop("extra"))
    for key, value in first.items():
        assert second[key] == (pytest.approx(value, rel=1e-12, abs=1e-12) if isinstance(value, float) else value), key
    assert first.keys() == second.keys()


# From sums as from rows, from a file as from memory


@pytest.mark.parametrize("batch_rows", [1, 7, 1000, 10**6])
@pytest.mark.parametrize("strata", [None, "kind"])
@pytest.mark.parametrize("score", ["a", "graded", "float"])
def test_the_file_gives_the_interval_of_the_rows(file: Path, score: str, strata: str | None, batch_rows: int) -> None:
    table = rows()
    sums = parquet_cluster_sums(file, score, "cluster", strata, batch_rows=batch_rows)
    same(sums_interval(sums), mean_interval(table[score], table["cluster"], None if strata is None else table[strata]))


@pytest.mark.parametrize("strata", [None, "kind"])
@pytest.mark.parametrize(("first", "second"), [("a", "b"), ("graded", "float")])
def test_two_systems(file: Path, first: str, second: str, strata: str | None) -> None:
    table = rows()
    sums = parquet_cluster_sums(file, first, "cluster", strata, minus=second, batch_rows=700)
    kinds = None if strata is None else table[strata]
    ours = paired_cluster_interval(table[first], table[second], table["cluster"], kinds, level=0.9)
    same(sums_interval(sums, 0.9, name="A - B"), ours)
    back = sums_interval(parquet_cluster_sums(file, second, "cluster", strata, minus=first), 0.9)
    assert (back.point, back.ci_low) == pytest.approx((-ours.point, -ours.ci_high))


def test_two_systems_that_never_differ(file: Path) -> None:
    answer = sums_interval(parquet_cluster_sums(file, "a", "cluster", minus="a"), name="A - B")
    same(answer, paired_cluster_interval(rows()["a"], rows()["a"], rows()["cluster"]))
    assert answer.method == "tango_of_clusters"


def test_every_method_from_sums(file: Path) -> None:
    table, sums = rows(), parquet_cluster_sums(file, "a", "cluster")
    ways = {"wilson": wilson_cluster_interval, "clopper_pearson": clopper_pearson_cluster_interval}
    for method, function in ways.items():
        same(sums_interval(sums, method=method, name="accuracy"), function(table["a"], table["cluster"]))


def test_sums_in_memory_and_from_a_file_are_the_same(file: Path) -> None:
    table = rows()
    ours = cluster_sums(table["a"], table["cluster"], table["kind"])
    theirs = parquet_cluster_sums(file, "a", "cluster", "kind", batch_rows=11)
    each = [sorted(zip(one.sizes, one.totals, one.rows[one.stratum], strict=True)) for one in (ours, theirs)]
    assert each[0] == each[1]
    assert (ours.marks, ours.scale, ours.differing) == (theirs.marks, theirs.scale, theirs.differing) == (True, 1, None)


def test_against_clubsandwich() -> None:
    """The data of tests/reference/cluster.R, whose sums are all that its CR2 needs."""
    sizes, kinds = np.array([1, 4, 2, 9, 3, 7, 2, 6, 5, 1]), [0, 0, 0, 1, 1, 1, 1, 2, 2, 2]
    groups = np.repeat(np.arange(1, 11), sizes)
    scores = ((np.arange(1, 41) * 37 + groups * groups * 11) % 29) / 29 + (groups % 3) / 2
    sums = ClusterSums(sizes, kinds, np.bincount(groups, scores)[1:], marks=False, scale=2.0)
    answer = sums_interval(sums)
    assert answer.extra["standard_error"] == pytest.approx(R["strata_unequal"]["CR2"], rel=1e-12)
    assert answer.extra["df"] == pytest.approx(R["strata_unequal"]["df"], rel=1e-10)


@given(st.integers(0, 10**6), st.floats(-1e6, 1e6), st.integers(1, 50))
@settings(max_examples=30, deadline=None)
def test_order_and_batches_do_not_matter_and_a_shift_moves_the_interval(seed: int, shift: float, batch: int) -> None:
    table = rows(seed)
    order = np.random.default_rng(seed).permutation(N)[:400]
    moved = table["graded"][order] + shift
    here = mean_interval(table["graded"][np.sort(order)], np.array(table["cluster"])[np.sort(order)])
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), c=np.array(table["cluster"])[order], s=moved)
        there = sums_interval(parquet_cluster_sums(path, "s", "c", batch_rows=batch))
    ends = np.array([here.ci_low, here.point, here.ci_high]) + shift
    assert [there.ci_low, there.point, there.ci_high] == pytest.approx(ends, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    "labels",
    [
        pa.array(["x", "y", "x", "z"]).dictionary_encode(),
        pa.array([2**62, 1, 2**62, 3]),
        pa.array([0.5, 1.5, 0.5, 2.5]),
        pa.array([1, 2, 1, 3], pa.timestamp("s")),
        pa.array(["x", "y", "x", "z"], pa.large_string()),
    ],
)
def test_labels_of_any_plain_type(tmp_path: Path, labels: Any) -> None:
    path = written(tmp_path, score=pa.array([1, 0, 1, 1], pa.uint8()), cluster=labels)
    for batch_rows in (1, 3, 10):
        sums = parquet_cluster_sums(path, "score", "cluster", batch_rows=batch_rows)
        assert sorted(zip(sums.sizes, sums.totals, strict=True)) == [(1, 0), (1, 1), (2, 2)]


def test_one_column_may_serve_twice(tmp_path: Path) -> None:
    path = written(tmp_path, score=[1, 0, 1, 1], cluster=["x", "y", "x", "z"])
    assert parquet_cluster_sums(path, "score", "cluster", minus="score").differing == 0
    assert parquet_cluster_sums(str(path), "score", groups="score").n_clusters == 2


# Bounded memory


MEASURE = """
import sys, tracemalloc
import pyarrow
from evalstats import parquet_cluster_sums
tracemalloc.start()
sums = parquet_cluster_sums(sys.argv[1], "score", "cluster", batch_rows=int(sys.argv[2]))
print(pyarrow.default_memory_pool().max_memory() + tracemalloc.get_traced_memory()[1], sums.n)
"""


def test_memory_does_not_grow_with_rows(tmp_path: Path) -> None:
    """A million rows that nothing compresses, 8 MB on disk: they take no more than a tenth of them, unless at once."""
    rng = np.random.default_rng(0)

    def peak(n: int, batch_rows: int) -> float:
        path = written(tmp_path, score=rng.random(n), cluster=(np.arange(n) % 50).astype(np.int32))
        command = [sys.executable, "-c", MEASURE, str(path), str(batch_rows)]
        found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
        assert int(found[1]) == n
        return float(found[0])

    few, many, whole = peak(100_000, 20_000), peak(1_000_000, 20_000), peak(1_000_000, 1_000_000)
    assert many < few + 2e6
    assert whole > many + 20e6


def test_it_reads_batch_after_batch(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    merged = evalstats.sums._merged

    def counted(table: Any, part: list[Any]) -> Any:
        seen.append(len(part[2]))
        return merged(table, part)

    monkeypatch.setattr(evalstats.sums, "_merged", counted)
    parquet_cluster_sums(file, "a", "cluster", batch_rows=500)
    assert sum(seen) == N
    assert max(seen) <= 500


# What is refused


GOOD = {"score": [1.0, 0.0, 1.0, 0.5], "cluster": ["x", "x", "y", "y"]}


@pytest.mark.parametrize(
    ("change", "arguments", "message"),
    [
        ({"score": [1, 0, np.nan, 1]}, {}, "column 'score' must be finite, got nan in row 2"),
        ({"score": [1, 0, None, 1]}, {}, "column 'score' must be finite, got None in row 2"),
        ({"score": [1, 0, 1, np.inf]}, {}, "column 'score' must be finite, got inf in row 3"),
        ({"score": list("1011")}, {}, "column 'score' must hold numbers, got string"),
        ({"score": [[1], [0], [1], [1]]}, {}, "column 'score' must hold numbers, got list"),
        ({"cluster": ["x", "x", "y", None]}, {}, "column 'cluster' must not be missing, got None in row 3"),
        ({"cluster": [1.0, 1.0, np.nan, 2.0]}, {}, "column 'cluster' must not be missing, got nan in row 2"),
        ({"cluster": [[1], [1], [2], [2]]}, {}, "column 'cluster' must hold labels, got list"),
        ({"cluster": ["x"] * 4}, {}, "at least 2 rows or clusters are needed, got 1"),
        ({"score": [], "cluster": []}, {}, "holds no rows"),
        ({"kind": ["k", "l", "k", "k"]}, {"strata": "kind"}, "but cluster 'x' has rows in two or more strata"),
        ({"kind": ["k", "k", "l", "l"]}, {"strata": "kind"}, "each stratum needs at least 2 clusters, but 'k' has 1"),
        ({"kind": ["k", "k", "l", None]}, {"strata": "kind"}, "column 'kind' must not be missing, got None in row 3"),
        ({"other": [1, 1, None, 1]}, {"minus": "other"}, "column 'other' must be finite, got None in row 2"),
        ({}, {"score": "right"}, "has no column 'right'; its columns are .'score', 'cluster'."),
        ({}, {"strata": "kind"}, "has no column 'kind'"),
        ({}, {"score": ["score"]}, "column must be a non-empty string, got .'score'."),
        ({}, {"groups": None}, "column must be a non-empty string, got None"),
        ({}, {"batch_rows": 0}, "batch_rows must be an integer of at least 1, got 0"),
        ({}, {"path": 5}, "path must be the path of a file, got 5"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, change: Any, arguments: Any, message: str) -> None:
    path = written(tmp_path, **(GOOD | change))
    for batch_rows in (1, 100):
        call = {"path": path, "score": "score", "groups": "cluster", "batch_rows": batch_rows} | arguments
        with pytest.raises(ValueError, match=message):
            parquet_cluster_sums(**call)


def test_what_is_no_parquet_file(tmp_path: Path) -> None:
    (tmp_path / "text.parquet").write_text("score,cluster")
    with pytest.raises(ValueError, match="Parquet"):
        parquet_cluster_sums(tmp_path / "text.parquet", "score", "cluster")
    with pytest.raises(FileNotFoundError):
        parquet_cluster_sums(tmp_path / "nowhere.parquet", "score", "cluster")


def test_without_pyarrow_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ImportError, match="need pyarrow, which is an extra"):
        parquet_cluster_sums(tmp_path / "rows.parquet", "score", "cluster")


def test_pyarrow_is_loaded_only_when_used() -> None:
    code = "import sys, evalstats; evalstats.cluster_sums([1, 0, 1], [1, 2, 2]); print('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True).stdout == "False\n"


SUMS: dict[str, Any] = {"sizes": [5, 5], "stratum": [0, 0], "totals": [4, 0], "marks": True, "scale": 1}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sizes": [5, 0]}, "sizes must hold whole numbers of at least 1, got 0 at position 1"),
        ({"sizes": [5, 4.5]}, "sizes must hold whole numbers of at least 1, got 4.5 at position 1"),
        ({"sizes": [5, 5, 5]}, "totals and sizes must describe the same items, got 2 and 3 values"),
        ({"totals": [4, np.nan]}, "totals must be finite, got nan at position 1"),
        ({"totals": [6, 0]}, "marks are 0 or 1, so no 5 rows total 6"),
        ({"totals": [4, -1]}, "marks are 0 or 1, so no 5 rows total -1"),
        ({"totals": [4, -6], "differing": 2}, "marks are 0 or 1, so no 5 rows total -6"),
        ({"stratum": [0, -1]}, "stratum must hold whole numbers of at least 0, got -1"),
        ({"stratum": [1, 1]}, "stratum must number the strata 0, 1, ..., got .1."),
        ({"stratum": [0, 10**12]}, "stratum must number the strata"),
        ({"stratum": [0, 1]}, "each stratum needs at least 2 clusters, but that of cluster 0"),
        ({"sizes": [5], "stratum": [0], "totals": [4]}, "at least 2 rows or clusters are needed, got 1"),
        ({"scale": -1}, "scale must be a finite number in .0, inf., got -1"),
        ({"scale": np.nan}, "scale must be"),
        ({"differing": 1.5}, "differing must be an integer of at least 0, got 1.5"),
    ],
)
def test_impossible_sums_are_refused(change: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ClusterSums(**(SUMS | change))


def test_methods_that_do_not_fit_are_refused() -> None:
    graded = ClusterSums(**(SUMS | {"totals": [4.5, 0], "marks": False}))
    with pytest.raises(ValueError, match=r"method must be one of .*'clopper_pearson'.*, got 'wald'"):
        sums_interval(graded, method="wald")
    for sums in (graded, ClusterSums(**(SUMS | {"differing": 1}))):
        with pytest.raises(ValueError, match="method wilson needs scores of 0 and 1 of one system"):
            sums_interval(sums, method="wilson")
    with pytest.raises(ValueError, match="level must lie strictly between 0 and 1, got 95"):
        sums_interval(graded, 95)


def test_sums_are_frozen() -> None:
    sums = ClusterSums(**SUMS)
    with pytest.raises(AttributeError):
        sums.scale = 2.0  # type: ignore[misc]
