"""Sphinx extension: the directive `speed`, which shows the table that `make bench` keeps in `appendix/speed.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.tools.ledger_page import code, paragraph, section, table
from book.tools.places import ROOT

STORED = ROOT / "book" / "appendix" / "speed.toml"
Row = dict[str, Any]

SECTIONS = {"Resampling and leaderboards": "abcdefgh", "Closed forms": "k", "Imports": "i"}
HEADS = ("Who, and by what", "CPU ms", "times ours", "over the rounds", "MB", "notes")
WIDTHS = (5, 2, 2, 3, 2, 4)


class Speed(SphinxDirective):
    """What the last kept run of the benchmarks found."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(STORED))
        kept = tomllib.loads(STORED.read_text(encoding="utf-8"))
        shown: list[nodes.Node] = [self.circumstances(kept["run"], kept["versions"]), self.targets(kept["target"])]
        for title, letters in SECTIONS.items():
            rows = [row for row in kept["row"] if row["letter"][0] in letters]
            shown.append(section(title, f"speed-{letters}", *self.tables(rows)))
        return [*shown, self.files(kept["file"])]

    def circumstances(self, run: Row, versions: dict[str, str]) -> nodes.section:
        told = (
            f"Run on {run['date']} with Python {run['python']} on {run['system']}, {run['cores']} cores, "
            f"in {run['rounds']} rounds; the load average was {run['load_before']:g} before and "
            f"{run['load_after']:g} after it."
        )
        with_versions = ", ".join(f"{name} {version}" for name, version in versions.items())
        return section("The run", "speed-run", paragraph(told), paragraph(f"Versions: {with_versions}."))

    def targets(self, targets: Iterable[Row]) -> nodes.section:
        """What the library is to reach, and whether it did."""
        heads, widths = ("Target", "reached", "met?", "why not"), (8, 2, 2, 6)
        rows = [
            texts(target["says"], number(target["value"]), "yes" if target["met"] else "no", target.get("reason", ""))
            for target in targets
        ]
        return section("The targets", "speed-targets", table("Targets of the library", heads, widths, rows))

    def tables(self, rows: Iterable[Row]) -> list[nodes.Node]:
        """One table for each question."""
        found: list[nodes.Node] = []
        for title, group in groupby(rows, key=lambda row: str(row["title"])):
            found.append(table(title, HEADS, WIDTHS, [cells(row) for row in group]))
        return found

    def files(self, files: Iterable[Row]) -> nodes.section:
        """What sums of clusters cost that are streamed from a file."""
        heads = ("rows", "clusters", "MB of the file", "MB of the process", "CPU s", "mean", "difference")
        keys = ("n", "clusters", "file_mb", "peak_mb", "cpu_s", "mean", "difference")
        rows = [texts(*(number(float(f"{row[key]:.4g}")) for key in keys)) for row in files]
        return section("Files larger than memory", "speed-files", table("Cluster sums", heads, [1] * 7, rows))


def cells(row: Row) -> Sequence[nodes.Node]:
    """A row of a table: for who is not there only the reason."""
    name = paragraph(f"{row['who']} ", code(row["label"]))
    if "missing" in row:
        return [name, *texts("", "", "", "", row["missing"])]
    spread = f"{number(row['lowest'])} to {number(row['highest'])}"
    memory = number(row["memory"]) if "memory" in row else ""
    notes = "; ".join(row[key] for key in ("scaled", "note") if key in row)
    return [name, *texts(number(row["ms"]), number(row["ratio"]), spread, memory, notes)]


def texts(*parts: str) -> list[nodes.Node]:
    return [nodes.paragraph(text=part) for part in parts]


def number(value: float) -> str:
    """Without an exponent, and with commas."""
    return f"{value:,.0f}" if value >= 100 else f"{value:g}"


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("speed", Speed)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
