"""Graders that must not stand, to see that the harness notices.

One is as one would write it in an afternoon: no sandbox, the checks in the student's own process; attacks that win
there are alive. The other leaves everything lying about.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import signal
import socket
import time
from pathlib import Path
from typing import Any

from exercises import catalogue
from exercises.grading.records import CheckMark, ExerciseMark, Graded, Job
from exercises.local import Local
from exercises.run import run


def grade(job: Job) -> Graded:
    """Grade in a child, so that this process lives on."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                text = json.dumps(_graded(job).as_json())
            with open(writing, "w") as pipe:
                pipe.write(text)
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading) as pipe:
        stored = json.loads(pipe.read())
    os.waitpid(child, 0)
    return Graded.from_json(stored)


def _graded(job: Job) -> Graded:
    names: dict[str, Any] = {"__name__": "__main__"}
    problems = []
    for number, cell in enumerate(json.loads(job.content)["cells"], start=1):
        try:
            exec(compile(cell["source"], f"cell {number}", "exec"), names)
        except BaseException as error:
            problems.append(f"cell {number}: {type(error).__name__}: {error}")
    marks = tuple(_mark(name, names, seed) for name, seed in zip(job.exercises, job.seeds, strict=True))
    return Graded(marks, tuple(problems), mode=job.mode)


def _mark(name: str, names: dict[str, Any], seed: int) -> ExerciseMark:
    exercise = catalogue.load(name)
    results = run(exercise, Local(names[exercise.function], 2.0), exercise.drawn(seed))
    drawn = [check.uses_drawn_inputs for check in exercise.checks]
    checks = tuple(
        CheckMark(r.says, r.verdict, d, r.call, r.returned, r.wanted, r.slip)
        for r, d in zip(results, drawn, strict=True)
    )
    return ExerciseMark(name, checks)


def careless(job: Job) -> Graded:
    """Leaves a process, files, a descriptor, a connection, a limit, a handler and a changed class."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(60)
        os._exit(0)
    folder = next(Path("/tmp").glob("attacked_class*"))
    Path("/tmp/attackmark_left").touch()
    (folder / "results" / "marks.csv").write_text("everybody gets 999")
    kept.append(os.open("/dev/null", os.O_RDONLY))
    for address in ("\0attackmark_47113", str(folder / "socket")):
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(address)
    with socket.create_connection(("127.0.0.1", 47_113)), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as box:
        box.sendto(b"x", ("127.0.0.1", 47_113))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft - 1, hard))
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    return Graded((), ("REACHED the end with CANARY00e7e7e7",), mode=job.mode)


kept: list[int] = []
