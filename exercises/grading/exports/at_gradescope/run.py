"""Grade the one submission that lies in /autograder/submission, and write /autograder/results/results.json.

Gradescope starts this as root ("Autograder Specifications" and "Code Autograder Best Practices" at
gradescope-autograders.readthedocs.io). Student code runs in the sandbox of `grade`, under an account that may read
nothing of /autograder; it says what its functions return and nothing more. Without a sandbox nothing is graded.
"""

from __future__ import annotations

import json
import os
import stat
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from exercises import catalogue
from exercises.grading import course, secret
from exercises.grading.exports.at_gradescope.results import refusal, results
from exercises.grading.grade import grade
from exercises.grading.marks import Attempt, mark
from exercises.grading.notebook import KINDS, MAX_NOTEBOOK
from exercises.grading.records import Graded, Job, Limits, Mode
from exercises.grading.sandbox import NoSandboxError, probe
from exercises.grading.store import write_atomically
from exercises.grading.text import visible

AUTOGRADER = Path("/autograder")
SOURCE, SUBMISSION, RESULTS = (AUTOGRADER / name for name in ("source", "submission", "results"))
METADATA = AUTOGRADER / "submission_metadata.json"
SECRET = SOURCE / "grading.secret"
ONLY = "GRADING_SANDBOX"  # for trying one sandbox: its name, or "none"
SANDBOXES = {mode.value: mode for mode in (Mode.BUBBLEWRAP, Mode.LANDLOCK)}
MOST_FILES = 1_000
MOST_NAMED = 5
SPARE_MEMORY, LEAST_MEMORY = 256 * 1024**2, 512 * 1024**2
MEMORY_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")

NO_SANDBOX = """\
Your work was not graded, and the 0 is not your mark: the autograder could not start the sandbox in which it runs code.
That is no fault of yours. Please tell your instructor."""
FAILED = """\
Your work was not graded, and the 0 is not your mark: the autograder itself stopped with an error.
That is no fault of yours. Please tell your instructor."""
WANTED = f"Hand in exactly one file that ends in {', '.join(KINDS)}: your notebook."


class HandInError(Exception):
    """What was handed in cannot be graded; the text tells the learner why, and what to do."""


@dataclass(frozen=True)
class Submitter:
    """Whose submission it is, by the metadata."""

    id: str
    submitted: datetime | None
    attempt: int = 1
    name: str = ""


def main() -> None:
    """Grade, and write results whatever happens. What is printed is for the instructor alone."""
    try:
        close_folders()
        found = _graded()
    except HandInError as problem:
        found = refusal(str(problem))
    except NoSandboxError as missing:
        print(f"Not graded: student code is not run without a sandbox.\n{missing}\nSee README.md of the autograder.")
        found = refusal(NO_SANDBOX)
    except Exception:
        traceback.print_exc()
        found = refusal(FAILED)
    RESULTS.mkdir(exist_ok=True)
    write_atomically(RESULTS / "results.json", json.dumps(found, allow_nan=False, indent=1))


def check_installation() -> None:
    """For the end of `setup.sh`: everything is here that grading needs. Sandboxes are tried when it grades."""
    described, stem, _ = _course()
    for name in described.assignment(stem).checked:
        catalogue.load(name)
    SECRET.chmod(0o600)
    secret.read(SECRET)
    print(f"The autograder of {stem!r} is installed.")


def close_folders() -> None:
    """Leave nothing of /autograder open to any account but root's."""
    for path in (SOURCE, SUBMISSION, RESULTS, METADATA, SECRET):
        if path.exists():
            os.chown(path, 0, 0)
            path.chmod(0o700 if path.is_dir() else 0o600)


