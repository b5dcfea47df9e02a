"""Sphinx extension: the directive `errata`, which shows claim, correction and computation of every erratum."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.tools import errata
from book.tools.errata import DOCUMENTS, SEVERITIES, Erratum
from book.tools.ledger_expressions import Namespace, evaluate, namespace
from book.tools.ledger_page import code, link_to, paragraph, section, shown, title_of
from book.tools.places import ROOT
from book.tools.structure import ledgered


class Errata(SphinxDirective):
    """All errata, by document."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(ROOT / "book" / "ledger" / "errata.toml"))
        setup, entries = errata.load()
        names = namespace(setup, errata.inputs_of(entries))
        self.pages = {page.stem: page for page in ledgered()}
        sections: list[nodes.Node] = []
        for document, title in DOCUMENTS.items():
            own = [entry for entry in entries if entry.document == document]
            if own:
                items = nodes.definition_list("", *(self.item(entry, names) for entry in own), classes=["errata"])
                sections.append(section(f"In {title}", f"errata-{document}", items))
        return sections

    def item(self, entry: Erratum, names: Namespace) -> nodes.definition_list_item:
        """One erratum: its id and chapter as the term; claim, correction and computations as the definition."""
        page = self.pages.get(entry.chapter)
        chapter: nodes.Node = (
            link_to(page, title_of(page)) if page else nodes.Text(f"a chapter to come, {entry.chapter}")
        )
        term = nodes.term("", "", nodes.Text(f"{entry.id} · {SEVERITIES[entry.severity]} · taught in "), chapter)
        term["ids"].append(f"erratum-{entry.id.lower()}")
        body = [*self.markdown("*It says:* " + entry.claim), *self.markdown("*Right is:* " + entry.right)]
        if entry.gives:
            body.append(_computations(entry.gives.items(), names))
        return nodes.definition_list_item("", term, nodes.definition("", *body))

    def markdown(self, text: str) -> list[nodes.Node]:
        box = nodes.Element()
        self.state.nested_parse(StringList([text], self.env.docname), self.content_offset, box)
        return box.children


def _computations(gives: Iterable[tuple[str, str]], names: Namespace) -> nodes.bullet_list:
    items = []
    for printed, expression in gives:
        said = nodes.strong(printed, printed)
        line = paragraph(said, ": ", code(expression), f" = {shown(evaluate(expression, names))}")
        items.append(nodes.list_item("", line))
    return nodes.bullet_list("", *items, classes=["computations"])


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("errata", Errata)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
