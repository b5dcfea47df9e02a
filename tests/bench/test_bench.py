"""Speed and memory beside the peers: `make bench` prints the table, and nothing is asserted about a time."""

from __future__ import annotations

from tests.bench.comparisons import Sizes
from tests.bench.measure import heading, measure, table


def test_print_the_table() -> None:
    sizes = Sizes()
    rows = measure(sizes)
    print(f"\n\n{heading(sizes)}\n\n{table(rows)}\n")
