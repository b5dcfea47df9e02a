"""Build a page again when one of its sources is saved, and show it on this machine alone.

The folder is looked through a few times a second: that needs no package and works on every system.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from book.tools.build import build_book, build_widgets
from book.tools.places import BUILD, ROOT, SITE, Failure, Refusal, run_and_show, venv_python
from book.tools.serve import HOST, site_server, wanted_port

SECONDS = 0.3
MADE = {"__pycache__", "node_modules", ".ipynb_checkpoints"}  # folders of what is made, not written

Seen = Mapping[Path, tuple[int, int]]


def sources(stem: str, root: Path = ROOT) -> Iterator[Path]:
    """The files that a chapter's page is made of; without a stem those of the whole book."""
    book, one = root / "book", stem or "*"
    yield from (
        root / "_toc.yml",
        root / "_config.yml",
        book / "index.md",
        book / "misconceptions.yml",
        book / "references.bib",
    )
    for pattern in (f"{one}.md", f"days/{one}.md", f"quizzes/{one}.yml", f"cards/{one}.yml", f"ledger/{one}.toml"):
        yield from book.glob(pattern)
    for folder in ("appendix", "_static/css", "_static/js", "_templates", "tools", "widgets/src"):
        yield from (book / folder).rglob("*")
    yield from (root / "evalstats").rglob("*.py")
    for folder in ("exercises", "solutions"):
        yield from (root / folder).glob(f"{one}/**/*")


def seen(files: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """When each file was saved, and how long it is."""
    found = {}
    for path in files:
        try:
            status = path.stat()
        except OSError:  # gone since it was listed, as an editor's own files are
            continue
        if (
            path.is_file()
            and not MADE & set(path.parts)
            and not path.name.startswith((".", "#"))
            and path.suffix != ".pyc"
        ):
            found[path] = (status.st_mtime_ns, status.st_size)
    return found


def changed(before: Seen, after: Seen) -> list[Path]:
    """The files that were saved, came or went between two looks."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def watch() -> None:
    """Build, serve, and build again after every change, until interrupted."""
    stem = os.environ.get("STEM", "").strip()
    if stem and not (ROOT / "book" / f"{stem}.md").is_file():
        raise Refusal(f"STEM is {stem!r}, and there is no book/{stem}.md.")
    site, page = (BUILD / "chapters" / stem / "_build" / "html", f"book/{stem}.html") if stem else (SITE, "")
    before = seen(sources(stem))
    build(stem)
    with site_server(wanted_port(), site, "watch") as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(
            f"http://{HOST}:{server.server_address[1]}/{page} is built again when you save (stop with Ctrl-C)",
            flush=True,
        )
        try:
            build_after_changes(stem, before)
        except KeyboardInterrupt:
            print()
        finally:
            server.shutdown()


def build_after_changes(stem: str, before: Seen) -> None:
    """Look, build if something was saved, and look again."""
    while True:
        time.sleep(SECONDS)
        after = seen(sources(stem))
        if files := changed(before, after):
            print(f"\n{', '.join(path.relative_to(ROOT).as_posix() for path in files)}:", flush=True)
            build(stem)
        before = after


def build(stem: str) -> None:
    """What is wrong is shown, and mended by saving again."""
    begun = time.monotonic()
    try:
        if stem:
            build_widgets()
            run_and_show([str(venv_python()), "-m", "book.tools.chapter", stem, "--only", "changes"], ROOT)
        else:
            build_book()
    except Failure as failure:
        print(failure, flush=True)
    print(f"({time.monotonic() - begun:.0f} seconds)", flush=True)
