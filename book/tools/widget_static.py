"""What stands in the page for a widget without scripts and in print: a picture and a table, computed by `evalstats`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape

import numpy as np
from scipy import stats

from evalstats.paired import PairedTable, mcnemar_exact, mcnemar_midp, tango_interval, unpaired_z_unpooled

SIDE = 240
GAP_POINTS = 2
ACCURACY = 0.85
ITEMS = (100, 500, 2000)


@dataclass(frozen=True)
class Widget:
    """A custom element: its options with their defaults, and its static form."""

    options: Mapping[str, int]
    picture: Callable[..., str]


# ---- Numbers as the widgets print them -------------------------------------------------------------------------------


def p_text(p: float) -> str:
    if p < 0.0001:
        return "p &lt; .0001"
    if p >= 0.9995:
        return "p = 1" if p == 1 else "p &gt; .999"
    return f"p = {without_zero(p, 3 if p >= 0.0995 else 4)}"


def without_zero(number: float, decimals: int) -> str:
    return f"{number:.{decimals}f}".replace("0.", ".", 1).replace("-", "−")


def points(share: float, decimals: int = 1) -> str:
    text = f"{100 * share:.{decimals}f}"
    return text.replace("-", "−") if float(text) else text.replace("-", "")


def correlation(table: PairedTable) -> float | None:
    """φ of the two 0/1 columns; None when a system is all right or all wrong."""
    p_a, p_b = table.accuracy_a, table.accuracy_b
    variance = p_a * (1 - p_a) * p_b * (1 - p_b)
    return None if variance == 0 else float((table.both_right / table.n - p_a * p_b) / np.sqrt(variance))


def html_table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    top = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = "".join(_row(first, rest) for first, *rest in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _row(name: str, cells: Iterable[str]) -> str:
    return f'<tr><th scope="row">{name}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


# ---- paired-table ----------------------------------------------------------------------------------------------------


def mosaic(table: PairedTable) -> str:
    """The table as a square: rows as high as A is right and wrong, each split by B."""
    top = SIDE * table.accuracy_a
    cells = (
        *_split_row(0.0, top, "a", table.both_right, "b", table.a_only),
        *_split_row(top, SIDE, "c", table.b_only, "d", table.neither),
    )
    names = zip(("both right", "only A right", "only B right", "neither"), (n for *_, n in cells), strict=True)
    label = "Areas of a square: " + ", ".join(f"{name} {count}" for name, count in names) + "."
    drawn = "".join(_cell(*cell) for cell in cells)
    size = f'viewBox="0 0 {SIDE} {SIDE}" width="{SIDE}" height="{SIDE}"'
    return f'<svg {size} role="img" aria-label="{label}">{drawn}</svg>'


def _split_row(
    y: float, end: float, left: str, n_left: int, right: str, n_right: int
) -> tuple[tuple[str, float, float, float, float, int], ...]:
    width = SIDE * n_left / max(1, n_left + n_right)
    return (left, 0.0, y, width, end - y, n_left), (right, width, y, SIDE - width, end - y, n_right)


def _cell(name: str, x: float, y: float, width: float, height: float, count: int) -> str:
    box = f'x="{x + 1:.1f}" y="{y + 1:.1f}" width="{max(0.0, width - 2):.1f}" height="{max(0.0, height - 2):.1f}"'
    fits = max(width, height) > 28 and min(width, height) > 11
    at = f'x="{x + width / 2:.1f}" y="{y + height / 2 + 4:.1f}"'
    if width <= 28:  # the label stands on its end
        at += f' transform="rotate(-90 {x + width / 2:.1f} {y + height / 2:.1f})"'
    text = f'<text class="pt-label" font-size="12" text-anchor="middle" {at}>{name} {count:,}</text>' if fits else ""
    return f'<rect class="pt-cell pt-cell-{name}" {box}/>{text}'


def paired_table(a: int, b: int, c: int, d: int) -> str:
    table = PairedTable(a, b, c, d)
    right_a, right_b = a + b, a + c
    unpaired = unpaired_z_unpooled(right_a, table.n, right_b, table.n)
    tango = tango_interval(table)
    phi = correlation(table)
    results = html_table(
        ("Test", "p-value", "95% interval for A − B, points"),
        (
            ("Unpaired z, own variances", p_text(unpaired.pvalue), _interval(unpaired.ci_low, unpaired.ci_high)),
            ("McNemar exact", p_text(mcnemar_exact(table).pvalue), _interval(tango.ci_low, tango.ci_high) + " (Tango)"),
            ("McNemar mid-p", p_text(mcnemar_midp(table).pvalue), ""),
        ),
    )
    facts = (
        f"A is right on {points(table.accuracy_a)}% of items and B on {points(table.accuracy_b)}%: "
        f"A − B is {points(table.difference)} points. "
        f"The correlation of the two systems is {'undefined' if phi is None else without_zero(phi, 2)}."
    )
    return f'<div class="el-static-parts">{mosaic(table)}<div>{_counts(table)}<p>{facts}</p></div></div>{results}'


def _counts(table: PairedTable) -> str:
    rows = (
        ("A right", f"a {table.both_right:,}", f"b {table.a_only:,}"),
        ("A wrong", f"c {table.b_only:,}", f"d {table.neither:,}"),
    )
    return html_table(("Items", "B right", "B wrong"), rows)


def _interval(low: float | None, high: float | None) -> str:
    return "none" if low is None or high is None else f"{points(low, 2)} to {points(high, 2)}"


# ---- same-model ------------------------------------------------------------------------------------------------------


def gap_distribution(items: int, accuracy: float) -> tuple[np.ndarray, np.ndarray]:
    """Every gap in items between two runs of one model, and its probability."""
    mass = stats.binom.pmf(np.arange(items + 1), items, accuracy)
    return np.arange(-items, items + 1), np.convolve(mass, mass[::-1])


def share_of_wide_gaps(items: int, accuracy: float) -> float:
    """The probability of a gap of at least GAP_POINTS points."""
    gaps, mass = gap_distribution(items, accuracy)
    return float(mass[np.abs(gaps) * 100 >= GAP_POINTS * items].sum())


def common_gap(items: int, accuracy: float) -> float:
    """The smallest gap that at least 19 of 20 reruns stay within, as a share of items."""
    gaps, mass = gap_distribution(items, accuracy)
    within = np.cumsum(np.bincount(np.abs(gaps), weights=mass))
    return float(np.argmax(within >= 0.95)) / items


def same_model() -> str:
    rows = [(n, share_of_wide_gaps(n, ACCURACY), common_gap(n, ACCURACY)) for n in ITEMS]
    head = ("Items in the eval", f"Gap of {GAP_POINTS} points or more", "19 of 20 gaps stay within")
    cells = ((f"{n:,}", f"{points(wide)}% of reruns", f"{points(gap)} points") for n, wide, gap in rows)
    table = html_table(head, cells)
    words = f"One model, right on {ACCURACY:.0%} of questions in the long run, evaluated twice. Every gap is luck."
    return f'<p class="sm-static-words"><strong>{escape(words)}</strong></p>{_gap_bars(rows)}{table}'


def _gap_bars(rows: list[tuple[int, float, float]]) -> str:
    """For each size of eval, how far 19 of 20 gaps reach to either side."""
    scale = 220 / max(gap for *_, gap in rows)
    bars = "".join(_gap_bar(n, gap * scale, 30 * i) for i, (n, _, gap) in enumerate(rows))
    middle = f'<line class="sm-base" x1="320" x2="320" y1="0" y2="{30 * len(rows) + 4}"/>'
    label = "; ".join(f"with {n:,} items 19 of 20 gaps stay within {points(gap)} points" for n, _, gap in rows)
    return f'<svg viewBox="0 0 560 {30 * len(rows) + 6}" role="img" aria-label="{label}.">{bars}{middle}</svg>'


def _gap_bar(items: int, reach: float, top: int) -> str:
    box = f'x="{320 - reach:.1f}" y="{top + 8}" width="{2 * reach:.1f}" height="18" rx="9"'
    return (
        f'<rect class="pt-cell pt-cell-a" {box}/>'
        f'<text class="pt-label" font-size="12" x="0" y="{top + 21}">{items:,} items</text>'
    )


WIDGETS: Mapping[str, Widget] = {
    "paired-table": Widget({"a": 810, "b": 45, "c": 25, "d": 120}, paired_table),
    "same-model": Widget({}, same_model),
}
