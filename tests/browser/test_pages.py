"""Every page of the built site: nothing grave, nothing foreign, nothing over the edge, nothing left raw."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from book.tools.places import SITE

pytestmark = pytest.mark.browser
NOT_PAGES = {"_static", "_sources", "_images"}
RULES_OF_COLOUR = ("color-contrast", "link-in-text-block")
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


# Gives every answer of every question, the right one last, and notes what the quiz makes of it.
ANSWER_ALL = """() => [...document.querySelectorAll('quiz-box .quiz-question')].flatMap(question => {
  const whys = [...question.querySelectorAll('.quiz-answer .quiz-why')];
  const answers = whys.map((why, place) => ({...why.dataset, place}));
  return answers.sort((one, other) => (one.verdict === 'right') - (other.verdict === 'right')).map(answer => {
    const fields = question.querySelectorAll('input');
    if (answer.value === undefined) fields[answer.place].click();
    else fields[0].value = answer.value;
    question.querySelector('button[type=submit]').click();
    const slip = question.querySelector('.quiz-feedback .quiz-slip')?.innerText ?? '';
    return {question: question.dataset.id, verdict: answer.verdict, state: question.dataset.state, slip};
  });
})"""


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
day_pages = pytest.mark.parametrize(
    "address", [page for page in with_element("<html") if page is None or "/days/" in page], indirect=True
)
card_pages = pytest.mark.parametrize("address", with_element("<flash-cards data-name"), indirect=True)


@pytest.fixture
def address(request: pytest.FixtureRequest) -> str:
    if request.param is None:
        if os.environ.get("CI"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    served: str = request.getfixturevalue("site")
    return served + request.param


@every_page
def test_a_page_is_sound(visit: Any, address: str, grave_faults: Any) -> None:
    """In both themes, on paper and on a phone: one visit, since loading a page takes longer than looking at it."""
    page = visit(address)
    assert not page.evaluate(LEFT_RAW)
    unnamed = page.locator("img:not([alt])").evaluate_all("all => all.map(img => img.src)")
    assert not unnamed
    page.add_style_tag(content="* { transition: none !important; }")  # or axe would see colours half-way
    assert not grave_faults(page), "light"
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert not grave_faults(page, only=RULES_OF_COLOUR), "dark"
    fits_its_column(page)
    prints_its_static_forms(page)
    for width in (390, 375):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def fits_its_column(page: Any) -> None:
    """At the width of a desk nothing that a cell shows has to be scrolled, and no label of a reference is broken."""
    shown = "main :is(.cell_output, .cell_input pre, .cell_output pre, .cell_output .pst-scrollable-table-container)"
    wide = "all => all.filter(part => part.scrollWidth > part.clientWidth + 1).map(part => part.innerText.slice(0, 90))"
    assert page.locator(shown).evaluate_all(wide) == []
    lines = "all => all.map(label => new Set([...label.children].map(part => part.offsetTop)).size)"
    assert {*page.locator("main .citation .label").evaluate_all(lines)} <= {1}


def prints_its_static_forms(page: Any) -> None:
    """On paper: static forms for live ones, answers open, and by day whatever the theme."""
    page.emulate_media(media="print")
    for name in ("paired-table", "same-model", "interval-coverage"):
        for element in page.locator(name).all():
            assert element.locator(".el-static").is_visible()
            assert not element.locator(".el-live").is_visible()
    hidden = """all => all.filter(part => !part.checkVisibility()).map(part => part.textContent)"""
    assert not page.locator("quiz-box .quiz-because, flash-cards :is(.card-front, .card-back)").evaluate_all(hidden)
    inks = "all => [...new Set(all.map(part => getComputedStyle(part).color))]"
    for ink in page.locator("main :is(h1, h2, p, td)").evaluate_all(inks):
        assert max(float(part) for part in re.findall(r"[\d.]+", ink)[:3]) < 150, f"{ink} on white paper"
    filtered = "all => all.filter(img => getComputedStyle(img).filter !== 'none').map(img => img.src)"
    assert not page.locator(".cell_output img").evaluate_all(filtered)
    page.emulate_media(media="screen")


@every_page
def test_a_page_can_be_read_without_scripts(visit: Any, address: str) -> None:
    page = visit(address, scripts=False)
    body = page.locator("main, body").first.inner_text().strip()
    assert len(body) > 20
    for static in page.locator(".el-static").all():
        assert static.is_visible()
    for question in page.locator("quiz-box .quiz-ask, flash-cards .card-back").all():
        assert question.is_visible()


@quiz_pages
def test_every_answer_of_a_quiz_is_judged_and_explained(visit: Any, address: str) -> None:
    """Every wrong answer, then the right one, to every question. Keys and clicks are tested on the sample quiz."""
    page = visit(address, maths=False)
    judged = page.evaluate(ANSWER_ALL)
    assert {answer["verdict"] for answer in judged} == {"right", "wrong"}
    for answer in judged:
        assert answer["state"] == answer["verdict"], answer
        assert ("A common slip: " in answer["slip"]) == (answer["verdict"] == "wrong"), answer
    assert page.locator("quiz-box .quiz-done").is_visible()


@quiz_pages
def test_links_to_slip_boxes_arrive(visit: Any, address: str) -> None:
    page = visit(address, maths=False)
    for link in page.locator("quiz-box .quiz-slip a").evaluate_all("all => [...new Set(all.map(a => a.href))]"):
        assert arrives(link)


@day_pages
def test_the_links_of_a_day_arrive_and_say_what_the_box_says(visit: Any, address: str) -> None:
    """The n-th question is called "Question n" on the day's page, and an exercise has its number or its name."""
    page = visit(address, maths=False)
    links = page.locator("main a[href*='#quiz-'], main a[href*='#practice-']")
    found = links.evaluate_all("all => all.map(a => [a.href, a.innerText])")
    assert found
    for link, words in found:
        fragment = urlsplit(link).fragment
        assert arrives(link), link
        shape = r"Question \d+" if fragment.startswith("quiz-") else r"Exercise \d+: .+|\w+/\w+"
        assert re.fullmatch(shape, words), words
    page.goto(next(link for link, _ in found if "#quiz-" in link))
    page.wait_for_selector("quiz-box[data-ready]")
    for link, words in found:
        if words.startswith("Question"):
            assert page.locator(f"#{urlsplit(link).fragment} legend").inner_text().lower() == words.lower()
    assert page.locator(".es-foot a[download]").count() == 1, "the chapter has a notebook"


@day_pages
def test_a_day_offers_no_notebook_that_is_not_its_own(visit: Any, address: str) -> None:
    assert visit(address, maths=False).locator("a[download]").count() == 0


def arrives(link: str) -> bool:
    """Whether the page of a link has the place that it names."""
    parts = urlsplit(link)
    return f'id="{parts.fragment}"' in (SITE / parts.path.lstrip("/")).read_text(encoding="utf-8")


@card_pages
def test_a_deck_can_be_gone_through(visit: Any, address: str) -> None:
    page = visit(address, maths=False)
    count = page.locator("flash-cards tbody tr").count()
    page.locator("flash-cards .cards-stage > button").focus()
    for _ in range(count):
        page.keyboard.press("Space")
        page.keyboard.press("2")
    assert page.locator("flash-cards .cards-head").inner_text() == "No card is due"
