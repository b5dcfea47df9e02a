"""What a command takes, with everything it starts: CPU time, wall-clock time, and memory. Only on Linux.

    python -m tests.bench.grading.meter RESULT COMMAND ...

Two sums are kept, and the larger counts, as both may miss something and neither counts anything twice. One is that of
all processes that were waited for: this process adopts what loses its parent, as the first process of a sandbox does.
It misses what is ended together with its sandbox. The other is that of a control group, where one may be made.
It writes JSON to RESULT.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from book.tools.places import ROOT, venv_python
from tests.bench.environments import clean_settings

ADOPT = 36  # PR_SET_CHILD_SUBREAPER
LOOK_EVERY = 0.05  # seconds
STEP_SECONDS = 600
GROUP = "evalstats-bench-"
PATIENCE = 10.0  # seconds, for what a command has left behind


@dataclass(frozen=True)
class Taken:
    """CPU seconds, user and system, and wall-clock seconds; `peak_mb` is the most that all processes held at once."""

    cpu_s: float
    wall_s: float
    peak_mb: float

    def __add__(self, other: Taken) -> Taken:
        """One after the other."""
        cpu_s, wall_s = self.cpu_s + other.cpu_s, self.wall_s + other.wall_s
        return Taken(cpu_s, wall_s, max(self.peak_mb, other.peak_mb))


class StepError(Exception):
    """A measured command that failed, and the end of what it said."""


def metered(command: list[str], folder: Path, settings: dict[str, str] | None = None) -> Taken:
    """Run a command in `folder` under a meter of its own."""
    result = folder / "meter.json"
    result.unlink(missing_ok=True)
    done = subprocess.run(
        [str(venv_python()), "-m", "tests.bench.grading.meter", str(result), *command],
        cwd=folder,
        env=clean_settings() | {"PYTHONPATH": str(ROOT)} | (settings or {}),
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=STEP_SECONDS,
    )
    if done.returncode != 0:
        raise StepError(f"{Path(command[0]).name} ended with {done.returncode}: {(done.stdout + done.stderr)[-2000:]}")
    return Taken(**json.loads(result.read_text(encoding="utf-8")))


def descendants(process: int | str) -> Iterator[str]:
    """Everything below a process that is there now."""
    try:
        tasks = list(Path(f"/proc/{process}/task").iterdir())
        children = [child for task in tasks for child in (task / "children").read_text(encoding="ascii").split()]
    except OSError:
        return
    for child in children:
        yield child
        yield from descendants(child)


def held(process: str) -> int:
    """The memory of a process in bytes; what it shares with others counts in part, so that a sum counts it once."""
    try:
        told = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in told.splitlines() if line.startswith("Pss:")) * 1024


def own_group() -> Path | None:
    """A new control group below that of this process, which counts CPU time; None where none may be made."""
    for line in Path("/proc/self/cgroup").read_text(encoding="ascii").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers and "cpuacct" not in controllers.split(","):
            continue
        group = Path("/sys/fs/cgroup", controllers, path.strip("/"), f"{GROUP}{os.getpid()}")
        for left in group.parent.glob(f"{GROUP}*"):  # by a meter that was killed
            if not Path("/proc", left.name.removeprefix(GROUP)).exists():
                with suppress(OSError):
                    left.rmdir()
        with suppress(OSError):
            group.mkdir()
            if any((group / name).is_file() for name in ("cpuacct.usage", "cpu.stat")):
                return group
            group.rmdir()
    return None


def counted(group: Path) -> float:
    """CPU seconds of all that ever ran in a control group, by either version of them."""
    first = group / "cpuacct.usage"
    if first.is_file():
        return int(first.read_text(encoding="ascii")) / 1e9
    usage = dict(line.split() for line in (group / "cpu.stat").read_text(encoding="ascii").splitlines())
    return int(usage["usage_usec"]) / 1e6


class Watcher(threading.Thread):
    """Looks at the memory of everything below this process, again and again."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.over = threading.Event()
        self.peak = 0

    def run(self) -> None:
        while not self.over.wait(LOOK_EVERY):
            self.peak = max(self.peak, sum(held(process) for process in descendants(os.getpid())))


def await_the_rest() -> None:
    """Wait for all that was adopted, and end what does not end by itself."""
    patience = time.monotonic() + PATIENCE
    with suppress(ChildProcessError):
        while True:
            process, _ = os.waitpid(-1, os.WNOHANG)
            if process == 0 and time.monotonic() > patience:
                for left in descendants(os.getpid()):
                    with suppress(ProcessLookupError):
                        os.kill(int(left), signal.SIGKILL)
            if process == 0:
                time.sleep(0.01)


def run(command: list[str]) -> tuple[int, Taken]:
    """The exit code and what was taken, when the command and all that it left behind are gone."""
    if ctypes.CDLL(None, use_errno=True).prctl(ADOPT, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "processes that lose their parent cannot be adopted")
    group, watcher, begun = own_group(), Watcher(), time.perf_counter()
    watcher.start()
    process = subprocess.Popen(command, preexec_fn=lambda: group and (group / "cgroup.procs").write_text("0"))
    code = process.wait()
    wall = time.perf_counter() - begun
    await_the_rest()
    watcher.over.set()
    watcher.join()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    if group:
        seconds = max(seconds, counted(group))
        with suppress(OSError):  # something of it may still be ending
            group.rmdir()
    return code, Taken(seconds, wall, watcher.peak / 1e6)


def main(result: str, *command: str) -> int:
    code, taken = run(list(command))
    Path(result).write_text(json.dumps(vars(taken)), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
