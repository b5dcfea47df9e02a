"""A chapter's MyST source as the cells of a plain notebook: no roles, no directives, the same code.

Equations and figures are numbered within the chapter, in their order; references to them become those numbers.
What only the site can do (widgets, quizzes, cards) becomes a link to the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from pybtex.database import BibliographyData, Entry, parse_file  # type: ignore[import-untyped]

from book.tools.places import ROOT, repository_address
from book.tools.reader_text import directive_options, parser

# ---- what references point to ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """Something with a label: what a reference to it says, and its number where it has one."""

    stem: str
    kind: str  # "Equation", "Figure", "Table", "heading"
    text: str
    number: int | None = None


def targets_of(stem: str, source: str) -> dict[str, Target]:
    """Everything that can be referred to in a page."""
    found: dict[str, Target] = {}
    counts = {"Equation": 0, "Figure": 0, "Table": 0}
    waiting: list[str] = []

    def numbered(kind: str, label: str) -> None:
        counts[kind] += 1
        if label:
            found[label] = Target(stem, kind, f"{kind} {counts[kind]}", counts[kind])

    tokens = parser().parse(source)
    for i, token in enumerate(tokens):
        if token.type == "myst_target":
            waiting.append(token.content)
        elif token.type == "heading_open":
            for label in waiting:
                found[label] = Target(stem, "heading", plain(tokens[i + 1].content))
            waiting = []
        elif token.type == "math_block_label":
            numbered("Equation", token.info)
        elif token.type == "amsmath":
            for label in re.findall(r"\\label\{([^}]*)\}", token.content):
                numbered("Equation", label)
        elif token.type in {"fence", "colon_fence"} and token.info.startswith("{"):
            _directive_targets(token.info, token.content, numbered)
    return found


def _directive_targets(info: str, content: str, numbered: Callable[[str, str], None]) -> None:
    name = info[1:].partition("}")[0]
    options, body = directive_options(content)
    if name == "math" and "label" in options:
        numbered("Equation", str(options["label"]))
    elif name == "code-cell" and "figure" in options.get("mystnb", {}):
        numbered("Figure", str(options["mystnb"]["figure"].get("name", "")))
    elif name in {"figure", "table", "list-table"}:
        numbered("Figure" if name == "figure" else "Table", str(options.get("name", "")))
    elif name not in {"code-cell", "code-block", "code"}:
        for inner in parser().parse(body):
            if inner.type in {"fence", "colon_fence"} and inner.info.startswith("{"):
                _directive_targets(inner.info, inner.content, numbered)
            elif inner.type == "math_block_label":
                numbered("Equation", inner.info)


def plain(markdown: str) -> str:
    """A heading without its marks."""
    return re.sub(r"[`*]|\{[\w:-]+\}(?=`)", "", markdown).strip()


# ---- citations -------------------------------------------------------------------------------------------------------


def _surnames(entry: Entry) -> str:
    names = [" ".join(person.last_names) for person in entry.persons.get("author", [])]
    if len(names) > 2:
        return f"{names[0]} et al."
    return " and ".join(names) or str(entry.fields.get("title", ""))


def citation(key: str, bibliography: BibliographyData, in_text: bool) -> str:
    """`Tango (1998)` in a sentence, `(Tango, 1998)` beside one."""
    if key not in bibliography.entries:
        raise ValueError(f"{key} is not a key of references.bib")
    entry = bibliography.entries[key]
    who, when = _surnames(entry), entry.fields.get("year", "n.d.")
    return f"{who} ({when})" if in_text else f"({who}, {when})"


def reference(entry: Entry) -> str:
    """One entry of a list of references."""
    fields = {name: re.sub(r"[{}]", "", value).replace("--", "–") for name, value in entry.fields.items()}
    authors = ", ".join(f"{' '.join(p.last_names)}, {' '.join(p.first_names)}" for p in entry.persons.get("author", []))
    where = (
        fields.get("journal") or fields.get("booktitle") or fields.get("howpublished") or fields.get("publisher", "")
    )
    volume = ", ".join(fields[name] for name in ("volume", "pages") if name in fields)
    parts = [f"{authors} ({fields.get('year', 'n.d.')}).", f"{fields.get('title', '')}.", f"*{where}*" if where else ""]
    return " ".join(part for part in parts if part) + (f" {volume}." if volume else ".")


# ---- cells -----------------------------------------------------------------------------------------------------------


@dataclass
class Cell:
    """One cell: `kind` is "markdown" or "code"."""

    kind: str
    source: str
    tags: list[str] = field(default_factory=list)


@dataclass
class Converter:
    """Turns the source of one page into cells."""

    stem: str
    targets: dict[str, Target]
    root: Path = ROOT
    cited: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        bib = self.root / "book" / "references.bib"
        self.bibliography = parse_file(str(bib)) if bib.is_file() else BibliographyData()
        slips = self.root / "book" / "misconceptions.yml"
        self.slips = yaml.safe_load(slips.read_text(encoding="utf-8")) if slips.is_file() else {}

    def cells(self, source: str) -> Iterator[Cell]:
        """The cells of a page. Neighbouring Markdown is joined; a heading begins a new cell."""
        text: list[str] = []
        for piece in self.pieces(source):
            starts_section = isinstance(piece, str) and piece.startswith("#")
            if text and (isinstance(piece, Cell) or starts_section):
                yield Cell("markdown", "\n\n".join(text))
                text = []
            if isinstance(piece, Cell):
                yield piece
            elif piece.strip():
                text.append(piece)
        if text:
            yield Cell("markdown", "\n\n".join(text))

    def pieces(self, source: str) -> Iterator[Cell | str]:
        """Blocks of the source in order: Markdown as text, code as cells."""
        lines = source.split("\n")
        for token in parser().parse(source):
            if token.level or token.map is None or token.type.endswith("_close"):
                continue
            block = "\n".join(lines[token.map[0] : token.map[1]]).strip("\n")
            if token.type in {"fence", "colon_fence"} and token.info.startswith("{"):
                name, _, argument = token.info[1:].partition("}")
                yield from self.directive(name, argument.strip(), token.content)
            elif token.type == "math_block_label":
                yield self.equation(token.content, token.info)
            elif token.type == "amsmath":
                yield f"$$\n{self.tagged(block)}\n$$"
            elif token.type in {"fence", "code_block", "math_block", "html_block"}:
                yield block
            elif token.type not in {"front_matter", "myst_target", "myst_line_comment", "myst_block_break"}:
                yield self.inline(block)

    # ---- inline ----

    def inline(self, text: str) -> str:
        """Markdown with its roles and MyST links resolved."""
        text = re.sub(r"\{([A-Za-z][\w:-]*)\}`([^`]+)`", lambda match: self.role(match[1], match[2]), text)
        text = re.sub(r"\[([^\]]*)\]\(([^)\s]+)\)", lambda match: self.link(match[1], match[2]), text)
        text = re.sub(r"(?<=[\w)\]*`])\{[.#][^}]*\}", "", text)  # attributes
        return "\n".join(line for line in text.split("\n") if not re.fullmatch(r"\s*\{[.#][^}]*\}\s*", line))

    def role(self, name: str, content: str) -> str:
        """What a role shows."""
        given = re.fullmatch(r"(.*?)\s*<([^<>]+)>", content, flags=re.S)
        label = given[2] if given else content
        if name.startswith("cite"):
            return "; ".join(self.cite(key.strip(), name == "cite:t") for key in content.split(","))
        if name == "eq":
            return f"({self.target(label).number})"
        if name in {"numref", "ref", "prf:ref"}:
            return re.sub(r"\{number\}|%s", str(self.target(label).number), given[1] if given else self.titled(label))
        if name in {"doc", "any"}:
            return self.link(given[1] if given else label, label)
        if name == "math":
            return f"${content}$"
        if name in {"sub", "sup"}:
            return f"<{name}>{content}</{name}>"
        if name in {"code", "py:func", "py:class", "py:mod", "py:meth", "py:attr", "func", "class", "mod", "file"}:
            return f"`{content.lstrip('~')}`"
        return given[1] if given else content

    def cite(self, key: str, in_text: bool) -> str:
        said = citation(key, self.bibliography, in_text)
        if key not in self.cited:
            self.cited.append(key)
        return said

    def target(self, label: str) -> Target:
        if label not in self.targets:
            raise ValueError(f"{self.stem}: nothing has the label {label!r}")
        return self.targets[label]

    def titled(self, label: str) -> str:
        target = self.target(label)
        return target.text if target.kind != "heading" else f"“{target.text}”"

    def link(self, text: str, address: str) -> str:
        """A link as it works from book/notebooks/: to another notebook, or to a page in the repository."""
        bare = address.lstrip("#")
        if re.match(r"https?://|mailto:", address):
            return f"[{text}]({address})"
        if bare in self.targets:
            return text or self.titled(bare)
        page = (self.root / "book" / address.partition("#")[0]).with_suffix(".md")
        if not page.is_file():
            raise ValueError(f"{self.stem}: a link leads to {address}, which is neither a label nor a page")
        name = page.relative_to(self.root).as_posix()
        return f"[{text or page.stem}]({repository_address()}/blob/main/{name})"

    # ---- blocks ----

    def equation(self, content: str, label: str) -> str:
        return f"$$\n{content.strip()} \\tag{{{self.target(label).number}}}\n$$"

    def tagged(self, tex: str) -> str:
        return re.sub(r"\\label\{([^}]*)\}", lambda match: f"\\tag{{{self.target(match[1]).number}}}", tex)

    def markdown(self, source: str) -> str:
        """A nested text as Markdown; code cells inside it are shown as code."""
        pieces = self.pieces(source)
        return "\n\n".join(p if isinstance(p, str) else f"```python\n{p.source}\n```" for p in pieces)

    def directive(self, name: str, argument: str, content: str) -> Iterator[Cell | str]:
        """A directive as plain cells and text. Raises ValueError for one that has no plain form."""
        options, body = directive_options(content)
        method = _DIRECTIVES.get(name)
        if method is None:
            raise ValueError(f"{self.stem}: no plain form is known for the directive {{{name}}}")
        yield from method(self, argument, options, body, name)

    def code_cell(self, argument: str, options: dict[str, Any], body: str, name: str) -> Iterator[Cell | str]:
        yield Cell("code", body.strip("\n"), [str(tag) for tag in options.get("tags", [])])
        myst = options.get("mystnb", {})
        if "figure" in myst:
            figure = myst["figure"]
            label = str(figure.get("name", ""))
            title = f"**{self.target(label).text}.** " if label else ""
            alt = str(myst.get("image", {}).get("alt", "")).strip()
            yield (
                title + self.inline(str(figure.get("caption", "")).strip()) + (f"\n\n*In words: {alt}*" if alt else "")
            )

    def maths(self, argument: str, options: dict[str, Any], body: str, name: str) -> Iterator[Cell | str]:
        yield self.equation(body, str(options["label"])) if "label" in options else f"$$\n{body.strip()}\n$$"

    def box(self, argument: str, options: dict[str, Any], body: str, name: str) -> Iterator[Cell | str]:
        """An admonition, margin note or theorem as a quotation with a title."""
        title = self.inline(argument) if argument else name.removeprefix("prf:").capitalize()
        yield _quotation(title, self.markdown(body))

    def fold(self, argument: str, options: dict[str, Any], body: str, name: str) -> Iterator[Cell | str]:
        summary = f"<details><summary>{self.inline(argument)}</summary>"
        yield f"{summary}\n\n{self.markdown(body)}\n\n</details>"

    def inside(self, argument: str, options: dict[str, Any], body: str, name: str) -> Iterator[Cell | str]:
        """A grid, card or tab: its title, and what stands in it."""
        if argument and name in {"tab-item", "grid-item-card", "card"}:
            yield f"**{self.inline(argument)}**"
        yield from self.pieces(body)

    def table(self, argument: str, options: dict[str, Any], body: str, name: str) -> Iterator[Cell | str]:
        label = str(options.get("name", ""))
        yield (f"**{self.target(label).text}.** " if label else "") + self.inline(argument)
        yield self.markdown(body)

    def figure(self, argument: str, options: dict[str, Any], body: str, name: str) -> Iterator[Cell | str]:
        """A drawn figure: the picture by its address in the repository, and its caption."""
        label, file = str(options.get("name", "")), (self.root / "book" / argument).resolve()
        address = f"{repository_address()}/raw/main/{file.relative_to(self.root).as_posix()}"
        yield f"![{options.get('alt', '')}]({address})"
        yield (f"**{self.target(label).text}.** " if label else "") + self.markdown(body)

    def code_block(self, argument: str, options: dict[str, Any], body: str, name: str) -> Iterator[Cell | str]:
        yield f"```{argument}\n{body.strip()}\n```"

    def practice(self, argument: str, options: dict[str, Any], body: str, name: str) -> Iterator[Cell | str]:
        """An exercise: its statement, a cell to write in, a cell that checks."""
        from exercises import catalogue

        exercise = catalogue.load(argument)
        statement = catalogue.text(argument, "statement.md").strip()
        yield Cell("markdown", f"**Exercise: {exercise.title}**\n\n{self.markdown(statement)}")
        yield Cell("code", catalogue.text(argument, "starter.py").strip())
        yield Cell("code", f'import exercises\n\nexercises.check("{argument}", {exercise.function})')

    def slip(self, argument: str, options: dict[str, Any], body: str, name: str) -> Iterator[Cell | str]:
        if argument not in self.slips:
            raise ValueError(f"{self.stem}: {argument} is not in misconceptions.yml")
        entry = {key: str(value).strip() for key, value in self.slips[argument].items()}
        text = "\n\n".join((entry["say"], f"*Ask yourself:* {entry['ask']}", entry["because"]))
        yield _quotation("A common slip", self.markdown(text))

    def on_the_page(self, argument: str, options: dict[str, Any], body: str, name: str) -> Iterator[Cell | str]:
        """Something that lives on the site only."""
        what = {"quiz": "The quiz", "cards": "The flash cards", "widget": "An interactive figure"}[name]
        address = f"{repository_address()}/blob/main/book/{self.stem}.md"
        yield f"*{what} for this place: on [the page of this chapter]({address}).*"
        if name == "widget" and body.strip():
            yield self.markdown(body)

    def references(self, argument: str, options: dict[str, Any], body: str, name: str) -> Iterator[Cell | str]:
        cited = sorted(self.cited, key=lambda key: reference(self.bibliography.entries[key]))
        yield "\n".join(f"- {reference(self.bibliography.entries[key])}" for key in cited)

    def nothing(self, argument: str, options: dict[str, Any], body: str, name: str) -> Iterator[Cell | str]:
        yield from ()


def _quotation(title: str, body: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in f"**{title}**\n\n{body}".split("\n"))


_Method = Callable[[Converter, str, dict[str, Any], str, str], Iterator[Cell | str]]
_DIRECTIVES: dict[str, _Method] = {
    "code-cell": Converter.code_cell,
    "math": Converter.maths,
    "dropdown": Converter.fold,
    "table": Converter.table,
    "figure": Converter.figure,
    "image": Converter.figure,
    "practice": Converter.practice,
    "slip": Converter.slip,
    "bibliography": Converter.references,
    **dict.fromkeys(("code-block", "code"), Converter.code_block),
    **dict.fromkeys(("quiz", "cards", "widget"), Converter.on_the_page),
    **dict.fromkeys(("raw", "tableofcontents", "contents", "toctree", "index"), Converter.nothing),
    **dict.fromkeys(("grid", "grid-item", "grid-item-card", "card", "tab-set", "tab-item", "div"), Converter.inside),
    **dict.fromkeys(("admonition", "note", "tip", "hint", "important", "warning", "caution"), Converter.box),
    **dict.fromkeys(("margin", "sidebar", "topic", "epigraph", "seealso"), Converter.box),
    **dict.fromkeys(("prf:theorem", "prf:lemma", "prf:proof", "prf:definition"), Converter.box),
}
