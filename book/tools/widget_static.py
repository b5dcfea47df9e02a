"""What stands in the page for a widget without scripts and in print: a picture and a table, computed by `evalstats`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape

import numpy as np
from scipy import stats

from evalstats.paired import PairedTable, mcnemar_exact, mcnemar_midp, tango_interval, unpaired_z_unpooled
from evalstats.proportion import clopper_pearson_interval, normal_quantile, standard_error, wilson_interval

SIDE = 240
GAP_POINTS = 2
ACCURACY = 0.85
ITEMS = (100, 500, 2000)
TRUTH = 0.85
TASKS = 20
HUNDRED = 100
HUNDRED_SEED = 74  # as in src/interval-coverage/index.ts
TRUTHS = (0.85, 0.95)


@dataclass(frozen=True)
class Widget:
    """A custom element: its options with their defaults, its static form, and its tag if that is not its name."""

    options: Mapping[str, int]
    picture: Callable[..., str]
    element: str | None = None


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


# ---- interval-coverage -----------------------------------------------------------------------------------------------

Limits = tuple[float, float]


def wald_limits(k: int, n: int) -> Limits:
    """Not cut at 0 and 1, as the chapter has it."""
    margin = normal_quantile(0.95) * standard_error(k, n)
    return k / n - margin, k / n + margin


def wilson_limits(k: int, n: int) -> Limits:
    interval = wilson_interval(k, n)
    return interval.ci_low, interval.ci_high


def clopper_pearson_limits(k: int, n: int) -> Limits:
    interval = clopper_pearson_interval(k, n)
    return interval.ci_low, interval.ci_high


KINDS: Mapping[str, Callable[[int, int], Limits]] = {
    "Wald": wald_limits,
    "Wilson": wilson_limits,
    "Clopper-Pearson": clopper_pearson_limits,
}


def exact_coverage(kind: str, n: int, p: float) -> float:
    """The chances of all counts whose interval holds p, added up."""
    caught = [low <= p <= high for low, high in (KINDS[kind](k, n) for k in range(n + 1))]
    return float(stats.binom.pmf(np.arange(n + 1), n, p)[caught].sum())


def random_numbers(seed: int) -> Iterator[float]:
    """The stream of src/lib/random.ts (mulberry32)."""
    word = 0xFFFFFFFF
    while True:
        seed = (seed + 0x6D2B79F5) & word
        t = (seed ^ (seed >> 15)) * (seed | 1) & word
        t ^= (t + ((t ^ (t >> 7)) * (t | 61) & word)) & word
        yield ((t ^ (t >> 14)) & word) / 2**32


def first_hundred(seed: int, n: int, p: float) -> list[int]:
    """Tasks solved in each of the evals with which the widget opens."""
    numbers = random_numbers(seed)
    return [sum(next(numbers) < p for _ in range(n)) for _ in range(HUNDRED)]


def missed(kind: str, counts: Iterable[int]) -> int:
    limits = (KINDS[kind](k, TASKS) for k in counts)
    return sum(not low <= TRUTH <= high for low, high in limits)


def interval_coverage() -> str:
    counts = first_hundred(HUNDRED_SEED, TASKS, TRUTH)
    words = (
        f"{HUNDRED} evals of {TASKS} tasks by an agent that solves {TRUTH:.0%} of such tasks, "
        f"each with its 95% Wald interval. "
        f"{missed('Wald', counts)} of them miss the truth, the upright line; they are thick and have a cross."
    )
    head = ("95% interval", "Misses here", *(f"Exact coverage at p = {without_zero(p, 2)}" for p in TRUTHS))
    rows = (
        (kind, str(missed(kind, counts)), *(without_zero(exact_coverage(kind, TASKS, p), 4) for p in TRUTHS))
        for kind in KINDS
    )
    return f'<p class="ic-static-words"><strong>{escape(words)}</strong></p>{_hundred(counts)}{html_table(head, rows)}'


def _hundred(counts: list[int]) -> str:
    """The Wald intervals from the highest score down, on an axis from the lowest end to a little beyond 1."""
    limits = [wald_limits(k, TASKS) for k in sorted(counts, reverse=True)]
    lowest = math.floor(10 * min(low for low, _ in limits)) / 10
    highest = max(1.0, *(high for _, high in limits))
    scale = 520 / (highest - lowest)
    base = 26 + 4 * len(limits)

    def place(share: float) -> float:
        return 20 + (share - lowest) * scale

    bars = "".join(_bracket(*ends, 24 + 4 * row, place) for row, ends in enumerate(limits))
    ticks = "".join(_tick(i / 10, place(i / 10), base) for i in range(round(10 * lowest), 11))
    truth = (
        f'<line class="ic-truth" x1="{place(TRUTH):.1f}" x2="{place(TRUTH):.1f}" y1="18" y2="{base}"/>'
        f'<text class="ic-truth-name" font-size="12" text-anchor="middle" x="{place(TRUTH):.1f}" y="12">'
        f"truth {without_zero(TRUTH, 2)}</text>"
    )
    label = f"{HUNDRED} Wald intervals against the truth {without_zero(TRUTH, 2)}; {missed('Wald', counts)} miss it."
    line = f'<line class="ic-base" x1="0" x2="560" y1="{base}" y2="{base}"/>'
    return f'<svg viewBox="0 0 560 {base + 24}" role="img" aria-label="{label}">{line}{ticks}{bars}{truth}</svg>'


def _bracket(low: float, high: float, y: int, place: Callable[[float], float]) -> str:
    caught = low <= TRUTH <= high
    kind = "ic-hit" if caught else "ic-miss"
    x = 552 if low > TRUTH else 8
    radius = 1.4 if caught else 2.2
    cross = "" if caught else f'<path class="ic-cross" d="M{x - 2} {y - 2}l4 4m0 -4l-4 4"/>'
    return (
        f'<line class="ic-bar {kind}" x1="{place(low):.1f}" x2="{place(high):.1f}" y1="{y}" y2="{y}"/>'
        f'<circle class="ic-score {kind}" cx="{place((low + high) / 2):.1f}" cy="{y}" r="{radius}"/>{cross}'
    )


def _tick(share: float, x: float, base: int) -> str:
    text = "1" if share == 1 else without_zero(share, 1)
    return (
        f'<line class="ic-base" x1="{x:.1f}" x2="{x:.1f}" y1="{base}" y2="{base + 4}"/>'
        f'<text class="ic-tick" font-size="12" text-anchor="middle" x="{x:.1f}" y="{base + 18}">{text}</text>'
    )


WIDGETS: Mapping[str, Widget] = {
    "paired-table": Widget({"a": 810, "b": 45, "c": 25, "d": 120}, paired_table),
    "same-model": Widget({}, same_model),
    "coverage": Widget({}, interval_coverage, element="interval-coverage"),
}
