"""Notebooks of the chapters: generated from their Markdown, executed, and kept without images.

    python -m book.tools.notebooks              make and run the notebooks of all chapters
    python -m book.tools.notebooks paired       of one
    python -m book.tools.notebooks --check      compare what is kept with the chapters, without running anything

They run in plain Jupyter and in Colab: nothing in them needs the tools of the book.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from book.tools.notebook_cells import Cell, Converter, Target, targets_of
from book.tools.places import ROOT, repository_address
from book.tools.structure import chapters, pages

_nbformat: Any = nbformat  # only half of its functions carry types

SECONDS_FOR_A_CELL = 300
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


# ---- making ----------------------------------------------------------------------------------------------------------


def opening(stem: str) -> list[Cell]:
    """The first cells: where this notebook comes from, and what Colab needs."""
    address = repository_address()
    note = (
        f"*Made from [book/{stem}.md]({address}/blob/main/book/{stem}.md) in the repository of the course.*\n\n"
        "The next cell does something in Colab only: it installs the course from its repository.\n"
        'Elsewhere, install it yourself, with what the cells below need: `pip install ".[data,plots]"` in a copy of '
        "the repository.\n"
        "Take it from there and nowhere else: on the public package index the name `evalstats` belongs to strangers."
    )
    install = (
        "import sys\n\n"
        'if "google.colab" in sys.modules:\n'
        f'    %pip install --quiet "evalstats-course[data,plots] @ git+{address}"'
    )
    return [Cell("markdown", note), Cell("code", install)]


def all_targets(root: Path = ROOT) -> dict[str, Target]:
    """The labels of all pages."""
    found: dict[str, Target] = {}
    for page in pages(root):
        found |= targets_of(page.stem, page.source.read_text(encoding="utf-8"))
    return found


def make(stem: str, root: Path = ROOT) -> Any:
    """The notebook of a chapter, not yet run."""
    source = (root / "book" / f"{stem}.md").read_text(encoding="utf-8")
    cells = [*opening(stem), *Converter(stem, all_targets(root), root).cells(source)]
    notebook = _nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL, "language_info": {"name": "python"}})
    notebook.cells = [_cell(cell, identifier) for cell, identifier in zip(cells, identifiers(cells), strict=True)]
    return notebook


def _cell(cell: Cell, identifier: str) -> Any:
    new = _nbformat.v4.new_code_cell if cell.kind == "code" else _nbformat.v4.new_markdown_cell
    return new(cell.source, id=identifier, metadata={"tags": cell.tags} if cell.tags else {})


def identifiers(cells: Iterable[Cell]) -> list[str]:
    """An id for each cell that stays while its text stays, wherever the cell moves."""
    seen: dict[str, int] = {}
    found = []
    for cell in cells:
        digest = hashlib.sha256(f"{cell.kind}\0{cell.source}".encode()).hexdigest()[:12]
        seen[digest] = seen.get(digest, 0) + 1
        found.append(digest if seen[digest] == 1 else f"{digest}-{seen[digest]}")
    return found


# ---- running ---------------------------------------------------------------------------------------------------------


def run(notebook: Any, root: Path = ROOT) -> None:
    """Execute every cell, in an empty folder, with this repository's packages importable."""
    path = os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook, timeout=SECONDS_FOR_A_CELL, kernel_name="python3", resources={"metadata": {"path": folder}}
        )
        client.execute(env=os.environ | {"PYTHONPATH": path, "PYDEVD_DISABLE_FILE_VALIDATION": "1"})
    tidy(notebook)


def tidy(notebook: Any) -> None:
    """Keep what readers and nbval need: text outputs, and nothing that changes from run to run."""
    notebook.metadata = _nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            for kind in [kind for kind in output.get("data", {}) if "image/" in kind]:
                del output.data[kind]
            if "metadata" in output:
                output.metadata = _nbformat.from_dict({})


def stored(stem: str, root: Path = ROOT) -> Path:
    """Where a chapter's notebook is kept."""
    return root / "book" / "notebooks" / f"{stem}.ipynb"


