"""The targets of the Makefile, and the stages that `test` is made of."""

from __future__ import annotations

import os
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from book.tools.build import build_book, build_widgets
from book.tools.install import npm, set_up
from book.tools.places import ROOT, WIDGETS, Failure, Refusal, plain, run_and_show, venv_python
from book.tools.serve import serve

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


def types() -> None:
    python("mypy")


def unit() -> None:
    """The library, and every example in a docstring."""
    python("pytest", "tests/stats", "--doctest-modules", "evalstats", "exercises")


def course() -> None:
    python("pytest", "tests/course")


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
    python("pytest", "-m", "slow", "tests/calibration")


def bench() -> None:
    python("pytest", "-s", "tests/bench")


def lab() -> None:
    """Open the worksheets and notebooks in Jupyter."""
    python("jupyterlab", "--notebook-dir", ROOT)


def notebooks() -> None:
    """Write the notebooks of the chapters again, and run them."""
    python("book.tools.notebooks")


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


TARGETS: dict[str, tuple[str, Callable[[], None]]] = {
    "setup": ("make .venv with the pinned packages (everything below does this by itself)", lambda: None),
    "book": ("build the site into _build/html, strictly", build_book),
    "serve": ("show the built site on this machine (PORT=8000)", serve),
    "lab": ("open worksheets and notebooks in Jupyter", lab),
    "test": ("all of the stages below, with a table of times", test),
    **{name: ("- " + what, step) for name, (what, step) in STAGES.items() if name != "book"},
    "slow": ("slow calibration of the statistics", slow),
    "bench": ("benchmarks", bench),
    "notebooks": ("write the chapters' notebooks again, and run them", notebooks),
    "worksheets": ("write the worksheets of the exercises again", worksheets),
    "lock": ("resolve requirements.lock again", lock),
}


def usage() -> str:
    lines = [f"  {name:<9} {what}" for name, (what, _) in TARGETS.items()]
    return "\n".join(["usage: make TARGET, or without make: python -m book.tools TARGET", "", *lines])


def main(arguments: list[str]) -> int:
    if arguments in ([], ["help"], ["-h"], ["--help"]):
        print(usage())
        return 0
    unknown = [name for name in arguments if name not in TARGETS]
    if unknown:
        print(f"There is no target {unknown[0]!r}.\n{usage()}", file=sys.stderr)
        return 2
    os.chdir(ROOT)
    try:
        for name in arguments:
            set_up()
            TARGETS[name][1]()
    except (Refusal, Failure) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0
