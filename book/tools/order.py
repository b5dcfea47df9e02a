"""What stands before what it needs, in the order of `_toc.yml`.

    python -m book.tools.order

* A term of the glossary is bold where a chapter defines it. It is bold once in the book, and no earlier paragraph uses
  it; but objectives, headings and tables may name it, and so may a sentence that says it comes later.
* A reference to a later chapter is announced in its sentence: "the next chapter", "later". "The next chapter" is the
  next one, "the last chapter" the one before.
* An equation that a docstring of the library names stands in the chapter that it names, once that is written.

A sentence is a line of the source, for every sentence of the book has a line to itself.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from markdown_it.token import Token

from book.tools.notebooks import all_targets
from book.tools.places import ROOT
from book.tools.reader_text import markdown_passages, parser
from book.tools.structure import chapters, pages

LATER = re.compile(
    r"\b(?:next chapter|later|(?:another|a) chapter|chapters? (?:on|about|to come)|further on|below)\b", re.I
)
NEIGHBOUR = re.compile(r"\b(next|last|previous) chapter\b", re.I)
REFERENCE = re.compile(r"\{(?:ref|eq|numref|doc)\}`(?:[^`<]*<)?([^`<>]+)>?`")
# "Equations `eq-a` and `eq-b` of chapter `stem`", or "Chapter `stem`, eq-a and eq-b"
LABELS = r"((?:`?eq-[\w-]+`?(?:,? and |, )?)+)"
CITED = (
    re.compile(rf"{LABELS}\s+of\s+(?:the\s+)?chapter\s+`(?P<stem>[\w-]+)`"),
    re.compile(rf"[Cc]hapter\s+`(?P<stem>[\w-]+)`,\s+{LABELS}"),
)


@dataclass(frozen=True)
class Place:
    """Where in the book a word stands: the chapter's place in the order, and the line of its source."""

    chapter: int
    line: int

    def before(self, other: Place) -> bool:
        return (self.chapter, self.line) < (other.chapter, other.line)


# ---- terms -----------------------------------------------------------------------------------------------------------


def glossary(root: Path = ROOT) -> list[str]:
    """The terms of the glossary."""
    found: list[str] = []
    for page in pages(root):
        for token in parser().parse(page.source.read_text(encoding="utf-8")):
            if token.type == "fence" and token.info.strip() == "{glossary}":
                found += [line for line in token.content.splitlines() if line.strip() and not line.startswith(" ")]
    return found


def definitions(stem: str, terms: list[str], root: Path = ROOT) -> list[tuple[str, int]]:
    """The terms that a chapter has in bold in its running text, with the line: tables and headings define nothing."""
    by_form = {form(term): term for term in terms}
    found = []
    for token in running_text(source_of(stem, root)):
        line = token.map[0] + 1 if token.map else 1
        bold = ""
        for child in token.children or []:
            line += child.type in {"softbreak", "hardbreak"}
            if child.type == "strong_open":
                bold = " "
            elif child.type == "strong_close":
                if term := by_form.get(form(bold)):
                    found.append((term, line))
                bold = ""
            elif bold:
                bold += child.content
    return found


def running_text(source: str) -> Iterator[Token]:
    """The paragraphs of a page."""
    tokens = parser().parse(source)
    return (token for before, token in pairwise(tokens) if before.type == "paragraph_open")


def form(phrase: str) -> str:
    """A phrase in one form, whether it is plural or begins a sentence."""
    return re.sub(r"s$", "", phrase.strip().casefold().replace("’", "'"))


def uses(stem: str, term: str, root: Path = ROOT) -> Iterator[tuple[int, int]]:
    """Where a chapter uses a term: the line, and the last one of its paragraph.

    Headings, objectives, tables (they show what others print) and sentences that speak of later are left out.
    """
    source = source_of(stem, root)
    lines = source.splitlines()
    word = re.compile(rf"(?<![\w-]){re.escape(form(term))}(?:s|es)?(?![\w-])", re.I)
    unread = set(objective_lines(source))
    for passage in markdown_passages(source, stem):
        prose = "".join(span.text if span.kind == "prose" else " " * len(span.text) for span in passage.spans)
        for match in word.finditer(prose.replace("’", "'")):
            line = passage.line_at(match.start())
            said = lines[line - 1]
            if line not in unread and not said.startswith(("#", "|")) and not LATER.search(said):
                yield line, passage.spans[-1].line


