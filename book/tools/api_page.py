"""Sphinx extension: the directive `api`, which shows what `evalstats` offers, module by module, from its docstrings."""

from __future__ import annotations

import importlib
import inspect
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.tools.ledger_page import section
from book.tools.notebooks import all_targets

HEADINGS = ("Parameters", "Returns", "Raises", "Notes", "Examples")


@dataclass(frozen=True)
class Docstring:
    """A docstring in the numpy style: what stands before the first heading, and the text under each heading."""

    opening: str
    parts: dict[str, str]


def parse(text: str) -> Docstring:
    """Split a docstring at its underlined headings."""
    pieces = re.split(rf"^({'|'.join(HEADINGS)})\n-+\n", inspect.cleandoc(text), flags=re.M)
    return Docstring(
        pieces[0].strip(), dict(zip(pieces[1::2], (part.strip("\n") for part in pieces[2::2]), strict=True))
    )


def entries(text: str) -> list[tuple[str, str]]:
    """`name : type` lines with the indented text below each, joined."""
    found: list[tuple[str, str]] = []
    for line in text.split("\n"):
        if line and not line.startswith(" "):
            found.append((line, ""))
        elif line.strip() and found:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}".strip())
    return found


def functions_of(name: str) -> tuple[str, ...]:
    """The public functions of a module that is used by its own name."""
    module = importlib.import_module(f"evalstats.{name}")
    own = [thing for _, thing in inspect.getmembers(module, inspect.isfunction) if thing.__module__ == module.__name__]
    return tuple(thing.__name__ for thing in own if not thing.__name__.startswith("_"))


class Api(SphinxDirective):
    """Every public name of the package."""

    def run(self) -> list[nodes.Node]:
        package = importlib.import_module("evalstats")
        for path in sorted(Path(str(package.__file__)).parent.glob("*.py")):
            self.env.note_dependency(str(path))
        self.labels = {label for label, target in all_targets().items() if target.kind == "Equation"}
        named = {module: functions_of(module) for module in package.MODULES if module not in package.HOMES}
        return [self.module(name, names) for name, names in (package.HOMES | named).items()]

    def module(self, name: str, names: tuple[str, ...]) -> nodes.section:
        module = importlib.import_module(f"evalstats.{name}")
        opening = self.markdown(inspect.cleandoc(module.__doc__ or ""))
        prefix = "api" if name in importlib.import_module("evalstats").HOMES else f"api-{name}"
        return section(name, f"api-{name}", *opening, *(self.member(module, member, prefix) for member in names))

    def member(self, module: Any, name: str, prefix: str) -> nodes.section:
        """One name: its signature, and its docstring."""
        thing = getattr(module, name)
        children: list[nodes.Node] = [nodes.literal_block("", f"{name}{_signature(thing)}", language="python")]
        docstring = parse(thing.__doc__ or "")
        children += self.markdown(docstring.opening)
        for heading, text in docstring.parts.items():
            children += self.part(heading, text)
        return section(name, f"{prefix}-{name.lower().replace('_', '-')}", *children)

    def part(self, heading: str, text: str) -> list[nodes.Node]:
        title = nodes.paragraph("", "", nodes.strong(heading, heading))
        if heading == "Examples":
            return [title, *self.examples(text)]
        if heading == "Notes" or not re.search(r"^\S.*\n +\S", text, flags=re.M):
            return [title, *self.markdown(text)]
        items = [
            nodes.definition_list_item("", nodes.term("", "", nodes.literal(name, name)), self.definition(meaning))
            for name, meaning in entries(text)
        ]
        return [title, nodes.definition_list("", *items)]

    def definition(self, meaning: str) -> nodes.definition:
        return nodes.definition("", *self.markdown(meaning))

    def examples(self, text: str) -> list[nodes.Node]:
        """Sessions as code, the sentences between them as text."""
        found: list[nodes.Node] = []
        for block in re.split(r"\n\s*\n", text.strip("\n")):
            if block.lstrip().startswith(">>>"):
                found.append(nodes.literal_block(block, block, language="pycon"))
            else:
                found += self.markdown(block)
        return found

    def markdown(self, text: str) -> list[nodes.Node]:
        """A text of a docstring; the label of an equation that the book has becomes a link to it."""
        linked = re.sub(r"`?\b(eq-[\w-]+)\b`?", self.equation, text)
        box = nodes.Element()
        self.state.nested_parse(StringList(linked.split("\n"), self.env.docname), self.content_offset, box)
        return box.children

    def equation(self, match: re.Match[str]) -> str:
        label = match[1]
        return f"{{eq}}`{label}`" if label in self.labels else f"`{label}`"


def _signature(thing: Any) -> str:
    """The parameters as written, one to a line where they are many."""
    if not callable(thing):
        return ""
    try:
        signature = inspect.signature(thing)
    except ValueError:
        return ""
    shown = str(signature.replace(parameters=[p.replace(annotation=p.empty) for p in signature.parameters.values()]))
    shown = shown.partition(" ->")[0].replace("<factory>", "{}")
    return shown if len(shown) < 90 else shown.replace("(", "(\n    ", 1).replace(", ", ",\n    ")[:-1] + "\n)"


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("api", Api)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
