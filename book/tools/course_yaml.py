"""Reads quizzes, cards and misconceptions, and refuses what is wrong with the name of the file and of the item."""

from __future__ import annotations

import html
import json
import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from book.tools.reader_text import parser

BOOK = Path(__file__).resolve().parents[1]
SCHEMAS = {
    "quizzes": BOOK / "quizzes" / "schema.json",
    "cards": BOOK / "cards" / "schema.json",
    "misconceptions": BOOK / "misconceptions.schema.json",
}


class CourseFileError(Exception):
    """What is wrong with a course file, one line for each fault."""


class _StrictLoader(yaml.SafeLoader):
    """YAML that refuses a key given twice, which PyYAML would silently let the second win."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=deep)
            if not isinstance(key, str):
                problem = f"the key {key!r} is no text: put it in quotes"
                raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
            if key in seen:
                problem = f"the key {key!r} stands twice"
                raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep)


@cache
def _validator(kind: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(SCHEMAS[kind].read_text(encoding="utf-8")))


def _read(path: Path, kind: str) -> Any:
    if not path.is_file():
        raise CourseFileError(f"{path.name}: there is no such file in {path.parent.name}/")
    try:
        data = yaml.load(path.read_text(encoding="utf-8"), _StrictLoader)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise CourseFileError(f"{path.name}{line}: {error.problem}") from error
    errors = _validator(kind).iter_errors(data)
    faults = [f"{_place(path, data, error.absolute_path)}: {_said(error)}" for error in errors]
    for steps, value in _leaves(data):
        faults += [f"{_place(path, data, steps)}: {fault}" for fault in _leaf_faults(steps, value)]
    if faults:
        raise CourseFileError("\n".join(sorted(faults)))
    return data


def _leaves(data: Any, steps: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every value that is neither a mapping nor a list, and the way to it."""
    if isinstance(data, dict | list):
        for step, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _leaves(value, (*steps, step))
    else:
        yield steps, data


_MARKDOWN = {"ask", "text", "why", "front", "back", "say", "because", "title"}
_LONGEST = {"topic": 80, "title": 120}
_LONGEST_TEXT = 2000
_BAD_ADDRESS = re.compile(r"(?:\]\(<?|\]:<?|<|href=[\"']?)(javascript|vbscript|data|file):", re.I)


def _leaf_faults(steps: tuple[str | int, ...], value: Any) -> Iterator[str]:
    """What is wrong with one value, whatever the schema makes of its place."""
    key = str(steps[-1]) if steps else ""
    if isinstance(value, float) and not math.isfinite(value):
        yield f"{value} is not a finite number"
    if isinstance(value, str):
        longest = _LONGEST.get(key, _LONGEST_TEXT)
        if len(value) > longest:
            yield f"the text has {len(value)} characters; at most {longest} are allowed"
        elif key in _MARKDOWN:
            yield from _markdown_faults(value)


def _markdown_faults(text: str) -> Iterator[str]:
    """What a text in a quiz, a card or a slip box may not hold: it stands inside HTML that has a shape of its own."""
    pending = list(parser().parse(text))
    while pending:
        token = pending.pop()
        pending += token.children or []
        if token.type.startswith("html_"):
            yield f"raw HTML, {_short(token.content)}: write Markdown"
        elif token.type == "colon_fence" or (token.type == "fence" and token.info.strip().startswith("{")):
            yield f"a directive, {_short(token.info)}: a text holds none"
        elif token.type == "myst_role" and token.meta.get("name") not in _ROLES:
            yield f"the role {{{token.meta.get('name')}}}: only {', '.join(sorted(_ROLES))} may stand here"
        elif token.type in _BLOCKS_REFUSED:
            yield f"a {_BLOCKS_REFUSED[token.type]}: a text has no parts of its own"
    if found := _BAD_ADDRESS.search(re.sub(r"[\s\x00-\x1f]+", "", html.unescape(text))):
        yield f"an address that begins with {found[1]}: is refused"


_ROLES = {"math", "cite", "cite:p", "cite:t", "cite:ps", "cite:ts", "eq", "ref", "numref", "doc", "term"}
_BLOCKS_REFUSED = {
    "heading_open": "heading", "front_matter": "front matter", "myst_target": "target",
    "myst_block_break": "block break", "footnote_block_open": "footnote",
}  # fmt: skip


