"""The figure of the speed page: what an answer costs for more and more items, as an SVG in the style of the book."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evalstats.plots import ACCENT, INK, SECOND, STYLE

Row = dict[str, Any]


class Look(NamedTuple):
    """How a line is drawn, told apart without colour by marker and dashes, and what stands at its end."""

    words: str
    colour: str
    marker: str
    dashes: str


MARKS = ("evalstats", "bootstrap_mean")
COUNTS = ("evalstats", "bootstrap_table_statistic")
LIMIT = ("limit", "limits.mean")
READING = ("evalstats", "parquet_cluster_sums")
LOOKS = {
    MARKS: Look("evalstats, marks", ACCENT, "o", "-"),
    COUNTS: Look("evalstats, counts", ACCENT, "D", "-"),
    LIMIT: Look("limit, marks", INK, "x", ":"),
    READING: Look("evalstats, sums of\nclusters in a file", SECOND, "^", "-."),
}
Lines = dict[tuple[str, str], list[Row]]


def growth_lines(growth: Iterable[Row], files: Iterable[Row]) -> Lines:
    """The rows of each line that is there, by who and what; the second reading of a file is one, in milliseconds."""
    lines: Lines = {}
    for row in growth:
        if "missing" not in row:
            lines.setdefault((row["who"], row["label"]), []).append(row)
    return lines | {READING: [{"n": row["n"], "ms": 1000 * row["second_s"]} for row in files]}


def look_of(name: tuple[str, str]) -> Look:
    """Whatever is not named above is the peer."""
    return LOOKS.get(name, Look(f"{name[0]}, marks", INK, "s", "--"))


def draw(lines: Lines, path: Path) -> None:
    """Both axes by powers of ten; what was scaled up is hollow."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    style: Any = STYLE | {"svg.hashsalt": "speed"}  # the same file each time
    with rc_context(style):
        figure = Figure(figsize=(7.2, 4.2), layout="constrained")
        axes: Any = figure.add_subplot()
        axes.set(xscale="log", yscale="log", xlabel="items, or rows of the file", ylabel="CPU time of an answer (ms)")
        for name, rows in lines.items():
            draw_line(axes, look_of(name), rows)
        axes.set_xticks(*ticks([row["n"] for rows in lines.values() for row in rows]))
        axes.set_yticks(*ticks([row["ms"] for rows in lines.values() for row in rows]))
        axes.minorticks_off()
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Date": None})


def draw_line(axes: Any, look: Look, rows: Sequence[Row]) -> None:
    n, ms = [row["n"] for row in rows], [row["ms"] for row in rows]
    axes.plot(n, ms, look.dashes, color=look.colour, linewidth=1.6)
    for row in rows:
        fill = "none" if "scaled" in row else "full"
        axes.plot(row["n"], row["ms"], look.marker, color=look.colour, fillstyle=fill, markersize=6)
    axes.annotate(look.words, (n[-1], ms[-1]), (9, 0), textcoords="offset points", va="center", color=look.colour)


def ticks(values: Sequence[float]) -> tuple[list[float], list[str]]:
    """The powers of ten around the values, in full."""
    powers = [10.0**power for power in range(-3, 12)]
    inside = [power for power in powers if min(values) / 2 < power < max(values) * 2]
    return inside, [f"{power:,.10g}" for power in inside]


def short(value: float) -> str:
    """Two significant digits, written in full."""
    return f"{float(f'{value:.2g}'):,.10g}"


def finding(lines: Lines) -> str:
    """What the figure shows, in numbers of the table."""
    marks, counts = lines[MARKS], lines[COUNTS]
    each = [row["ms"] for row in counts]
    items = [f"{row['n']:,}" for row in (counts[0], counts[-1])]
    found = [
        "CPU time of the interval of a mean by ten thousand resamples, for more and more items.",
        f"From counts it is {short(min(each))} to {short(max(each))} ms, whether {' or '.join(items)} were counted.",
        f"Marks have to be read first: {short(marks[-1]['ms'])} ms for {marks[-1]['n']:,}.",
    ]
    for who, rows in ((who, rows) for (who, label), rows in lines.items() if (who, label) not in LOOKS):
        times, more = rows[-1]["ms"] / rows[0]["ms"], rows[-1]["n"] // rows[0]["n"]
        found.append(
            f"{who}, which draws every item again, takes {short(times)} times as long for {more:,} times as many "
            "(hollow: fewer resamples, time multiplied)."
        )
    found.append("Sums of clusters, of the difference of two systems, are read from a Parquet file, batch after batch.")
    return " ".join(found)


def described(lines: Lines) -> str:
    """For who cannot see it: each line by its ends."""
    told = [
        f"{who} {label}: from {short(rows[0]['ms'])} ms for {rows[0]['n']:,} to {short(rows[-1]['ms'])} ms for "
        f"{rows[-1]['n']:,}"
        for (who, label), rows in lines.items()
    ]
    return f"Line chart with both axes by powers of ten. {'; '.join(told)}."
