"""What readers read: the text of a page without code, and where each piece of it stands in the source.

A page is cut into passages (a paragraph, a heading, a caption, a whole table); a passage is a row of spans of prose,
of maths, and of text that is shown but not checked (inline code, citations, cross-references).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from book.tools import numerals
from book.tools.numerals import Numeral

Kind = Literal["prose", "maths", "mute"]


@dataclass(frozen=True)
class Span:
    """A run of characters of one kind, and the source line it begins on."""

    text: str
    kind: Kind
    line: int


@dataclass(frozen=True)
class Passage:
    """One block of a page as it is read, its white space normalised."""

    file: str
    spans: tuple[Span, ...]

    @cached_property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)

    def line_at(self, place: int) -> int:
        """The source line on which the character at `place` stands."""
        line, end = self.spans[0].line, 0
        for span in self.spans:
            line, end = span.line, end + len(span.text)
            if place < end:
                break
        return line

    def numerals(self) -> list[Numeral]:
        """The numerals of this passage, their places counted in its text."""
        found: list[Numeral] = []
        offset = 0
        for span, after in _with_what_follows(_joined(self.spans)):
            if span.kind != "mute":
                in_span = numerals.in_prose(span.text) if span.kind == "prose" else numerals.in_maths(span.text, after)
                found += [Numeral(n.printed, n.value, n.unit, n.start + offset, n.end + offset) for n in in_span]
            offset += len(span.text)
        return found


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Neighbouring spans of prose made one, so that `**95**%` is read as 95%."""
    joined: list[Span] = []
    for span in spans:
        if joined and joined[-1].kind == span.kind == "prose":
            joined[-1] = Span(joined[-1].text + span.text, "prose", joined[-1].line)
        else:
            joined.append(span)
    return joined


def _with_what_follows(spans: list[Span]) -> Iterator[tuple[Span, str]]:
    for i, span in enumerate(spans):
        yield span, spans[i + 1].text if i + 1 < len(spans) else ""


