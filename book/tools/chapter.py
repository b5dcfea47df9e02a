"""One chapter alone: what it owes, the course's tests of it, its notebook, and its page, built strictly.

    python -m book.tools.chapter paired
    python -m book.tools.chapter paired --only page     one step

Exercises are checked for fewer drawn students than `make course` draws. The page is built with the pages that every
chapter leads to (the first page, its lesson, notation, glossary); what it refers to on other chapters' pages is looked
up in their sources, and stands unlinked on this one.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import yaml

from book.tools import structure
from book.tools.build import forget_old_results, results_key, run_jupyter_book
from book.tools.notebooks import all_targets, differences, stored
from book.tools.places import (
    BUILD,
    ROOT,
    Failure,
    Refusal,
    environment,
    fingerprint,
    remember,
    remembered,
    run_and_show,
    venv_program,
    venv_python,
)
from exercises import catalogue

STUDENTS = "20"
COMPUTED_FROM_ALL = {"ledger", "errata", "api"}  # pages that take long, and that a chapter says nothing new to


# ---- the page --------------------------------------------------------------------------------------------------------


def folder_of(stem: str) -> Path:
    """Where a chapter that is built alone is kept."""
    return BUILD / "chapters" / stem


def site_of(stem: str) -> Path:
    """Where its pages are."""
    return folder_of(stem) / "_build" / "html"


def built_with(stem: str, root: Path = ROOT) -> list[structure.Page]:
    """The pages that are built: the chapter, and those that belong to every chapter."""
    others = {other for other in structure.chapters(root) if other != stem}
    return [page for page in structure.pages(root) if page.stem not in others | COMPUTED_FROM_ALL]


def contents_of(stem: str, root: Path = ROOT) -> dict[str, Any]:
    """A table of contents of those pages."""
    first, *others = (page.source.relative_to(root).with_suffix("").as_posix() for page in built_with(stem, root))
    return {"format": "jb-book", "root": first, "chapters": [{"file": file} for file in others]}


def settings_of(stem: str, root: Path = ROOT) -> dict[str, Any]:
    """The settings of the book; results come from its cache, and what stands on a page left out is not missed."""
    settings: dict[str, Any] = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    settings["execute"]["cache"] = str(BUILD / ".jupyter_cache")
    known = "|".join(map(re.escape, sorted(elsewhere(stem, root))))
    pages = "|".join(page.stem for page in structure.pages(root) if page not in built_with(stem, root))
    settings["sphinx"]["config"]["nitpick_ignore_regex"] = [
        ["std:(ref|numref)|math:eq", known],
        ["std:doc|myst", rf"(\.\./|/)?(\w+/)*({pages})"],
    ]
    return settings


def elsewhere(stem: str, root: Path = ROOT) -> set[str]:
    """The labels that stand on pages left out: of equations, figures, sections, exercises and questions."""
    here = {page.source for page in built_with(stem, root)}
    left_out = {page.stem for page in structure.pages(root) if page.source not in here}
    labels = {label for label, target in all_targets(root).items() if target.stem in left_out}
    for other in left_out & set(structure.chapters(root)):
        labels |= {catalogue.anchor(f"{other}/{folder.name}") for folder in structure.exercise_folders(other, root)}
        labels |= {f"quiz-{name}" for name in structure.questions(other, root)}
    return labels


def build_page(stem: str, only_changes: bool = False) -> None:
    """Build it, as strictly as the book; with `only_changes` what has not changed is silent about its faults."""
    forget_old_results(results_key())
    folder = folder_of(stem)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in (("toc", contents_of(stem)), ("config", settings_of(stem))):
        (folder / f"{name}.yml").write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    command = [str(venv_program("jupyter-book")), "build", ".", "-q", "-W", "-n", "--keep-going"]
    command += ["--path-output", str(folder), "--toc", str(folder / "toc.yml"), "--config", str(folder / "config.yml")]
    run_jupyter_book(command if only_changes else [*command, "--all"])


def build_what_changed(stem: str) -> None:
    build_page(stem, only_changes=True)


# ---- the tests and the notebook --------------------------------------------------------------------------------------


def run_tests(stem: str) -> None:
    """Its tests among the course's; the finished page and the notebook are steps of their own."""
    os.environ["STUDENTS"] = STUDENTS
    files = [f"tests/course/test_{name}.py" for name in ("structure", "order", "ledger", "elements", "exercises")]
    run(str(venv_python()), "-m", "pytest", "-q", "-k", f"{stem} and not test_a_chapter_is_finished", *files)


