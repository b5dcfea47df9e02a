"""What wipes a learner's progress asks first, in the quiz and in the cards alike."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.browser
CASES = [
    pytest.param("quiz-box", "Clear my answers", "Clear 1 answer?", id="quiz"),
    pytest.param("flash-cards", "Forget my progress", "Forget 1 card?", id="cards"),
]


@pytest.fixture
def page(visit: Any, harness: str) -> Any:
    """One question answered, one card known."""
    page = visit(harness, maths=False)
    page.locator("quiz-box input[type=radio]").first.check()
    page.locator("quiz-box button[type=submit]").first.click()
    page.locator("flash-cards .cards-stage > button").click()
    page.keyboard.press("2")
    return page


def kept(page: Any) -> bool:
    answered = page.locator("quiz-box .quiz-score").inner_text().startswith("1 of 2 answered")
    return answered and page.locator("flash-cards .cards-boxes").inner_text().split() == "2 new 1 in box 2".split()


@pytest.mark.parametrize(("element", "button", "question"), CASES)
def test_one_click_asks_and_says_what_would_go(
    page: Any, element: str, button: str, question: str, grave_faults: Any
) -> None:
    page.locator(element).get_by_role("button", name=button).click()
    group = page.locator(element).get_by_role("group", name=question)
    assert group.is_visible()
    keep = group.get_by_role("button", name="Keep", exact=True)
    assert keep.evaluate("part => document.activeElement === part")
    assert page.locator(f"#{keep.get_attribute('aria-describedby')}").inner_text() == question
    assert kept(page)
    assert not grave_faults(page, element)


@pytest.mark.parametrize(("element", "button", "question"), CASES)
@pytest.mark.parametrize("key", ["Enter", "Space", "Escape"])
def test_keep_and_escape_go_back_to_the_button(page: Any, element: str, button: str, question: str, key: str) -> None:
    begin = page.locator(element).get_by_role("button", name=button)
    begin.focus()
    page.keyboard.press("Enter")
    page.keyboard.press(key)
    assert begin.evaluate("part => document.activeElement === part")
    assert page.get_by_role("group", name=question).count() == 0
    assert kept(page)


@pytest.mark.parametrize(("element", "button", "question"), CASES)
@pytest.mark.parametrize("width", [1280, 390])
def test_a_double_click_wipes_nothing(page: Any, element: str, button: str, question: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    begin = page.locator(element).get_by_role("button", name=button)
    box = begin.bounding_box()
    for share in (0.05, 0.5, 0.95):
        begin.scroll_into_view_if_needed()
        begin.dblclick(position={"x": share * box["width"], "y": box["height"] / 2})
        assert kept(page), share
        if (keep := page.locator(element).get_by_role("button", name="Keep", exact=True)).is_visible():
            keep.click()


@pytest.mark.parametrize(("element", "button", "question"), CASES)
def test_turning_to_something_else_means_no(page: Any, element: str, button: str, question: str) -> None:
    page.locator(element).get_by_role("button", name=button).click()
    page.locator("quiz-box input[type=text]").focus()
    assert page.get_by_role("group", name=question).count() == 0
    assert kept(page)


@pytest.mark.parametrize(("element", "button", "question"), CASES)
def test_with_nothing_to_lose_nothing_is_asked(
    visit: Any, harness: str, element: str, button: str, question: str
) -> None:
    fresh = visit(harness, maths=False)
    fresh.locator(element).get_by_role("button", name=button).click()
    assert fresh.locator(element).get_by_role("button", name="Keep").count() == 0
