"""The directives quiz, cards, widget and slip, built into small books of their own; and the course's own files."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from book.tools import course_yaml, widget_values
from book.tools.places import ROOT, WIDGETS
from book.tools.widget_static import paired_table

BOOK = ROOT / "book"
SLIPS = """
reversed:
  title: The p-value *read* backwards
  say: "“p is .02, so there is a 2% chance.”"
  ask: "In which world was $p$ computed?"
  because: |
    It starts from the **null**, $H_0$.
lonely:
  title: Nobody's box
  say: "“x”"
  ask: "y?"
  because: z
"""
QUIZ = """
chapter: page
questions:
  - id: first
    kind: choice
    objective: goal
    ask: |
      Is $a < b$ & so on?
    options:
      - {text: "Yes, with $\\\\psi$.", right: true, why: "Because."}
      - {text: "No.", slip: reversed, why: "Not *that*."}
  - id: second
    kind: number
    objective: goal
    ask: How many?
    answer: 0.0225
    tolerance: 0.0005
    why: "It is $2^{-3}$."
    slips:
      - {value: 0.5, tolerance: 0.01, slip: lonely, why: "Half."}
"""
CARDS = """
chapter: page
cards:
  - {id: one, topic: 'the "table" <b>', front: "Which cells, $b$?", back: "The **off** ones."}
"""
PAGE = """---
objectives:
  - {id: goal, text: reach the goal}
---

# Page

```{quiz} page
```

```{cards} page
```

```{widget} paired-table
Caption with $c = 25$.
```