def _normalised(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Every run of white space made one space, none at the ends."""
    result: list[Span] = []
    ends_in_space = True
    for span in spans:
        text = re.sub(r"\s+", " ", numerals.as_read(span.text))
        text = text[1:] if ends_in_space and text.startswith(" ") else text
        if text:
            result.append(Span(text, span.kind, span.line))
            ends_in_space = text.endswith(" ")
    if result and result[-1].text.endswith(" "):
        last = result.pop()
        result += [Span(last.text.rstrip(), last.kind, last.line)] if last.text.rstrip() else []
    return tuple(result)


# ---- Markdown --------------------------------------------------------------------------------------------------------

# Roles whose content is a reference, a key or code: shown, not checked.
_MUTE_ROLES = {
    "cite", "cite:p", "cite:t", "cite:ps", "cite:ts", "eq", "numref", "ref", "doc", "download", "any", "prf:ref",
    "py:func", "py:class", "py:mod", "py:meth", "py:attr", "func", "class", "mod", "code", "file", "kbd", "term",
}  # fmt: skip
# Those among them that may show a text of their own: {ref}`a text <target>`.
_ROLES_WITH_TEXT = {"numref", "ref", "doc", "download", "any", "prf:ref", "term"}
_CODE_DIRECTIVES = {
    "code", "code-block", "sourcecode", "literalinclude", "raw", "toctree", "tableofcontents", "contents", "eval-rst",
    "bibliography", "glue", "mermaid", "autofunction", "autoclass", "automodule", "autodata", "autosummary",
    "index", "highlight", "include",
    "practice", "quiz", "cards", "slip",  # their texts stand in files of their own, which are read from there
    "ledger", "errata",  # generated
}  # fmt: skip
_TEXT_OPTIONS = {"alt", "caption", "title", "header", "label-text", "summary"}
_ARGUMENT_IS_NOT_TEXT = {"figure", "image", "math", "widget", "div", "container"}


@cache
def parser() -> MarkdownIt:
    """MyST as the book's settings read it, without Sphinx."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for plugin in (front_matter_plugin, myst_block_plugin, myst_role_plugin, footnote_plugin, deflist_plugin):
        parser.use(plugin)
    parser.use(colon_fence_plugin).use(amsmath_plugin)
    return parser.use(dollarmath_plugin, allow_labels=True, allow_space=True, allow_digits=True, double_inline=True)


def markdown_passages(source: str, file: str, line: int = 1) -> Iterator[Passage]:
    """The passages of a Markdown text whose first character stands on source line `line` of `file`."""
    cells: list[Span] | None = None
    for token in parser().parse(source):
        at = line + (token.map[0] if token.map else 0)
        if token.type == "table_open":
            cells = []
        elif token.type == "table_close":
            yield from _passage(file, cells or [])
            cells = None
        elif token.type == "inline":
            spans = list(_inline_spans(token.children or [], at))
            if cells is None:
                yield from _passage(file, spans)
            else:
                cells += [Span(" | ", "mute", at)] * bool(cells) + spans
        else:
            yield from _block(token, file, at)


def _passage(file: str, spans: Iterable[Span]) -> Iterator[Passage]:
    normal = _normalised(spans)
    if normal:
        yield Passage(file, normal)


def _block(token: Token, file: str, at: int) -> Iterator[Passage]:
    """The passages of a block that is not a paragraph or a table."""
    if token.type == "front_matter":
        yield from yaml_passages(token.content, file, at + 1, {"objectives"})
    elif token.type in {"math_block", "math_block_label", "amsmath"}:
        yield from _passage(file, _lines(token.content, "maths", at))
    elif token.type == "html_block":
        yield from _passage(file, _lines(_html_text(token.content), "prose", at))
    elif token.type in {"fence", "colon_fence"}:
        directive = re.match(r"\{([^}]+)\}\s*(.*)", token.info.strip())
        if directive:
            yield from _directive(directive[1], directive[2], token.content, file, at)


_HTML_TAG = re.compile(r"<!--.*?-->|<(?:\"[^\"]*\"|'[^']*'|[^>\"'])*>", re.S)
_HTML_TEXT_ATTRIBUTE = re.compile(
    r"\b(?:alt|title|aria-label|aria-description|placeholder|label|summary)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))",
    re.I,
)


def _html_text(source: str) -> str:
    """The text of raw HTML: what stands between the tags, and the attributes that are read or heard."""

    def heard(tag: re.Match[str]) -> str:
        attributes = [] if tag.group().startswith("<!--") else _HTML_TEXT_ATTRIBUTE.findall(tag.group())
        return " ".join(["", *map("".join, attributes), ""])

    return html.unescape(_HTML_TAG.sub(heard, source))


def _lines(text: str, kind: Kind, line: int) -> Iterator[Span]:
    for i, content in enumerate(text.split("\n")):
        yield Span(content + " ", kind, line + i)


def _inline_spans(tokens: Iterable[Token], line: int) -> Iterator[Span]:
    in_address = False
    for token in tokens:
        if token.type in {"softbreak", "hardbreak"}:
            line += 1
            yield Span(" ", "prose", line)
        elif token.type == "link_open":
            in_address = token.markup == "autolink"
            yield from _title(token, line)
        elif token.type == "link_close":
            in_address = False
        elif token.type.startswith("math"):
            yield Span(token.content, "maths", line)
        elif token.type == "myst_role":
            yield _role(str(token.meta.get("name", "")), token.content, line)
        elif token.type == "image":
            yield Span(f" {token.content} ", "prose", line)
            yield from _title(token, line)
        elif token.type == "html_inline":
            yield from [Span(text, "prose", line) for text in [_html_text(token.content)] if text.strip()]
        elif token.type == "code_inline":
            yield Span(token.content, "mute", line)
        elif token.type == "text":
            yield Span(token.content, "mute" if in_address else "prose", line)


def _title(token: Token, line: int) -> Iterator[Span]:
    """The title of a link or an image, which shows where the pointer rests."""
    if title := token.attrGet("title"):
        yield Span(f" ({title}) ", "prose", line)


def _role(name: str, content: str, line: int) -> Span:
    if name == "math":
        return Span(content, "maths", line)
    shown = re.sub(r"\s*<[^<>]*>$", "", content)
    has_text_of_its_own = shown != content and name in _ROLES_WITH_TEXT
    return Span(shown, "mute" if name in _MUTE_ROLES and not has_text_of_its_own else "prose", line)


def _directive(name: str, argument: str, content: str, file: str, at: int) -> Iterator[Passage]:
    """The text of a directive: its argument where that is a title, its options that are text, and its body."""
    options, option_line, body, body_line = _split_options(content, at + 1)
    if name.startswith("code-cell"):
        yield from yaml_passages(options, file, option_line, {"caption", "alt"} | _PROMPTS)
    if name.startswith("code-cell") or name in _CODE_DIRECTIVES:
        return
    if argument and name not in _ARGUMENT_IS_NOT_TEXT:
        yield from markdown_passages(argument, file, at)
    yield from yaml_passages(options, file, option_line, _TEXT_OPTIONS)
    if name == "math":
        yield from _passage(file, _lines(body, "maths", body_line))
    else:
        yield from markdown_passages(body, file, body_line)


_PROMPTS = {"code_prompt_show", "code_prompt_hide"}


def directive_options(content: str) -> tuple[dict[str, Any], str]:
    """The options of a directive, and its body."""
    options, _, body, _ = _split_options(content, 0)
    return (yaml.safe_load(options) or {}) if options.strip() else {}, body


def _split_options(content: str, line: int) -> tuple[str, int, str, int]:
    """A directive's content as (options in YAML, their line, body, its line)."""
    rows = content.split("\n")
    if rows and rows[0].strip() == "---":
        end = next((i for i, row in enumerate(rows[1:], 1) if row.strip() == "---"), len(rows))
        return "\n".join(rows[1:end]), line + 1, "\n".join(rows[end + 1 :]), line + end + 1
    count = next((i for i, row in enumerate(rows) if not re.match(r":[\w-]+:", row)), len(rows))
    options = "\n".join(_as_yaml(row) for row in rows[:count])
    return options, line, "\n".join(rows[count:]), line + count


def _as_yaml(option: str) -> str:
    """`:alt: a, b: c` as a line of YAML."""
    match = re.match(r":([\w-]+):\s*(.*)", option)
    key, value = (match[1], match[2]) if match else ("", "")
    return f"{key}: '{value.replace(chr(39), chr(39) * 2)}'"


# ---- YAML ------------------------------------------------------------------------------------------------------------


def yaml_passages(source: str, file: str, line: int, keys: set[str], owner: str = "") -> Iterator[Passage]:
    """The Markdown texts found in YAML under the named keys, at any depth."""
    if source.strip():
        yield from _node_passages(yaml.compose(source, Loader=yaml.SafeLoader), file, line, keys, owner)


# Keys of YAML files that are not shown to a reader as text.
_NOT_SHOWN = {"id", "kind", "objective", "slip", "tolerance", "right", "chapter", "stem", "name"}
_SHOWN_AS_NUMBER = {"answer", "value"}


def _node_passages(node: yaml.Node | None, file: str, line: int, keys: set[str], owner: str) -> Iterator[Passage]:
    if isinstance(node, yaml.MappingNode):
        named = {key.value: value for key, value in node.value}
        owner = named["id"].value if isinstance(named.get("id"), yaml.ScalarNode) else owner
        for key, value in named.items():
            if key in keys:
                yield from _texts(value, file, line, owner, key)
            else:
                yield from _node_passages(value, file, line, keys, owner)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _node_passages(item, file, line, keys, owner)


def _texts(node: yaml.Node, file: str, line: int, owner: str, key: str) -> Iterator[Passage]:
    """All texts below a node, whatever their keys, except those that no reader sees."""
    if isinstance(node, yaml.MappingNode):
        named = {child.value: value for child, value in node.value}
        owner = named["id"].value if isinstance(named.get("id"), yaml.ScalarNode) else owner
        for name, value in named.items():
            if name not in _NOT_SHOWN:
                yield from _texts(value, file, line, owner, name)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _texts(item, file, line, owner, key)
    elif isinstance(node, yaml.ScalarNode):
        at = line + node.start_mark.line + (node.style in {"|", ">"})
        if key in _SHOWN_AS_NUMBER:
            yield Passage(file, (Span(f"{owner} {key} ", "mute", at), Span(node.value, "prose", at)))
        else:
            yield from markdown_passages(node.value, file, at)


def quiz_passages(path: Path, file: str) -> Iterator[Passage]:
    """Questions, options, explanations and number answers of a quiz, or the cards of a card file."""
    yield from yaml_passages(path.read_text(encoding="utf-8"), file, 1, {"questions", "cards"})


def slip_passages(path: Path, file: str, used: set[str]) -> Iterator[Passage]:
    """The entries of the catalogue of misconceptions that `used` names."""
    yield from yaml_passages(path.read_text(encoding="utf-8"), file, 1, used)
