"""One model evaluated twice: the same first picture for everyone, honest counts, and no need for a mouse."""

from __future__ import annotations

import re
from typing import Any

import pytest

from book.tools.widget_static import share_of_wide_gaps

pytestmark = pytest.mark.browser


@pytest.fixture
def page(visit: Any, harness: str) -> Any:
    return visit(harness, maths=False)


def words(page: Any) -> str:
    return " ".join(page.locator("same-model .el-live").inner_text().split())


def counts(page: Any) -> tuple[int, int]:
    """Wide gaps and reruns, as the sentence counts them."""
    found = re.search(r"(\d+) of (\d+) reruns?", page.locator("same-model .sm-tally").text_content())
    assert found
    return int(found[1]), int(found[2])


def test_the_first_picture_is_the_same_for_every_reader(visit: Any, harness: str) -> None:
    first, second = (visit(harness, maths=False) for _ in range(2))
    assert words(first) == words(second)
    assert counts(first)[1] == 20
    dots = "all => all.map(dot => dot.outerHTML).join('')"
    locator = "same-model circle"
    assert first.locator(locator).evaluate_all(dots) == second.locator(locator).evaluate_all(dots)


def test_running_again_draws_and_counts(page: Any, tab_to: Any) -> None:
    before = words(page)
    tab_to(page, "same-model .el-primary")
    page.keyboard.press("Enter")
    assert counts(page)[1] == 21
    assert words(page) != before
    tab_to(page, "same-model button:nth-of-type(2)")
    page.keyboard.press("Space")
    wide, reruns = counts(page)
    assert reruns == 121 == page.locator("same-model circle").count()
    assert wide == page.locator("same-model circle.sm-wide").count()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert words(page) == before


def test_the_scores_and_the_gap_agree(page: Any) -> None:
    for _ in range(6):
        page.locator("same-model .el-primary").click()
        first, second = (int(n) for n in re.findall(r"(\d+) of 500 right", words(page)))
        says = page.locator("same-model .sm-verdict strong").text_content()
        gap = abs(first - second)
        winner = "A tie." if gap == 0 else f"Copy {1 if first > second else 2} “wins” by {gap / 5:.1f} point"
        assert says.startswith(winner)


@pytest.mark.parametrize("items", [100, 500, 2000])
def test_the_long_run_share_is_exact(page: Any, items: int) -> None:
    page.locator(f"same-model input[value='{items}']").check(force=True)
    assert f"In the long run it is {100 * share_of_wide_gaps(items, 0.85):.1f}% of them" in words(page)


def test_settings_change_by_keyboard(page: Any, tab_to: Any) -> None:
    tab_to(page, "same-model input[type=range]")
    page.keyboard.press("ArrowRight")
    assert "86%" in page.locator("same-model output").text_content()
    tab_to(page, "same-model input[type=radio]")
    page.keyboard.press("ArrowRight")
    assert "of 2,000 right" in words(page)
    assert counts(page)[1] == 20


def test_a_rerun_is_announced(page: Any) -> None:
    page.locator("same-model .el-primary").press("Enter")
    said = "document.querySelector('same-model [role=status]').textContent"
    page.wait_for_function(f"() => {said}.includes('of 21 reruns')")
