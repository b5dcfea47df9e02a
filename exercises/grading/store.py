"""The results folder: files that are whole or not there, one record per submission, one run at a time.

A record says how one submission went and carries the fingerprint of everything that could have made it go otherwise.
As long as the fingerprint is the same, the record is as good as grading again.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import platform
import re
import socket
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from exercises import catalogue
from exercises.grading.records import Graded, Job

PART = ".part-"  # how the name of a file begins that is still being written
LOCK = ".lock"
RECORDS = "records"
MAX_READABLE = 40  # characters of a student's id in the name of a file
WITHOUT_EFFECT = (  # on how a submission goes: they run before it, after it or around it
    *("__main__", "generate", "learner", "report", "sources", "grading/arguments", "grading/changes"),
    *("grading/charts", "grading/class_report", "grading/command", "grading/course", "grading/exports"),
    *("grading/feedback", "grading/items", "grading/marks", "grading/overrides", "grading/page", "grading/pages"),
    *("grading/points", "grading/progress", "grading/roster", "grading/runner", "grading/secret", "grading/store"),
    *("grading/submissions", "grading/whole_class"),
)


@dataclass(frozen=True)
class Record:
    """How grading one submission ended: with `graded`, or with the `failure` of the grader itself and its `trace`."""

    student: str
    attempt: int
    file_name: str
    fingerprint: str
    graded: Graded | None = None
    failure: str = ""
    trace: str = ""

    def as_json(self) -> dict[str, Any]:
        """Plain values only."""
        return asdict(self) | {"graded": self.graded and self.graded.as_json()}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Record:
        """The inverse of `as_json`."""
        graded = stored["graded"]
        return cls(**{**stored, "graded": Graded.from_json(graded) if graded is not None else None})


def write_atomically(path: Path, content: str | bytes, mode: int = 0o600) -> None:
    """Put a file in place whole, or leave what was there, whatever happens meanwhile; for its owner's eyes."""
    handle, part = tempfile.mkstemp(prefix=PART, dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)  # the new name itself is on the disk, too
    finally:
        os.close(folder)


def file_stem(student: str) -> str:
    """A file's name, without its ending, for a student's id: safe everywhere, readable, and nobody else's.

    An id of small letters and figures stands as it is. Any other is spelt so, followed by ~ and a part of its digest,
    so that ids that differ only in what was left out, or in capitals, do not meet.
    """
    plain = unicodedata.normalize("NFKD", student).encode("ascii", "ignore").decode().lower()
    readable = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    if student and student == readable and len(student) <= MAX_READABLE:
        return student
    digest = hashlib.sha256(student.encode(errors="surrogatepass")).hexdigest()
    return f"{readable[:MAX_READABLE].strip('-')}~{digest[:12]}"


class Store:
    """The records in a results folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, job: Job) -> Path:
        """Where the record of a job stands."""
        return self.folder / RECORDS / f"{file_stem(job.student)}-{job.attempt}.json"

    def keep(self, record: Record, job: Job) -> None:
        """Write the record of a job."""
        self.path(job).parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self.path(job), json.dumps(record.as_json(), indent=1, sort_keys=True) + "\n")

    def find(self, job: Job) -> Record | None:
        """The record of a job, however old; None if there is none. ValueError if it is damaged."""
        path = self.path(job)
        try:
            record = Record.from_json(json.loads(path.read_bytes()))
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError(f"{path} is damaged ({type(error).__name__})") from error
        if (record.student, record.attempt) != (job.student, job.attempt):
            raise ValueError(f"{path} is damaged (it is about {record.student!r}, attempt {record.attempt})")
        return record

    def put(self, name: str, text: str) -> None:
        """Write another file of the folder, unless it says just that already."""
        path = self.folder / name
        if not path.exists() or path.read_bytes() != text.encode():
            path.parent.mkdir(exist_ok=True)
            write_atomically(path, text)


@contextmanager
def held(folder: Path) -> Iterator[Store]:
    """Keep a results folder to this process; ValueError if another has it. What killed writers left is removed.

    The system gives a lock back when its holder dies, however it dies.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # records hold the hidden inputs of everybody
    (folder / RECORDS).mkdir(mode=0o700, exist_ok=True)
    with open(folder / LOCK, "a+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            holder = lock.read(200).strip() or "another process"
            raise ValueError(f"{folder} is in use by {holder}: wait until it has finished, or stop it") from None
        lock.truncate(0)
        lock.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        lock.flush()
        _remove_leftovers(folder)
        yield Store(folder)


def _remove_leftovers(folder: Path) -> None:
    for part in folder.rglob(f"{PART}*"):
        part.unlink(missing_ok=True)


def fingerprint(job: Job) -> str:
    """A digest of everything that can change how a job goes: what was handed in, inputs, checks, grader, limits."""
    parts = {
        "student": job.student,
        "attempt": job.attempt,
        "file": [job.file_name, hashlib.sha256(job.content).hexdigest()],
        "seeds": _digest(list(job.seeds)),
        "exercises": {name: _exercise(name) for name in job.exercises},
        "code": code(),
        "mode": job.mode,
        "limits": asdict(job.limits),
    }
    return _digest(parts)


@cache
def code() -> dict[str, str]:
    """What grades: the digest of the grader's code, and versions."""
    return {
        "grader": _code_digest(),
        "python": platform.python_version(),
        **{name: _version(name) for name in ("numpy", "scipy")},
    }


@cache
def _code_digest() -> str:
    package = Path(__file__).parents[1]
    files = [*package.glob("*.py"), *(package / "grading").rglob("*.py")]
    without_effect = tuple(package / name for name in WITHOUT_EFFECT)
    chosen = [file for file in files if not any(file.with_suffix("").is_relative_to(each) for each in without_effect)]
    return _files_digest(package, chosen)


@cache
def _exercise(name: str) -> list[Any]:
    package = Path(__file__).parents[1]
    files = [package / name / file for file in ("check.py", "starter.py")]
    return [_files_digest(package, files), {allowed: _version(allowed) for allowed in catalogue.load(name).allows}]


def _files_digest(root: Path, files: list[Path]) -> str:
    return _digest({str(file.relative_to(root)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files})


@cache  # of numpy and scipy, for every exercise
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
