"""Grade the submissions of a class in worker processes of this machine, or on a Dask cluster.

Whatever happens to a worker, the class goes on and what is done is kept.
"""

from __future__ import annotations

import ctypes
import importlib
import multiprocessing
import os
import platform
import signal
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TextIO

from exercises.grading import store
from exercises.grading.progress import Progress
from exercises.grading.records import Graded, Job
from exercises.grading.store import Record, Store

Grade = Callable[[Job], Graded]

TRIES = 3  # of a job whose worker dies
LOOK_SECONDS = 0.5  # between two looks at what is running
SPARE_SECONDS = 60.0  # a worker that is later than its submission's limit by this much is dead
CONNECT_SECONDS = 10
PR_SET_PDEATHSIG = 1  # linux/prctl.h

DIED = "could not be graded: the grader itself died; run again"
RAISED = "could not be graded: an error of the grader itself; its trace is in the record"


@dataclass(frozen=True)
class Workers:
    """Where jobs run. Each of `count` executors of `fresh` does one job at a time; if its worker dies it gives way
    to another. So it is known which job a worker died of, and no other job is touched.
    """

    count: int
    fresh: Callable[[], Executor]
    stop: Callable[[Executor], None]
    died: tuple[type[Exception], ...]


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0))


def processes(count: int) -> Workers:
    """Worker processes of this machine, which end with the thread that calls `run`."""
    spawning = multiprocessing.get_context("spawn")  # a fork of a process with threads may hang

    def fresh() -> Executor:
        return ProcessPoolExecutor(1, mp_context=spawning, initializer=_stand_alone, initargs=(os.getpid(),))

    return Workers(count, fresh, _kill, (BrokenExecutor,))


def _stand_alone(parent: int) -> None:
    """In a worker: Ctrl-C is for the parent alone, but the end of the parent ends this."""
    os.setsid()
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it went before we asked to be told
        os._exit(1)


def _kill(executor: Executor) -> None:
    assert isinstance(executor, ProcessPoolExecutor)
    # Python 3.14 has kill_workers for this; the attribute is None after a shutdown
    for process in list((executor._processes or {}).values()):
        process.kill()
    executor.shutdown()


@contextmanager
def cluster(address: str) -> Iterator[Workers]:
    """The workers of a Dask cluster, by the address of its scheduler."""
    distributed: Any = importlib.import_module("distributed")  # slow, and seldom used
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TypeError) as error:
        raise ValueError(f"no Dask scheduler answers at {address} ({type(error).__name__})") from error
    with client:
        count = sum(client.nthreads().values())
        if not count:
            raise ValueError(f"the Dask cluster at {address} has no workers; start some with `dask worker {address}`")
        yield Workers(
            count,
            lambda: client.get_executor(pure=False),  # the same job again is done again
            lambda executor: executor.shutdown(wait=False),
            (distributed.KilledWorker, CancelledError),
        )


@dataclass
class Run:
    """What came of the jobs: their records in the jobs' order, how many of them were graded now, and what to tell."""

    records: list[Record] = field(default_factory=list)
    fresh: int = 0
    remarks: list[str] = field(default_factory=list)


def run(
    jobs: Sequence[Job], results: Store, grade: Grade, workers: Workers, stream: TextIO, again: bool = False
) -> Run:
    """Grade each job that has no record of its fingerprint (`again`: each), and keep every record as it comes.

    A job that fails by a fault of the grader, or of the machine, has a record that says so, and is tried again in the
    next run. When this is interrupted, workers are killed; the next run does what is missing. `stream` is told how far
    it is.
    """
    outcome = Run()
    found = {job: None if again else current(job, results, outcome.remarks) for job in jobs}
    to_do = [job for job, record in found.items() if record is None]
    with closing(_graded(to_do, grade, workers, Progress(len(to_do), stream))) as graded:
        for job, record in graded:
            results.keep(record, job)
            found[job] = record
    outcome.fresh = len(to_do)
    outcome.records = [record for record in found.values() if record is not None]
    return outcome


