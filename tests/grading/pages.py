"""What the tests of pages share: a strict reader of HTML, hostile texts, and students whose work was really checked."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

from exercises import catalogue
from exercises.grading.course import Assignment, Worth
from exercises.grading.records import CheckMark, ExerciseMark, Graded
from exercises.local import Local
from exercises.run import run
from exercises.sources import read

GRADERS = Path(__file__).parents[1] / "graders"
VOID = {"meta", "br", "rect", "path"}
HARMLESS = "plain"
HOSTILE = [
    "<script>alert(1)</script>",
    "</script></style></title></main><h1>mine</h1>",
    "\"><img src=x onerror='alert(1)'>",
    "' onmouseover='alert(1)",
    "&lt;b&gt; &#60;i&#62; &amp;",
    "`<b>` *em* $x^2$ [link](javascript:alert(1)) <http://127.0.0.1/>",
    "\x1b[31mred\x1b[0m \x1b]0;title\x07",
    "\u202egnp.exe\u2066 \u200b\ufeff\u061c",
    "nul \x00 \x85 \u2028 \ud800",
    '=HYPERLINK("http://127.0.0.1/")',
    "<!-- -->]]><![CDATA[ <?php ?>",
    "x" * 50_000,
]


class _Reader(HTMLParser):
    """Collects tags with their attributes, and text; refuses tags that do not match."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag
        if tag not in ("span", "bdi", "code", "em", "i", "strong", "sup"):
            self.texts.append(" ")  # a new line

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data[:80]}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"a declaration: {data[:80]}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"an instruction: {data[:80]}")


def parsed(page: str) -> _Reader:
    """The page, whose tags must all match."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def text_of(page: str) -> str:
    """What is read on the page, blanks made one."""
    return " ".join("".join(parsed(page).texts).split())


def assert_well_made(page: str) -> None:
    """What every page owes: a language, one h1, no skipped level, landmarks, no script, no address, ids once."""
    reader = parsed(page)
    names = [tag for tag, _ in reader.tags]
    levels = [int(name[1]) for name in names if re.fullmatch("h[1-6]", name)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert names.count("main") == 1
    assert ("html", (("lang", "en"),)) in reader.tags
    assert not {"script", "iframe", "object", "embed", "form", "link", "base", "img", "a"} & set(names)
    attributes = [(name, value) for _, pairs in reader.tags for name, value in pairs]
    assert not [name for name, _ in attributes if name.startswith("on") or name in ("src", "href")]
    ids = [value for name, value in attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert {value for name, value in attributes if name == "aria-labelledby"} <= set(ids)
    policies = [dict(pairs).get("content") or "" for tag, pairs in reader.tags if "http-equiv" in dict(pairs)]
    assert len(policies) == 1
    assert policies[0].startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:")
    assert "url(" not in page
    assert "@import" not in page
    hidden = {one for one in page if unicodedata.category(one) in ("Cc", "Cf", "Cs", "Cn", "Zl", "Zp")} - {"\n"}
    assert not hidden, f"characters that nobody sees: {hidden!r}"


@cache
def went(name: str, answer: str, seed: int = 1) -> ExerciseMark:
    """How an answer of tests/graders did on a student's inputs; `starter` and `missing` are what they say."""
    exercise = catalogue.load(name)
    starter = catalogue.PACKAGE / name / "starter.py"
    source = read(starter if answer == "starter" else GRADERS / name / f"{answer}.py")
    results = run(exercise, Local(source.names[exercise.function], exercise.seconds), exercise.drawn(seed))
    return ExerciseMark(
        name,
        tuple(
            CheckMark(one.says, one.verdict, check.uses_drawn_inputs, one.call, one.returned, one.wanted, one.slip)
            for one, check in zip(results, exercise.checks, strict=True)
        ),
    )


def answers(name: str) -> list[str]:
    """The answers of tests/graders."""
    return sorted(path.stem for path in (GRADERS / name).glob("*.py"))


def graded(*answers: tuple[str, str], seed: int = 1) -> Graded:
    """A submission with these answers to these exercises."""
    return Graded(tuple(went(name, answer, seed) for name, answer in answers))


def assignment(*names: str, points: int = 3, **options: object) -> Assignment:
    """An assignment of these exercises."""
    return Assignment("set", "A set", tuple(Worth(name, Fraction(points)) for name in names), **options)  # type: ignore[arg-type]
