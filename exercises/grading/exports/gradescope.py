"""The autograder of one assignment for Gradescope: a zip that an instructor uploads.

It holds what grading one submission needs and nothing else: the grader, the checks, the pins, `course.toml`, and a
secret that is made from the course's for this assignment alone, so that `grade` draws the same inputs here as the zip
does there. The course's own secret, and why somebody has more time, stay here. No model answer and no test is in it.

The layout is that of Gradescope's "Autograder Specifications" (gradescope-autograders.readthedocs.io/en/latest/specs):
`setup.sh` and `run_autograder` stand at the root of the zip, which is unpacked into /autograder/source.
"""

from __future__ import annotations

import io
import json
import re
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from exercises import catalogue
from exercises.grading import course, roster, secret
from exercises.grading.store import write_atomically

SCRIPTS = Path(__file__).parent / "at_gradescope"
LOCK = catalogue.CHECKOUT / "requirements.lock"
NEEDED = ("numpy", "pyseccomp", "scipy")  # by checks and sandbox, whatever answers are allowed to import
KINDS = (".py", ".json")  # of files of a package: no statements, worksheets or pictures
GIVEN = "granted"  # in place of the reason of an extension
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # so that the same content is the same zip
RUNS, IS_READ = 0o100700, 0o100600


def write(
    assignment: str | None, course_file: Path, secret_file: Path, out: Path, roster_file: Path | None = None
) -> Path:
    """Write the zip of one assignment; with a roster, it knows students by the ids that they have there."""
    if out.suffix != ".zip":
        raise ValueError(f"{out}: the name of an autograder must end in .zip")
    described = course.read(course_file)
    chosen = described.assignment(assignment)
    own = secret.read(secret_file).for_assignment(described.id, chosen.stem)
    settings = {"assignment": chosen.stem, "students": _ids(roster_file) if roster_file else {}}
    files = {
        **{name: (SCRIPTS / name).read_text(encoding="utf-8") for name in ("setup.sh", "run_autograder", "README.md")},
        **dict(_modules("exercises")),
        **dict(_modules("evalstats")),
        **_pins({*NEEDED, *(package for name in chosen.checked for package in catalogue.load(name).allows)}),
        "autograder.json": json.dumps(settings, indent=1, sort_keys=True),
        "course.toml": _course(course_file, chosen.stem),
        "grading.secret": own.line(),
    }
    write_atomically(out, _zipped(files), mode=0o600)
    return out


def remarks(assignment: str | None, course_file: Path, roster_file: Path | None) -> list[str]:
    """What the instructor has to know of a zip without a roster."""
    if roster_file is not None:
        return []
    extended = course.read(course_file).assignment(assignment).extensions
    missed = [each.student for each in extended if "@" not in each.student]
    return [
        "made without --roster: Gradescope knows students by their e-mail address, so whoever has another id in your "
        "roster gets other hidden inputs there than from `grade`",
        *(
            [f"extensions of course.toml that do not reach their students without --roster: {', '.join(missed)}"]
            if missed
            else []
        ),
    ]


def _course(course_file: Path, stem: str) -> str:
    """`course.toml` with this assignment alone, and without the reasons of extensions, which may be private."""
    parsed = tomllib.loads(course_file.read_text(encoding="utf-8"), parse_float=Decimal)
    of_assignment = parsed.pop("assignment")[stem]
    for extension in of_assignment.get("extensions", {}).values():
        extension["reason"] = GIVEN
    tables = [*parsed.items(), (f"assignment.{_toml(stem)}", of_assignment)]
    return "\n".join(
        "".join([f"[{name}]\n", *(f"{_toml(key)} = {_toml(value)}\n" for key, value in table.items())])
        for name, table in tables
    )


def _toml(value: Any) -> str:
    """A value of `course.toml` as it is written there."""
    match value:
        case dict():
            return "{ " + ", ".join(f"{_toml(key)} = {_toml(each)}" for key, each in value.items()) + " }"
        case list():
            return "[" + ", ".join(map(_toml, value)) + "]"
        case datetime():
            return value.isoformat()
        case Decimal():
            return str(value)
        case _:
            return json.dumps(value, ensure_ascii=False)


def _ids(roster_file: Path) -> dict[str, str]:
    """The ids of the roster by e-mail address, which is what Gradescope knows."""
    return {student.email.casefold(): student.id for student in roster.read(roster_file) if student.email}


def _modules(package: str) -> Iterator[tuple[str, str]]:
    root = catalogue.PACKAGE.parent
    for path in sorted((root / package).rglob("*")):
        if path.suffix in KINDS and path.is_file():
            yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def _pins(packages: set[str]) -> dict[str, str]:
    """What `setup.sh` installs, exactly as locked, and the Python that it takes: the one that runs here."""
    if not LOCK.is_file():
        raise ValueError(f"{LOCK.name} is needed for the pins of an autograder: export from a checkout of the course")
    locked = LOCK.read_text(encoding="utf-8")
    return {
        "requirements.txt": "".join(f"{_pin(package, locked)}\n" for package in sorted(packages)),
        "constraints.txt": locked,
        "python-version": f"{sys.version_info.major}.{sys.version_info.minor}\n",
    }


def _pin(package: str, locked: str) -> str:
    pin = re.search(rf"^{re.escape(package)}==[^ ;\n]+", locked, re.MULTILINE)
    if pin is None:
        raise ValueError(f"{LOCK.name} has no pin of {package}, which an exercise allows: add it and run `make lock`")
    return pin[0]


def _zipped(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # so that the rights below count
            entry.external_attr = (RUNS if name in ("setup.sh", "run_autograder") else IS_READ) << 16
            archive.writestr(entry, text)
    return buffer.getvalue()