def write(notebook: Any, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    _nbformat.validate(notebook)
    path.write_text(_nbformat.writes(notebook).rstrip("\n") + "\n", encoding="utf-8")


# ---- checking --------------------------------------------------------------------------------------------------------


def differences(stem: str, root: Path = ROOT) -> list[str]:
    """Where the kept notebook is not what the chapter would give now; outputs are not compared."""
    path = stored(stem, root)
    if not path.is_file():
        return [f"{path.name} has not been made"]
    kept, fresh = _nbformat.read(path, as_version=4), make(stem, root)
    old, new = ([(c.cell_type, c.id, c.source, dict(c.metadata)) for c in n.cells] for n in (kept, fresh))
    found = [
        f"cell {i}: {after[2][:60]!r}"
        for i, (before, after) in enumerate(zip(old, new, strict=False))
        if before != after
    ]
    if len(old) != len(new):
        found.append(f"{len(old)} cells are kept, the chapter gives {len(new)}")
    if dict(kept.metadata) != dict(fresh.metadata):
        found.append("the metadata differ")
    return found[:3]


_MYST = {
    "a directive": re.compile(r"^\s*(?:>\s*)*(?:`{3,}|:{3,}|~{3,})\s*\{", flags=re.M),
    "a colon fence": re.compile(r"^\s*(?:>\s*)*:{3,}", flags=re.M),
    "a role": re.compile(r"\{[A-Za-z][\w:-]*\}`"),
    "a label": re.compile(r"^\s*\([\w:-]+\)=\s*$", flags=re.M),
    "a comment": re.compile(r"^%\s", flags=re.M),
    "a footnote": re.compile(r"\[\^[\w-]+\]"),
    "a substitution": re.compile(r"\{\{.*?\}\}"),
}


def faults(notebook: Any) -> list[str]:
    """What must not be in a kept notebook: MyST, images, traces of this machine, cells that were not run."""
    found = []
    for i, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            found += [f"cell {i}: {what} is left" for what, pattern in _MYST.items() if pattern.search(cell.source)]
        else:
            found += [f"cell {i}: {fault}" for fault in _code_faults(cell)]
    return found


def _code_faults(cell: Any) -> list[str]:
    outputs = str(cell.outputs)
    found = []
    if cell.execution_count is None:
        found.append("has not been run")
    if "myst_nb" in cell.source:
        found.append("needs the tools of the book")
    if any("image/" in kind for output in cell.outputs for kind in output.get("data", {})):
        found.append("keeps an image")
    if "execution" in cell.metadata:
        found.append("keeps the time of its run")
    if re.search(r"(?<![\w.:/<])/(?:home|root|tmp|work|usr|Users|var|opt)/", outputs) or str(ROOT) in outputs:
        found.append("names a path of this machine")
    if re.search(r"\bat 0x[0-9a-f]{6,}", outputs):
        found.append("shows an address in memory")
    if any(output.output_type == "stream" and output.name == "stderr" for output in cell.outputs):
        found.append("prints a warning")
    if any(output.output_type == "error" for output in cell.outputs):
        found.append("ends in an error")
    return found


def _remake(stem: str) -> list[str]:
    """Make, run and keep a notebook; what went wrong. A notebook whose run fails is not kept."""
    try:
        notebook = make(stem)
        run(notebook)
    except (ValueError, CellExecutionError) as error:
        return [re.sub(r"\x1b\[[\d;]*m", "", str(error))]
    write(notebook, stored(stem))
    return faults(notebook)


# ---- command line ----------------------------------------------------------------------------------------------------


def main(arguments: list[str] | None = None) -> int:
    """Make the notebooks, or with --check compare them; 1 if something is wrong with one."""
    command = argparse.ArgumentParser(prog="python -m book.tools.notebooks", description="Make the notebooks.")
    command.add_argument("stem", nargs="*", help="chapters; all of _toc.yml if none is named")
    command.add_argument("--check", action="store_true", help="compare without running")
    options = command.parse_args(arguments)
    failed = False
    for stem in options.stem or chapters():
        problems = differences(stem) if options.check else _remake(stem)
        print(f"{stem}: {'; '.join(problems) or ('up to date' if options.check else 'made and run')}")
        failed |= bool(problems)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
