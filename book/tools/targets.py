"""The targets of the Makefile, and the stages that `test` is made of."""

from __future__ import annotations

import difflib
import os
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from book.tools.build import STATIC, build_book, build_widgets
from book.tools.install import npm, set_up
from book.tools.places import (
    BUILD,
    MY,
    PEERS,
    ROOT,
    VENV,
    WIDGETS,
    Failure,
    Refusal,
    how_to_run,
    plain,
    run_and_show,
    venv_python,
)
from book.tools.serve import serve
from book.tools.watch import watch

CLOSING_LINE = re.compile(r"^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+) in [\d.]+s\b")


@dataclass
class Report:
    """What a stage came to."""

    name: str
    seconds: float
    fault: str
    counts: Counter[str]


counts: Counter[str] = Counter()  # of tests, as pytest's closing line gave them, in the stage that is running


def run(*command: str | Path, folder: Path = ROOT) -> None:
    """Run a step, show what it prints, and keep what the closing line of pytest counted."""

    def note(line: str) -> None:
        if match := CLOSING_LINE.match(plain(line)):
            counts.update({what: int(number) for number, what in re.findall(r"(\d+) ([a-z]+)", match[1])})

    parts = [str(part) for part in command]
    if (code := run_and_show(parts, folder, note)) != 0:
        raise Failure(f"{Path(parts[0]).name} {' '.join(parts[1:4])} ended with {code}")


def python(module: str, *arguments: str | Path) -> None:
    run(venv_python(), "-m", module, *arguments)


def lint() -> None:
    python("ruff", "check", ".")
    python("ruff", "format", "--check", ".")


def types() -> None:
    python("mypy")


def unit() -> None:
    """The library, and every example in a docstring; what runs inside the sandbox cannot be imported outside."""
    inside = "--ignore=exercises/grading/inside"
    python("pytest", "tests/stats", "--doctest-modules", "evalstats", "exercises", inside)


def course() -> None:
    python("pytest", "tests/course")


def grading() -> None:
    """The grader, and the attacks on it."""
    python("pytest", "tests/grading", "-n", "2")


def nbval() -> None:
    """Run the kept notebooks again and compare what they print: by two workers, unless there is only one."""
    several = len(list((ROOT / "book" / "notebooks").glob("*.ipynb"))) > 1
    workers = ("-n", "2", "--dist", "loadfile") if several else ("-n", "0")
    python("pytest", "--nbval", "--nbval-current-env", *workers, "book/notebooks")


def widgets() -> None:
    build_widgets()
    if (WIDGETS / "package.json").is_file():
        run(*npm(), "test", folder=WIDGETS)


def browser() -> None:
    """One Chromium for each of two workers."""
    python("pytest", "tests/browser", "-n", "2")


def slow() -> None:
    python("pytest", "-m", "slow", "tests/calibration", "tests/grading")


def bench() -> None:
    """Make the environments of the peers, time everyone side by side, and keep the table that the book shows."""
    python("tests.bench")


def lab() -> None:
    """Open Jupyter where the reader's own copies of the worksheets are; a copy that is there is never touched."""
    own_worksheets()
    geteuid = getattr(os, "geteuid", None)  # Windows has none
    as_root = ["--allow-root"] if geteuid and geteuid() == 0 else []
    python("jupyterlab", "--notebook-dir", MY, *as_root)


def own_worksheets() -> None:
    """Copy the worksheets that are not yet in `my`."""
    MY.mkdir(exist_ok=True)
    for sheet in sorted((ROOT / "exercises").glob("*/worksheet.ipynb")):
        own = MY / f"{sheet.parent.name}.ipynb"
        if not own.exists():
            shutil.copyfile(sheet, own)
            print(f"Your worksheet: {own.relative_to(ROOT)}", flush=True)


def clean() -> None:
    """Remove what was built."""
    _remove(BUILD, STATIC / "widgets", STATIC / "mathjax")


