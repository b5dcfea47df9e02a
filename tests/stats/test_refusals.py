"""Bad input is refused by every function, and in these words: the table is refusals.txt, a call and the whole message.

A message names the argument, what was given and what is allowed. Nothing else may come out of a bad input: no error of
numpy or of Python, no warning, no number.
"""

from __future__ import annotations

import inspect
import math
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evalstats

TABLE = Path(__file__).with_name("refusals.txt").read_text(encoding="utf-8")
REFUSALS = {call: message.strip() for call, message in re.findall(r"^([^#\s].*)\n((?: {4}.+\n)+)", TABLE, re.MULTILINE)}

DATA: dict[str, Any] = {
    "A": [1, 1, 0, 1, 0, 1, 1, 0],  # marks of two systems
    "B": [1, 0, 0, 1, 1, 0, 1, 0],
    "V": [0.1, 0.5, 0.2, 0.9, 0.4, 0.6, 0.7, 0.3],  # scores of two systems
    "W": [0.3, 0.2, 0.3, 0.8, 0.1, 0.6, 0.5, 0.1],
    "G": [0, 0, 1, 1, 2, 2, 3, 3],  # the cluster of each item
    "S": ["x"] * 4 + ["y"] * 4,  # the stratum of each item
    "T": evalstats.PairedTable(4, 3, 2, 5),
    "cube": np.arange(12).reshape(2, 3, 2) / 16,  # seeds x items x decodes
    "share_of_first": lambda tables: tables[0] / (tables[0] + tables[1]),
}
FILES = {  # name in a call: name on disk, and contents
    "table": ("runs.csv", "item,correct\nq1,1\nq2,0\n"),
    "notes": ("notes.txt", "nothing to see"),
    "samples": ("samples_task_2026.jsonl", '{"doc_id": 1}\n'),
}
COLUMNS = {"item": ["q1", "q2"], "correct": [1, 0], "cluster": ["x", "y"], "score": [1.0, None]}


def environment(folder: Path) -> dict[str, Any]:
    """What a call may name: all of evalstats, good data to go with the bad, and files."""
    for name, text in FILES.values():
        (folder / name).write_text(text, encoding="utf-8")
    pq.write_table(pa.table(COLUMNS), folder / "rows.parquet")
    files = {name: folder / file for name, (file, _) in FILES.items()} | {"rows": folder / "rows.parquet"}
    public = {name: getattr(evalstats, name) for name in evalstats.__all__}
    tools = {"np": np, "pd": pd, "nan": math.nan, "inf": math.inf, "ThreadPoolExecutor": ThreadPoolExecutor}
    return public | tools | DATA | files


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return environment(tmp_path_factory.mktemp("refusals"))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("call", REFUSALS)
def test_refused_in_these_words(names: dict[str, Any], call: str) -> None:
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 - the whole message is compared
        eval(call, names)
    assert str(refusal.value) == REFUSALS[call]


def test_the_table_is_read_whole() -> None:
    """150 rows at least, each call once and each with its message of one line."""
    lines = [line for line in TABLE.splitlines() if line and not line.startswith("#")]
    assert len(REFUSALS) >= 150
    assert len(lines) == 2 * len(REFUSALS)


def test_every_public_function_refuses_something() -> None:
    public = [name for names in evalstats.HOMES.values() for name in names]
    asked = [name for name in public if inspect.signature(getattr(evalstats, name)).parameters]
    calls = "\n".join(REFUSALS)
    assert [name for name in asked if not re.search(rf"^{name}[.(]", calls, re.MULTILINE)] == []
    assert sorted(set(public) - set(asked)) == ["Result"]
