"""The course as a list of pages: which there are, of what kind, and what belongs to each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from book.tools.places import ROOT

# What a chapter need not have, and why. Nothing else excuses a missing companion.
EXEMPTIONS: dict[tuple[str, str], str] = {}


@dataclass(frozen=True)
class Page:
    """A page of the book. `stem` names it everywhere: a chapter's stem also names its companions."""

    stem: str
    source: Path
    is_chapter: bool


def _toc_files(node: Any) -> list[str]:
    """The `file:` and `root:` entries of a table of contents, in order."""
    if isinstance(node, list):
        return [file for item in node for file in _toc_files(item)]
    if not isinstance(node, dict):
        return []
    own = [str(node[key]) for key in ("root", "file") if key in node]
    return own + [file for value in node.values() for file in _toc_files(value)]


def has_code(source: Path) -> bool:
    """Whether a page is an executable MyST notebook."""
    text = source.read_text(encoding="utf-8")
    return text.startswith("---") and "kernelspec:" in text.split("\n---", 1)[0]


def pages(root: Path = ROOT) -> list[Page]:
    """The Markdown pages of `_toc.yml` in order; a chapter is an executable page directly under `book/`."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    found = []
    for file in _toc_files(toc):
        source = root / (file if file.endswith(".md") else f"{file}.md")
        if source.is_file():
            found.append(Page(source.stem, source, source.parent == root / "book" and has_code(source)))
    return found


def chapters(root: Path = ROOT) -> list[str]:
    """The stems of the chapters, in the order of `_toc.yml`."""
    return [page.stem for page in pages(root) if page.is_chapter]