def distclean() -> None:
    """Remove what was installed as well: the next target sets up anew."""
    clean()
    _remove(VENV, PEERS, WIDGETS / "node_modules")


def _remove(*folders: Path) -> None:
    for folder in folders:
        try:
            if folder.exists():
                shutil.rmtree(folder)
        except OSError as error:
            raise Refusal(f"{folder.relative_to(ROOT)} could not be removed: {error}") from error


def notebooks() -> None:
    """Write the notebooks of the chapters again, and run them."""
    python("book.tools.notebooks")


def setting(name: str, example: str) -> str:
    """A setting without which a target has nothing to work on."""
    if not (value := os.environ.get(name, "").strip()):
        raise Refusal(f"{name} says which one: {how_to_run(example)}")
    return value


def new_chapter() -> None:
    """Lay out a chapter, and make its notebook."""
    stem = setting("STEM", "new-chapter STEM=power TITLE='How many items'")
    python("book.tools.recipe", "chapter", stem, "--title", os.environ.get("TITLE", ""))
    python("book.tools.notebooks", stem)
    print(f"What is owed: {how_to_run('chapter', f'STEM={stem}')}", flush=True)


def new_exercise() -> None:
    """Lay out an exercise, and make the worksheet of its chapter again."""
    name = setting("NAME", "new-exercise NAME=power/sample_size")
    python("book.tools.recipe", "exercise", name)
    python("exercises", "worksheet", name.partition("/")[0])


def chapter() -> None:
    """The tests of one chapter, its notebook, and its page."""
    stem = setting("STEM", "chapter STEM=paired")
    build_widgets()
    python("book.tools.chapter", stem)


def worksheets() -> None:
    """Write the worksheets, and what exercises name of the misconceptions, again."""
    python("exercises", "worksheet")
    python("exercises", "misconceptions")


def lock() -> None:
    """Resolve the pins again."""
    extras = ["--extra", "book", "--extra", "test"]
    options = ["--universal", "--python-version", "3.11", "--fork-strategy", "fewest"]
    options += ["--no-annotate", "--no-header", "--quiet"]
    python("uv", "pip", "compile", *options, *extras, "pyproject.toml", "-o", "requirements.lock")


STAGES: dict[str, tuple[str, Callable[[], None]]] = {
    "lint": ("ruff", lint),
    "types": ("mypy --strict", types),
    "unit": ("unit tests and doctests", unit),
    "course": ("ledger, structure, exercises, tooling", course),
    "grading": ("the grader, attacked", grading),
    "nbval": ("the kept notebooks, run again", nbval),
    "widgets": ("widget tests", widgets),
    "book": ("strict build of the site", build_book),
    "browser": ("the site in headless Chromium", browser),
}


def test() -> None:
    """Every stage, also after one has failed; then the table, and what pytest counted in all."""
    reports = [_timed(name, step) for name, (_, step) in STAGES.items()]
    print("\nstage     seconds  result  tests")
    for report in reports:
        told = ", ".join(f"{number} {what}" for what, number in report.counts.items()) or STAGES[report.name][0]
        print(f"{report.name:<9} {report.seconds:7.1f}  {'FAILED' if report.fault else 'ok':<6}  {told}")
    print(f"{'together':<9} {sum(report.seconds for report in reports):7.1f}")
    for report in reports:
        if report.fault:
            print(f"{report.name} failed: {report.fault}")
    total: Counter[str] = sum((report.counts for report in reports), Counter())
    failed = total["failed"] + total["error"] + total["errors"]
    print(f"\n{total['passed']} passed, {failed} failed, {total['skipped']} skipped", flush=True)
    if any(report.fault for report in reports):
        raise Failure("Not all stages passed.")


def _timed(name: str, step: Callable[[], None]) -> Report:
    print(f"\n--- {name}: {STAGES[name][0]}", flush=True)
    counts.clear()
    begun, fault = time.monotonic(), ""
    try:
        step()
    except (Failure, Refusal) as error:
        fault = str(error)
        print(fault, flush=True)
    return Report(name, time.monotonic() - begun, fault, Counter(counts))


