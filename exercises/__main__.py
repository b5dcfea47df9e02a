"""The terminal's way to the exercises: `python -m exercises --help`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from exercises import PACKAGES_MISSING, catalogue, cells, generate, learner, sources
from exercises.exercise import Exercise
from exercises.grading import arguments
from exercises.report import Report
from exercises.run import CheckResult, Verdict


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 means done (for `check`: passed), 1 not passed, 2 a request that cannot be met."""
    options = _parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return command(options)
    except ValueError as refusal:
        print(f"exercises: {refusal}", file=sys.stderr)
        return 2
    except ModuleNotFoundError:
        print(PACKAGES_MISSING, file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m exercises", description="Exercises of Statistics for Evals.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, command: Callable[[argparse.Namespace], int], help_text: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=help_text, description=help_text)
        added.set_defaults(command=command)
        return added

    listing = add("list", _list, "Show the exercises and what each is about.")
    listing.add_argument("chapter", nargs="?", help="only those of one chapter, such as paired")
    for name, command, help_text in (
        ("start", _start, "Show the statement; copy the starter into this folder, unless your file is here already."),
        ("check", _check, "Run the public checks on your file."),
        ("hint", _hint, "Show a hint; higher levels give more away."),
        ("solution", _solution, "Show the model answer."),
    ):
        added = add(name, command, help_text)
        added.add_argument("name", help="chapter and exercise, such as paired/exact_mcnemar")
        if name == "check":
            added.add_argument("file", nargs="?", type=Path, help="a .py or .ipynb file; FUNCTION.py if left out")
        if name == "hint":
            added.add_argument("level", nargs="?", type=int, default=1, help="1 is the gentlest, and the default")
    worksheet = add("worksheet", _worksheet, "For authors: write the worksheets of chapters again.")
    worksheet.add_argument("chapters", nargs="*", help="stems; all chapters if left out")
    add("misconceptions", _misconceptions, "For authors: copy what exercises name from the book's catalogue.")
    arguments.add_to(commands)
    return parser


def _list(options: argparse.Namespace) -> int:
    names = catalogue.names(options.chapter)
    if not names:
        raise ValueError(f"no exercises for {options.chapter!r}; chapters with some: {', '.join(catalogue.chapters())}")
    width = max(map(len, names))
    for name in names:
        print(f"{name:<{width}}  {catalogue.load(name).title}")
    return 0


def _start(options: argparse.Namespace) -> int:
    exercise = catalogue.load(options.name)
    path = Path(f"{exercise.function}.py")
    here_already = path.exists()
    if not here_already:
        path.write_text(catalogue.text(options.name, "starter.py"), encoding="utf-8")
    print(f"{exercise.title}\n\n{catalogue.text(options.name, 'statement.md')}")
    left = " (it was here already, and is left as it is)" if here_already else ""
    print(f"Your file: {path}{left}. When it is ready: python -m exercises check {options.name}")
    return 0


def _check(options: argparse.Namespace) -> int:
    out = sys.stdout  # the file may put something else in its place
    report = check_file(options.name, options.file)
    passed = report.verdict is Verdict.PASSED
    print(report, *([_next(options.name)] if passed else []), sep="\n", file=out, flush=True)
    return 0 if passed else 1


def _next(name: str) -> str:
    """What to do after this exercise, in the order of the course."""
    following = catalogue.names()[catalogue.names().index(name) + 1 :]
    return f"Next: python -m exercises start {following[0]}" if following else "That was the last exercise."


def check_file(name: str, file: Path | None = None) -> Report:
    """Check the function that a file defines."""
    exercise = catalogue.load(name)
    path = file or Path(f"{exercise.function}.py")
    source = sources.read(path)
    function = source.names.get(exercise.function)
    if function is None:
        why = "; ".join(source.problems) or f"{path.name} defines no function {exercise.function}"
        return Report(name, (CheckResult(exercise.checks[0].says, Verdict.CRASHED, wanted=why),))
    report = learner.check(name, function)
    return Report(name, report.results, tuple(_notes(source, exercise)))


def _notes(source: sources.Source, exercise: Exercise) -> list[str]:
    missing = cells.foreign(source.imports, exercise.allows)
    notes = [f"Elsewhere in the file: {problem}." for problem in source.problems]
    if missing:
        there = ", ".join(exercise.allows)
        notes.append(f"Not there when graded: {', '.join(missing)}. There are Python's own modules, {there}.")
    return notes


def _hint(options: argparse.Namespace) -> int:
    title, body = catalogue.hint(options.name, options.level)
    last = options.level == len(catalogue.hints(options.name))
    more = f"solution {options.name}" if last else f"hint {options.name} {options.level + 1}"
    print(f"{title}\n\n{body}\n\nMore: python -m exercises {more}")
    return 0


def _solution(options: argparse.Namespace) -> int:
    path = catalogue.solution_file(options.name)
    if path is None:
        print(f"The model answer is at {catalogue.solution_page(options.name)}")
    else:
        print(path.read_text(encoding="utf-8"), end="")
    return 0


def _worksheet(options: argparse.Namespace) -> int:
    for chapter in options.chapters or catalogue.chapters():
        path = generate.worksheet_file(chapter)
        path.write_text(generate.worksheet(chapter), encoding="utf-8")
        print(path.relative_to(catalogue.CHECKOUT))
    return 0


def _misconceptions(options: argparse.Namespace) -> int:
    path = catalogue.PACKAGE / "misconceptions.json"
    path.write_text(generate.misconceptions(), encoding="utf-8")
    print(f"{path.relative_to(catalogue.CHECKOUT)}: {len(json.loads(path.read_text(encoding='utf-8')))} entries")
    return 0


if __name__ == "__main__":
    sys.exit(main())