def _short(text: str) -> str:
    return repr(text.strip() if len(text.strip()) <= 40 else text.strip()[:37] + "...")


def _place(path: Path, data: Any, way: Iterable[str | int]) -> str:
    """Where in a file: `paired.yml: questions[2] (id mid-p), options[1]`."""
    steps: list[str] = []
    at = data
    for step in way:
        at = at[step]
        if not isinstance(step, int):
            steps.append(str(step))
            continue
        name = f" (id {at['id']})" if isinstance(at, dict) and "id" in at else ""
        steps[-1] += f"[{step}]{name}"
    return f"{path.name}: {', '.join(steps)}" if steps else path.name


def _said(error: ValidationError) -> str:
    """The innermost complaint, in words where the schema's own would be a riddle."""
    if error.validator == "oneOf":
        return "an option is either `right: true` or names a `slip`, and not both"
    inner = best_match(error.context) if error.context else None
    message = (inner or error).message
    return message if len(message) <= 200 else message[:197] + "..."


def _twice(values: Iterable[str]) -> list[str]:
    return sorted(value for value, count in Counter(values).items() if count > 1)


def read_misconceptions(path: Path) -> dict[str, dict[str, str]]:
    """The catalogue: id -> title, say, ask, because."""
    catalogue: dict[str, dict[str, str]] = _read(path, "misconceptions") or {}
    return catalogue


def read_quiz(path: Path, misconceptions: Iterable[str], objectives: Iterable[str] | None = None) -> dict[str, Any]:
    """A quiz whose slips are in the catalogue, and whose objectives the chapter has (where it declares any)."""
    quiz: dict[str, Any] = _read(path, "quizzes")
    faults = [f"id {name} stands twice" for name in _twice(item["id"] for item in quiz["questions"])]
    known, declared = set(misconceptions), None if objectives is None else set(objectives)
    for item in quiz["questions"]:
        faults += [f"question {item['id']}: {fault}" for fault in _question_faults(item, known, declared)]
    if faults:
        raise CourseFileError("\n".join(f"{path.name}: {fault}" for fault in faults))
    return quiz


def _question_faults(item: dict[str, Any], known: set[str], declared: set[str] | None) -> Iterator[str]:
    if declared is not None and item["objective"] not in declared:
        yield f"the chapter has no objective {item['objective']}"
    wrong = item.get("options", item.get("slips", []))
    for slip in sorted({entry["slip"] for entry in wrong if "slip" in entry} - known):
        yield f"misconceptions.yml has no entry {slip}"
    if item["kind"] == "choice":
        right = sum("right" in option for option in item["options"])
        if right != 1:
            yield f"{right} options are right; there must be exactly one"
    else:
        yield from _overlaps(item)


def _overlaps(item: dict[str, Any]) -> Iterator[str]:
    """Two values that one answer could both meet: the learner would be told one thing or the other by chance."""
    slips = [(slip["value"], slip["tolerance"]) for slip in item.get("slips", [])]
    values = [(item["answer"], item["tolerance"]), *slips]
    for i, (value, tolerance) in enumerate(values):
        for other, other_tolerance in values[:i]:
            if abs(value - other) <= tolerance + other_tolerance:
                yield f"{other} and {value} cannot be told apart within their tolerances"


def printed(number: float) -> str:
    """A number as the page prints it: in full, 1234567 and not 1.23457e+06."""
    return f"{Decimal(repr(number)).normalize():f}"


def read_cards(path: Path) -> dict[str, Any]:
    """The cards of a chapter, each with an id of its own."""
    cards: dict[str, Any] = _read(path, "cards")
    if twice := _twice(card["id"] for card in cards["cards"]):
        raise CourseFileError("\n".join(f"{path.name}: id {name} stands twice" for name in twice))
    return cards


def chapter_objectives(page: Path) -> dict[str, str] | None:
    """Objective id -> text from a page's front matter; None where there is no page or it declares none."""
    if not page.is_file():
        return None
    text = page.read_text(encoding="utf-8")
    if not text.startswith("---\n") or "\n---" not in text[4:]:
        return None
    front = yaml.safe_load(text[4:].split("\n---", 1)[0]) or {}
    listed = front.get("objectives")
    return {entry["id"]: entry["text"] for entry in listed} if listed else None
