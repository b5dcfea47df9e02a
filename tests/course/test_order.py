"""Words, references and equations that stand before what they need are found, and nothing else is."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from book.tools import order
from book.tools.structure import chapters

HEAD = "---\nkernelspec: {name: python3}\nobjectives: [{id: power, text: compute the power of a test}]\n---\n"
GLOSSARY = "# Words\n\n```{glossary}\ndiscordant pair\n  Two marks.\n\npower\n  A chance.\n\nstratum\n  A part.\n```\n"

FIRST = """\
(first)=
# The first, and its power

```{admonition} After this chapter you can
:class: objectives

- compute the power of a test.
```

A **stratum** is fixed.
**Discordant pairs** differ, and a discordant pair counts.

$$
x = 1
$$ (eq-first)

By {eq}`eq-first`, strata count.
"""

SECOND = """\
(second)=
# The second

What a test sees is its power, so
this chance is its **power**.

$$
y = 1
$$ (eq-second)

See {eq}`eq-first` of {ref}`the last chapter <first>`.
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Two chapters, a glossary and a library in which nothing stands before what it needs."""
    files = {
        "_toc.yml": "root: book/index\nchapters: [{file: book/first}, {file: book/second}, {file: book/glossary}]\n",
        "book/index.md": "# Book\n",
        "book/first.md": HEAD + FIRST,
        "book/second.md": HEAD + SECOND,
        "book/glossary.md": GLOSSARY,
        "evalstats/one.py": '"""Equation `eq-first` of chapter `first`. Chapter `second`, eq-second."""\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def with_more(book: Path, stem: str, text: str) -> list[str]:
    """The faults when a paragraph stands at the end of a chapter."""
    page = book / "book" / f"{stem}.md"
    page.write_text(f"{page.read_text(encoding='utf-8')}\n{text}\n", encoding="utf-8")
    return order.faults(book)


def test_a_book_in_order_has_no_fault(book: Path) -> None:
    assert order.faults(book) == []
    assert order.definitions("first", order.glossary(book), book) == [("stratum", 14), ("discordant pair", 15)]


@pytest.mark.parametrize("text", ["A **stratum** again.", "*And* **strata**? No: **Stratum**."])
def test_a_term_that_is_defined_twice_is_found(text: str, book: Path) -> None:
    (fault,) = with_more(book, "second", text)
    assert fault == "book/second.md:17: stratum is bold again, and was defined at book/first.md:14"


@pytest.mark.parametrize(
    "text", ["| **stratum** |\n|---|\n| one |", "## A **stratum**", "**Inconclusive**, says the test."]
)
def test_what_is_bold_elsewhere_or_is_no_term_defines_nothing(text: str, book: Path) -> None:
    assert with_more(book, "second", text) == []


@pytest.mark.parametrize(
    "text", ["Its power is low.", "- Powers,\n- low.", "```{figure} a.png\n:alt: the power\nText.\n```"]
)
def test_a_term_that_an_earlier_chapter_uses_is_found(text: str, book: Path) -> None:
    (fault,) = with_more(book, "first", text)
    assert fault.startswith("book/first.md:2")
    assert fault.endswith(": power is used, and is defined at book/second.md:9")


@pytest.mark.parametrize(
    "text",
    ["What power is comes later.", "| power |\n|---|\n| .8 |", "## Power", "A powerful low-power test.",
     "See `power`.", "```python\npower = 1\n```"],
)  # fmt: skip
def test_what_is_announced_quoted_or_another_word_is_no_use(text: str, book: Path) -> None:
    assert with_more(book, "first", text) == []


def test_a_use_earlier_in_the_same_chapter_is_found_and_in_the_same_paragraph_is_not(book: Path) -> None:
    page = book / "book" / "second.md"
    page.write_text(
        page.read_text(encoding="utf-8").replace("# The second\n", "# The second\n\nPower!\n"), encoding="utf-8"
    )
    assert order.faults(book) == ["book/second.md:8: power is used, and is defined at book/second.md:11"]


@pytest.mark.parametrize(
    "reference", ["{eq}`eq-second`", "{ref}`there <second>`", "{doc}`second`", "{ref}`quiz-second-one`"]
)
def test_a_reference_to_a_later_chapter_is_announced(reference: str, book: Path) -> None:
    assert with_more(book, "first", f"The next chapter has it: {reference}.") == []
    (fault,) = with_more(book, "first", f"We know it from {reference}.")
    assert "is in the chapter second, which comes later, and the sentence does not say so" in fault


def test_a_neighbour_is_the_neighbour(book: Path) -> None:
    (book / "book" / "third.md").write_text(HEAD + "(third)=\n# Third\n", encoding="utf-8")
    toc = book / "_toc.yml"
    toc.write_text(
        toc.read_text(encoding="utf-8").replace("{file: book/glossary}", "{file: book/third}"), encoding="utf-8"
    )
    (fault,) = with_more(book, "first", "See {ref}`the next chapter <third>`.")
    assert fault.endswith("third is in the chapter third, which is not the next chapter")
    assert with_more(book, "third", "{ref}`The previous chapter <first>` has it.")[1].endswith(
        "not the previous chapter"
    )


@pytest.mark.parametrize(
    ("said", "is_found"),
    [("Equation `eq-first` of chapter `second`", True), ("Chapter `first`, eq-first and eq-none", True),
     ("Equations `eq-first` and `eq-none` of\n    chapter `first`", True), ("Chapter `unwritten`, eq-none", False)],
)  # fmt: skip
def test_an_equation_that_the_library_names_stands_where_it_says(said: str, is_found: bool, book: Path) -> None:
    (book / "evalstats" / "two.py").write_text(f'"""{said}."""\n', encoding="utf-8")
    found = order.faults(book)
    assert bool(found) == is_found
    assert all(fault.startswith("evalstats/two.py: eq-") for fault in found)


@pytest.mark.parametrize("where", [*(f"book/{stem}.md" for stem in chapters()), "evalstats/"])
def test_in_the_book_nothing_stands_before_what_it_needs(where: str) -> None:
    if found := [fault for fault in book_faults() if fault.startswith(where)]:
        pytest.fail("\n".join(found), pytrace=False)


@cache
def book_faults() -> list[str]:
    return order.faults()