def current(job: Job, results: Store, remarks: list[str]) -> Record | None:
    """The record that makes grading this job again unnecessary, if there is one."""
    try:
        record = results.find(job)
    except ValueError as damaged:
        remarks.append(f"{damaged}: graded again")
        return None
    if record is None or record.graded is None or record.fingerprint != store.fingerprint(job):
        return None
    return record


@dataclass(frozen=True)
class _Task:
    job: Job
    lane: Executor
    started: float

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    @property
    def overdue(self) -> bool:
        return self.seconds > self.job.limits.submission_seconds + SPARE_SECONDS


def _graded(
    jobs: Sequence[Job], grade: Grade, workers: Workers, progress: Progress
) -> Generator[tuple[Job, Record], None, None]:
    """The records as they come. However this ends, no worker is left."""
    waiting, deaths = deque(jobs), Counter[Job]()
    idle = [workers.fresh() for _ in range(min(workers.count, len(jobs)))]
    busy: dict[Future[Graded | Failed], _Task] = {}
    try:
        while waiting or busy:
            while waiting and idle:
                future, task = _start(waiting.popleft(), idle.pop(), grade, workers)
                busy[future] = task
            done, _ = wait(busy, LOOK_SECONDS, FIRST_COMPLETED)
            for future in done:
                task = busy.pop(future)
                died = isinstance(_error(future), workers.died)
                if died:
                    workers.stop(task.lane)
                    deaths[task.job] += 1
                idle.append(workers.fresh() if died else task.lane)
                if died and deaths[task.job] < TRIES:
                    waiting.append(task.job)
                else:
                    yield task.job, _record(task.job, future, died)
            for task in busy.values():
                if task.overdue:
                    workers.stop(task.lane)  # which the task's future will say
            progress.show(len(jobs) - len(waiting) - len(busy), [(t.job.student, t.seconds) for t in busy.values()])
    finally:
        progress.clear()
        for lane in [*idle, *(task.lane for task in busy.values())]:
            workers.stop(lane)


def _start(job: Job, lane: Executor, grade: Grade, workers: Workers) -> tuple[Future[Graded | Failed], _Task]:
    try:
        future = lane.submit(attempt, grade, job, store.code())
    except workers.died:  # between two jobs
        workers.stop(lane)
        lane = workers.fresh()
        future = lane.submit(attempt, grade, job, store.code())
    return future, _Task(job, lane, time.monotonic())


@dataclass(frozen=True)
class Failed:
    """An exception of the grader, as text: not every exception survives the way from another process."""

    failure: str
    trace: str = ""


def attempt(grade: Grade, job: Job, code: dict[str, str]) -> Graded | Failed:
    """In a worker: grade, unless this is not the code that the run started with."""
    if (here := store.code()) != code:
        other = ", ".join(
            f"{name} {here[name]:.12} instead of {code[name]:.12}" for name in code if here[name] != code[name]
        )
        return Failed(
            f"could not be graded: the worker on {platform.node()} differs from where the run was started: {other}"
        )
    try:
        return grade(job)
    except Exception:
        return Failed(RAISED, traceback.format_exc())


def _error(future: Future[Graded | Failed]) -> BaseException | None:
    return CancelledError() if future.cancelled() else future.exception()


def _record(job: Job, future: Future[Graded | Failed], died: bool) -> Record:
    record = Record(job.student, job.attempt, job.file_name, store.fingerprint(job))
    error = _error(future)
    if died:
        return replace(record, failure=DIED)
    if error is not None:
        return replace(record, failure=RAISED, trace="".join(traceback.format_exception(error)))
    result = future.result()
    if isinstance(result, Failed):
        return replace(record, failure=result.failure, trace=result.trace)
    return replace(record, graded=result)