def _graded() -> dict[str, Any]:
    described, stem, students = _course()
    assignment = described.assignment(stem)
    who = submitter(json.loads(METADATA.read_text(encoding="utf-8")), students)
    name, content = handed_in(SUBMISSION)
    own = secret.read(SECRET)
    job = Job(
        student=who.id,
        file_name=name,
        content=content,
        exercises=assignment.checked,
        seeds=tuple(own.seed(described.id, who.id, exercise) for exercise in assignment.checked),
        mode=_sandbox(),
        limits=fitting(assignment.limits),
        attempt=who.attempt,
    )
    graded: Graded = grade(job)
    attempt = Attempt(who.id, who.attempt, graded, who.submitted, name)
    (marked,) = mark([attempt], described, assignment, [who]).students
    return results(marked, graded, assignment, own.fingerprint())


def _course() -> tuple[course.Course, str, dict[str, str]]:
    settings = json.loads((SOURCE / "autograder.json").read_text(encoding="utf-8"))
    return course.read(SOURCE / "course.toml"), settings["assignment"], settings["students"]


def submitter(metadata: dict[str, Any], students: dict[str, str]) -> Submitter:
    """Who handed in ("Submission Metadata" at gradescope-autograders.readthedocs.io); of a group, its first address.

    A student's id is that of the roster, if the autograder was exported with one, and else the e-mail address.
    """
    address = min(str(user["email"]).strip().casefold() for user in metadata["users"])
    when = datetime.fromisoformat(metadata["created_at"]) if metadata.get("created_at") else None
    attempt = 1 + len(metadata.get("previous_submissions") or ())
    return Submitter(students.get(address, address), when if when and when.tzinfo else None, attempt)


def _sandbox() -> Mode:
    only = os.environ.pop(ONLY, None)
    if only is None:
        return probe()
    if only not in SANDBOXES:
        raise NoSandboxError(f"{ONLY} is {only!r}, and not one of {', '.join(SANDBOXES)}")
    return probe(SANDBOXES[only])


def fitting(limits: Limits) -> Limits:
    """The limits, with no more memory than the container has beside the grader: else it is the grader that is ended."""
    for path in map(Path, MEMORY_LIMITS):
        said = path.read_text(encoding="ascii").strip() if path.is_file() else "max"
        if said.isdigit():
            room = max(LEAST_MEMORY, int(said) - SPARE_MEMORY)
            return replace(limits, memory_bytes=min(limits.memory_bytes, room))
    return limits


# ---- what was handed in ----------------------------------------------------------------------------------------------


def handed_in(folder: Path) -> tuple[str, bytes]:
    """Name and content of the one file that can be graded; `HandInError` where there is none, or more than one."""
    files = []
    for number, path in enumerate(_files(folder), start=1):
        if number > MOST_FILES:
            raise HandInError(f"More than {MOST_FILES:,} files were handed in. {WANTED}")
        files.append(path)
    notebooks = sorted(path for path in files if path.suffix.lower() in KINDS)
    if not files:
        raise HandInError(f"No file was handed in. {WANTED}")
    if not notebooks:
        raise HandInError(f"No notebook is among what was handed in ({_named(files)}). {WANTED}")
    if len(notebooks) > 1:
        raise HandInError(f"{len(notebooks)} files could be the one to grade ({_named(notebooks)}). {WANTED}")
    return notebooks[0].name, _content(notebooks[0])


def _files(folder: Path) -> Iterator[Path]:
    """Ordinary files, no links, and nothing that systems leave beside them."""
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "__MACOSX"]
        paths = [Path(here, name) for name in names if not name.startswith(".")]
        yield from (path for path in paths if stat.S_ISREG(path.lstat().st_mode))


def _named(paths: list[Path]) -> str:
    names = [visible(path.name, 60) for path in sorted(paths)[:MOST_NAMED]]
    return ", ".join([*names, *(["..."] if len(paths) > MOST_NAMED else [])])


def _content(path: Path) -> bytes:
    """At most one byte more than is allowed: then the reader refuses it, and says why."""
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as file:
        return file.read(MAX_NOTEBOOK + 1)
