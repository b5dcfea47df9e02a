"""evalstats.plots: what is drawn, on day and night, and without matplotlib."""

from __future__ import annotations

import subprocess
import sys

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from evalstats import plots
from evalstats.correction import benjamini_hochberg, benjamini_yekutieli, holm
from evalstats.leaderboard import rank_intervals, simultaneous_differences
from evalstats.paired import PairedTable, mcnemar_exact, newcombe_interval, paired_t, tango_interval
from evalstats.power import power_mcnemar_exact, power_two_proportions, required_n_mcnemar_exact
from evalstats.proportion import Quantity, wilson_interval
from evalstats.simulate import simulate_systems
from evalstats.variance import cheapest_design, design_standard_error, item_decode_components, variance_components

CHAPTER = PairedTable(810, 45, 25, 120)
PVALUES = [0.0128, 0.001, 0.04, 0.013, 0.9, 0.3, 0.0129, 0.5]  # the second in order lies above its own step
RUNS = simulate_systems(60, [0.7], item_icc=0.3, seed_icc=0.05, repeat_icc=0.6, n_seeds=6, n_decodes=3, seed=2).marks[0]
SOURCES = variance_components(RUNS.transpose(1, 0, 2))


def board(count: int = 8, n: int = 300):
    random = np.random.default_rng(3)
    hard = random.normal(size=n)
    thresholds = np.linspace(1.2, -0.3, count) ** 3
    return rank_intervals(
        {f"system {i:02}": (hard + random.normal(size=n) < at).astype(int) for i, at in enumerate(thresholds)}
    )


DRAWINGS = {
    "paired_table": lambda ax: plots.paired_table(CHAPTER, ax),
    "interval_forest": lambda ax: plots.interval_forest([tango_interval(CHAPTER), newcombe_interval(CHAPTER)], ax),
    "power_curve": lambda ax: plots.power_curve(
        {
            "exact McNemar": lambda n: power_mcnemar_exact(n, 0.1, 0.25),
            "two sets": lambda n: power_two_proportions(n, 0.85, 0.75),
        },
        range(20, 301, 20),
        ax,
    ),
    "step_up_staircase": lambda ax: plots.step_up_staircase(benjamini_hochberg(PVALUES), ax),
    "leaderboard": lambda ax: plots.leaderboard(board(), ax),
    "variance_budget": lambda ax: plots.variance_budget(
        SOURCES, [design_standard_error(SOURCES.variances, n_seeds=6, n_items=1000)], ax
    ),
}


