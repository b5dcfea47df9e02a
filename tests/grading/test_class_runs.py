"""Whole classes through the sandbox: whatever is killed or stopped meanwhile, the marks are those of a quiet run."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from exercises.grading import runner, store
from exercises.grading.sandbox import NoSandboxError, probe
from tests.grading import classroom

COURSE = Path(__file__).parents[2]
GONE_SECONDS = 20.0  # within which the kernel has ended the descendants of what was killed


@pytest.fixture(scope="module", autouse=True)
def _sandbox() -> None:
    try:
        probe()
    except NoSandboxError as missing:
        pytest.fail(str(missing))


class Run:
    """`python -m exercises grade` in a process of its own, and all processes that were ever seen below it."""

    def __init__(self, words: Sequence[str], out: Path, *more: str) -> None:
        command = [sys.executable, "-m", "exercises", *words, "--out", str(out), *more]
        self.out = out
        self.process = subprocess.Popen(
            command, cwd=COURSE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        self.itself = psutil.Process(self.process.pid)
        self.seen: set[psutil.Process] = set()

    def family(self) -> list[psutil.Process]:
        """The descendants of this moment."""
        try:
            found = self.itself.children(recursive=True)
        except psutil.NoSuchProcess:
            return []
        self.seen.update(found)
        return found

    def workers(self) -> list[psutil.Process]:
        return [process for process in self.family() if "spawn_main" in words_of(process)]

    def sandboxes(self) -> list[psutil.Process]:
        """Everything below the workers."""
        workers = self.workers()
        return [process for worker in workers for process in below(worker)]

    def graded(self) -> int:
        return len(list((self.out / store.RECORDS).glob("*.json")))

    def until_graded(self, count: int) -> None:
        while self.graded() < count and self.process.poll() is None:
            self.family()
            time.sleep(0.05)

    def end(self) -> tuple[int, str]:
        """Wait for the end; the status, and what was said. Nothing may be left of it."""
        said, complaints = self.process.communicate(timeout=900)
        stop = time.monotonic() + GONE_SECONDS
        while left := [process for process in self.seen if alive(process)]:
            assert time.monotonic() < stop, f"left over: {[words_of(process) for process in left]}"
            time.sleep(0.05)
        return self.process.returncode, said + complaints


def words_of(process: psutil.Process) -> str:
    with suppress(psutil.Error):
        return " ".join(process.cmdline())
    return ""


def below(process: psutil.Process) -> list[psutil.Process]:
    with suppress(psutil.Error):
        return process.children(recursive=True)
    return []


def alive(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


def results(out: Path) -> dict[str, Any]:
    """All that a run has written, but for times."""
    assert not list(out.rglob(f"{store.PART}*"))
    found: dict[str, Any] = {}
    for path in sorted(out.rglob("*")):
        name = str(path.relative_to(out))
        if path.is_dir() or name in (store.LOCK, "slowest.csv", "class.html"):
            continue
        found[name] = path.read_bytes()
        if path.parent.name == store.RECORDS:
            record = json.loads(found[name])
            record["graded"]["seconds"] = 0
            found[name] = record
    assert {"marks.csv", "marks.json", "run.json"} <= set(found)
    return found


def quiet_run(words: Sequence[str], out: Path, *more: str) -> str:
    status, said = Run(words, out, *more).end()
    assert status == 0, said
    return said


@pytest.fixture(scope="module")
def class_of_20(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], Path]:
    """The command for a class of 20, and the results of a quiet run."""
    folder = tmp_path_factory.mktemp("class")
    words = classroom.write_class(folder, 20)
    said = quiet_run(words, folder / "quiet", "-j", "2")
    assert "Graded now: 20." in said
    return words, folder / "quiet"


@pytest.fixture(scope="module")
def class_of_4(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], Path]:
    folder = tmp_path_factory.mktemp("class")
    words = classroom.write_class(folder, 4, seed=2)
    quiet_run(words, folder / "quiet", "-j", "2")
    return words, folder / "quiet"


def stormy_run(words: Sequence[str], out: Path, seed: int, workers: int, sandboxes: int) -> None:
    """Kill workers, processes of sandboxes, and once the run itself, at random moments; then let it finish."""
    dice = random.Random(seed)
    victims = ["worker"] * workers + ["sandbox"] * sandboxes
    dice.shuffle(victims)
    victims.insert(len(victims) // 2, "run")
    run = Run(words, out, "-j", "2")
    while victims and run.process.poll() is None:
        time.sleep(dice.uniform(0.3, 1.2))
        kind = victims[-1]
        among = run.sandboxes() if kind == "sandbox" else run.workers() if kind == "worker" else [run.itself]
        if among and run.process.poll() is None:
            with suppress(psutil.NoSuchProcess):
                dice.choice(among).kill()
                victims.pop()
        if kind == "run":
            assert run.end()[0] == -signal.SIGKILL
            run = Run(words, out, "-j", "2")
    status, said = run.end()
    assert not victims, f"the class was done before {victims} were killed"
    for _ in range(3):
        if status == 0:
            break
        assert runner.DIED in said or runner.RAISED in said, said
        status, said = Run(words, out, "-j", "2").end()
    assert status == 0, said


def test_kills_at_random_moments_change_nothing(class_of_20: tuple[list[str], Path]) -> None:
    words, quiet = class_of_20
    stormy = quiet.with_name("stormy")
    stormy_run(words, stormy, seed=20, workers=4, sandboxes=4)
    assert results(stormy) == results(quiet)


@pytest.mark.slow
def test_kills_in_a_class_of_200_change_nothing(tmp_path: Path) -> None:
    words = classroom.write_class(tmp_path, 200, seed=3)
    quiet_run(words, tmp_path / "quiet")
    stormy_run(words, tmp_path / "stormy", seed=200, workers=25, sandboxes=25)
    assert results(tmp_path / "stormy") == results(tmp_path / "quiet")


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_goes_on_where_it_was(by: signal.Signals, class_of_4: tuple[list[str], Path]) -> None:
    words, quiet = class_of_4
    out = quiet.with_name(f"stopped-{by.name}")
    run = Run(words, out, "-j", "2")
    run.until_graded(1)
    run.process.send_signal(by)
    status, said = run.end()
    assert (status, run.graded() < 4) == (130, True), said
    assert "Stopped. What was graded is kept: the same command goes on from there." in said
    assert "Traceback" not in said
    kept = run.graded()
    assert f"Graded now: {4 - kept}. As they were, and so kept: {kept}." in quiet_run(words, out, "-j", "2")
    assert results(out) == results(quiet)


def test_the_number_of_workers_changes_nothing(class_of_4: tuple[list[str], Path]) -> None:
    words, quiet = class_of_4
    quiet_run(words, quiet.with_name("one"), "-j", "1")
    assert results(quiet.with_name("one")) == results(quiet)


def test_a_dask_cluster_changes_nothing(class_of_4: tuple[list[str], Path]) -> None:
    from distributed import LocalCluster

    words, quiet = class_of_4
    out = quiet.with_name("dask")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        said = quiet_run(words, out, "--executor", "dask", "--scheduler", cluster.scheduler_address)
    assert "Graded now: 4." in said
    assert results(out) == results(quiet)


def test_what_has_not_changed_is_not_graded_again(class_of_4: tuple[list[str], Path]) -> None:
    words, quiet = class_of_4
    before, everything = results(quiet), (quiet / "class.html").read_bytes()
    written = {path: path.stat().st_mtime_ns for path in quiet.rglob("*.html")}
    assert "Graded now: 0. As they were, and so kept: 4." in quiet_run(words, quiet)
    assert results(quiet) == before
    assert (quiet / "class.html").read_bytes() == everything
    assert {path: path.stat().st_mtime_ns for path in quiet.rglob("*.html")} == written


def test_one_changed_submission_is_graded_again_alone(class_of_4: tuple[list[str], Path], tmp_path: Path) -> None:
    words, quiet = class_of_4
    shutil.copytree(quiet, tmp_path / "results")
    shutil.copytree(words[1], tmp_path / "submissions")
    changed = tmp_path / "submissions" / "s001.ipynb"
    changed.write_bytes(changed.read_bytes() + b"\n")
    said = quiet_run([words[0], str(tmp_path / "submissions"), *words[2:]], tmp_path / "results")
    assert "Graded now: 1. As they were, and so kept: 3." in said
    after, before = results(tmp_path / "results"), results(quiet)
    assert [name for name in before if after[name] != before[name]] == ["marks.json", "records/s001-1.json"]
    assert (after["marks.csv"], after["feedback/s001.html"]) == (before["marks.csv"], before["feedback/s001.html"])


def test_two_runs_at_once_are_refused(class_of_4: tuple[list[str], Path], tmp_path: Path) -> None:
    words, _ = class_of_4
    first = Run(words, tmp_path / "results", "-j", "1")
    first.until_graded(1)
    status, said = Run(words, tmp_path / "results").end()
    assert (status, said.count("\n")) == (2, 1), said
    assert f"exercises: {tmp_path / 'results'} is in use by process {first.process.pid} on " in said
    first.process.send_signal(signal.SIGTERM)
    first.end()