READERS: dict[str, tuple[str, Callable[[], None]]] = {
    "book": ("build the site into _build/html, strictly", build_book),
    "serve": ("show the built site on this machine (PORT=8001 for another port)", serve),
    "lab": ("open your worksheets in Jupyter: copies in my/, which nothing overwrites", lab),
    "setup": ("make .venv with the pinned packages (whatever needs it does this by itself)", lambda: None),
    "clean": ("remove what was built", clean),
    "distclean": ("remove what was installed, too: .venv, node_modules", distclean),
}

AUTHORS: dict[str, tuple[str, Callable[[], None]]] = {
    "test": ("all of the stages below and the book, with a table of times", test),
    **{name: ("- " + what, step) for name, (what, step) in STAGES.items() if name != "book"},
    "chapter": ("build and test one chapter alone (STEM=paired)", chapter),
    "watch": ("build a page again when a source of it is saved, and show it (STEM=paired, or all without)", watch),
    "new-chapter": (
        "lay out a chapter, with stubs that say what is owed (STEM=power TITLE='How many items')",
        new_chapter,
    ),
    "new-exercise": ("lay out an exercise likewise (NAME=power/sample_size)", new_exercise),
    "slow": ("slow calibration of the statistics", slow),
    "bench": ("speed and memory beside other packages, kept in book/appendix/speed.toml", bench),
    "notebooks": ("write the chapters' notebooks again, and run them", notebooks),
    "worksheets": ("write the worksheets of the exercises again", worksheets),
    "lock": ("resolve requirements.lock again", lock),
}

TARGETS = READERS | AUTHORS
NO_SET_UP = {"serve", "clean", "distclean"}
WORKS_ON = {"chapter": "STEM", "watch": "STEM", "new-chapter": "STEM", "new-exercise": "NAME"}
SETTINGS = {"PORT", "CHROMIUM", "STEM", "NAME", "TITLE"}  # beside PYTHON, which __main__ sees to


def usage() -> str:
    lines = ["usage: make TARGET, or without make: python -m book.tools TARGET"]
    lines.append("Settings follow the target: PORT=8001, PYTHON=python3.12, CHROMIUM=/path/of/a/browser.")
    for whom, group in (("for readers", READERS), ("for authors", AUTHORS)):
        lines += ["", f"{whom}:", *(f"  {name:<12} {what}" for name, (what, _) in group.items())]
    return "\n".join(lines)


def understood(arguments: list[str]) -> tuple[list[str], dict[str, str]]:
    """Targets and settings; a word after a target that works on one thing says which: `chapter paired`."""
    names: list[str] = []
    settings: dict[str, str] = {}
    for word in arguments:
        name, is_setting, value = word.partition("=")
        if is_setting:
            settings[name] = value
        elif names and names[-1] in WORKS_ON and word not in TARGETS:
            settings[WORKS_ON[names[-1]]] = word
        else:
            names.append(word)
    return names, settings


def refused(names: list[str], settings: dict[str, str]) -> str:
    """What is wrong with a request, or nothing."""
    for kind, word, among in (
        *(("setting", word, [*SETTINGS, "PYTHON"]) for word in settings if word not in SETTINGS),
        *(("target", word, list(TARGETS)) for word in names if word not in TARGETS),
    ):
        near = difflib.get_close_matches(word, among, n=1)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        return f"There is no {kind} {word!r}.{meant} `{how_to_run('help')}` lists what there is."
    return ""


def main(arguments: list[str]) -> int:
    if {"help", "-h", "--help"} & set(arguments):
        print(usage())
        return 0
    names, settings = understood(arguments)
    if fault := refused(names, settings):
        print(fault, file=sys.stderr)
        return 2
    if not names:
        print(usage())
        return 0
    os.environ.update(settings)
    os.chdir(ROOT)
    try:
        for name in names:
            if name not in NO_SET_UP:
                set_up()
            TARGETS[name][1]()
    except (Refusal, Failure) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0
