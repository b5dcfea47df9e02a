"""The clock, the memory and the table.

Time is CPU time: what else the machine does at the moment moves it little.
Each round times both sides of every row, one right after the other, and gives one ratio a row.
"""

from __future__ import annotations

import math
import os
import platform
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version

from book.tools.places import ROOT
from tests.bench.comparisons import Answer, Comparison, Sizes, all_comparisons

MEGABYTE = 1e6
Clock = Callable[[], float]  # measures once, in seconds


@dataclass
class Row:
    """One line of the table, filled round by round."""

    what: str
    peer: str
    clocks: tuple[Clock, Clock]
    memory: tuple[float, float] | None = None
    seconds: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))

    def time(self, first: int) -> None:
        """Time both sides; who comes first changes from round to round."""
        for side in (first, 1 - first):
            self.seconds[side].append(self.clocks[side]())

    @property
    def ratios(self) -> list[float]:
        """How many times as long the peer took, round by round."""
        return [theirs / ours for ours, theirs in zip(*self.seconds, strict=True)]

    def cells(self) -> list[str]:
        ours, theirs = (figure(1000 * statistics.median(times)) for times in self.seconds)
        ratios = self.ratios
        spread = f"{figure(min(ratios))} to {figure(max(ratios))}"
        memory = ["", ""] if self.memory is None else [figure(size / MEGABYTE) for size in self.memory]
        return [self.what, self.peer, ours, theirs, figure(statistics.median(ratios)), spread, *memory]


def figure(value: float) -> str:
    """Three significant digits, without an exponent."""
    return f"{value:,.0f}" if value >= 100 else f"{value:#.3g}" if value >= 0.01 else f"{value:.3f}"


def clock_of(call: Callable[[], Answer], at_least: float) -> Clock:
    """A clock of one call, which repeats it often enough to be measured, after one call that is not.

    That one pays for memory which the system has given elsewhere since the last round.
    """

    def seconds(times: int) -> float:
        call()
        begun = time.process_time()
        for _ in range(times):
            call()
        return (time.process_time() - begun) / times

    times = 1
    while (once := seconds(times)) * times < at_least / 4:
        times *= 4
    return partial(seconds, max(1, math.ceil(at_least / once)))


def process_seconds(statement: str) -> float:
    """What a fresh interpreter spends from its start until the statement is done."""
    settings = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", f"{statement}\nimport time\nprint(time.process_time())"]
    done = subprocess.run(command, cwd=ROOT, env=settings, check=True, capture_output=True, text=True)
    return float(done.stdout)


def peak_bytes(call: Callable[[], Answer]) -> float:
    """The most that the call held at once; numpy tells tracemalloc of its arrays."""
    tracemalloc.start()
    try:
        call()
        return float(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


def row_of_calls(comparison: Comparison, at_least: float) -> Row:
    """Check the answers, then look at the memory, then find out how often to repeat."""
    comparison.check()
    sides = (comparison.ours, comparison.theirs)
    memory = (peak_bytes(sides[0]), peak_bytes(sides[1])) if comparison.with_memory else None
    clocks = (clock_of(sides[0], at_least), clock_of(sides[1], at_least))
    return Row(comparison.what, comparison.peer, clocks, memory)


def row_of_imports(ours: str, theirs: str) -> Row:
    clocks = (partial(process_seconds, ours), partial(process_seconds, theirs))
    for clock in clocks:
        clock()  # leaves compiled modules behind, for both sides alike
    return Row(ours, theirs, clocks)


def measure(sizes: Sizes) -> list[Row]:
    rows = [row_of_calls(comparison, sizes.at_least) for comparison in all_comparisons(sizes)]
    rows += [row_of_imports(ours, theirs) for ours, theirs in sizes.imports]
    for number in range(sizes.rounds):
        for row in rows:
            row.time(first=number % 2)
    return rows


HEADS = ["evalstats", "peer", "ms", "peer ms", "ratio", "min to max", "MB", "peer MB"]


def table(rows: Iterable[Row]) -> str:
    """The rows in columns: words to the left, numbers to the right."""
    lines = [HEADS, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]

    def set_line(cells: list[str]) -> str:
        words = [cell.ljust(width) for cell, width in zip(cells[:2], widths[:2], strict=True)]
        numbers = [cell.rjust(width) for cell, width in zip(cells[2:], widths[2:], strict=True)]
        return "  ".join(words + numbers).rstrip()

    return "\n".join(map(set_line, lines))


def heading(sizes: Sizes) -> str:
    made_with = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "statsmodels"))
    return (
        f"Python {platform.python_version()}, {made_with}; {platform.system()} {platform.machine()}, "
        f"{os.cpu_count()} cores.\n"
        f"CPU time of a call (of a whole process, for imports), median of {sizes.rounds} interleaved rounds; "
        f"{sizes.n_boot:,} resamples.\n"
        "ratio: peer / evalstats, above 1 where evalstats is quicker, with its range over the rounds; "
        "MB: most memory held at once."
    )
