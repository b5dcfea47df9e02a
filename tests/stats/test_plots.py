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
from evalstats.paired import PairedTable, mcnemar_exact, newcombe_interval, paired_t, tango_interval
from evalstats.proportion import wilson_interval

CHAPTER = PairedTable(810, 45, 25, 120)


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


@pytest.mark.parametrize("colour", [plots.INK, plots.ACCENT, plots.SECOND])
def test_colours_stand_out_by_day_and_by_night(colour):
    assert 1.05 / (luminance(colour) + 0.05) >= 5  # on white
    assert (luminance(by_night(colour)) + 0.05) / 0.05 >= 5  # on black, which white is turned into


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


def test_given_axes_are_used():
    _, axes = plt.subplots(1, 2)
    assert plots.paired_table(CHAPTER, axes[0]) is axes[0]
    assert plots.interval_forest([tango_interval(CHAPTER)], axes[1]) is axes[1]


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="at least 1 estimate"):
        plots.interval_forest([])
    with pytest.raises(ValueError, match="no interval"):
        plots.interval_forest([mcnemar_exact(CHAPTER)])
    for labels in ("AB", ("A",), ("A", "B", "C")):
        with pytest.raises(ValueError, match="two names"):
            plots.paired_table(CHAPTER, labels=labels)


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
