"""What `make slow` found, printed as one table at the end of the run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Line = tuple[str, str, str, str, str]
FOUND: list[Line] = []
HEAD: Line = ("what", "cells", "worst", "where", "allowed")


@pytest.fixture
def report(record_property: Callable[[str, object], None]) -> Callable[..., None]:
    """Keep a line for the table; properties of a test travel from the workers of xdist to the printing process."""

    def keep(*line: str) -> None:
        record_property("calibration", list(line))

    return keep


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call":
        FOUND.extend(tuple(value) for name, value in report.user_properties if name == "calibration")  # type: ignore[misc]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    lines = list(dict.fromkeys(FOUND))
    if not lines:
        return
    terminalreporter.section("calibration: the worst cell of each grid")
    widths = [max(len(line[column]) for line in [HEAD, *lines]) for column in range(len(HEAD))]
    for line in [HEAD, *sorted(lines)]:
        terminalreporter.write_line("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)))