```{slip} reversed
```
"""
CONF = """
extensions = ["myst_parser", "book.tools.elements"]
myst_enable_extensions = ["dollarmath"]
root_doc = "book/page"
html_theme = "basic"
"""


# Files as keyword arguments of `build`.
QUIZ_FILE, CARD_FILE, SLIP_FILE, PAGE_FILE = "quizzes__page_yml", "cards__page_yml", "misconceptions_yml", "page_md"


@dataclass
class Built:
    app: Sphinx
    complaints: str

    def output(self, name: str) -> str:
        return (Path(self.app.outdir) / name).read_text(encoding="utf-8")


Build = Callable[..., Built]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Writes a small book, with files changed or added as given, and builds it."""
    files = {
        "conf.py": CONF,
        "book/page.md": PAGE,
        "book/misconceptions.yml": SLIPS,
        "book/quizzes/page.yml": QUIZ,
        "book/cards/page.yml": CARDS,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    def run(parallel: int = 0, **changed: str) -> Built:
        for name, text in changed.items():
            path = tmp_path / "book" / name.replace("__", "/").replace("_yml", ".yml").replace("_md", ".md")
            path.write_text(text, encoding="utf-8")
        complaints = io.StringIO()
        with patch_docutils(str(tmp_path)), docutils_namespace():
            app = Sphinx(
                tmp_path, tmp_path, tmp_path / "out", tmp_path / "trees", "html",
                status=io.StringIO(), warning=complaints, parallel=parallel,
            )  # fmt: skip
            app.build()
        return Built(app, complaints.getvalue())

    return run


# ---- HTML ------------------------------------------------------------------------------------------------------------


def test_a_page_holds_all_that_the_elements_need(build: Build) -> None:
    built = build()
    assert built.complaints == ""
    html = built.output("book/page.html")
    assert '<quiz-box data-name="page" id="quiz-page">' in html
    assert '<flash-cards data-name="page" id="cards-page">' in html
    assert 'data-objective="reach the goal"' in html
    assert 'data-value="0.0225"' in html
    assert 'data-tolerance="0.0005"' in html
    assert re.findall(r'quiz-why" data-(?:tolerance="[\d.]+" data-value="[\d.]+" data-)?verdict="(\w+)"', html) == [
        "right", "wrong", "right", "wrong",
    ]  # fmt: skip
    assert html.count('<details class="quiz-answer">') == 2
    assert "widgets/index.js" in html
    assert "widgets/elements.css" in html


def test_markdown_and_maths_are_rendered_and_text_is_escaped(build: Build) -> None:
    html = build().output("book/page.html")
    for tex in (r"\(a &lt; b\)", r"\(\psi\)", r"\(2^{-3}\)", r"\(H_0\)", r"\(c = 25\)"):
        assert f'<span class="math notranslate nohighlight">{tex}</span>' in html
    assert "&amp; so on" in html
    assert "Not <em>that</em>." in html
    assert "<strong>The p-value <em>read</em> backwards</strong>" in html
    assert 'data-topic="the &quot;table&quot; &lt;b&gt;"' in html
    assert "tex-mml-chtml.js" in html, "a page with maths only in its quiz loads MathJax"


def test_a_slip_box_says_asks_and_explains(build: Build) -> None:
    html = build().output("book/page.html")
    box = html[html.index('id="slip-reversed"') :]
    places = [box.index(text) for text in ("A common slip", "there is a 2% chance", "In which world", "It starts from")]
    assert places == sorted(places)


def test_wrong_answers_link_to_the_box_where_there_is_one(build: Build) -> None:
    html = build().output("book/page.html")
    links = re.findall(r'<p class="quiz-slip">.*?</p>', html, re.DOTALL)
    assert 'href="#slip-reversed"' in links[0]
    assert "Nobody’s box" in links[1] or "Nobody's box" in links[1]
    assert "href" not in links[1]


def test_a_box_on_another_page_is_linked_across(build: Build) -> None:
    page = PAGE.replace("```{slip} reversed\n```\n", "```{toctree}\nother\n```\n")
    other = "# Other\n\n```{slip} reversed\n```\n"
    built = build(page_md=page, other_md=other)
    assert built.complaints == ""
    assert 'href="other.html#slip-reversed"' in built.output("book/page.html")


def test_pages_read_in_parallel_know_each_others_boxes(build: Build) -> None:
    names = [f"other{i}" for i in range(8)]
    page = PAGE.replace("```{slip} reversed\n```\n", "```{toctree}\n" + "\n".join(names) + "\n```\n")
    others = {f"{name}_md": f"# {name}\n" for name in names} | {"other7_md": "# Last\n\n```{slip} reversed\n```\n"}
    built = build(parallel=2, page_md=page, **others)
    assert built.complaints == ""
    assert 'href="other7.html#slip-reversed"' in built.output("book/page.html")


def test_a_question_can_be_referred_to_from_any_page(build: Build) -> None:
    page = PAGE.replace("```{slip} reversed\n```\n", "```{toctree}\nother\n```\n\n```{slip} reversed\n```\n")
    built = build(page_md=page, other_md="# Other\n\n{ref}`quiz-second` and {ref}`the first <quiz-first>`\n")
    assert built.complaints == ""
    assert '<li class="quiz-question"' in built.output("book/page.html")
    html = built.output("book/other.html")
    assert re.search(r'href="page\.html#quiz-second"><span class="std std-ref">Question 2</span>', html)
    assert re.search(r'href="page\.html#quiz-first"><span class="std std-ref">the first</span>', html)
    for place in ("first", "second"):
        assert built.output("book/page.html").count(f'id="quiz-{place}"') == 1


def test_a_changed_file_rebuilds_the_page(build: Build) -> None:
    build()
    for name, text, old, new in (
        (QUIZ_FILE, QUIZ, "No.", "Never."),
        (CARD_FILE, CARDS, "The **off** ones.", "The other two."),
        (SLIP_FILE, SLIPS, "It starts from", "It always starts from"),
        (PAGE_FILE, PAGE, "reach the goal", "reach the moon"),
    ):
        assert new in build(**{name: swap(text, old, new)}).output("book/page.html")


@pytest.mark.parametrize(
    ("answer", "shown"),
    [("1234567", "1234567"), ("12345678.25", "12345678.25"), ("0.0225", "0.0225"), ("0.00000012", "0.00000012")],
)
def test_a_number_answer_is_shown_in_full(build: Build, answer: str, shown: str) -> None:
    html = build(**{QUIZ_FILE: swap(QUIZ, "answer: 0.0225", f"answer: {answer}")}).output("book/page.html")
    assert f"The answer is {shown}." in html


def test_the_static_form_of_a_widget_is_computed(build: Build) -> None:
    html = build().output("book/page.html")
    assert 'data-a="810" data-b="45" data-c="25" data-d="120"' in html
    for number in ("p = .216", "p = .0225", "p = .0170", "0.37 to 3.71", "85.5%", "83.5%"):
        assert number in html
    other = paired_table(714, 141, 121, 24)
    assert "p = .216" in other
    assert "p = .0225" not in other


def test_a_widget_takes_other_counts(build: Build) -> None:
    html = build(page_md=PAGE.replace("paired-table\n", "paired-table\n:b: 5\n:c: 5\n\n")).output("book/page.html")
    assert 'data-b="5"' in html
    assert "p = 1</td>" in html


def test_the_decks_of_all_chapters_stand_together_in_the_order_of_the_book(build: Build, tmp_path: Path) -> None:
    kernel = "---\nkernelspec: {name: python3}\n---\n"
    last = CARDS.replace("chapter: page", "chapter: alpha")
    toc = "root: book/index\nchapters: [{file: book/page}, {file: book/alpha}]\n"
    (tmp_path / "_toc.yml").write_text(toc, encoding="utf-8")
    (tmp_path / "book" / "index.md").write_text("# First\n", encoding="utf-8")
    pages = {"page_md": PAGE.replace("---\n", kernel[:-4], 1), "alpha_md": f"{kernel}# A\n", "cards__alpha_yml": last}
    pages["page_md"] = pages["page_md"].replace("{cards} page", "{cards} all")
    pages["cards__draft_yml"] = CARDS.replace("chapter: page", "chapter: draft")
    html = build(**pages).output("book/page.html")
    assert '<flash-cards data-all="true" data-name="all" id="cards-all">' in html
    assert re.findall(r'data-deck="(\w+)"', html) == ["page", "alpha"], "and a deck of no chapter is left out"


# ---- Faults are named ------------------------------------------------------------------------------------------------


def swap(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


NO_COUNTS = "paired-table\n:a: 0\n:b: 0\n:c: 0\n:d: 0\n\n"

# What is put in place of what, in which file, and what is said about it.
FAULTS = [
    (PAGE_FILE, PAGE, "{quiz} page", "{quiz} nowhere", "nowhere.yml: there is no such file in quizzes/"),
    (QUIZ_FILE, QUIZ, "chapter: page", "chapter: [", "page.yml, line"),
    (QUIZ_FILE, QUIZ, "kind: number", "kind: number\n    kind: number", "'kind' stands twice"),
    (QUIZ_FILE, QUIZ, ', why: "Because."', "", "page.yml: questions[0] (id first), options[0]: 'why'"),
    (QUIZ_FILE, QUIZ, "right: true", "right: true, slip: lonely", "options[0]: an option is either"),
    (QUIZ_FILE, QUIZ, "slip: reversed", "right: true", "question first: 2 options are right"),
    (QUIZ_FILE, QUIZ, "slip: lonely", "slip: nobody", "question second: misconceptions.yml has no entry nobody"),
    (QUIZ_FILE, QUIZ, "objective: goal", "objective: moon", "question first: the chapter has no objective moon"),
    (QUIZ_FILE, QUIZ, "id: second", "id: first", "page.yml: id first stands twice"),
    (QUIZ_FILE, QUIZ, "value: 0.5,", "value: 0.03,", "question second: 0.0225 and 0.03 cannot be told apart"),
    (QUIZ_FILE, QUIZ, "answer: 0.0225", "answer: about two", "(id second), answer: 'about two'"),
    (QUIZ_FILE, QUIZ, "kind: number", "kind: essay", "(id second), kind: 'essay'"),
    (CARD_FILE, CARDS, ', back: "The **off** ones."', "", "page.yml: cards[0] (id one): 'back'"),
    (CARD_FILE, CARDS, '"Which cells, $b$?"', '" "', "cards[0] (id one), front"),
    (SLIP_FILE, SLIPS, '  ask: "y?"\n', "", "misconceptions.yml: lonely: 'ask'"),
    (QUIZ_FILE, QUIZ, "How many?", "How <b>many</b>?", "(id second), ask: raw HTML, '</b>'"),
    (QUIZ_FILE, QUIZ, "How many?", '"<script>alert(1)</script>"', "(id second), ask: raw HTML, '<script>"),
    (QUIZ_FILE, QUIZ, "How many?", '"{raw}`html`"', "(id second), ask: the role {raw}"),
    (QUIZ_FILE, QUIZ, "How many?", '"```{raw} html\\nx\\n```"', "(id second), ask: a directive, '{raw} html'"),
    (QUIZ_FILE, QUIZ, "How many?", '"```{quiz} page\\n```"', "(id second), ask: a directive, '{quiz} page'"),
    (QUIZ_FILE, QUIZ, "How many?", '":::{note}\\nx\\n:::"', "(id second), ask: a directive, '{note}'"),
    (QUIZ_FILE, QUIZ, "How many?", '"# How many?"', "(id second), ask: a heading"),
    (QUIZ_FILE, QUIZ, "How many?", '"[x](javascript:alert(1))"', "ask: an address that begins with javascript"),
    (QUIZ_FILE, QUIZ, "How many?", '"[x](java&#115;cript:alert(1))"', "ask: an address that begins with javascript:"),
    (QUIZ_FILE, QUIZ, "How many?", '"![x](data:image/png;base64,AA)"', "ask: an address that begins with data:"),
    (QUIZ_FILE, QUIZ, "How many?", "How many" + "?" * 2000, "(id second), ask: the text has 2008 characters"),
    (QUIZ_FILE, QUIZ, "answer: 0.0225", "answer: .nan", "(id second), answer: nan is not a finite number"),
    (QUIZ_FILE, QUIZ, "tolerance: 0.0005", "tolerance: .inf", "(id second), tolerance: inf is not a finite number"),
    (QUIZ_FILE, QUIZ, "value: 0.5,", "value: -.inf,", "slips[0], value: -inf is not a finite number"),
    (QUIZ_FILE, QUIZ, "kind: number", "kind: number\n    1: x", "the key 1 is no text"),
    (CARD_FILE, CARDS, "The **off** ones.", "The <i>off</i> ones.", "cards[0] (id one), back: raw HTML"),
    (SLIP_FILE, SLIPS, '"y?"', '"<img src=x>"', "misconceptions.yml: lonely, ask: raw HTML"),
    (PAGE_FILE, PAGE, "{slip} reversed", "{slip} unknown", "misconceptions.yml has no entry unknown"),
    (PAGE_FILE, PAGE, "{widget} paired-table", "{widget} paired", "no widget 'paired'; there are"),
    (PAGE_FILE, PAGE, "{widget} paired-table", "{widget} same-model\n:a: 3", "same-model has no option a"),
    (PAGE_FILE, PAGE, "paired-table\n", NO_COUNTS, "must hold from 1 to"),
]


@pytest.mark.parametrize(("file", "text", "old", "new", "said"), FAULTS, ids=[said for *_, said in FAULTS])
def test_a_fault_is_an_error_that_names_file_and_item(
    build: Build, file: str, text: str, old: str, new: str, said: str
) -> None:
    complaints = build(**{file: swap(text, old, new)}).complaints
    assert "ERROR" in complaints
    assert said in complaints
    assert "page.md:" in complaints


# ---- The course's own files ------------------------------------------------------------------------------------------

CATALOGUE = course_yaml.read_misconceptions(BOOK / "misconceptions.yml")


@pytest.mark.parametrize("path", sorted((BOOK / "quizzes").glob("*.yml")), ids=lambda path: path.stem)
def test_a_quiz_of_the_course_is_sound(path: Path) -> None:
    objectives = course_yaml.chapter_objectives(BOOK / f"{path.stem}.md")
    assert objectives
    quiz = course_yaml.read_quiz(path, CATALOGUE, objectives)
    assert quiz["chapter"] == path.stem


@pytest.mark.parametrize("path", sorted((BOOK / "cards").glob("*.yml")), ids=lambda path: path.stem)
def test_the_cards_of_the_course_are_sound(path: Path) -> None:
    assert course_yaml.read_cards(path)["chapter"] == path.stem


# ---- The package of the widgets --------------------------------------------------------------------------------------


def test_the_stored_values_are_what_evalstats_gives_now() -> None:
    """After a change in evalstats: python -m book.tools.widget_values, and look at the difference."""
    stored, now = json.loads(widget_values.VALUES.read_text(encoding="utf-8")), widget_values.values()
    flat_stored, flat_now = list(leaves(stored)), list(leaves(json.loads(json.dumps(now))))
    assert [place for place, _ in flat_stored] == [place for place, _ in flat_now]
    for (place, old), (_, new) in zip(flat_stored, flat_now, strict=True):
        assert new == (pytest.approx(old, rel=1e-12, abs=1e-15) if isinstance(old, float) else old), place


def leaves(value: object, place: str = "") -> list[tuple[str, object]]:
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in leaves(inner, f"{place}.{key}")]
    if isinstance(value, list):
        return [leaf for i, inner in enumerate(value) for leaf in leaves(inner, f"{place}[{i}]")]
    return [(place, value)]


def test_the_lock_names_versions_and_no_addresses() -> None:
    lock = (WIDGETS / "package-lock.json").read_text(encoding="utf-8")
    assert "resolved" not in lock
    assert "registry" not in lock
    wanted = json.loads((WIDGETS / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values())
    locked = json.loads(lock)["packages"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in wanted} == wanted