def objective_lines(source: str) -> Iterator[int]:
    """The lines of the front matter and of the box of objectives."""
    for token in parser().parse(source):
        boxed = token.type in {"fence", "colon_fence"} and re.search(
            r"^:class:.*\bobjectives\b", token.content, flags=re.M
        )
        if token.map and (boxed or token.type == "front_matter"):
            yield from range(token.map[0] + 1, token.map[1] + 1)


def term_faults(root: Path = ROOT) -> Iterator[str]:
    """Terms that are defined twice, and terms that are used before they are defined."""
    stems, terms = chapters(root), glossary(root)
    defined: dict[str, list[Place]] = {}
    for i, stem in enumerate(stems):
        for term, line in definitions(stem, terms, root):
            defined.setdefault(term, []).append(Place(i, line))
    for term, places in defined.items():
        first = places[0]
        at = f"book/{stems[first.chapter]}.md:{first.line}"
        for again in places[1:]:
            yield f"book/{stems[again.chapter]}.md:{again.line}: {term} is bold again, and was defined at {at}"
        for i, stem in enumerate(stems[: first.chapter + 1]):
            early = min((line for line, end in uses(stem, term, root) if Place(i, end).before(first)), default=0)
            if early:
                yield f"book/{stem}.md:{early}: {term} is used, and is defined at {at}"


# ---- references ------------------------------------------------------------------------------------------------------


def reference_faults(root: Path = ROOT) -> Iterator[str]:
    """References to later chapters that are not announced, and neighbours that are none."""
    stems = chapters(root)
    homes = {label: target.stem for label, target in all_targets(root).items()}
    for i, stem in enumerate(stems):
        for number, line in enumerate(source_of(stem, root).splitlines(), start=1):
            for label in REFERENCE.findall(line):
                home = home_of(label, homes, stems)
                if home in stems and (fault := fault_of(line, i, stems.index(home))):
                    yield f"book/{stem}.md:{number}: {label} is in the chapter {home}, {fault}"


def home_of(label: str, homes: dict[str, str], stems: list[str]) -> str:
    """The stem of the page that has a label, or that is the target; labels of exercises and questions hold it."""
    if label in homes:
        return homes[label]
    for stem in sorted(stems, key=len, reverse=True):
        if re.match(rf"(?:practice|quiz)-{stem.replace('_', '-')}-", label):
            return stem
    return label.rpartition("/")[2]


def fault_of(line: str, here: int, there: int) -> str:
    """What is wrong with a reference from one chapter to another, or nothing."""
    if there > here and not LATER.search(line):
        return "which comes later, and the sentence does not say so"
    neighbours = {"next": here + 1, "last": here - 1, "previous": here - 1}
    said = {word.lower() for word in NEIGHBOUR.findall(line)}
    if there != here and said and there not in {neighbours[word] for word in said}:
        return f"which is not the {said.pop()} chapter"
    return ""


def docstring_faults(root: Path = ROOT) -> Iterator[str]:
    """Equations that the library says are in a chapter, and are not."""
    stems, targets = chapters(root), all_targets(root)
    for path in sorted((root / "evalstats").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        for match in (match for pattern in CITED for match in pattern.finditer(text)):
            for label in re.findall(r"eq-[\w-]+", match[0]):
                if match["stem"] in stems and (label not in targets or targets[label].stem != match["stem"]):
                    yield f"evalstats/{path.name}: {label} is not in the chapter {match['stem']}"


def source_of(stem: str, root: Path = ROOT) -> str:
    return (root / "book" / f"{stem}.md").read_text(encoding="utf-8")


def faults(root: Path = ROOT) -> list[str]:
    """All of them, one line each."""
    return list(dict.fromkeys([*term_faults(root), *reference_faults(root), *docstring_faults(root)]))


def main() -> int:
    found = faults()
    print("\n".join(found) or "Nothing stands before what it needs.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
