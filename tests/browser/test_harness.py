"""Every element in every light: themes, widths, paper, without scripts, from disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser
ELEMENTS = ("paired-table", "same-model", "interval-coverage", "quiz-box", "flash-cards")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_grave_in_any_state(visit: Any, harness: str, grave_faults: Any, theme: str) -> None:
    page = visit(harness, theme=theme)
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    page.locator("paired-table details summary").click()
    page.locator("interval-coverage details summary").click()
    page.locator("interval-coverage input[type=text]").first.fill("2")
    page.locator("interval-coverage input[type=text]").first.press("Enter")
    page.locator("quiz-box input[type=radio]").last.check()
    page.locator("quiz-box button[type=submit]").first.click()
    page.locator("quiz-box input[type=text]").fill(".0225")
    page.locator("quiz-box button[type=submit]").last.click()
    page.locator("quiz-box details summary").first.click()
    page.locator("flash-cards .cards-stage > button").click()
    for part in (*ELEMENTS, ".slip"):
        assert not grave_faults(page, part)


@pytest.mark.parametrize("width", [320, 375, 390, 768])
def test_nothing_runs_over_the_edge(visit: Any, harness: str, width: int) -> None:
    page = visit(harness, width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for name in ELEMENTS:
        inside = page.locator(name).evaluate("element => element.scrollWidth <= element.clientWidth")
        assert inside, name


def test_without_scripts_everything_can_be_read(visit: Any, harness: str) -> None:
    page = visit(harness, scripts=False)
    assert page.locator("paired-table svg").is_visible()
    assert "p = .0225" in page.locator("paired-table").inner_text()
    assert "40.0% of reruns" in page.locator("same-model").inner_text()
    assert "18 of them miss the truth" in page.locator("interval-coverage").inner_text()
    assert page.locator("quiz-box .quiz-options li").count() == 3
    page.locator("quiz-box summary").first.click()
    assert page.get_by_text("B is right.").is_visible()
    assert page.locator("flash-cards td:visible").count() == 6


def test_on_paper_the_static_forms_stand(visit: Any, harness: str) -> None:
    page = visit(harness)
    page.locator("quiz-box input[type=radio]").last.check()
    page.locator("quiz-box button[type=submit]").first.click()
    page.emulate_media(media="print")
    for name in ("paired-table", "same-model", "interval-coverage"):
        assert page.locator(f"{name} .el-static").is_visible()
        assert not page.locator(f"{name} .el-live").is_visible()
    assert page.get_by_text("The answer is 0.0225.").is_visible()
    assert page.get_by_text("B is right.").is_visible()
    assert page.get_by_text("C is wrong.").first.is_visible()
    assert page.locator("flash-cards td:visible").count() == 6
    assert page.locator("quiz-box button:visible, flash-cards button:visible").count() == 0


def test_pages_opened_from_disk_are_alive(visit: Any, harness_folder: Path) -> None:
    page = visit((harness_folder / "index.html").as_uri())
    assert page.locator("paired-table .pt-handle").count() == 3
    assert page.locator("mjx-container").count() > 10


def test_no_colour_alone_in_the_square(visit: Any, harness: str) -> None:
    page = visit(harness)
    cells = page.locator("paired-table .el-live rect.pt-cell")
    fills = cells.evaluate_all("all => all.map(e => getComputedStyle(e).fill)")
    hatched = [fill for fill in fills if fill.startswith("url(")]
    assert len(fills) == 4
    assert len(set(hatched)) == 2
    assert page.locator("paired-table .el-live .pt-label").all_inner_texts() != [""] * 4


def test_moving_parts_rest_when_asked(visit: Any, harness: str) -> None:
    page = visit(harness)
    page.emulate_media(reduced_motion="reduce")
    assert page.locator("same-model .sm-fill").first.evaluate("e => getComputedStyle(e).transitionDuration") == "0s"
