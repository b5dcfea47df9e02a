"""The quiz by keyboard: wrong answers meet their misconception, progress is kept, and nothing is only visible."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytestmark = pytest.mark.browser
FIRST, SECOND = (f"quiz-box .quiz-question:nth-of-type({i})" for i in (1, 2))


@pytest.fixture
def page(visit: Any, harness: str) -> Any:
    return visit(harness, maths=False)


def answer_choice(page: Any, tab_to: Any, downs: int) -> None:
    tab_to(page, f"{FIRST} input[type=radio]")
    page.keyboard.press("Space")
    for _ in range(downs):
        page.keyboard.press("ArrowDown")
    tab_to(page, f"{FIRST} button")
    page.keyboard.press("Enter")


def feedback(page: Any, question: str) -> str:
    region = page.locator(f"{question} .quiz-feedback")
    assert region.get_attribute("role") == "status"
    return " ".join(region.inner_text().split())


def score(page: Any) -> str:
    return page.locator("quiz-box .quiz-score").text_content()


def test_a_wrong_answer_meets_its_misconception(page: Any, tab_to: Any) -> None:
    answer_choice(page, tab_to, downs=2)
    said = feedback(page, FIRST)
    assert said.startswith("C is wrong.")
    assert "Only the unpaired formula sees nothing but scores." in said
    assert "A common slip: An unpaired test on shared questions." in said
    link = page.locator(f"{FIRST} .quiz-feedback a")
    assert page.locator(link.get_attribute("href").replace(page.url, "")).count() == 1
    assert score(page) == "1 of 2 answered, 0 right at the first try"


def test_a_slip_without_a_box_has_no_link(page: Any) -> None:
    page.locator(f"{FIRST} input[type=radio]").first.check()
    page.locator(f"{FIRST} button").click()
    assert "A slip without a box" in feedback(page, FIRST)
    assert page.locator(f"{FIRST} .quiz-feedback a").count() == 0


def test_a_second_try_is_right_but_not_at_first(page: Any, tab_to: Any) -> None:
    answer_choice(page, tab_to, downs=2)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowUp")
    tab_to(page, f"{FIRST} button")
    page.keyboard.press("Enter")
    assert "B is right." in feedback(page, FIRST)
    assert page.locator(f"{FIRST} .quiz-why").count() == 3
    assert score(page) == "1 of 2 answered, 0 right at the first try"


def test_numbers(page: Any, tab_to: Any) -> None:
    tab_to(page, f"{SECOND} input")
    for typed, said in {
        "": "Type a number",
        "about .02": "Type a number",
        "0.5": "0.5 is not the answer. Try again.",
        "0,216": "This is the unpaired test.",
        ".22": "This is the unpaired test.",
        "p = .216": "This is the unpaired test.",
        "9/400": "Right.",
        "2.25 %": "Right.",
        "p = .0225": "Right.",
    }.items():
        page.keyboard.press("Control+a")
        page.keyboard.press("Delete")
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        assert said in feedback(page, SECOND)


def test_nothing_chosen_is_not_an_answer(page: Any, tab_to: Any) -> None:
    tab_to(page, f"{FIRST} button")
    page.keyboard.press("Enter")
    assert feedback(page, FIRST) == "Choose an answer first."
    assert score(page) == "2 questions"


def test_all_done_names_what_to_look_at_again(page: Any, tab_to: Any) -> None:
    answer_choice(page, tab_to, downs=2)
    page.locator(f"{FIRST} input[type=radio]").nth(1).check()
    page.locator(f"{FIRST} button").click()
    page.locator(f"{SECOND} input").fill(".0225")
    page.locator(f"{SECOND} input").press("Enter")
    closing = page.locator("quiz-box .quiz-closing")
    assert closing.get_attribute("role") == "status"
    assert "All done: 2 of 2 answered, 1 right at the first try." in closing.inner_text()
    assert closing.locator("li").all_text_contents() == ["say what pairing removes"]


def test_progress_outlives_a_reload_until_it_is_cleared(page: Any, tab_to: Any, reload: Any) -> None:
    answer_choice(page, tab_to, downs=1)
    reload(page)
    assert page.locator(f"{FIRST} input[type=radio]").nth(1).is_checked()
    assert "B is right." in feedback(page, FIRST)
    assert score(page) == "1 of 2 answered, 1 right at the first try"
    tab_to(page, "quiz-box .el-plain")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "Keep"
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    assert score(page) == "2 questions"
    assert page.evaluate("document.activeElement.className") == "quiz-score"
    reload(page)
    assert score(page) == "2 questions"
    assert feedback(page, FIRST) == ""


def test_an_answer_to_an_older_question_is_forgotten(page: Any, tab_to: Any, reload: Any) -> None:
    answer_choice(page, tab_to, downs=1)
    key = "statistics-for-evals/quiz/sample"
    stored = json.loads(page.evaluate("key => localStorage.getItem(key)", key))
    stored["gap"]["version"] = "older"
    page.evaluate("([key, value]) => localStorage.setItem(key, value)", [key, json.dumps(stored)])
    reload(page)
    assert score(page) == "2 questions"


def test_damaged_storage_does_no_harm(page: Any, reload: Any) -> None:
    page.evaluate("localStorage.setItem('statistics-for-evals/quiz/sample', '{broken')")
    reload(page)
    assert score(page) == "2 questions"


def test_options_have_names_and_questions_are_groups(page: Any) -> None:
    group = page.get_by_role("group", name="Question 1 Two systems answer the same questions")
    assert group.get_by_role("radio").count() == 3
    assert group.get_by_role("radio", name="B The one with the fewest").count() == 1
    assert page.get_by_role("textbox", name="Your answer").count() == 1
