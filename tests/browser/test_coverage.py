"""A hundred intervals at will: what is drawn, counted and added up agrees with evalstats, by keyboard alone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from book.tools.widget_static import KINDS, exact_coverage

pytestmark = pytest.mark.browser
WIDGET = "interval-coverage"
LIVE = f"{WIDGET} .el-live"
RADIOS = {"Wald": "wald", "Wilson": "wilson", "Clopper-Pearson": "clopper-pearson"}


@pytest.fixture
def page(visit: Any, harness: str) -> Any:
    return visit(harness, maths=False)


def fact(page: Any, key: str) -> str:
    parts = page.locator(f"{WIDGET} [data-fact={key}] dd").evaluate("dd => [...dd.childNodes].map(n => n.textContent)")
    return " | ".join(parts)


def numbers(page: Any, key: str) -> list[float]:
    return [float(number.replace(",", "")) for number in re.findall(r"[\d,]*\.?\d+", fact(page, key))]


def press(page: Any, name: str, times: int = 1) -> None:
    for _ in range(times):
        page.locator(WIDGET).get_by_role("button", name=name).press("Enter")


def type_into(page: Any, place: int, text: str) -> None:
    """Truth is the field at place 0, tasks the one at place 1."""
    field = page.locator(f"{WIDGET} input[type=text]").nth(place)
    field.fill(text)
    field.press("Enter")


def drawn(page: Any) -> list[list[float]]:
    """Ends of every bracket in the picture, from the top."""
    ends = "all => all.map(e => [Number(e.getAttribute('x1')), Number(e.getAttribute('x2'))])"
    return page.locator(f"{LIVE} line.ic-bar").evaluate_all(ends)


def table(page: Any) -> list[tuple[int, str, int, float]]:
    """Count, whether its bracket holds the truth, how often it was drawn, and its chance."""
    cells = "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    rows = page.locator(f"{WIDGET} .ic-more tbody tr").evaluate_all(cells)
    return [(int(k), verdict, int(often), float(chance)) for k, _, verdict, often, chance in rows]


def test_it_opens_with_the_hundred_that_stands_in_print(page: Any) -> None:
    assert fact(page, "hundred") == "18 missed | 17 above the truth, 1 below"
    assert fact(page, "so-far") == "82.0% | 18 of 100 missed"
    assert fact(page, "exact") == "81.9% | .8185, by adding up chances"
    assert "18 of them miss the truth" in page.locator(f"{WIDGET} .el-static").text_content()
    for form in (".el-live", ".el-static"):
        assert page.locator(f"{WIDGET} {form} line.ic-bar").count() == 100
        assert page.locator(f"{WIDGET} {form} line.ic-miss").count() == 18
        assert page.locator(f"{WIDGET} {form} .ic-cross").count() == 18


def test_picture_table_and_counts_agree(page: Any) -> None:
    for _ in range(3):
        press(page, "Draw 100 evals")
        missed = int(numbers(page, "hundred")[0])
        assert page.locator(f"{LIVE} line.ic-miss").count() == missed
        rows = table(page)
        assert sum(often for *_, often, _ in rows) == 100
        assert sum(often for _, verdict, often, _ in rows if verdict == "× misses") == missed
        truth = float(page.locator(f"{LIVE} line.ic-truth").get_attribute("x1"))
        assert sum(not low <= truth <= high for low, high in drawn(page)) == missed


def test_misses_add_up_over_hundreds(page: Any) -> None:
    total = numbers(page, "hundred")[0]
    for evals in range(200, 900, 100):
        press(page, "Draw 100 evals")
        total += numbers(page, "hundred")[0]
        coverage, missed, so_far = numbers(page, "so-far")
        assert (missed, so_far) == (total, evals)
        assert coverage == pytest.approx(100 - 100 * total / evals, abs=0.051)


def test_ten_thousand_are_counted_and_not_shown(page: Any) -> None:
    before, picture = fact(page, "hundred"), drawn(page)
    press(page, "Draw 10,000", times=3)
    assert (fact(page, "hundred"), drawn(page)) == (before, picture)
    coverage, _, evals = numbers(page, "so-far")
    assert evals == 30_100
    exact = exact_coverage("Wald", 20, 0.85)
    assert abs(coverage / 100 - exact) < 4 * (exact * (1 - exact) / evals) ** 0.5 + 0.0005


@pytest.mark.parametrize(("p", "n"), [(".95", 20), (".9912", 20), ("50%", 5), ("0,02", 200), (".001", 50), (".999", 7)])
def test_the_exact_coverage_is_that_of_evalstats(page: Any, p: str, n: int) -> None:
    type_into(page, 0, p)
    type_into(page, 1, str(n))
    truth = float(p.rstrip("%").replace(",", ".")) / (100 if "%" in p else 1)
    for kind in KINDS:
        page.locator(f"{WIDGET} input[value={RADIOS[kind]}]").check(force=True)
        expected = exact_coverage(kind, n, truth)
        percent, share = numbers(page, "exact")
        assert share == pytest.approx(expected, abs=0.000051), kind
        assert percent == pytest.approx(100 * expected, abs=0.051), kind
        assert numbers(page, "so-far")[2] == 100
        chances = sum(chance for _, verdict, _, chance in table(page) if verdict == "holds")
        assert chances == pytest.approx(expected, abs=0.005)
        assert "NaN" not in page.locator(LIVE).inner_html()


def test_another_interval_judges_the_same_evals(page: Any) -> None:
    press(page, "Draw 100 evals", times=2)
    counts = [(k, often) for k, _, often, _ in table(page) if often]
    page.locator(f"{WIDGET} input[value=wilson]").check(force=True)
    assert [(k, often) for k, _, often, _ in table(page) if often] == counts
    assert numbers(page, "so-far")[2] == 100
    assert numbers(page, "exact")[1] == 0.9781


def test_everything_goes_by_keyboard(page: Any, tab_to: Any) -> None:
    tab_to(page, f"{WIDGET} input[inputmode]")
    page.keyboard.press("Control+a")
    page.keyboard.type(".95")
    page.keyboard.press("Tab")
    slider = page.locator(f"{WIDGET} input[type=range]").first
    assert slider.get_attribute("aria-valuetext") == ".95"
    assert numbers(page, "exact")[1] == 0.6389
    page.keyboard.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == ".96"
    page.keyboard.press("End")
    assert slider.get_attribute("aria-valuetext") == ".999"
    page.keyboard.press("Home")
    assert page.locator(f"{WIDGET} input[type=text]").first.input_value() == ".001"
    tab_to(page, f"{WIDGET} input[type=range]")
    page.keyboard.press("Home")
    assert page.locator(f"{WIDGET} input[type=text]").nth(1).input_value() == "5"
    tab_to(page, f"{WIDGET} input[type=radio]")
    page.keyboard.press("ArrowRight")
    assert page.locator(f"{WIDGET} input[value=wilson]").is_checked()
    tab_to(page, f"{WIDGET} .el-primary")
    page.keyboard.press("Space")
    assert numbers(page, "so-far")[2] == 200
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert numbers(page, "so-far")[2] == 10_200
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert numbers(page, "so-far")[2] == 100


def test_starting_again_shows_the_first_hundred_again(page: Any) -> None:
    before = fact(page, "hundred"), drawn(page)
    press(page, "Draw 100 evals", times=3)
    assert (fact(page, "hundred"), drawn(page)) != before
    press(page, "Start again")
    assert (fact(page, "hundred"), drawn(page)) == before


def test_the_picture_can_be_sorted_or_not(page: Any) -> None:
    by_score = drawn(page)
    page.get_by_label("sorted by score").press("Space")
    as_drawn = drawn(page)
    assert as_drawn != by_score
    assert sorted(as_drawn) == sorted(by_score)
    assert numbers(page, "so-far")[2] == 100


@pytest.mark.parametrize(
    ("place", "typed", "said"),
    [(0, "1.2", "from .001 to .999; it stays at .85"), (0, "x", "a share"), (1, "4", "from 5 to 200; it stays at 20")],
)
def test_what_cannot_be_used_is_refused_in_words(page: Any, place: int, typed: str, said: str) -> None:
    kept = page.locator(f"{WIDGET} input[type=text]").nth(place).input_value()
    type_into(page, place, typed)
    assert said in page.locator(f"{WIDGET} [role=alert]").nth(place).text_content()
    assert page.locator(f"{WIDGET} input[type=text]").nth(place).input_value() == kept
    press(page, "Draw 100 evals")
    assert page.locator(f"{WIDGET} [role=alert]").nth(place).text_content() == ""


def test_a_draw_is_announced(page: Any) -> None:
    region = page.locator(f"{WIDGET} [role=status]")
    assert region.get_attribute("aria-live") == "polite"
    assert region.text_content() == ""
    press(page, "Draw 100 evals", times=7)
    page.wait_for_function(f"() => document.querySelector('{WIDGET} [role=status]').textContent.includes('of 800')")
    missed = int(numbers(page, "hundred")[0])
    coverage = numbers(page, "so-far")[0]
    assert region.text_content() == f"{missed} of 100 missed; {coverage}% of 800 so far; exact coverage 81.9%"


def test_a_miss_is_told_from_a_hit_without_colour(page: Any) -> None:
    width = "e => parseFloat(getComputedStyle(e).strokeWidth)"
    thick, thin = (page.locator(f"{LIVE} line.{kind}").first.evaluate(width) for kind in ("ic-miss", "ic-hit"))
    assert thick > 2 * thin
    assert page.locator(f"{WIDGET} svg[role=img]").first.get_attribute("aria-label")


@pytest.mark.parametrize("width", [320, 768])
def test_no_text_is_cut_and_none_touches_another(visit: Any, harness: str, width: int) -> None:
    page = visit(harness, maths=False, width=width)
    places = """svg => {
      const frame = svg.getBoundingClientRect();
      return [...svg.querySelectorAll('text')].map(t => t.getBoundingClientRect())
        .map(r => [r.left - frame.left, r.top - frame.top, r.right - frame.left, r.bottom - frame.top]);
    }"""
    for p, kind in ((".85", "wald"), (".01", "wilson"), (".999", "clopper-pearson")):
        type_into(page, 0, p)
        page.locator(f"{WIDGET} input[value={kind}]").check(force=True)
        press(page, "Draw 10,000")
        for picture in page.locator(f"{LIVE} svg").all():
            boxes = picture.evaluate(places)
            across, down = (picture.evaluate(f"svg => svg.{side}.baseVal.value") for side in ("width", "height"))
            for i, (left, top, right, bottom) in enumerate(boxes):
                assert min(left, top, across - right, down - bottom) >= -1, (p, kind)
                for other in boxes[:i]:
                    apart = right <= other[0] or other[2] <= left or bottom <= other[1] + 2 or other[3] <= top + 2
                    assert apart, (p, kind)
        assert page.locator(WIDGET).evaluate("element => element.scrollWidth <= element.clientWidth")
