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
from book.tools.places import BUILD, ROOT
from book.tools.speed_figure import described, draw, finding, growth_lines, look_of

STORED = ROOT / "book" / "appendix" / "speed.toml"
PICTURE = BUILD / "speed" / "growth.svg"
Row = dict[str, Any]

SECTIONS = {"Resampling and leaderboards": "abcdefgh", "Closed forms": "k", "Imports": "i"}
PEAKS = {
    "VmHWM": "what Linux says of this process alone (VmHWM)",
    "ru_maxrss": "ru_maxrss, which may be that of the process that started it",
}
HEADS = ("Who, and by what", "CPU ms", "times ours", "over the rounds", "MB", "notes")
WIDTHS = (5, 2, 2, 3, 2, 4)
GRADING_HEADS = ("Who, and by what", "CPU s", "times ours", "over the rounds", "wall s", "MB")
GRADING_WIDTHS = (6, 2, 2, 3, 2, 2)


class Speed(SphinxDirective):
    """What the last kept run of the benchmarks found."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(STORED))
        kept = tomllib.loads(STORED.read_text(encoding="utf-8"))
        shown: list[nodes.Node] = [self.circumstances(kept["run"], kept["versions"]), self.targets(kept["target"])]
        shown.append(self.growth(kept["growth"], kept["file"]))
        for title, letters in SECTIONS.items():
            rows = [row for row in kept["row"] if row["letter"][0] in letters]
            shown.append(section(title, f"speed-{letters}", *self.tables(rows)))
        shown.append(self.files(kept["file"]))
        return [*shown, self.grading(kept)] if "grading" in kept else shown

    def circumstances(self, run: Row, versions: dict[str, str]) -> nodes.section:
        return section("The run", "speed-run", *told_of(run, versions))

    def targets(self, targets: Iterable[Row]) -> nodes.section:
        """What the library is to reach, and whether it did."""
        heads, widths = ("Target", "reached", "met?", "why not"), (9, 3, 2, 6)
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

    def growth(self, growth: Sequence[Row], files: Sequence[Row]) -> nodes.section:
        """What an answer costs for more and more items, as a figure and as a table."""
        lines = growth_lines(growth, files)
        draw(lines, PICTURE)
        image = nodes.image(uri="/" + PICTURE.relative_to(ROOT).as_posix(), alt=described(lines))
        caption = nodes.caption("", finding(lines))
        figure = nodes.figure("", image, caption, ids=["fig-speed-growth"], names=["fig-speed-growth"])
        drawn = nodes.container(
            "", figure, classes=["cell_output"]
        )  # turned to light on dark by night, as every figure
        names = list(dict.fromkeys((row["who"], row["label"]) for row in growth))
        found = {(row["who"], row["label"], row["n"]): growth_cell(row) for row in growth}
        rows = [
            texts(f"{n:,}", *(found.get((*name, n), "") for name in names))
            for n in sorted({row["n"] for row in growth})
        ]
        heads = ("items", *(look_of(name).words for name in names))
        told = paragraph(
            "Marks go to ", code("bootstrap_mean"), ", their counts to ", code("bootstrap_table_statistic"),
            ", files to ", code("parquet_cluster_sums"), ".",
        )  # fmt: skip
        counted = table("CPU ms for the interval of a mean", heads, [1] * len(heads), rows)
        return section("Cost against the number of items", "speed-growth", told, drawn, counted)

    def files(self, files: Iterable[Row]) -> nodes.section:
        """What sums of clusters cost that are streamed from a file."""
        heads = ("rows", "clusters", "MB of the file", "MB of the process", "CPU s", "mean", "difference")
        keys = ("n", "clusters", "file_mb", "peak_mb", "cpu_s", "mean", "difference")
        rows = [texts(*(number(float(f"{row[key]:.4g}")) for key in keys)) for row in files]
        by = {row["peak"] for row in files}
        told = paragraph(*(f"Memory is the largest that the process held, by {PEAKS[each]}." for each in sorted(by)))
        return section("Files larger than memory", "speed-files", told, table("Cluster sums", heads, [1] * 7, rows))

    def grading(self, kept: Row) -> nodes.section:
        """What it costs to grade, beside other graders, and where the time of ours goes."""
        rows: list[Row] = kept["grading"]
        compared = [row for row in rows if "cpu_ms" not in row]
        shown: list[nodes.Node] = [*told_of(kept["grading_run"], kept["grading_versions"])]
        for title, group in groupby(compared, key=lambda row: str(row["title"])):
            shown.append(table(title, GRADING_HEADS, GRADING_WIDTHS, [grading_cells(row) for row in group]))
        parts = [texts(row["title"], number(row["cpu_ms"])) for row in rows if "cpu_ms" in row]
        return section("Grading", "speed-grading", *shown, table("Parts of ours", ("Part", "CPU ms"), (4, 1), parts))


def told_of(run: Row, versions: Row) -> Sequence[nodes.Node]:
    """When and where a run was made, and with what."""
    told = (
        f"Run on {run['date']} with Python {run['python']} on {run['system']}, {run['cores']} cores, "
        f"in {run['rounds']} rounds; the load average was {run['load_before']:g} before and "
        f"{run['load_after']:g} after it."
    )
    with_versions = ", ".join(f"{name} {version}" for name, version in versions.items())
    return paragraph(told), paragraph(f"Versions: {with_versions}.")


def grading_cells(row: Row) -> Sequence[nodes.Node]:
    """A row of a grader: for who is not there only the reason."""
    name = paragraph(f"{row['who']} ", code(row["label"]))
    if "missing" in row:
        return [name, *texts("", "", "", "", row["missing"])]
    spread = f"{number(row['lowest'])} to {number(row['highest'])}" if row["rounds"] > 1 else ""
    return [name, *texts(*(number(row[key]) for key in ("cpu_s", "ratio")), spread,
                         *(number(row[key]) for key in ("wall_s", "peak_mb")))]  # fmt: skip


def growth_cell(row: Row) -> str:
    """The time, and what was scaled; or why there is none."""
    if "missing" in row:
        return str(row["missing"])
    return number(row["ms"]) + (f" ({row['scaled']})" if "scaled" in row else "")


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
