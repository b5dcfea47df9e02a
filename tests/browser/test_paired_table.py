"""The paired table: what it shows is what evalstats computes, and everything on it can be done with the keyboard."""

from __future__ import annotations

from typing import Any

import pytest

from book.tools.widget_static import correlation
from evalstats.paired import (
    PairedTable,
    mcnemar_corrected,
    mcnemar_exact,
    mcnemar_midp,
    mcnemar_uncorrected,
    unpaired_z_pooled,
    unpaired_z_unpooled,
)

pytestmark = pytest.mark.browser
OUTER, UPPER, LOWER = (f"paired-table .pt-handle:nth-of-type({i})" for i in (1, 2, 3))


@pytest.fixture
def page(visit: Any, harness: str) -> Any:
    return visit(harness, maths=False)


def cells(page: Any) -> PairedTable:
    fields = page.locator("paired-table .pt-field input")
    return PairedTable(*fields.evaluate_all("all => all.map(field => Number(field.value))"))


def printed(p: float) -> str:
    if p < 0.0001:
        return "< .0001"
    return "1" if p == 1 else f"{p:.{3 if p >= 0.0995 else 4}f}".removeprefix("0")


def shown(page: Any) -> dict[str, str]:
    """Every number of the widget by its name."""
    numbers = page.locator("paired-table [data-value], paired-table td[data-p]")
    by_name = numbers.evaluate_all("all => all.map(e => [e.dataset.value ?? e.dataset.p, e.textContent])")
    verdicts = page.locator("paired-table .pt-p").evaluate_all("all => all.map(e => e.dataset.p)")
    note = page.locator("paired-table .pt-paired .pt-note").text_content()
    return {**dict(by_name), "unpaired verdict": verdicts[0], "paired verdict": verdicts[1], "note": note}


def expected(table: PairedTable) -> dict[str, str]:
    right_a, right_b = table.both_right + table.a_only, table.both_right + table.b_only
    phi = correlation(table)
    unpooled = unpaired_z_unpooled(right_a, table.n, right_b, table.n).pvalue
    exact, midp = mcnemar_exact(table).pvalue, mcnemar_midp(table).pvalue
    gap = f"{100 * table.difference:+.1f}".replace("-", "−")
    return {
        "accuracy-a": f"{100 * table.accuracy_a:.1f}%",
        "accuracy-b": f"{100 * table.accuracy_b:.1f}%",
        "difference": f"{gap} points" if table.difference else "0.0 points",
        "correlation": "undefined" if phi is None else f"{phi:.2f}".replace("0.", ".").replace("-", "−"),
        "unpooled": printed(unpooled),
        "pooled": printed(unpaired_z_pooled(right_a, table.n, right_b, table.n).pvalue),
        "exact": printed(exact),
        "midp": printed(midp),
        "uncorrected": printed(mcnemar_uncorrected(table).pvalue),
        "corrected": printed(mcnemar_corrected(table).pvalue),
        "unpaired verdict": printed(unpooled),
        "paired verdict": printed(exact),
        "note": f"mid-p {printed(midp)}",
    }


def test_it_opens_with_the_table_of_the_chapter(page: Any) -> None:
    assert cells(page) == PairedTable(810, 45, 25, 120)
    numbers = shown(page)
    assert (numbers["unpaired verdict"], numbers["paired verdict"], numbers["note"]) == (".216", ".0225", "mid-p .0170")
    assert numbers == expected(cells(page))


def test_every_corner_is_where_the_printed_table_has_it(page: Any) -> None:
    """Rows are A, columns are B: in the fields, in the square and in the form without scripts."""
    heads, *rows = [line.split() for line in str(cells(page)).splitlines()]
    assert heads == ["B", "right", "B", "wrong"]
    fields = page.locator("paired-table .pt-counts")
    assert fields.locator("thead th").all_text_contents()[:2] == ["B right", "B wrong"]
    assert fields.locator("tbody th").all_text_contents()[:2] == ["A right", "A wrong"]
    (_, _, a, b), (_, _, c, d) = rows
    still = page.locator("paired-table .el-static table").first.locator("tr").all_text_contents()
    assert still == ["ItemsB rightB wrong", f"A righta {a}b {b}", f"A wrongc {c}d {d}"]
    place = "all => all.map(e => [Number(e.getAttribute('x')), Number(e.getAttribute('y'))])"
    for form in (".el-live", ".el-static"):
        cornered = page.locator(f"paired-table {form} svg rect.pt-cell").evaluate_all(place)
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = cornered
        assert ay == by < cy == dy, "A right lies above A wrong"
        assert ax == cx < dx < bx, "B right lies left of B wrong"


@pytest.mark.parametrize("counts", [(714, 141, 121, 24), (12, 9, 1, 8), (3, 0, 0, 2), (40, 20, 45, 15), (0, 5, 5, 0)])
def test_typed_tables_show_what_evalstats_computes(page: Any, tab_to: Any, counts: tuple[int, int, int, int]) -> None:
    typed = dict(zip("abcd", counts, strict=True))
    for name in "abcd":
        tab_to(page, f".pt-field-{name} input")
        page.keyboard.press("Control+a")
        page.keyboard.type(str(typed[name]))
    assert cells(page) == PairedTable(*counts)
    assert shown(page) == expected(PairedTable(*counts))


