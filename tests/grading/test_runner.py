"""Whatever happens to a worker, the class goes on, and what is done is kept."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from exercises.grading import runner, store
from exercises.grading.progress import Progress
from exercises.grading.records import Graded, Job, Limits
from tests.grading import fakes


def job(student: str, content: str = "ok", **fields: Any) -> Job:
    return Job(student, f"{student}.py", content.encode(), ("paired/mid_p",), (7,), **fields)


def grade_all(folder: Path, jobs: list[Job], workers: runner.Workers | None = None, **more: Any) -> runner.Run:
    with store.held(folder) as results:
        return runner.run(jobs, results, fakes.grade, workers or runner.processes(2), io.StringIO(), **more)


def kept(folder: Path) -> dict[str, Any]:
    """The records, but for their seconds."""
    records = {path.name: json.loads(path.read_text()) for path in (folder / store.RECORDS).iterdir()}
    for record in records.values():
        if record["graded"]:
            record["graded"]["seconds"] = 0
    return records


@pytest.fixture(autouse=True)
def _nothing_is_left(tmp_path: Path) -> Iterator[None]:
    before = set(psutil.Process().children(recursive=True))
    yield
    assert not list(tmp_path.rglob(f"{store.PART}*"))
    left = set(psutil.Process().children(recursive=True)) - before
    assert [process for process in left if "resource_tracker" not in " ".join(process.cmdline())] == []


def test_everybody_is_graded_once(tmp_path: Path) -> None:
    jobs = [job(f"s{i}", "ok " * i + "ok") for i in range(6)]
    first = grade_all(tmp_path, jobs)
    assert [record.student for record in first.records] == [f"s{i}" for i in range(6)]
    assert all(record.graded for record in first.records)
    assert (first.fresh, first.remarks) == (6, [])
    second = grade_all(tmp_path, jobs)
    assert (second.fresh, second.records) == (0, first.records)
    changed = [*jobs[:3], replace(jobs[3], content=b"ok ok ok ok ok ok"), *jobs[4:]]
    third = grade_all(tmp_path, changed)
    assert third.fresh == 1
    assert [a == b for a, b in zip(third.records, first.records, strict=True)] == [i != 3 for i in range(6)]
    assert grade_all(tmp_path, changed, again=True).fresh == 6


def test_nothing_to_do_starts_no_worker(tmp_path: Path) -> None:
    def none() -> Any:
        raise AssertionError

    grade_all(tmp_path, [job("s1")])
    idle = runner.Workers(2, none, none, ())
    assert grade_all(tmp_path, [job("s1")], idle).fresh == 0
    assert grade_all(tmp_path, [], idle).records == []


def test_the_number_and_order_of_workers_changes_no_record(tmp_path: Path) -> None:
    jobs = [job(f"s{i}", f"sleep {random.Random(i).random() / 20}") for i in range(10)]
    for folder, count in (("one", 1), ("two", 2), ("five", 5)):
        grade_all(tmp_path / folder, jobs, runner.processes(count))
    assert kept(tmp_path / "one") == kept(tmp_path / "two") == kept(tmp_path / "five")


def test_a_job_whose_worker_dies_is_done_again(tmp_path: Path) -> None:
    jobs = [job("a"), job("b", f"die 2 {tmp_path / 'times'}"), job("c"), job("d")]
    outcome = grade_all(tmp_path / "results", jobs)
    assert all(record.graded for record in outcome.records)
    assert (tmp_path / "times").stat().st_size == 3


def test_a_worker_that_died_between_two_jobs_costs_nothing(tmp_path: Path) -> None:
    opened: list[ThreadPoolExecutor] = []

    def fresh() -> ThreadPoolExecutor:
        opened.append(ThreadPoolExecutor(1))
        if len(opened) == 1:
            opened[0].submit = broken  # type: ignore[method-assign]
        return opened[-1]

    def broken(*arguments: Any) -> Any:
        raise BrokenExecutor

    threads = runner.Workers(1, fresh, lambda executor: executor.shutdown(), (BrokenExecutor,))
    outcome = grade_all(tmp_path, [job("a"), job("b")], threads)
    assert all(record.graded for record in outcome.records)
    assert len(opened) == 2


def test_a_job_that_always_kills_its_worker_stops_nobody_and_is_tried_again(tmp_path: Path) -> None:
    jobs = [job("a"), job("b", f"die 4 {tmp_path / 'times'}"), job("c")]
    outcome = grade_all(tmp_path / "results", jobs)
    assert [bool(record.graded) for record in outcome.records] == [True, False, True]
    assert outcome.records[1].failure == runner.DIED
    assert (tmp_path / "times").stat().st_size == runner.TRIES
    outcome = grade_all(tmp_path / "results", jobs)
    assert outcome.fresh == 1
    assert all(record.graded for record in outcome.records)


@pytest.mark.parametrize(
    ("content", "trace"),
    [
        ("raise", "RuntimeError: a bug of ours"),
        ("raise-badly", "BadlyMadeError: badly made"),
        ("exit", "SystemExit: 3"),
    ],
)
def test_a_bug_of_the_grader_is_recorded_and_stops_nobody(content: str, trace: str, tmp_path: Path) -> None:
    jobs = [job("a"), job("b", content), job("c")]
    outcome = grade_all(tmp_path, jobs)
    assert [bool(record.graded) for record in outcome.records] == [True, False, True]
    assert outcome.records[1].failure == runner.RAISED
    assert trace in outcome.records[1].trace
    assert trace in kept(tmp_path)["b-1.json"]["trace"]
    assert grade_all(tmp_path, jobs).fresh == 1


def test_a_worker_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "SPARE_SECONDS", 0.2)
    monkeypatch.setattr(runner, "TRIES", 1)
    outcome = grade_all(tmp_path, [job("a", "sleep 600", limits=Limits(submission_seconds=0.1)), job("b")])
    assert [record.failure for record in outcome.records] == [runner.DIED, ""]


def test_a_worker_with_other_code_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "code", lambda: {"grader": "another", "python": "2.7"})
    (record,) = grade_all(tmp_path, [job("a")]).records
    assert "instead of another" in record.failure
    assert "instead of 2.7" in record.failure


def test_a_damaged_record_is_made_again_and_said(tmp_path: Path) -> None:
    jobs = [job("a"), job("b")]
    before = grade_all(tmp_path, jobs)
    path = tmp_path / store.RECORDS / "a-1.json"
    path.write_bytes(path.read_bytes()[:100])
    outcome = grade_all(tmp_path, jobs)
    assert outcome.fresh == 1
    assert outcome.remarks == [f"{path} is damaged (JSONDecodeError): graded again"]
    assert outcome.records[1] == before.records[1]
    assert grade_all(tmp_path, jobs).remarks == []


@contextmanager
def killing(seed: int) -> Iterator[list[int]]:
    """Kill descendants of this process at random moments; yields the ids of the killed."""
    dice, stop, killed = random.Random(seed), threading.Event(), list[int]()

    def kill() -> None:
        while not stop.wait(dice.uniform(0.05, 0.4)):
            workers = [p for p in psutil.Process().children() if "spawn_main" in " ".join(p.cmdline())]
            if workers:
                victim = dice.choice(workers)
                victim.kill()
                killed.append(victim.pid)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
    finally:
        stop.set()
        thread.join()


def test_workers_killed_at_random_moments_lose_nothing(tmp_path: Path) -> None:
    jobs = [job(f"s{i}", f"sleep {random.Random(i).random() / 10}") for i in range(12)]
    grade_all(tmp_path / "calm", jobs, runner.processes(1))
    with killing(5) as killed:
        for _ in range(2):
            grade_all(tmp_path / "stormy", jobs)
    assert killed
    grade_all(tmp_path / "stormy", jobs)
    assert kept(tmp_path / "stormy") == kept(tmp_path / "calm")


INTERRUPTED = """
import io, sys
from pathlib import Path
from exercises.grading import runner, store
from tests.grading import fakes
from tests.grading.test_runner import job
if __name__ == "__main__":
    jobs = [job("a"), job("b"), job("c", "sleep 600"), job("d", "sleep 600"), job("e")]
    with store.held(Path(sys.argv[1])) as results:
        runner.run(jobs, results, fakes.grade, runner.processes(2), sys.stderr)
