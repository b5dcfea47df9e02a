"""The benchmarks, with tiny sizes: each comparison gives the same answer on both sides and a row of the table."""

from __future__ import annotations

import dataclasses

import pytest

from tests.bench import measure
from tests.bench.comparisons import Comparison, Sizes, all_comparisons

QUICK = Sizes(
    items=(200, 400),
    n_boot=200,
    clusters=40,
    pvalues=(5, 10),
    imports=(("import evalstats", "import json"),),
    rounds=2,
    at_least=1e-4,
)


def test_the_table_has_a_row_for_each_comparison() -> None:
    rows = measure.measure(QUICK)  # refuses answers that differ
    head, *lines = measure.table(rows).splitlines()
    compared = [(one.what, one.peer) for one in all_comparisons(QUICK)] + list(QUICK.imports)
    assert head.split() == "evalstats peer ms peer ms ratio min to max MB peer MB".split()
    assert [line.startswith(what) and f"  {peer}  " in line for line, (what, peer) in zip(lines, compared, strict=True)]
    assert len(set(compared)) == len(compared)
    assert all(len(row.ratios) == QUICK.rounds and min(row.ratios) > 0 for row in rows)
    assert [row.memory is not None for row in rows] == ["boot" in row.what or "bca" in row.what for row in rows]
    assert QUICK.imports[0] == (rows[-1].what, rows[-1].peer)


@pytest.mark.parametrize("theirs", [(0.1, 0.21), (0.1,), (0.1, float("nan"))])
def test_answers_that_differ_are_not_timed(theirs: tuple[float, ...]) -> None:
    same = Comparison("ours", "peer", lambda: (0.1, 0.2), lambda: (0.1, 0.2 + 1e-12))
    assert measure.row_of_calls(same, QUICK.at_least).what == "ours"
    with pytest.raises(AssertionError, match=r"ours gives \(0\.1, 0\.2\), peer .*: not within 1e-09"):
        measure.row_of_calls(dataclasses.replace(same, theirs=lambda: theirs), QUICK.at_least)


def test_memory_of_a_call_is_what_it_held_at_once() -> None:
    held = measure.peak_bytes(lambda: (float(sum(len(bytearray(1_000_000)) for _ in range(5))),))
    assert 1e6 <= held < 1.5e6


def test_a_ratio_above_one_means_that_evalstats_is_quicker() -> None:
    row = measure.Row("ours", "peer", (lambda: 0.002, lambda: 0.5))
    for first in (0, 1, 0):
        row.time(first)
    assert row.cells() == ["ours", "peer", "2.00", "500", "250", "250 to 250", "", ""]