def make_notebook(stem: str) -> None:
    """Make and run it again, unless neither the chapter nor the library has changed since that was done."""
    stamp = BUILD / "stamps" / f"notebook-{stem}"
    if not differences(stem) and remembered(stamp) == notebook_key(stem):
        print("kept, as the chapter makes it")
        return
    run(str(venv_python()), "-m", "book.tools.notebooks", stem)
    remember(stamp, notebook_key(stem))


def notebook_key(stem: str) -> str:
    return fingerprint([stored(stem), ROOT / "evalstats", ROOT / "requirements.lock"], also=sys.version)


def run(*command: str) -> None:
    if (code := run_and_show(command, ROOT)) != 0:
        raise Failure(f"{' '.join(command[1:3])} ended with {code}")


# ---- all of it -------------------------------------------------------------------------------------------------------

STEPS: dict[str, Callable[[str], None]] = {"notebook": make_notebook, "tests": run_tests, "page": build_page}
ALONE = STEPS | {"changes": build_what_changed}


def main(arguments: list[str] | None = None) -> int:
    """All steps or one; 1 if one failed."""
    command = argparse.ArgumentParser(prog="python -m book.tools.chapter", description="Build and test one chapter.")
    command.add_argument("stem")
    command.add_argument("--only", choices=ALONE, help="one step")
    options = command.parse_args(arguments)
    if options.stem not in structure.chapters():
        print(f"STEM is {options.stem!r}; the chapters are {', '.join(structure.chapters())}.", file=sys.stderr)
        return 2
    if not options.only:
        return all_steps(options.stem)
    try:
        ALONE[options.only](options.stem)
    except (Failure, Refusal) as error:
        print(error, flush=True)
        return 1
    return 0


def all_steps(stem: str) -> int:
    """Two at a time, each shown when it has ended, also after one has failed; then what each came to."""
    table = []
    begun = time.monotonic()
    with ThreadPoolExecutor(max_workers=2) as pool:
        waiting = {pool.submit(one_step, stem, name): name for name in STEPS}
        for done in as_completed(waiting):
            table.append(shown(waiting[done], *done.result()))
    owed = structure.unfinished(stem)
    table.append(shown("owed", 0, bool(owed), "\n".join(owed) or "nothing"))
    print("\n".join(["", "step      seconds", *(line for line, _ in table)]))
    print(f"{'together':<9} {time.monotonic() - begun:6.1f}")
    print(f"The page: {site_of(stem) / 'book' / f'{stem}.html'}")
    return int(any(failed for _, failed in table))


def one_step(stem: str, name: str) -> tuple[float, bool, str]:
    """How long a step took in a process of its own, whether it failed, and what it said."""
    command = [str(venv_python()), "-m", "book.tools.chapter", stem, "--only", name]
    begun = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return time.monotonic() - begun, done.returncode != 0, done.stdout.decode("utf-8", "replace")


def shown(name: str, seconds: float, failed: bool, said: str) -> tuple[str, bool]:
    """Show what a step said; its row of the table."""
    print(f"\n--- {name}\n{said.strip()}", flush=True)
    return f"{name:<9} {seconds:6.1f}  {'FAILED' if failed else 'ok'}", failed


if __name__ == "__main__":
    sys.exit(main())