"""


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_an_interrupted_run(by: signal.Signals, tmp_path: Path) -> None:
    script, folder = tmp_path / "script.py", tmp_path / "results"
    script.write_text(INTERRUPTED)
    environment = os.environ | {"PYTHONPATH": str(Path.cwd())}
    with subprocess.Popen([sys.executable, script, folder], env=environment, stderr=subprocess.PIPE) as run:
        until(lambda: len(list((folder / store.RECORDS).glob("[ab]*.json"))) == 2)
        family = psutil.Process(run.pid).children(recursive=True)
        assert len(family) >= 2
        run.send_signal(by)
        run.communicate()
    until(lambda: not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in family))
    jobs = [job("a"), job("b"), job("e")]
    assert grade_all(folder, jobs).fresh == 1


def until(holds: Any, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_dask_gives_the_same_records_and_survives_its_workers(tmp_path: Path) -> None:
    import dask
    from distributed import LocalCluster

    jobs = [job(f"s{i}", "ok " * i + "ok") for i in range(6)] + [job("bug", "raise")]
    grade_all(tmp_path / "here", jobs)
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    at_once = dask.config.set({"distributed.scheduler.allowed-failures": 0})  # a job's death is told at the first time
    with at_once, LocalCluster(**options) as here, runner.cluster(here.scheduler_address) as workers:
        assert workers.count == 2
        there = grade_all(tmp_path / "there", jobs, workers)
        more = [*jobs, job("once", f"die 1 {tmp_path / 'times'}")]
        assert [bool(r.graded) for r in grade_all(tmp_path / "there", more, workers).records][-2:] == [False, True]
    assert there.fresh == 7
    records = kept(tmp_path / "there")
    del records["once-1.json"]
    for each in (records, kept(tmp_path / "here")):
        assert "a bug of ours" in each["bug-1.json"].pop("trace")
    expected = kept(tmp_path / "here")
    del expected["bug-1.json"]["trace"]
    assert records == expected


def test_a_cluster_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "CONNECT_SECONDS", 1)
    address = "tcp://127.0.0.1:9"
    with pytest.raises(ValueError, match=rf"no Dask scheduler answers at {address}"), runner.cluster(address):
        pass


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal_is_one_line() -> None:
    terminal = Terminal()
    progress = Progress(4, terminal)
    progress.show(0, [("anna", 3), ("be\x1b[31mn\n", 70)])
    progress.show(2, [("anna", 200)])
    progress.clear()
    shown = terminal.getvalue().split("\r")
    assert "\n" not in terminal.getvalue()
    assert shown[1].startswith(r"[....................] 0/4 graded; longest now: be\x1b[31mn\n, 70 s")
    assert shown[2].startswith("[##########..........] 2/4 graded, about 0 s left; longest now: anna, 3 min")
    assert shown[3] == "\x1b[K"


def test_progress_elsewhere_is_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((0, 1, 29, 31, 45, 62, 70))
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    log = io.StringIO()
    progress = Progress(4, log)
    for done in (0, 1, 1, 2, 2, 4):
        progress.show(done, [])
    progress.clear()
    assert log.getvalue().splitlines() == ["1/4 graded, about 93 s left", "2/4 graded, about 62 s left", "4/4 graded"]


def test_a_graded_is_the_same_after_its_way_through_a_worker(tmp_path: Path) -> None:
    (record,) = grade_all(tmp_path, [job("a")]).records
    assert record.graded
    assert Graded.from_json(record.graded.as_json()) == record.graded
