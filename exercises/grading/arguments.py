"""The words of `python -m exercises` that are for instructors. Nothing is loaded before its command is given."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Command = Callable[[argparse.Namespace], int]
Parsers = Any  # what add_subparsers returns has no public name

COURSE = "course.toml to use; the course's own if left out"
SECRET = "file of the secret; grading.secret beside course.toml if left out"
ROSTER = "roster.csv: who is in the class"
STOPPED = 130  # the exit status of a command that was stopped
ASSIGNMENT = "stem of the assignment, such as paired"
NO_LINUX = "grading needs Linux; on Windows, use WSL or a container"
NO_PACKAGE = "grading needs the package {}: `make setup` installs it, or `pip install 'evalstats-course[grading]'`"
GRADE = """\
Grade the submissions of a class. SUBMISSIONS is a folder, or the zip that Canvas, Moodle or Gradescope exports.
Student code runs in a sandbox. A run that was stopped goes on where it was when the same command is given again,
and only what has changed is graded again."""
SECRET_HELP = """\
Make the secret from which the hidden inputs of each student are drawn, in a file that only you can read.
Keep it: with another one, everybody has other inputs."""
EXAMPLE = """\
Write a class of invented people, to try grading on: the gradebook and the zip of notebooks as Canvas exports them."""
CHANGES = "Show which marks differ between two results folders, such as before and after a check was mended."
EXPORT = "Write what another system takes: gradescope, nbgrader, canvas or moodle."


def add_to(commands: Parsers) -> None:
    """Add the commands for instructors."""
    _grade(_add(commands, "grade", GRADE, "Grade the submissions of a class."))
    example = _add(commands, "example", EXAMPLE, "Make up a class to try grading on.")
    example.add_argument("folder", type=Path, metavar="FOLDER", help="where to, such as class")
    example.add_argument("assignment", nargs="?", metavar="ASSIGNMENT", help=f"{ASSIGNMENT}; the last if left out")
    example.add_argument("--course", type=Path, metavar="FILE", help=COURSE)
    secret = _add(commands, "secret", SECRET_HELP, "Make the secret that grading draws hidden inputs from.")
    secret.add_argument("file", type=Path, metavar="FILE", help="where to, such as grading.secret")
    secret.add_argument(
        "--rotate", action="store_true", help="put the old one aside, under the date, and make a new one"
    )
    changes = _add(commands, "changes", CHANGES, "Show which marks differ between two runs.")
    changes.add_argument("old", type=Path, metavar="OLD", help="results folder of the earlier run")
    changes.add_argument("new", type=Path, metavar="NEW", help="results folder of the later run")
    changes.add_argument("--csv", type=_new_file, metavar="FILE", help="write them as a table, too")
    _export(_add(commands, "export", EXPORT, "Write what Gradescope, nbgrader, Canvas or Moodle takes.", None))


def _add(
    commands: Parsers, name: str, description: str, short: str, command: str | None = "same"
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=short, description=description)
    if command is not None:
        parser.set_defaults(command=_later(name if command == "same" else command))
    return parser


def _later(name: str) -> Command:
    """The function of `exercises.grading.command` that does it, which is loaded when it is called."""

    def run(options: argparse.Namespace) -> int:
        try:
            return _loaded(name)(options)
        except OSError as error:  # a full disk, a folder of somebody else
            raise ValueError(": ".join(filter(None, [error.filename, error.strerror or str(error)]))) from error
        except KeyboardInterrupt:  # loading alone takes a while
            print("\nexercises: stopped", file=sys.stderr)
            return STOPPED

    return run


def _loaded(name: str) -> Command:
    try:
        command: Command = getattr(importlib.import_module("exercises.grading.command"), name)
    except ModuleNotFoundError as missing:
        raise ValueError(NO_LINUX if missing.name == "fcntl" else NO_PACKAGE.format(missing.name)) from None
    return command


def _grade(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("submissions", type=Path, metavar="SUBMISSIONS", help="folder or zip of what was handed in")
    parser.add_argument("--roster", type=Path, required=True, metavar="FILE", help=ROSTER)
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where the results go")
    parser.add_argument(
        "--assignment", metavar="STEM", help=f"{ASSIGNMENT}; found out from the submissions if left out"
    )
    parser.add_argument("--course", type=Path, metavar="FILE", help=COURSE)
    parser.add_argument("--secret", type=Path, metavar="FILE", help=SECRET)
    parser.add_argument("--overrides", type=Path, metavar="FILE", help="overrides.csv: marks given by hand")
    parser.add_argument("--times", type=Path, metavar="FILE", help="CSV of when each file was handed in")
    parser.add_argument("--only", metavar="STUDENT", help="grade this student alone; of the others, keep what there is")
    parser.add_argument("--again", action="store_true", help="grade everything again, whether or not it has changed")
    parser.add_argument("-j", "--jobs", type=_workers, metavar="N", help="worker processes; one per core if left out")
    parser.add_argument("--executor", choices=("processes", "dask"), default="processes", help="where jobs run")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of the Dask cluster, such as tcp://host:8786")
    parser.add_argument("--trusted", action="store_true", help="no sandbox: only for code that you would run yourself")


def _export(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(required=True, metavar="SYSTEM")
    gradescope = _add(
        kinds, "gradescope", "Make the autograder of an assignment.", "An autograder.", "export_gradescope"
    )
    nbgrader = _add(
        kinds,
        "nbgrader",
        "Write an assignment, with public checks only.",
        "An assignment, public checks only.",
        "export_nbgrader",
    )
    for each, out in ((gradescope, "a zip file"), (nbgrader, "the folder of an nbgrader course")):
        each.add_argument("assignment", nargs="?", metavar="ASSIGNMENT", help=ASSIGNMENT)
        each.add_argument("--course", type=Path, metavar="FILE", help=COURSE)
        each.add_argument("--out", type=Path, required=True, metavar="PATH", help=f"where to: {out}")
    gradescope.add_argument("--secret", type=Path, metavar="FILE", help=SECRET)
    gradescope.add_argument(
        "--roster",
        type=Path,
        metavar="FILE",
        help="with it, students have the ids of the roster, and so the inputs and extensions that `grade` gives them",
    )
    for name, title, template in (
        ("canvas", "Canvas", "gradebook that Canvas exported"),
        ("moodle", "Moodle", "grading worksheet, or gradebook, that Moodle exported"),
    ):
        marks = _add(kinds, name, f"Write marks for {title}.", f"Marks for {title}.", f"export_{name}")
        marks.add_argument("results", type=Path, metavar="RESULTS", help="results folder of a class")
        marks.add_argument("--roster", type=Path, required=True, metavar="FILE", help=ROSTER)
        marks.add_argument("--out", type=_new_file, required=True, metavar="FILE", help="CSV file to write")
        marks.add_argument("--template", type=Path, metavar="FILE", help=f"{template}; a guess less if given")
        marks.add_argument("--column", metavar="NAME", help="column of the assignment in the template")
        marks.add_argument(
            "--provisional",
            action="store_true",
            help="write marks that are not final, too; without it, whose mark waits for somebody is left out of the "
            f"file, and stays as in {title}",
        )


def _new_file(text: str) -> Path:
    path = Path(text)
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} cannot be written: there is no folder {path.parent}")
    return path


def _workers(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of workers: it must be from 1 to 1000")
    return int(text)