@pytest.mark.parametrize(("handle", "most"), [(OUTER, 1000), (UPPER, 855), (LOWER, 145)])
def test_borders_move_by_keyboard(page: Any, tab_to: Any, handle: str, most: int) -> None:
    tab_to(page, handle)
    border = page.locator(handle)

    def now() -> int:
        return int(border.get_attribute("aria-valuenow"))

    start = now()
    steps = {"ArrowRight": 1, "ArrowUp": 1, "ArrowLeft": -1, "ArrowDown": -1, "PageDown": -50, "PageUp": 50}
    page.keyboard.press("PageUp")
    assert now() == min(most, start + 50)
    page.keyboard.press("Home")
    assert now() == 0
    page.keyboard.press("End")
    assert now() == most == int(border.get_attribute("aria-valuemax"))
    page.keyboard.press("PageDown")
    for key, step in steps.items():
        before = now()
        page.keyboard.press(key)
        assert now() == before + step, key
        assert cells(page).n == 1000
        assert shown(page) == expected(cells(page))
    assert str(now()) in border.get_attribute("aria-valuetext")


def test_the_outer_border_keeps_the_splits_on_its_sides(page: Any, tab_to: Any) -> None:
    tab_to(page, OUTER)
    page.keyboard.press("End")
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("PageUp")
    table = cells(page)
    assert (table.both_right + table.a_only, table.a_only) == (850, round(850 * 45 / 855))


def test_a_border_follows_the_pointer(page: Any) -> None:
    square = page.locator("paired-table .pt-square").bounding_box()
    page.locator(OUTER).hover()
    page.mouse.down()
    page.mouse.move(square["x"] + 20, square["y"] + square["height"] / 2, steps=5)
    page.mouse.up()
    table = cells(page)
    assert table.n == 1000
    assert abs(table.accuracy_a - 0.5) < 0.01
    page.mouse.move(square["x"] + 20, square["y"] + 5)
    assert cells(page) == table


def test_more_agreement_moves_the_paired_p_and_not_the_unpaired(page: Any, tab_to: Any) -> None:
    tab_to(page, "paired-table input[type=range]")
    seen = []
    page.keyboard.press("Home")
    for _ in range(12):
        numbers = shown(page)
        assert numbers == expected(cells(page))
        seen.append(numbers)
        page.keyboard.press("PageUp")
    assert {numbers["unpaired verdict"] for numbers in seen} == {".216"}
    assert {(numbers["accuracy-a"], numbers["accuracy-b"]) for numbers in seen} == {("85.5%", "83.5%")}
    assert len({numbers["paired verdict"] for numbers in seen}) >= 8
    assert seen[0]["paired verdict"] > ".2"
    assert seen[-1]["paired verdict"] == "< .0001"


def test_presets_and_reset(page: Any, tab_to: Any) -> None:
    chips = page.locator("paired-table .el-chip")
    for i, counts in enumerate([(810, 45, 25, 120), (714, 141, 121, 24), (835, 20, 0, 145)]):
        chips.nth(i).press("Enter")
        assert cells(page) == PairedTable(*counts)
        assert chips.evaluate_all("all => all.map(e => e.ariaPressed)") == [str(i == j).lower() for j in range(3)]
    tab_to(page, "paired-table .el-plain")
    page.keyboard.press("Space")
    assert cells(page) == PairedTable(810, 45, 25, 120)


@pytest.mark.parametrize("typed", ["-3", "1.5", "", "1000000"])
def test_an_impossible_count_is_refused_in_words(page: Any, typed: str) -> None:
    field = page.locator(".pt-field-b input")
    field.fill(typed)
    assert field.get_attribute("aria-invalid") == "true"
    assert "whole numbers from 0 to 99,999" in page.locator("paired-table [role=alert]").text_content()
    assert shown(page) == expected(PairedTable(810, 45, 25, 120))
    page.keyboard.press("Tab")
    assert field.input_value() == "45"
    assert page.locator("paired-table [role=alert]").text_content() == ""


def test_an_empty_table_is_refused(page: Any) -> None:
    for name in "abcd":
        page.locator(f".pt-field-{name} input").fill("0")
    assert page.locator("paired-table [role=alert]").text_content() == "At least one item is needed."
    page.keyboard.press("Tab")
    assert cells(page) == PairedTable(0, 0, 0, 120)


def test_where_nothing_can_be_said_it_says_so(page: Any) -> None:
    for name, count in {"b": 9, "a": 0, "c": 0, "d": 0}.items():
        page.locator(f".pt-field-{name} input").fill(str(count))
    text = page.locator("paired-table").inner_text()
    assert "NaN" not in text
    assert shown(page)["unpooled"] == "undefined"
    assert shown(page)["exact"] == printed(mcnemar_exact(PairedTable(0, 9, 0, 0)).pvalue)


def test_the_result_is_announced_once_it_rests(page: Any, tab_to: Any) -> None:
    region = page.locator("paired-table [role=status]")
    assert region.get_attribute("aria-live") == "polite"
    tab_to(page, UPPER)
    for _ in range(5):
        page.keyboard.press("ArrowUp")
    assert region.text_content() == ""
    page.wait_for_function("() => document.querySelector('paired-table [role=status]').textContent !== ''")
    exact = printed(mcnemar_exact(PairedTable(815, 40, 25, 120)).pvalue)
    assert f"paired exact p = {exact}" in region.text_content()
