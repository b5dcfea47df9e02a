"""Every page of the built site: nothing grave, nothing foreign, nothing over the edge, nothing left raw."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from book.tools.places import SITE

pytestmark = pytest.mark.browser
NOT_PAGES = {"_static", "_sources", "_images"}
MISSING = "there is no built site: run `make book` first"

# Text of the page outside code in which TeX or Markdown was left as it was typed.
LEFT_RAW = r"""() => {
  const raw = /\\\(|\\\[|\\\]|\\frac|\\text|\$[^$\d][^$]*\$|\$\$|\[@\w|\{(?:eq|numref|ref|cite)[^}]*\}`/;
  const skipped = 'script, style, pre, code, mjx-container, textarea';
  const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.closest(skipped) && raw.test(node.textContent)) found.push(node.textContent.trim());
  }
  const errors = [...document.querySelectorAll('mjx-merror')].map(error => error.title || error.textContent);
  return [...found, ...errors];
}"""


def pages() -> list[str]:
    """Every page but the root's redirect, as addresses below the site."""
    found = (path.relative_to(SITE) for path in SITE.rglob("*.html"))
    return sorted(path.as_posix() for path in found if path.parts[0] not in NOT_PAGES and path != Path("index.html"))


def with_element(tag: str) -> list[str | None]:
    """The pages on which an element stands; None where there is no site, so that a test can say so."""
    found = [page for page in pages() if tag in (SITE / page).read_text(encoding="utf-8")]
    return [*found] if pages() else [None]


every_page = pytest.mark.parametrize("address", with_element("<html"), indirect=True)
quiz_pages = pytest.mark.parametrize("address", with_element("<quiz-box"), indirect=True)
card_pages = pytest.mark.parametrize("address", with_element("<flash-cards"), indirect=True)


@pytest.fixture
def address(request: pytest.FixtureRequest) -> str:
    if request.param is None:
        if os.environ.get("CI"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    served: str = request.getfixturevalue("site")
    return served + request.param


@every_page
def test_a_page_is_sound_in_both_themes(visit: Any, address: str, grave_faults: Any) -> None:
    page = visit(address)
    assert not page.evaluate(LEFT_RAW)
    unnamed = page.locator("img:not([alt])").evaluate_all("all => all.map(img => img.src)")
    assert not unnamed
    page.add_style_tag(content="* { transition: none !important; }")  # or axe would see colours half-way
    for theme in ("light", "dark"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        assert not grave_faults(page), theme


@every_page
def test_nothing_runs_over_the_edge_of_a_phone(visit: Any, address: str) -> None:
    page = visit(address, width=390)
    for width in (390, 375):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@every_page
def test_a_page_can_be_read_without_scripts(visit: Any, address: str) -> None:
    page = visit(address, scripts=False)
    body = page.locator("main, body").first.inner_text().strip()
    assert len(body) > 20
    for static in page.locator(".el-static").all():
        assert static.is_visible()
    for question in page.locator("quiz-box .quiz-ask, flash-cards .card-back").all():
        assert question.is_visible()


@every_page
def test_a_page_prints_its_static_forms(visit: Any, address: str) -> None:
    page = visit(address)
    page.emulate_media(media="print")
    for name in ("paired-table", "same-model"):
        for element in page.locator(name).all():
            assert element.locator(".el-static").is_visible()
            assert not element.locator(".el-live").is_visible()
    for part in page.locator("quiz-box .quiz-because, flash-cards :is(.card-front, .card-back)").all():
        assert part.is_visible()


@quiz_pages
def test_the_right_answers_of_a_quiz_are_right(visit: Any, address: str) -> None:
    page = visit(address)
    for question in page.locator("quiz-box .quiz-question").all():
        right = question.locator(".quiz-why[data-verdict=right]")
        if question.get_attribute("data-kind") == "number":
            question.locator("input").fill(right.get_attribute("data-value"))
        else:
            place = right.evaluate("why => [...why.parentElement.querySelectorAll('.quiz-why')].indexOf(why)")
            question.locator("input[type=radio]").nth(place).check()
        question.locator("button[type=submit]").press("Enter")
        assert question.get_attribute("data-state") == "right"
    assert page.locator("quiz-box .quiz-done").is_visible()


@quiz_pages
def test_every_wrong_answer_of_a_quiz_is_explained(visit: Any, address: str) -> None:
    page = visit(address)
    for question in page.locator("quiz-box .quiz-question").all():
        for i, why in enumerate(question.locator(".quiz-why").evaluate_all("all => all.map(e => ({...e.dataset}))")):
            if why["verdict"] == "right":
                continue
            if "value" in why:
                question.locator("input").fill(why["value"])
            else:
                question.locator("input[type=radio]").nth(i).check()
            question.locator("button[type=submit]").click()
            assert question.get_attribute("data-state") == "wrong"
            assert "A common slip: " in question.locator(".quiz-feedback .quiz-slip").inner_text()


@quiz_pages
def test_links_to_slip_boxes_arrive(visit: Any, address: str) -> None:
    page = visit(address, maths=False)
    for link in page.locator("quiz-box .quiz-slip a").evaluate_all("all => [...new Set(all.map(a => a.href))]"):
        parts = urlsplit(link)
        text = (SITE / parts.path.lstrip("/")).read_text(encoding="utf-8")
        assert f'id="{parts.fragment}"' in text


@card_pages
def test_a_deck_can_be_gone_through(visit: Any, address: str) -> None:
    page = visit(address, maths=False)
    count = page.locator("flash-cards tbody tr").count()
    page.locator("flash-cards .cards-stage > button").focus()
    for _ in range(count):
        page.keyboard.press("Space")
        page.keyboard.press("2")
    assert page.locator("flash-cards .cards-head").inner_text() == "No card is due"
