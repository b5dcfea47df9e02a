"""Stand-ins for `grade.grade`, where worker processes can import them. A job's content says what becomes of it."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from exercises.grading.records import CheckMark, ExerciseMark, Graded, Job
from exercises.run import Verdict


class BadlyMadeError(Exception):
    """One that no other process can build again."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__("badly made")


def grade(job: Job) -> Graded:
    """What the first word of the content says."""
    word, *more = job.content.decode().split()
    if word == "die" and (len(more) < 2 or _times(Path(more[1])) < int(more[0])):
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "raise":
        raise RuntimeError("a bug of ours")
    if word == "raise-badly":
        raise BadlyMadeError(1, 2)
    if word == "unreadable":
        return Graded((), unreadable="no notebook")
    if word == "sleep":
        time.sleep(float(more[0]))
    if word == "exit":
        raise SystemExit(3)
    verdict = Verdict.PASSED if len(job.content) % 2 else Verdict.FAILED
    marks = tuple(ExerciseMark(name, (CheckMark("is right", verdict, True, "x" * 50),)) for name in job.exercises)
    return Graded(marks, seconds=time.perf_counter() % 1)


def _times(path: Path) -> int:
    """How often this was asked before."""
    before = path.stat().st_size if path.exists() else 0
    with path.open("a") as counter:
        counter.write("x")
    return before