@pytest.fixture(autouse=True)
def _no_windows(monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    mpl.use("Agg")
    with mpl.rc_context():
        yield
    plt.close("all")


def luminance(colour: str) -> float:
    channels = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return float(np.dot([0.2126, 0.7152, 0.0722], channels))


def by_night(colour: str) -> tuple[float, float, float]:
    """What the pages make of a colour by night: inverted, and turned half round the colour wheel."""
    inverted = 1 - np.array(to_rgb(colour))
    turned = 2 * float(np.dot([0.213, 0.715, 0.072], inverted)) - inverted  # hue-rotate(180deg)
    return tuple(np.clip(turned, 0, 1))


@pytest.mark.parametrize("colour", plots.DAY)
def test_colours_stand_out_by_day_and_by_night(colour):
    assert 1.05 / (luminance(colour) + 0.05) >= 5  # on white
    assert (luminance(by_night(colour)) + 0.05) / 0.05 >= 5  # on black, which white is turned into


@pytest.mark.parametrize("colour", plots.NIGHT)
def test_light_colours_stand_out_on_dark_axes(colour):
    assert (luminance(colour) + 0.05) / (luminance("#202020") + 0.05) >= 5


@pytest.mark.parametrize("name", DRAWINGS)
@pytest.mark.parametrize("night", [False, True])
def test_drawings_read_by_day_and_by_night_and_nothing_overlaps(name, night):
    """Every letter stands out from the ground, lies inside the figure, and meets no other; legends meet no data."""
    ax = None
    if night:
        with plt.style.context("dark_background"):
            _, ax = plt.subplots(figsize=(7.5, 4.5), layout="constrained")
    axes = DRAWINGS[name](ax)
    figure = axes.figure
    figure.canvas.draw()
    ground = luminance(axes.get_facecolor())
    legend = axes.get_legend()
    letters = [*axes.texts, *(legend.get_texts() if legend else [])]
    for axis in (axes.xaxis, axes.yaxis) if axes.axison else ():
        low, high = sorted(axis.get_view_interval())
        ticks = zip(axis.get_ticklabels(), axis.get_ticklocs(), strict=True)
        letters += [axis.label, *(label for label, place in ticks if low <= place <= high)]
    letters = [one for one in letters if one.get_text()]
    boxes = [one.get_window_extent() for one in letters]
    for one, box in zip(letters, boxes, strict=True):
        bright, dim = sorted((luminance(one.get_color()), ground), reverse=True)
        assert (bright + 0.05) / (dim + 0.05) >= 4.5, one
        assert figure.bbox.x0 - 1 <= box.x0 <= box.x1 <= figure.bbox.x1 + 1, one
        assert figure.bbox.y0 - 1 <= box.y0 <= box.y1 <= figure.bbox.y1 + 1, one
    for place, box in enumerate(boxes):
        assert not box.count_overlaps(boxes[place + 1 :]), letters[place]
    if legend:
        assert not axes.bbox.overlaps(legend.get_window_extent())


def test_the_style_is_dark_on_white():
    plots.use_style()
    figure, axes = plt.subplots()
    assert figure.get_facecolor() == axes.get_facecolor() == (1, 1, 1, 1)
    assert mpl.rcParams["text.color"] == plots.INK


def words(axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_paired_table_draws_the_four_counts_and_their_sums():
    axes = plots.paired_table(CHAPTER, labels=("new", "old"))
    drawn = words(axes)
    for number in ("810", "45", "25", "120", "855", "145", "835", "165"):
        assert drawn.count(number) == 1
    assert {"new right", "new wrong", "old\nright", "old\nwrong", "all 1,000 items, to scale"} <= set(drawn)
    bar = [patch for patch in axes.patches if patch.get_y() < 0]
    assert [patch.get_width() for patch in bar] == pytest.approx([1.62, 0.09, 0.05, 0.24])
    assert len({patch.get_hatch() for patch in bar[1:3]}) == 2  # told apart without colour
    assert axes.figure.get_facecolor() == (1, 1, 1, 1)


def test_forest_in_points_writes_points():
    axes = plots.interval_forest([tango_interval(CHAPTER)], percent=True)
    assert words(axes) == ["2.0 [0.4, 3.7]"]
    assert axes.lines[1].get_xdata()[0] == pytest.approx(2.0)


def test_the_place_of_a_count_is_its_meaning():
    axes = plots.paired_table(CHAPTER)
    place = {text.get_text(): text.get_position() for text in axes.texts}
    assert place["810"][0] == place["25"][0] < place["45"][0] == place["120"][0]
    assert place["810"][1] == place["45"][1] > place["25"][1] == place["120"][1]


def test_forest_draws_each_interval_where_it_is():
    small = PairedTable(20, 3, 2, 15)
    estimates = [tango_interval(CHAPTER), newcombe_interval(small), paired_t([1, 1, 0, 1], [0, 1, 0, 0])]
    axes = plots.interval_forest(estimates)
    lines = [line for line in axes.lines if len(line.get_xdata()) == 2 and line.get_linestyle() == "-"]
    assert [tuple(line.get_xdata()) for line in lines] == [(one.ci_low, one.ci_high) for one in estimates]
    markers = [line for line in axes.lines if line.get_marker() == "o"]
    assert [line.get_fillstyle() for line in markers] == ["full", "none", "none"]
    assert words(axes)[0] == "0.020 [0.004, 0.037]"
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the first on top


def test_forest_labels_are_names_or_methods_and_the_reference_may_go():
    named = [wilson_interval(3, 9, name="one"), wilson_interval(5, 9, name="two")]
    axes = plots.interval_forest(named, reference=None)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["one", "two"]
    assert len(axes.lines) == 4
    same = plots.interval_forest([tango_interval(CHAPTER), newcombe_interval(CHAPTER)])
    assert [label.get_text() for label in same.get_yticklabels()] == ["tango", "newcombe"]


@pytest.mark.parametrize("name", DRAWINGS)
def test_given_axes_are_used(name):
    _, axes = plt.subplots(1, 2)
    assert DRAWINGS[name](axes[1]) is axes[1]
    assert not axes[0].texts


def test_see_through_axes_take_the_ground_of_the_figure():
    figure, axes = plt.subplots(facecolor="black")
    axes.patch.set_alpha(0)
    assert plots.interval_forest([tango_interval(CHAPTER)], axes).texts[0].get_color() == plots.NIGHT.ink
    figure.patch.set_alpha(0)
    assert plots.interval_forest([tango_interval(CHAPTER)], axes).texts[-1].get_color() == plots.INK


# --- power ---


def test_power_curve_draws_what_it_was_given_and_marks_where_it_is_enough():
    sizes = range(190, 221)
    axes = plots.power_curve({"exact": lambda n: power_mcnemar_exact(n, 0.1, 0.25), "given": [0.7] * 31}, sizes)
    exact, given = axes.lines[:2]
    assert exact.get_xdata().tolist() == list(sizes)
    assert exact.get_ydata() == pytest.approx([power_mcnemar_exact(n, 0.1, 0.25).power for n in sizes])
    assert given.get_ydata() == pytest.approx([0.7] * 31)
    assert exact.get_label() == f"exact: n = {required_n_mcnemar_exact(0.1, 0.25)}"
    assert [sizes[at] for at in exact.get_markevery()] == [207]
    assert (given.get_label(), given.get_markevery()) == ("given: not reached", [])
    assert words(axes) == ["target 0.8"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("n, number of items", "power: chance that the test rejects")


def test_power_that_falls_short_again_is_not_enough():
    saw = [0.5, 0.81, 0.79, 0.85, 0.9]
    axes = plots.power_curve({"saw": saw}, [10, 20, 30, 40, 50], unit="clusters")
    assert axes.lines[0].get_label() == "saw: n = 40"
    assert axes.get_xlabel() == "n, number of clusters"
    plain = plots.power_curve({"saw": np.array(saw)}, [10, 20, 30, 40, 50], target=None)
    assert (plain.lines[0].get_label(), len(plain.lines), len(plain.texts)) == ("saw", 1, 0)


def test_curves_differ_in_more_than_colour():
    axes = plots.power_curve({f"design {i}": [0.1, 0.9] for i in range(20)}, [10, 20])
    looks = [(line.get_linestyle(), line.get_marker()) for line in axes.lines[:20]]
    assert len(set(looks)) == 20


# --- the stairs ---


def test_the_stairs_of_benjamini_hochberg():
    answer = benjamini_hochberg(PVALUES)
    axes = plots.step_up_staircase(answer)
    stairs = axes.patches[0].get_data()
    assert stairs.values == pytest.approx(0.05 * np.arange(1, 9) / 8)
    assert stairs.edges == pytest.approx(np.arange(0.5, 9))
    rejected, kept, above = axes.lines
    assert rejected.get_ydata() == pytest.approx([0.001, 0.0128, 0.0129, 0.013])
    assert rejected.get_ydata()[1] > stairs.values[1]
    assert (kept.get_xdata().tolist(), kept.get_ydata().tolist()) == ([5], [0.04])
    assert above.get_xdata().tolist() == [6, 7, 8]
    assert (above.get_ydata() == axes.get_ylim()[1]).all()
    assert len({(line.get_marker(), line.get_fillstyle()) for line in axes.lines}) == 3  # told apart without colour
    assert [line.get_label() for line in axes.lines] == ["4 rejected", "1 not rejected", "3 above the frame"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("rank r of the p-value among m = 8", "p-value (q = 0.05)")


def test_a_p_value_above_its_own_step_is_rejected_with_a_later_one():
    axes = plots.step_up_staircase(benjamini_hochberg([0.03, 0.04, 0.045]))
    assert axes.lines[0].get_ydata() == pytest.approx([0.03, 0.04, 0.045])
    assert axes.lines[0].get_ydata()[0] > axes.patches[0].get_data().values[0]


def test_the_stairs_of_benjamini_yekutieli_are_lower():
    axes = plots.step_up_staircase(benjamini_yekutieli(PVALUES))
    assert axes.patches[0].get_data().values == pytest.approx(0.05 * np.arange(1, 9) / 8 / sum(1 / np.arange(1, 9)))
    assert [len(line.get_xdata()) for line in axes.lines] == [1, 3, 4]


# --- ranks ---


@pytest.mark.parametrize("count", [2, 8, 40])
def test_leaderboard_draws_ranks_and_ties(count):
    answer = board(count)
    axes = plots.leaderboard(answer)
    lines = [path.vertices.tolist() for path in axes.collections[0].get_paths()]
    bands = zip(answer.rank_low, answer.rank_high, strict=True)
    assert lines == [[[low, row], [high, row]] for row, (low, high) in enumerate(bands)]
    best, others = axes.lines
    assert [answer.systems[row] for row in best.get_ydata()] == list(answer.may_be_best)
    drawn = dict(zip([*best.get_ydata(), *others.get_ydata()], [*best.get_xdata(), *others.get_xdata()], strict=True))
    assert [drawn[row] for row in range(count)] == list(answer.ranks)
    assert best.get_markerfacecolor() != others.get_markerfacecolor() == (1, 1, 1)  # hollow: told apart without colour
    assert [label.get_text() for label in axes.get_yticklabels()] == list(answer.systems)
    assert words(axes)[0] == "score   tied with"
    for said, point, tied in zip(words(axes)[1:], answer.points, answer.tied, strict=True):
        assert said.startswith(f"{point:.3f}")
        assert ", ".join(tied[:3]) in said
        assert ("more" in said) == (len(tied) > 4)
    assert axes.get_xlabel() == "rank, all lines at once with 95% confidence"
    assert axes.get_xticks()[0] == 1


def test_leaderboard_in_percent():
    assert words(plots.leaderboard(board(2), percent=True))[1] == f"{100 * board(2).points[0]:.1f}%"


# --- variance ---


def test_variance_budget_draws_the_shares_before_and_after():
    design = design_standard_error(SOURCES.variances, n_seeds=6, n_items=1000)
    axes = plots.variance_budget(SOURCES, [design])
    names = ["seed", "item", "seed_item", "decode"]
    for place, (source, bars) in enumerate(zip(names, axes.containers, strict=True)):
        assert bars.get_label() == source.replace("_", " × ")
        one, mean, planned = (bar.get_width() for bar in bars)
        assert one == pytest.approx(100 * SOURCES[source].extra["share"])
        assert mean == pytest.approx(100 * SOURCES.mean.extra[source] / SOURCES.mean.extra["standard_error"] ** 2)
        assert planned == pytest.approx(100 * design.extra[source] / design**2)
        if place:
            before = axes.containers[place - 1]
            assert [bar.get_x() for bar in bars] == pytest.approx([bar.get_x() + bar.get_width() for bar in before])
    assert len({bars[0].get_hatch() for bars in axes.containers}) == 4  # told apart without colour
    rows = [label.get_text() for label in axes.get_yticklabels()]
    assert rows == ["one answer", "6 seeds, 60 items, 3 decodes", "6 seeds, 1000 items"]
    one_answer = sum(SOURCES.variances.values()) ** 0.5
    assert words(axes) == [f"SD {one_answer:.3g}", f"SE {SOURCES.mean.extra['standard_error']:.3g}", f"SE {design:.3g}"]
    assert axes.get_xlabel() == "share of the variance, %"


def test_variance_budget_of_two_sources():
    axes = plots.variance_budget(item_decode_components([[1, 1], [1, 0], [0, 0], [1, 1]]))
    assert [bars.get_label() for bars in axes.containers] == ["item", "decode"]
    assert axes.containers[-1][1].get_x() + axes.containers[-1][1].get_width() == pytest.approx(100)


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="at least 1 estimate"):
        plots.interval_forest([])
    with pytest.raises(ValueError, match="no interval"):
        plots.interval_forest([mcnemar_exact(CHAPTER)])
    with pytest.raises(ValueError, match="estimates must be a list or a mapping of estimates, got an int"):
        plots.interval_forest(5)
    with pytest.raises(ValueError, match="each of estimates must be an Estimate or a TestResult, got a str"):
        plots.interval_forest({"a": "text"})


def test_a_forest_of_all_differences_and_of_a_mapping():
    right = {"A": [1] * 90 + [0] * 10, "B": [1] * 50 + [0] * 50, "C": [0] * 60 + [1] * 40}
    labels = plots.interval_forest(simultaneous_differences(right)).get_yticklabels()
    assert [one.get_text() for one in labels] == ["A - B", "A - C", "B - C"]
    labels = plots.interval_forest({"old": wilson_interval(8, 10), "new": wilson_interval(9, 10)}).get_yticklabels()
    assert [one.get_text() for one in labels] == ["old", "new"]


def test_the_cheapest_design_has_a_bar():
    best = cheapest_design(0.03, SOURCES.variances, cost_item=20)
    words = f"{best.extra['n_seeds']} seeds, {best.extra['n_items']} items"
    for designs in (best, [best]):
        axes = plots.variance_budget(SOURCES, designs)
        assert axes.get_yticklabels()[-1].get_text().startswith(words)
        assert f"SE {float(best):.3g}" in [text.get_text() for text in axes.texts]
    for labels in ("AB", ("A",), ("A", "B", "C")):
        with pytest.raises(ValueError, match="two names"):
            plots.paired_table(CHAPTER, labels=labels)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: plots.power_curve({}, [1, 2]), "curves must be a mapping from name to powers with at least 1 entry"),
        (lambda: plots.power_curve([0.1, 0.2], [1, 2]), "curves must be a mapping"),
        (lambda: plots.power_curve({"x": [0.1]}, [1]), "n must be at least 2 sizes in increasing order, got [1]"),
        (lambda: plots.power_curve({"x": [0.1, 0.2]}, [2, 1]), "n must be at least 2 sizes in increasing order"),
        (lambda: plots.power_curve({"x": [0.1, 0.2]}, [1.5, 2]), "n must be an integer of at least 1, got 1.5"),
        (lambda: plots.power_curve({"x": [0.1]}, [1, 2]), "must hold one power for each of the 2 sizes, got 1"),
        (lambda: plots.power_curve({"x": [0.1, 80]}, [1, 2]), "curves['x'] at n = 2 must be a finite number in [0, 1]"),
        (lambda: plots.power_curve({"x": 0.5}, [1, 2]), "curves['x'] must be a function of n or hold"),
        (lambda: plots.power_curve({"x": [0.1, 0.2]}, [1, 2], target=80), "target must lie strictly between 0 and 1"),
        (lambda: plots.step_up_staircase(holm(PVALUES)), "correction must come from benjamini_hochberg or"),
        (lambda: plots.step_up_staircase(PVALUES), "correction must come from benjamini_hochberg or"),
        (lambda: plots.leaderboard({"A": 0.9}), "board must be a Leaderboard, got a dict"),
        (lambda: plots.variance_budget({"item": 1.0}), "components must be VarianceComponents, got a dict"),
        (
            lambda: plots.variance_budget(SOURCES, [0.03]),
            "designs must come from design_standard_error or cheapest_design, got a float",
        ),
        (
            lambda: plots.variance_budget(SOURCES, [Quantity(0.1, method="cluster_cr2", n=9)]),
            "designs must come from design_standard_error",
        ),
    ],
)
def test_odd_data_are_refused(call, says):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        call()
    assert says in str(error.value)


def test_matplotlib_is_an_extra():
    program = (
        "import sys; sys.modules['matplotlib'] = None; sys.modules['matplotlib.pyplot'] = None\n"
        "from evalstats import plots; print(plots.INK)\n"
        "try: plots.use_style()\n"
        "except ImportError as error: print(error)"
    )
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert plots.INK in printed
    assert "matplotlib, which is an extra" in printed
