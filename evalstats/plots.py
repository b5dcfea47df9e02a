"""What does the answer look like? The plots that several chapters draw.

matplotlib is an extra and is imported when the first plot is drawn. New pictures are drawn dark on white, so that they
read in any notebook; by night the book's pages turn them to light on dark. On axes of yours that are dark already, the
drawing is light. What must be told apart without colour differs in fill, hatching, dashes or shape too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _checks as checks
from .correction import Correction
from .leaderboard import Leaderboard
from .paired import PairedTable
from .power import Power
from .proportion import Quantity
from .result import Estimate, TestResult, _level_words
from .variance import SOURCES, VarianceComponents, design_standard_error

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "interval_forest",
    "leaderboard",
    "paired_table",
    "power_curve",
    "step_up_staircase",
    "use_style",
    "variance_budget",
]

INK = "#33383d"  # lines and letters
ACCENT = "#1b6a96"  # what the plot is about; system A
SECOND = "#b04a12"  # its counterpart; system B


class _Inks(NamedTuple):
    """What to draw with on this background."""

    ink: str
    accent: str
    second: str


DAY = _Inks(INK, ACCENT, SECOND)
NIGHT = _Inks("#d9dde1", "#84c6ee", "#f2a877")

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


def _axes(ax: Axes | None, size: tuple[float, float]) -> tuple[Any, _Inks]:
    """The given axes, or new ones in the style of the book, and what to draw with; ticks and edges are inked."""
    if ax is None:
        plt = _pyplot()
        with plt.rc_context(STYLE):
            ax = plt.subplots(figsize=size, layout="constrained")[1]
    axes: Any = ax
    red, green, blue = _ground(axes)
    inks = DAY if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else NIGHT
    axes.tick_params(colors=inks.ink)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(inks.ink)
    return axes, inks


def _ground(axes: Any) -> tuple[float, float, float]:
    """The colour behind the drawing: of the axes, or where they let it through, of the figure, or of the page."""
    for behind in (axes.get_facecolor(), axes.figure.get_facecolor()):
        if behind[3] > 0:
            return behind[:3]  # type: ignore[no-any-return]
    return 1.0, 1.0, 1.0


def _name(axes: Any, inks: _Inks, x: str, y: str = "") -> None:
    axes.set_xlabel(x, color=inks.ink)
    axes.set_ylabel(y, color=inks.ink)


def _legend(axes: Any, inks: _Inks, columns: int) -> None:
    """Above the frame, where there are no data."""
    place = {"loc": "lower left", "bbox_to_anchor": (0, 1.04), "borderaxespad": 0, "frameon": False}
    axes.legend(**place, ncols=columns, labelcolor=inks.ink, handlelength=3)


def _rows(axes: Any, names: Sequence[str], above: int = 0) -> None:
    """One line for each name, the first on top, and some for headings above it."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5 - above)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _ranks(axes: Any, count: int) -> None:
    """The horizontal axis from 1 to count."""
    step = -(-count // 12)
    axes.set_xlim(0.5, count + 0.5)
    axes.set_xticks(sorted({1, *range(step, count + 1, step)}))


def _beside(axes: Any, inks: _Inks, y: float, words: str) -> None:
    """To the right of the frame, at this height."""
    axes.text(1.02, y, words, transform=axes.get_yaxis_transform(), va="center", color=inks.ink)


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
        raise ValueError(f"labels must be two names, got {checks.short(labels)}")
    axes, inks = _axes(ax, (5.0, 3.7))
    start = 0.0
    for count, colour, hatch, x, y in _cells(table, inks):
        axes.add_patch(_patch(x, y, 1, 1, colour, tinted=bool(hatch)))
        axes.text(x + 0.5, y + 0.5, f"{count:,}", ha="center", va="center", fontsize=17, color=colour, weight="bold")
        width = 2 * count / table.n
        axes.add_patch(_patch(start, -0.7, width, 0.28, colour, hatch, tinted=bool(hatch)))
        start += width
    _table_words(axes, table, labels, inks.ink)
    axes.set(xlim=(-1.1, 2.5), ylim=(-1.1, 2.6))
    axes.set_axis_off()
    return axes  # type: ignore[no-any-return]


def _cells(table: PairedTable, inks: _Inks) -> list[tuple[int, str, str, int, int]]:
    """Count, colour, hatching and place of each cell, in the order of the table; only two of them decide."""
    return [
        (table.both_right, inks.ink, "", 0, 1),
        (table.a_only, inks.accent, "////", 1, 1),
        (table.b_only, inks.second, "\\\\\\\\", 0, 0),
        (table.neither, inks.ink, "", 1, 0),
    ]


def _patch(x: float, y: float, width: float, height: float, colour: str, hatch: str = "", tinted: bool = True) -> Any:
    from matplotlib.patches import Rectangle

    tint = colour + "22" if tinted else "none"
    return Rectangle((x, y), width, height, linewidth=1.2, edgecolor=colour, facecolor=tint, hatch=hatch)


def _table_words(axes: Any, table: PairedTable, labels: tuple[str, str], ink: str) -> None:
    """Heads of the rows and columns, and the sums along the edges."""
    right_a, right_b = table.both_right + table.a_only, table.both_right + table.b_only
    for x, word, total in ((0.5, "right", right_b), (1.5, "wrong", table.n - right_b)):
        axes.text(x, 2.08, f"{labels[1]}\n{word}", ha="center", va="bottom", color=ink)
        axes.text(x, -0.06, f"{total:,}", ha="center", va="top", color=ink)
    for y, word, total in ((1.5, "right", right_a), (0.5, "wrong", table.n - right_a)):
        axes.text(-0.08, y, f"{labels[0]} {word}", ha="right", va="center", color=ink)
        axes.text(2.08, y, f"{total:,}", ha="left", va="center", color=ink)
    axes.text(0, -0.78, f"all {table.n:,} items, to scale", ha="left", va="top", color=ink)


def interval_forest(
    estimates: Iterable[Estimate | TestResult] | Mapping[Any, Estimate | TestResult],
    ax: Axes | None = None,
    reference: float | None = 0,
    percent: bool = False,
) -> Axes:
    """Which intervals hold the reference, and which do not? One line for each, with its numbers.

    Parameters
    ----------
    estimates : sequence or mapping of Estimate, or of TestResult with an interval
        Drawn from top to bottom under their names (under their methods, if two share a name), or under the keys of the
        mapping where these are text. What `simultaneous_differences` returns can be drawn as it is.
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
        For no estimates, for anything else, and for a TestResult without an interval.

    Examples
    --------
    >>> from evalstats import PairedTable, newcombe_interval, tango_interval
    >>> table = PairedTable(810, 45, 25, 120)
    >>> axes = interval_forest([tango_interval(table), newcombe_interval(table)])
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['tango', 'newcombe']
    """
    named = _estimates(estimates)
    rows = [_row(one, 100 if percent else 1) for _, one in named]
    names = [name for name, _ in named]
    if len(set(names)) < len(names):
        names = [one.method for _, one in named]
    axes, inks = _axes(ax, (7.0, 0.9 + 0.42 * len(rows)))
    for y, (point, low, high) in enumerate(rows):
        excludes = reference is not None and not low <= reference <= high
        axes.plot([low, high], [y, y], color=inks.accent, linewidth=2, solid_capstyle="butt")
        axes.plot(point, y, "o", color=inks.accent, markersize=7, fillstyle="full" if excludes else "none")
        _beside(axes, inks, y, _words(point, low, high, places=1 if percent else 3))
    if reference is not None:
        axes.axvline(reference, color=inks.ink, linewidth=1, linestyle=":")
    _rows(axes, names)
    return axes  # type: ignore[no-any-return]


def _words(point: float, low: float, high: float, places: int) -> str:
    words = f"{point:.{places}f} [{low:.{places}f}, {high:.{places}f}]"
    return words.replace("-", "\N{MINUS SIGN}")


def _estimates(given: Any) -> list[tuple[str, Estimate | TestResult]]:
    """What to draw, and under which name."""
    if not isinstance(given, Iterable) or isinstance(given, (str, bytes)):
        raise ValueError(f"estimates must be a list or a mapping of estimates, got {checks.kind_of(given)}")
    pairs = list(given.items()) if isinstance(given, Mapping) else [(None, one) for one in given]
    if not pairs:
        raise ValueError("interval_forest needs at least 1 estimate, got none")
    for _, one in pairs:
        if not isinstance(one, (Estimate, TestResult)):
            raise ValueError(f"each of estimates must be an Estimate or a TestResult, got {checks.kind_of(one)}")
    return [(key if isinstance(key, str) else one.name, one) for key, one in pairs]


def _row(one: Estimate | TestResult, scale: float) -> tuple[float, float, float]:
    point = one.point if isinstance(one, Estimate) else one.effect
    if one.ci_low is None or one.ci_high is None:
        raise ValueError(f"{one.name!r} ({one.method}) has no interval to draw")
    return scale * point, scale * one.ci_low, scale * one.ci_high


def power_curve(
    curves: Mapping[str, Callable[[int], Power | float] | Iterable[Power | float]],
    n: Iterable[int],
    ax: Axes | None = None,
    target: float | None = 0.8,
    unit: str = "items",
) -> Axes:
    """How fast does the power grow, and where is it enough? One curve for each design or test.

    Parameters
    ----------
    curves : mapping from name to a function of n, or to the powers themselves
        A function such as `lambda n: power_mcnemar_exact(n, 0.1, 0.25)`, or one power for each n.
    n : sequence of int
        The sizes to draw, at least two, in increasing order.
    ax : matplotlib Axes, optional
        Where to draw; new axes if not given.
    target : float or None
        The power that is wanted, in (0, 1). The marker of a curve sits at the smallest n drawn from which on its power
        does not fall below the target again, and the legend names it.
    unit : str
        What n counts.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        For no curves, sizes that are not increasing integers, a power outside [0, 1], and not one power for each size.

    Examples
    --------
    >>> from evalstats import power_mcnemar_exact, power_mcnemar_uncorrected
    >>> forms = {"exact": power_mcnemar_exact, "uncorrected": power_mcnemar_uncorrected}
    >>> axes = power_curve({name: lambda n, f=form: f(n, 0.1, 0.25) for name, form in forms.items()}, range(150, 251))
    >>> [line.get_label() for line in axes.lines[:2]]
    ['exact: n = 207', 'uncorrected: n = 190']
    """
    sizes = [checks.integer("n", one, 1) for one in n]
    if len(sizes) < 2 or sorted(set(sizes)) != sizes:
        raise ValueError(f"n must be at least 2 sizes in increasing order, got {sizes}")
    if not isinstance(curves, Mapping) or not curves:
        raise ValueError(
            f"curves must be a mapping from name to powers with at least 1 entry, got {checks.short(curves)}"
        )
    drawn = {name: _powers(name, curve, sizes) for name, curve in curves.items()}
    goal = None if target is None else checks.share("target", target)
    axes, inks = _axes(ax, (6.5, 4.0))
    colours = cycle((inks.accent, inks.second, inks.ink))
    looks = zip(drawn.items(), colours, cycle(("-", "--", "-.", ":")), cycle("osD^v"), strict=False)
    for (name, powers), colour, dashes, marker in looks:
        look = {"color": colour, "linestyle": dashes, "marker": marker, "markersize": 8}
        at = None if goal is None else _enough(powers, goal)
        label = name if goal is None else f"{name}: {'not reached' if at is None else f'n = {sizes[at]}'}"
        axes.plot(sizes, powers, label=label, markevery=[] if at is None else [at], **look)
        if at is not None:
            axes.vlines(sizes[at], 0, powers[at], color=inks.ink, linewidth=1, linestyle=":")
    if goal is not None:
        axes.axhline(goal, color=inks.ink, linewidth=1, linestyle=":")
        _beside(axes, inks, goal, f"target {goal:g}")
    axes.set_ylim(0, 1.02)
    axes.set_xlim(sizes[0], sizes[-1])
    _name(axes, inks, f"n, number of {unit}", "power: chance that the test rejects")
    _legend(axes, inks, columns=2)
    return axes  # type: ignore[no-any-return]


def _powers(name: str, curve: Any, sizes: list[int]) -> list[float]:
    if not callable(curve) and not isinstance(curve, Iterable):
        raise ValueError(
            f"curves[{name!r}] must be a function of n or hold one power for each size, got {checks.short(curve)}"
        )
    powers = [curve(n) for n in sizes] if callable(curve) else list(curve)
    if len(powers) != len(sizes):
        raise ValueError(f"curves[{name!r}] must hold one power for each of the {len(sizes)} sizes, got {len(powers)}")
    plain = (float(power) if isinstance(power, Power) else power for power in powers)
    return [checks.number(f"curves[{name!r}] at n = {n}", power, 0, 1) for n, power in zip(sizes, plain, strict=True)]


def _enough(powers: list[float], goal: float) -> int | None:
    """From which place on no power falls short."""
    short = [place for place, power in enumerate(powers) if power < goal]
    first = short[-1] + 1 if short else 0
    return first if first < len(powers) else None


def step_up_staircase(correction: Correction, ax: Axes | None = None) -> Axes:
    """Which p-values does Benjamini-Hochberg reject? All up to the last one on or below the stairs.

    The p-values in increasing order against the stairs r q/m (for `benjamini_yekutieli` lower ones). A rejected p-value
    may lie above its own step, if a later one lies below.

    Parameters
    ----------
    correction : Correction
        From `benjamini_hochberg` or `benjamini_yekutieli`.
    ax : matplotlib Axes, optional
        Where to draw; new axes if not given.

    Returns
    -------
    matplotlib Axes
        Cut off not far above the stairs: p-values above the frame, which are not rejected, are triangles at its edge.

    Raises
    ------
    ValueError
        For another correction, which has no such stairs.

    Examples
    --------
    >>> from evalstats import benjamini_hochberg
    >>> axes = step_up_staircase(benjamini_hochberg([0.001, 0.01, 0.03, 0.2, 0.5]))
    >>> [line.get_label() for line in axes.lines]
    ['3 rejected', '0 not rejected', '2 above the frame']
    """
    stairs = {"benjamini_hochberg": "$rq/m$", "benjamini_yekutieli": r"$rq/(m\sum 1/i)$"}
    if not isinstance(correction, Correction) or correction.method not in stairs:
        raise ValueError(f"correction must come from {' or '.join(stairs)}, got {checks.short(correction)}")
    ranks = np.arange(1, correction.m + 1)
    order = np.argsort(correction.pvalues, kind="stable")
    p, rejected = np.array(correction.pvalues)[order], np.array(correction.reject)[order]
    divisor = correction.m * (1 if correction.method == "benjamini_hochberg" else float((1 / ranks).sum()))
    top = min(1.0, max(2 * correction.q * correction.m / divisor, 1.3 * p[rejected].max(initial=0)))
    axes, inks = _axes(ax, (6.5, 4.0))
    axes.stairs(ranks * correction.q / divisor, np.arange(0.5, correction.m + 1), baseline=None, color=inks.ink)
    _beside(axes, inks, correction.q * correction.m / divisor, stairs[correction.method])
    size = 8 if correction.m <= 30 else 4
    for kind, marker, fill, colour, words in (
        (rejected, "o", "full", inks.accent, "rejected"),
        (~rejected & (p <= top), "o", "none", inks.second, "not rejected"),
        (p > top, "^", "none", inks.second, "above the frame"),
    ):
        look = {"color": colour, "fillstyle": fill, "markersize": size, "clip_on": False, "zorder": 3}
        axes.plot(ranks[kind], np.minimum(p[kind], top), marker, label=f"{kind.sum()} {words}", **look)
    axes.set_ylim(0, top)
    _ranks(axes, correction.m)
    _name(axes, inks, f"rank r of the p-value among m = {correction.m}", f"p-value (q = {correction.q:g})")
    _legend(axes, inks, columns=3)
    return axes  # type: ignore[no-any-return]


def leaderboard(board: Leaderboard, ax: Axes | None = None, percent: bool = False) -> Axes:
    """Which ranks may each system have, and from which others can it not be told apart?

    Parameters
    ----------
    board : Leaderboard
        From `rank_intervals`. A system's line runs from its best to its worst rank, and the marker sits at the rank of
        its score; it is filled where the system may be the best.
    ax : matplotlib Axes, optional
        Where to draw; new axes if not given.
    percent : bool
        Write scores as percentages.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError
        For anything but a Leaderboard.

    Examples
    --------
    >>> from evalstats import rank_intervals
    >>> right = {"A": [1] * 90 + [0] * 10, "B": [1] * 50 + [0] * 50, "C": [0] * 60 + [1] * 40}
    >>> axes = leaderboard(rank_intervals(right))
    >>> [text.get_text() for text in axes.texts][1:]
    ['0.900', '0.500   C', '0.400   B']
    """
    if not isinstance(board, Leaderboard):
        raise ValueError(f"board must be a Leaderboard, got {checks.kind_of(board)}")
    count = len(board.systems)
    axes, inks = _axes(ax, (7.0, 1.2 + 0.36 * count))
    axes.hlines(range(count), board.rank_low, board.rank_high, color=inks.accent, linewidth=2)
    best = np.isin(board.systems, board.may_be_best)
    for kind, face, words in ((best, inks.accent, "may be the best"), (~best, _ground(axes), "surely not the best")):
        rows = np.flatnonzero(kind)
        look = {"color": inks.accent, "markerfacecolor": face, "markersize": 8}
        axes.plot(np.array(board.ranks)[rows], rows, "o", label=words, **look)
    _beside(axes, inks, -1, "score   tied with")
    for row, (point, tied) in enumerate(zip(board.points, board.tied, strict=True)):
        names = ", ".join(tied) if len(tied) <= 4 else f"{', '.join(tied[:3])} and {len(tied) - 3} more"
        _beside(
            axes, inks, row, f"{100 * point:.1f}%   {names}".rstrip() if percent else f"{point:.3f}   {names}".rstrip()
        )
    _rows(axes, board.systems, above=1)
    _ranks(axes, count)
    _name(axes, inks, f"rank, all lines at once with {_level_words(board.level)} confidence")
    _legend(axes, inks, columns=2)
    return axes  # type: ignore[no-any-return]


HATCHES = {"seed": "", "item": "////", "seed_item": "xxxx", "decode": "...."}


def variance_budget(
    components: VarianceComponents, designs: Quantity | Iterable[Quantity] = (), ax: Axes | None = None
) -> Axes:
    """Which source makes the noise of one answer, and which is left when answers are averaged? Shares, as bars.

    Parameters
    ----------
    components : VarianceComponents
        The variance of each source: the top bar, for one answer. The bar below is for the mean of the eval they came
        from.
    designs : Quantity or sequence of Quantity, optional
        Means of other designs, from `design_standard_error` or `cheapest_design`; a bar for each.
    ax : matplotlib Axes, optional
        Where to draw; new axes if not given.

    Returns
    -------
    matplotlib Axes
        Each bar adds up to 100%. Beside it stands the standard deviation (SD) of one answer or the standard error (SE)
        of the mean, in the unit of the scores.

    Raises
    ------
    ValueError
        For anything else, and for components that are all 0.

    Examples
    --------
    >>> from evalstats import design_standard_error, item_decode_components
    >>> parts = item_decode_components([[1, 1], [1, 0], [0, 0], [1, 1]])
    >>> axes = variance_budget(parts, [design_standard_error(parts.variances, n_items=400, n_decodes=5)])
    >>> [label.get_text() for label in axes.get_yticklabels()]
    ['one answer', '4 items, 2 decodes', '400 items, 5 decodes']
    """
    if not isinstance(components, VarianceComponents):
        raise ValueError(f"components must be VarianceComponents, got {checks.kind_of(components)}")
    sources = [one.name for one in components.sources]
    facts = [design_standard_error(components.variances).extra, components.mean.extra]
    listed = [designs] if isinstance(designs, Quantity) or not isinstance(designs, Iterable) else designs
    for design in listed:
        if not isinstance(design, Quantity) or not {*SOURCES, "n_items"} <= set(design.extra):
            raise ValueError(
                f"designs must come from design_standard_error or cheapest_design, got {checks.kind_of(design)}"
            )
        facts.append(design.extra)
    axes, inks = _axes(ax, (7.5, 1.5 + 0.6 * len(facts)))
    parts = np.array([[fact[source] for source in sources] for fact in facts])
    totals = parts.sum(axis=1)
    ends = np.cumsum(100 * parts / totals[:, None], axis=1)
    for place, source in enumerate(sources):
        starts = ends[:, place - 1] if place else 0 * totals
        look = {"edgecolor": inks.ink, "facecolor": inks.accent + "33", "hatch": HATCHES[source], "linewidth": 1.2}
        axes.barh(range(len(facts)), ends[:, place] - starts, 0.6, starts, label=source.replace("_", " × "), **look)
    for row, total in enumerate(totals):
        _beside(axes, inks, row, f"{'SE' if row else 'SD'} {total**0.5:.3g}")
    _rows(axes, ["one answer", *(_design_words(fact) for fact in facts[1:])])
    axes.set_xlim(0, 100)
    _name(axes, inks, "share of the variance, %")
    _legend(axes, inks, columns=len(sources))
    return axes  # type: ignore[no-any-return]


def _design_words(fact: Mapping[str, Any]) -> str:
    units = {unit: fact[f"n_{unit}s"] for unit in ("seed", "item", "decode")}
    return ", ".join(f"{count} {unit}{'s' * (count > 1)}" for unit, count in units.items() if count > 1) or "one answer"
