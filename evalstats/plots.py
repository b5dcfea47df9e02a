"""What does the answer look like? The plots that several chapters draw.

matplotlib is an extra and is imported when the first plot is drawn. Pictures are drawn dark on white, so that they
read in any notebook; by night the book's pages turn them to light on dark. What must be told apart without colour
differs in fill, hatching or shape too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .paired import PairedTable
from .result import Estimate, TestResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["interval_forest", "paired_table", "use_style"]

INK = "#33383d"  # lines and letters
ACCENT = "#1b6a96"  # what the plot is about; system A
SECOND = "#b04a12"  # its counterpart; system B

STYLE: dict[str, Any] = {
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
    "figure.dpi": 120,
    "font.size": 11,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "axes.titlesize": "medium",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": f"cycler('color', ['{ACCENT}', '{SECOND}', '{INK}'])",
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "hatch.linewidth": 0.8,
}


def use_style() -> None:
    """Draw all further figures of this session in the style of the book.

    Raises
    ------
    ImportError
        Where matplotlib is not installed.

    Examples
    --------
    >>> use_style()
    >>> import matplotlib
    >>> matplotlib.rcParams["text.color"]
    '#33383d'
    """
    _pyplot().rcParams.update(STYLE)


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("the plots need matplotlib, which is an extra: install it beside evalstats") from error
    return plt


def _axes(ax: Axes | None, size: tuple[float, float]) -> Any:
    """The given axes, or new ones in the style of the book."""
    if ax is not None:
        return ax
    plt = _pyplot()
    with plt.rc_context(STYLE):
        return plt.subplots(figsize=size, layout="constrained")[1]


def paired_table(table: PairedTable, ax: Axes | None = None, labels: tuple[str, str] = ("A", "B")) -> Axes:
    """On which items do the systems differ? The 2 x 2 table, and below it the four counts to scale.

    Parameters
    ----------
    table : PairedTable
        The four counts.
    ax : matplotlib Axes, optional
        Where to draw; new axes if not given.
    labels : pair of str
        What the systems are called.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        Unless there are exactly two labels.

    Examples
    --------
    >>> axes = paired_table(PairedTable(810, 45, 25, 120), labels=("new prompt", "old prompt"))
    >>> [text.get_text() for text in axes.texts][:4]
    ['810', '45', '25', '120']
    """
    if isinstance(labels, str) or len(labels) != 2:
        raise ValueError(f"labels must be two names, got {labels!r}")
    axes = _axes(ax, (5.0, 3.7))
    first, second = labels
    start = 0.0
    for count, colour, hatch, x, y in _cells(table):
        axes.add_patch(_patch(x, y, 1, 1, colour))
        axes.text(x + 0.5, y + 0.5, f"{count:,}", ha="center", va="center", fontsize=17, color=colour, weight="bold")
        width = 2 * count / table.n
        axes.add_patch(_patch(start, -0.7, width, 0.28, colour, hatch))
        start += width
    _table_words(axes, table, first, second)
    axes.set(xlim=(-1.1, 2.5), ylim=(-1.1, 2.6))
    axes.set_axis_off()
    return axes  # type: ignore[no-any-return]


def _cells(table: PairedTable) -> list[tuple[int, str, str, int, int]]:
    """Count, colour, hatching and place of each cell, in the order of the table; only two of them decide."""
    return [
        (table.both_right, INK, "", 0, 1),
        (table.a_only, ACCENT, "////", 1, 1),
        (table.b_only, SECOND, "\\\\\\\\", 0, 0),
        (table.neither, INK, "", 1, 0),
    ]


def _patch(x: float, y: float, width: float, height: float, colour: str, hatch: str = "") -> Any:
    from matplotlib.patches import Rectangle

    tint = "none" if colour == INK else colour + "22"
    return Rectangle((x, y), width, height, linewidth=1.2, edgecolor=colour, facecolor=tint, hatch=hatch)


def _table_words(axes: Any, table: PairedTable, first: str, second: str) -> None:
    """Heads of the rows and columns, and the sums along the edges."""
    right_a, right_b = table.both_right + table.a_only, table.both_right + table.b_only
    for x, word, total in ((0.5, "right", right_b), (1.5, "wrong", table.n - right_b)):
        axes.text(x, 2.08, f"{second}\n{word}", ha="center", va="bottom", color=INK)
        axes.text(x, -0.06, f"{total:,}", ha="center", va="top", color=INK)
    for y, word, total in ((1.5, "right", right_a), (0.5, "wrong", table.n - right_a)):
        axes.text(-0.08, y, f"{first} {word}", ha="right", va="center", color=INK)
        axes.text(2.08, y, f"{total:,}", ha="left", va="center", color=INK)
    axes.text(0, -0.78, f"all {table.n:,} items, to scale", ha="left", va="top", color=INK)


def interval_forest(
    estimates: Sequence[Estimate | TestResult],
    ax: Axes | None = None,
    reference: float | None = 0,
    percent: bool = False,
) -> Axes:
    """Which intervals hold the reference, and which do not? One line for each, with its numbers.

    Parameters
    ----------
    estimates : sequence of Estimate, or of TestResult with an interval
        Drawn from top to bottom under their names (under their methods, if two share a name).
    ax : matplotlib Axes, optional
        Where to draw; new axes if not given.
    reference : float or None
        Where to draw the dotted line. Intervals that exclude it have a filled marker, the others a hollow one.
    percent : bool
        Draw and write shares as percentage points.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        For an empty sequence, and for a TestResult without an interval.

    Examples
    --------
    >>> from evalstats import PairedTable, newcombe_interval, tango_interval
    >>> table = PairedTable(810, 45, 25, 120)
    >>> axes = interval_forest([tango_interval(table), newcombe_interval(table)])
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['tango', 'newcombe']
    """
    rows = [_row(one, 100 if percent else 1) for one in estimates]
    if not rows:
        raise ValueError("interval_forest needs at least 1 estimate, got none")
    names = [one.name for one in estimates]
    if len(set(names)) < len(names):
        names = [one.method for one in estimates]
    axes = _axes(ax, (7.0, 0.9 + 0.42 * len(rows)))
    for y, (point, low, high) in enumerate(rows):
        excludes = reference is not None and not low <= reference <= high
        axes.plot([low, high], [y, y], color=ACCENT, linewidth=2, solid_capstyle="butt")
        axes.plot(point, y, "o", color=ACCENT, markersize=7, fillstyle="full" if excludes else "none")
        words = _words(point, low, high, places=1 if percent else 3)
        axes.text(1.02, y, words, transform=axes.get_yaxis_transform(), va="center", color=INK)
    if reference is not None:
        axes.axvline(reference, color=INK, linewidth=1, linestyle=":")
    axes.set_yticks(range(len(rows)), names)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.tick_params(colors=INK)
    axes.tick_params(axis="y", length=0)
    for side, spine in axes.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(INK)
    return axes  # type: ignore[no-any-return]


def _words(point: float, low: float, high: float, places: int) -> str:
    words = f"{point:.{places}f} [{low:.{places}f}, {high:.{places}f}]"
    return words.replace("-", "\N{MINUS SIGN}")


def _row(one: Estimate | TestResult, scale: float) -> tuple[float, float, float]:
    point = one.point if isinstance(one, Estimate) else one.effect
    if one.ci_low is None or one.ci_high is None:
        raise ValueError(f"{one.name!r} ({one.method}) has no interval to draw")
    return scale * point, scale * one.ci_low, scale * one.ci_high
