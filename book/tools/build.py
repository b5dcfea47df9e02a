"""The site: widgets and MathJax, then Jupyter Book, strictly."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from book.tools.install import install_widgets, npm, set_up
from book.tools.places import (
    BUILD,
    ROOT,
    SITE,
    WIDGETS,
    Failure,
    fingerprint,
    how_to_run,
    plain,
    remember,
    remembered,
    run_and_show,
    venv_program,
)

STAMPS = BUILD / "stamps"
STATIC = ROOT / "book" / "_static"

# A complaint of Sphinx, or the exception that a cell ended with.
FAULT = re.compile(r"\b(WARNING|ERROR|CRITICAL)\b|^\w+(Error|Exception): .")


def widgets_key() -> str:
    """Changes when the bundle has to be built again."""
    sources = [p for p in WIDGETS.rglob("*") if "node_modules" not in p.parts] if WIDGETS.is_dir() else []
    return fingerprint(p for p in sources if p.is_file())


def results_key() -> str:
    """Changes when the cells of every page have to be run again.

    jupyter-cache looks at the code of the cells alone; what they import is looked at here.
    """
    return fingerprint([ROOT / "evalstats", ROOT / "requirements.lock"], also=sys.version)


def pages_key() -> str:
    """Changes when every page has to be written again: all that pages are made of besides their own text."""
    book = [p for p in (ROOT / "book").rglob("*") if p.is_file() and not _own_text(p)]
    return fingerprint([*book, ROOT / "exercises", ROOT / "solutions", *ROOT.glob("*.toml"), *ROOT.glob("_*.yml")])


def texts_key() -> str:
    """Changes when something in the folder of the book does, or the dates of its pages, which are those of commits."""
    command = ["git", "log", "-1", "--format=%H", "--", "book"]
    try:
        last_commit = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    except OSError:  # no git, and so no dates
        last_commit = ""
    return fingerprint([ROOT / "book"], also=last_commit)


def _own_text(path: Path) -> bool:
    """Files of the book whose change touches no page, or only the page made from them (Sphinx sees that itself)."""
    inside = path.relative_to(ROOT / "book").parts
    made = {"__pycache__", "node_modules"} & set(inside[:-1])
    return path.suffix == ".md" or inside[0] in {"notebooks", "widgets"} or bool(made)


def build_widgets() -> None:
    """The bundle and local MathJax into book/_static, when their sources have changed or the output is gone."""
    if not (WIDGETS / "package-lock.json").is_file():
        return
    install_widgets()
    stamp, wanted = STAMPS / "widgets", widgets_key()
    present = (STATIC / "widgets").is_dir() and (STATIC / "mathjax").is_dir()
    if present and remembered(stamp) == wanted:
        return
    print("Building the widgets ...", flush=True)
    if run_and_show([*npm(), "run", "--silent", "build"], WIDGETS) != 0:
        raise Failure("The widgets did not build.")
    remember(stamp, wanted)


def build_book() -> None:
    """Everything, and strictly: a warning, a broken reference or a cell that raises is a failure."""
    set_up()
    build_widgets()
    results = results_key()
    pages = pages_key() + results
    texts = texts_key() + pages
    if remembered(STAMPS / "site") == texts + fingerprint([SITE]):
        print("Nothing has changed since the last build.")
    else:
        _build_pages(results, pages)
        remember(STAMPS / "site", texts + fingerprint([SITE]))
    print(f"The site is in {SITE.relative_to(ROOT)}: open {SITE / 'index.html'}, or run `{how_to_run('serve')}`.")


def _build_pages(results: str, pages: str) -> None:
    """Jupyter Book, on what has changed. After a failure all is read again, or its warnings would be forgotten."""
    stamp_pages = STAMPS / "pages"
    forget_old_results(results)
    command = [str(venv_program("jupyter-book")), "build", ".", "-W", "-n", "--keep-going"]
    if remembered(stamp_pages) != pages:
        shutil.rmtree(SITE, ignore_errors=True)  # pages that are no longer in the book go too
        command.append("--all")
    for stamp in (stamp_pages, STAMPS / "site"):
        stamp.unlink(missing_ok=True)
    run_jupyter_book(command)
    remember(stamp_pages, pages)


def forget_old_results(results: str) -> None:
    """Empty the cache of what cells printed, if what they import has changed since."""
    if remembered(STAMPS / "results") != results:
        shutil.rmtree(BUILD / ".jupyter_cache", ignore_errors=True)
        remember(STAMPS / "results", results)


def run_jupyter_book(command: list[str]) -> None:
    """Run it, show what it says, and if it fails say once more which pages were at fault."""
    faults: list[str] = []

    def note(line: str) -> None:
        said = plain(line).removeprefix(f"{ROOT}{os.sep}")
        if FAULT.search(said) and "IPKernelApp" not in said:
            faults.append(said)

    if run_and_show(command, ROOT, note) != 0:
        listed = "\n  ".join(dict.fromkeys(faults)) or "see above"
        raise Failure(f"The book did not build:\n  {listed}")
