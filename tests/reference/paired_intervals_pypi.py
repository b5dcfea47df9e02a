"""Limits of Tango's and Newcombe's intervals from the package of PyPI that shares our import name.

It cannot live beside ours. In an environment of its own:

    python -m venv other && other/bin/pip install "evalstats==0.3.3"  # the namesake, on purpose
    other/bin/python tests/reference/paired_intervals_pypi.py

This writes `paired_intervals_pypi.json`. Its Tango interval solves a quartic where ours searches; `c=0` takes its
correction for continuity away.
"""

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
from evalstats.core.resampling import newcombe_mover_paired_ci, tango_scc_paired_ci

CELLS = [
    [810, 45, 25, 120],
    [59, 6, 16, 80],
    [36, 12, 2, 0],
    [20, 4, 0, 16],
    [90, 45, 25, 90],
    [1, 3, 9, 30],
    [12, 1, 1, 6],
    [5, 0, 7, 3],
    [20, 0, 0, 20],
    [0, 29, 1, 0],
    [300, 80, 110, 10],
]
LEVELS = [0.8, 0.95, 0.99]


def row(cells: list[int], level: float) -> dict[str, object]:
    a, b = np.repeat([1.0, 1.0, 0.0, 0.0], cells), np.repeat([1.0, 0.0, 1.0, 0.0], cells)
    tango = tango_scc_paired_ci(a, b, 1 - level, c=0.0)
    newcombe = newcombe_mover_paired_ci(a, b, 1 - level)
    return {"cells": cells, "level": level, "tango": [*map(float, tango)], "newcombe": [*map(float, newcombe)]}


def main() -> None:
    source = f"PyPI's evalstats {version('evalstats')}: tango_scc_paired_ci with c = 0, newcombe_mover_paired_ci"
    rows = ",\n    ".join(json.dumps(row(cells, level)) for cells in CELLS for level in LEVELS)
    text = f'{{\n  "source": {json.dumps(source)},\n  "rows": [\n    {rows}\n  ]\n}}\n'
    Path(__file__).with_suffix(".json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
