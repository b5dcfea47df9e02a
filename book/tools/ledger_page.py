"""Sphinx extension: the directive `ledger`, which shows the ledger, the anchor numbers or the source ledger as tables.

```{ledger}
```
```{ledger} anchors
```
```{ledger} seeds
```
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.tools import ledger
from book.tools.ledger import Entry, Report
from book.tools.places import ROOT
from book.tools.seeds import seed_rows
from book.tools.structure import Page, ledgered, pages

KINDS = {"expression": "computed", "source": "read in a source", "chosen": "chosen as an input"}


def table(title: str, heads: Sequence[str], widths: Sequence[int], rows: Iterable[Sequence[nodes.Node]]) -> nodes.table:
    """A table with a caption and a row of headings, as a screen reader wants it."""
    group = nodes.tgroup("", cols=len(heads))
    group += [nodes.colspec(colwidth=width) for width in widths]
    head = nodes.row("", *(nodes.entry("", nodes.paragraph(text=text)) for text in heads))
    group += nodes.thead("", head)
    group += nodes.tbody("", *(nodes.row("", *(nodes.entry("", cell) for cell in row)) for row in rows))
    return nodes.table("", nodes.title(text=title), group, classes=["ledger", "colwidths-given"])


def paragraph(*parts: nodes.Node | str) -> nodes.paragraph:
    return nodes.paragraph("", "", *(nodes.Text(part) if isinstance(part, str) else part for part in parts))


def code(text: str) -> nodes.literal:
    return nodes.literal(text, text)


def section(title: str, identifier: str, *children: nodes.Node) -> nodes.section:
    return nodes.section("", nodes.title(text=title), *children, ids=[identifier], names=[identifier])


def link_to(page: Page, text: str, root: Path = ROOT) -> addnodes.pending_xref:
    """A link to a page of the book."""
    target = "/" + page.source.relative_to(root).with_suffix("").as_posix()
    inner = nodes.inline(text, text)
    return addnodes.pending_xref("", inner, refdomain="std", reftype="doc", reftarget=target, refexplicit=True)


def as_markdown(quoted: str) -> str:
    """What a row quotes, as Markdown: a piece of an equation gets its dollars back, `[@key]` becomes a citation."""
    if "\\" in quoted and "$" not in quoted:
        return f"${quoted}$"
    return re.sub(r"\[@([\w:-]+)\]", r"{cite:t}`\1`", quoted)


def percent(share: float) -> str:
    return "under 1%" if share < 0.01 else f"{100 * share:.0f}%"


def shown(value: float) -> str:
    return f"{value:.7g}"


class LedgerTable(SphinxDirective):
    """The tables of the ledger."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        for path in sorted((ROOT / "book").glob("**/*.toml")):
            self.env.note_dependency(str(path))
        for page in pages():
            self.env.note_dependency(str(page.source))
        views = {"": self.rows, "anchors": self.anchors, "seeds": self.seeds}
        wanted = self.arguments[0] if self.arguments else ""
        if wanted not in views:
            raise self.error(f"ledger shows nothing, anchors or seeds, not {wanted!r}")
        return views[wanted]()

    def rows(self) -> list[nodes.Node]:
        """One table for each page that says numbers."""
        reports = [(page, ledger.check(page.stem)) for page in ledgered()]
        return [self.page_section(page, report) for page, report in reports if report.entries]

    def page_section(self, page: Page, report: Report) -> nodes.section:
        title = title_of(page)
        total = sum(report.shares.values())
        shares = ", ".join(
            f"{count} {KINDS[kind]} ({percent(count / total)})" for kind, count in sorted(report.shares.items())
        )
        intro = paragraph(link_to(page, title), f" says {total} numbers: {shares}.")
        by_row: dict[str, list[Entry]] = {}
        for entry in report.entries:
            by_row.setdefault(entry.row.id, []).append(entry)
        rows = [(self.quoted(entries[0].row.words), self.backings(entries)) for entries in by_row.values()]
        heads, widths = ("Where it is said", "What backs it"), (2, 3)
        return section(title, f"ledger-{page.stem}", intro, table(f"Numbers of “{title}”", heads, widths, rows))

    def quoted(self, words: str) -> nodes.paragraph:
        """Words of a page as the page shows them."""
        return paragraph(*self.parse_inline(as_markdown(words))[0])

    def backings(self, entries: Iterable[Entry]) -> nodes.bullet_list:
        """For each numeral of a row: its kind, and the expression with its value, the citation or the reason."""
        items = []
        for entry in entries:
            said = nodes.strong(entry.numeral.printed, entry.numeral.printed)
            how = entry.row.rounded.get(entry.numeral.printed, "")
            rounded = f" (rounded: {how})" if how else ""
            if entry.value is None:
                why = self.parse_inline(as_markdown(entry.backing))[0]
                line = paragraph(said, f" {KINDS[entry.kind]}: ", *why)
            else:
                value = f" = {shown(entry.value)}{rounded}"
                line = paragraph(said, f" {KINDS[entry.kind]}: ", code(entry.backing), value)
            items.append(nodes.list_item("", line))
        return nodes.bullet_list("", *items)

    def anchors(self) -> list[nodes.Node]:
        """The numbers that a cell prints and an exercise gives."""
        entries = tomllib.loads((ROOT / "book" / "ledger" / "anchors.toml").read_text(encoding="utf-8"))["anchor"]
        by_stem = {page.stem: page for page in ledgered()}
        rows = [
            (
                paragraph(anchor["number"]),
                paragraph(anchor["says"]),
                paragraph(link_to(by_stem[anchor["chapter"]], anchor["chapter"])),
                paragraph(code(anchor["exercise"])),
            )
            for anchor in entries
        ]
        heads, widths = ("Number", "What it is", "Chapter that prints it", "Exercise that gives it"), (2, 5, 2, 3)
        return [table("Anchor numbers", heads, widths, rows)]

    def seeds(self) -> list[nodes.Node]:
        """How many numbers of the source documents are used, and what the others wait for."""
        seeds = seed_rows()
        used = [seed for seed in seeds if not seed.unused]
        reasons = Counter(seed.unused for seed in seeds if seed.unused)
        intro = paragraph(f"The audit of the source documents lists {len(seeds)} numbers; {len(used)} are used so far.")
        rows = [(paragraph(reason), paragraph(str(count))) for reason, count in sorted(reasons.items())]
        return [intro, table("Numbers of the sources that are not used", ("Why not", "How many"), (4, 1), rows)]


def title_of(page: Page) -> str:
    """The first heading of a page, without marks."""
    for line in page.source.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            return line[2:].strip().replace("`", "").replace("*", "")
    return page.stem


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("ledger", LedgerTable)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
