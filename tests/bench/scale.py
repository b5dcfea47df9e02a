"""Rows that do not fit in memory: what cluster sums from a Parquet file cost, for more and more rows.

    python -m tests.bench.scale 100_000 1_000_000 10_000_000

Each file is written in batches, read by a fresh process, and deleted. That process says its CPU time and the largest
memory that it ever held (resident), of which the interpreter and its libraries are the most. Only Linux tells this of
the process alone; elsewhere it may be that of the process that started it, and the table says so.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from book.tools.places import ROOT
from tests.bench.environments import clean_settings

SIZES = (100_000, 1_000_000, 10_000_000)
CLUSTERS = 2_000
BATCH = 1 << 18

READER = """
import json, sys, time
import evalstats, pyarrow.parquet
from tests.bench.worker import peak_megabytes
path = sys.argv[1]
evalstats.sums_interval(evalstats.cluster_sums([1, 0, 1, 0], [1, 2, 3, 4]))  # what is loaded when first used
begun, clock = time.process_time(), time.perf_counter()
one = evalstats.sums_interval(evalstats.parquet_cluster_sums(path, "a", "template", "kind"))
warm = time.process_time()  # the first reading has loaded what reads
two = evalstats.sums_interval(evalstats.parquet_cluster_sums(path, "a", "template", "kind", minus="b"))
cpu, second, wall = time.process_time() - begun, time.process_time() - warm, time.perf_counter() - clock
peak, said_by = peak_megabytes(), "VmHWM"
if peak is None:
    import resource
    unit = 1 if sys.platform == "darwin" else 1024
    peak, said_by = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6, "ru_maxrss"
row = {"n": one.n, "clusters": one.n_clusters, "peak_mb": peak, "peak": said_by}
row |= {"cpu_s": cpu, "second_s": second, "wall_s": wall}
print(json.dumps(row | {"mean": one.point, "error": one.extra["standard_error"], "difference": two.point}))
"""


def write(path: Path, n: int, seed: int = 0) -> None:
    """Marks of two systems on n rows, in clusters with names, within six kinds; batch after batch."""
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    rng = np.random.default_rng(seed)
    chance = rng.beta(2, 1, CLUSTERS)
    names = pyarrow.array([f"template {number}" for number in range(CLUSTERS)])
    kinds = pyarrow.array([f"kind {number % 6}" for number in range(CLUSTERS)])
    types = {"template": pyarrow.string(), "kind": pyarrow.string(), "a": pyarrow.bool_(), "b": pyarrow.float64()}
    with ParquetWriter(path, pyarrow.schema(types)) as writer:
        for first in range(0, n, BATCH):
            cluster = rng.integers(0, CLUSTERS, min(BATCH, n - first))
            a, b = (rng.random(cluster.size) < power for power in (chance[cluster], 0.95 * chance[cluster]))
            columns = [names.take(pyarrow.array(cluster)), kinds.take(pyarrow.array(cluster)), a, b.astype(float)]
            writer.write_table(pyarrow.table(dict(zip(types, columns, strict=True))))


def measured(n: int, folder: Path | None = None) -> dict[str, Any]:
    """One row of the table: a file of n rows is written, read twice (one system, two systems) and deleted."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        path = Path(place) / "rows.parquet"
        write(path, n)
        done = subprocess.run(
            [sys.executable, "-c", READER, str(path)],
            cwd=ROOT,
            env=clean_settings(),
            check=True,
            capture_output=True,
            text=True,
        )
        return json.loads(done.stdout) | {"file_mb": path.stat().st_size / 1e6}


def scale(sizes: Iterable[int] = SIZES, folder: Path | None = None) -> list[dict[str, Any]]:
    """The rows of the table, from few rows of data to many."""
    return [measured(n, folder) for n in sizes]


def inherited(row: dict[str, Any]) -> str:
    """What to beware of, where the system does not tell the peak of one process."""
    return "" if row["peak"] == "VmHWM" else "  (peak by ru_maxrss: perhaps that of the process that started it)"


def scale_table(rows: Iterable[dict[str, Any]]) -> str:
    heads = f"{'rows':>13}  {'clusters':>8}  {'file MB':>8}  {'peak MB':>8}  {'CPU s':>7}  {'ns a row':>8}"
    lines = [
        f"{row['n']:>13,}  {row['clusters']:>8,}  {row['file_mb']:>8.1f}  {row['peak_mb']:>8.0f}  {row['cpu_s']:>7.2f}"
        f"  {1e9 * row['cpu_s'] / row['n']:>8.0f}{inherited(row)}"
        for row in rows
    ]
    return "\n".join([heads, *lines])


if __name__ == "__main__":
    print(scale_table(scale([int(word) for word in sys.argv[1:]] or SIZES)))
