"""Flash cards by keyboard: turn, grade, come back when due."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

pytestmark = pytest.mark.browser
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def page(visit: Any, harness: str) -> Any:
    page = visit(harness, maths=False)
    page.clock.set_fixed_time(NOW)
    return page


def visible_front(page: Any) -> str:
    return page.locator("flash-cards .card-front:visible").inner_text()


def turn(page: Any, tab_to: Any) -> None:
    if not page.evaluate("document.activeElement.matches('flash-cards .cards-stage > button')"):
        tab_to(page, "flash-cards .cards-stage > button")
    page.keyboard.press("Space")


def test_a_card_turns_and_the_focus_goes_to_its_back(page: Any, tab_to: Any) -> None:
    assert page.locator("flash-cards .card-back:visible").count() == 0
    turn(page, tab_to)
    assert page.evaluate("document.activeElement.className") == "card-back"
    assert "systems disagree" in page.locator("flash-cards .card-back:visible").inner_text()


def test_the_deck_by_keyboard_alone(page: Any, tab_to: Any) -> None:
    seen = []
    for key in ("2", "1", "2", "2"):
        seen.append(visible_front(page))
        turn(page, tab_to)
        page.keyboard.press(key)
    assert len(set(seen)) == 3
    assert seen[3] == seen[1], "a card that was not known comes back the same day"
    assert "Done for today. 3 cards will be due tomorrow." in page.locator("flash-cards .cards-rest").inner_text()
    assert page.locator("flash-cards .cards-head").inner_text() == "No card is due"
    assert page.evaluate("document.activeElement.className") == "cards-rest"


def test_buttons_grade_too_and_the_next_card_has_the_focus(page: Any, tab_to: Any) -> None:
    turn(page, tab_to)
    tab_to(page, "flash-cards .cards-grades .el-primary")
    page.keyboard.press("Enter")
    assert page.locator("flash-cards .cards-head").inner_text() == "2 cards to go"
    described_by = page.evaluate("document.activeElement.getAttribute('aria-describedby')")
    assert page.locator(f"#{described_by}").inner_text() == visible_front(page)


def test_keys_grade_nothing_before_the_card_is_turned(page: Any, tab_to: Any) -> None:
    tab_to(page, "flash-cards .cards-stage > button")
    page.keyboard.press("2")
    assert page.locator("flash-cards .cards-head").inner_text() == "3 cards to go"


def test_known_cards_come_back_when_they_are_due(page: Any, tab_to: Any, reload: Any) -> None:
    for _ in range(3):
        turn(page, tab_to)
        page.keyboard.press("2")
    reload(page)
    assert page.locator("flash-cards .cards-head").inner_text() == "No card is due"
    assert page.locator("flash-cards .cards-boxes").inner_text() == "3 in box 2"
    page.clock.set_fixed_time(NOW + timedelta(days=1))
    reload(page)
    assert page.locator("flash-cards .cards-head").inner_text() == "3 cards to go"
    turn(page, tab_to)
    page.keyboard.press("2")
    page.clock.set_fixed_time(NOW + timedelta(days=3))
    reload(page)
    assert page.locator("flash-cards .cards-head").inner_text() == "2 cards to go"
    page.clock.set_fixed_time(NOW + timedelta(days=4))
    reload(page)
    assert page.locator("flash-cards .cards-head").inner_text() == "3 cards to go"


def test_everything_again_and_forgetting(page: Any, tab_to: Any, reload: Any) -> None:
    for _ in range(3):
        turn(page, tab_to)
        page.keyboard.press("2")
    tab_to(page, "flash-cards .cards-rest button")
    page.keyboard.press("Enter")
    assert page.locator("flash-cards .cards-head").inner_text() == "3 cards to go"
    tab_to(page, "flash-cards .cards-foot button")
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.textContent") == "Yes"
    page.keyboard.press("Enter")
    assert page.locator("flash-cards .cards-boxes").inner_text() == "3 new"
    reload(page)
    assert page.locator("flash-cards .cards-boxes").inner_text() == "3 new"


def test_maths_is_set_on_both_sides(visit: Any, harness: str) -> None:
    page = visit(harness)
    assert page.locator("flash-cards mjx-container").count() == 5


# ---- the cards of all chapters together ------------------------------------------------------------------------------


def head(page: Any) -> str:
    return str(page.locator("flash-cards .cards-head").inner_text())


def know(page: Any, tab_to: Any, count: int) -> None:
    for _ in range(count):
        turn(page, tab_to)
        page.keyboard.press("2")


def test_cards_of_all_chapters_come_back_in_one_deck(
    page: Any, tab_to: Any, harness: str, go: Callable[[Any, str], None]
) -> None:
    together, second = (harness.replace("index", name) for name in ("cards", "second"))
    go(page, together)
    assert head(page) == "No card is due", "a card is met in its chapter"
    assert "Go through the cards of a chapter once" in page.locator("flash-cards .cards-rest").inner_text()
    assert page.locator("flash-cards .cards-boxes").inner_text() == "5 new"
    assert page.locator("flash-cards td:visible").count() == 0
    for address, count in ((harness, 3), (second, 1)):
        go(page, address)
        know(page, tab_to, count)
    page.clock.set_fixed_time(NOW + timedelta(days=1))
    go(page, together)
    assert head(page) == "4 cards to go"
    assert page.locator("flash-cards td:visible").count() == 1, "the front of one card"
    know(page, tab_to, 4)
    assert "4 cards will be due in 3 days" in page.locator("flash-cards .cards-rest").inner_text()
    assert page.locator("flash-cards .cards-boxes").inner_text().replace("\n", " ") == "1 new 4 in box 3"
    for address, left in ((harness, "No card is due"), (second, "1 card to go")):
        go(page, address)
        assert head(page) == left, "what was done together counts in the chapter"


def test_a_deck_open_twice_loses_nothing(page: Any, tab_to: Any, harness: str, go: Callable[[Any, str], None]) -> None:
    know(page, tab_to, 1)
    other = page.context.new_page()
    other.clock.set_fixed_time(NOW)
    go(other, harness)
    know(other, tab_to, 2)
    page.bring_to_front()
    know(page, tab_to, 1)
    go(other, harness)
    assert head(other) == "No card is due"
    assert other.locator("flash-cards .cards-boxes").inner_text() == "3 in box 2"
