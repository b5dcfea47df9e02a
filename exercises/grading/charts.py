"""Charts for pages without scripts: rows of a name, a value in words, and a bar that says the same again.

Names and values are text of the page, so they wrap on a phone, scale with the reader's letters and are read aloud; the
bars are drawings that only show how the values compare.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from exercises.grading.page import safe

WIDE, HIGH = 1000, 100  # units of a drawing; it is stretched to the width of the page


@dataclass(frozen=True)
class Row:
    """`name` is HTML, `words` the value as plain text. Without `value` there is no bar."""

    name: str
    words: str
    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Axis:
    """What the bars are measured on: `ticks` are (value, words) from the first to the last, `name` says the unit."""

    name: str
    ticks: Sequence[tuple[float, str]]

    def place(self, value: float) -> float:
        """Where a value stands, from 0 to 1; what lies beyond an end is drawn at the end."""
        first, last = self.ticks[0][0], self.ticks[-1][0]
        return min(1.0, max(0.0, (value - first) / (last - first)))


SHARES = tuple((percent / 100, f"{percent}%") for percent in (0, 25, 50, 75, 100))
CORRELATIONS = tuple((value, f"{value:g}".replace("-", "−")) for value in (-1, -0.5, 0, 0.5, 1))


def counts(name: str, most: int) -> Axis:
    """An axis of whole numbers up to `most` at least, with at most six ticks."""
    step = next(step for power in range(7) for base in (1, 2, 5) if (step := base * 10**power) * 5 >= most)
    last = max(step, -(-most // step) * step)
    return Axis(name, tuple((value, str(value)) for value in range(0, last + 1, step)))


def chart(caption: str, axis: Axis, rows: Iterable[Row]) -> str:
    """A figure; `caption` is plain text that states the finding."""
    lines = ["<figure>", f"<figcaption>{safe(caption)}</figcaption>"]
    for row in rows:
        lines.append(f'<div class="row"><div><span>{row.name}</span> <span>{safe(row.words)}</span></div>')
        lines.append(f"{_drawing(axis, row)}</div>")
    ticks = "".join(f'<span style="left:{axis.place(value):.2%}">{safe(words)}</span>' for value, words in axis.ticks)
    lines.append(f'<div class="axis" aria-hidden="true"><div>{ticks}</div><p>{safe(axis.name)}</p></div>')
    return "\n".join([*lines, "</figure>"])


def _drawing(axis: Axis, row: Row) -> str:
    zero = WIDE * axis.place(0)
    grid = "".join(f"M{WIDE * axis.place(value):.0f} 0V{HIGH}" for value, _ in axis.ticks)
    marks = [f'<rect class="track" width="{WIDE}" height="{HIGH}"/><path class="grid" d="{grid}"/>']
    if row.value is not None:
        end = WIDE * axis.place(row.value)
        left, right = min(zero, end), max(zero, end)
        marks.append(f'<rect class="bar" x="{left:.1f}" y="20" width="{right - left:.1f}" height="60"/>')
    if row.low is not None and row.high is not None:
        low, high = WIDE * axis.place(row.low), WIDE * axis.place(row.high)
        marks.append(f'<path class="reach" d="M{low:.1f} 50H{high:.1f}M{low:.1f} 25V75M{high:.1f} 25V75"/>')
    marks.append(f'<path class="zero" d="M{zero:.1f} 0V{HIGH}"/>')
    size = f'viewBox="0 0 {WIDE} {HIGH}" preserveAspectRatio="none"'
    return f'<svg aria-hidden="true" focusable="false" {size}>{"".join(marks)}</svg>'
