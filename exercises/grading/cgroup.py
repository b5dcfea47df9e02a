"""A control group for one sandbox, where the machine lets us make one: memory, processes and time counted together.

Limits of single processes hold everywhere; the group adds them up. Both versions of control groups are understood.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path

from exercises.grading.records import Limits

ROOT = Path("/sys/fs/cgroup")
NAME = "evalstats-sandbox"
SPARE = 256 * 1024**2  # for the processes around the notebook's,
AROUND = 4  # of which there are so many: bubblewrap's two, the nursery, and the one that watches
PERIOD = 100_000  # microseconds: the kernel's usual
PATIENCE = 2.0
_numbers = count()


@dataclass(frozen=True)
class Group:
    """A group of processes: one folder in version 2, one for each kind of limit in version 1."""

    folders: tuple[Path, ...]

    @classmethod
    def create(cls, limits: Limits) -> Group | None:
        """A group with these limits, or None where we may not make one."""
        name = f"{NAME}-{_view()}-{os.getpid()}-{next(_numbers)}"
        if not _parents():
            return None
        _remove_left_behind()
        group = cls(tuple(parent / name for parent in _parents()))
        try:
            for folder in group.folders:
                folder.mkdir()
            for folder, file, most in _settings(group.folders, limits):
                if (folder / file).exists():
                    (folder / file).write_text(str(most))
        except OSError:
            group.remove()
            return None
        return group

    def add(self, process: int) -> None:
        """Move a process and all that it has started into the group."""
        for one in [process, *descendants(process)]:
            for folder in self.folders:
                (folder / "cgroup.procs").write_text(str(one))

    def processes(self) -> list[int]:
        """What is running in the group."""
        if not self.folders[0].exists():
            return []
        return [int(line) for line in (self.folders[0] / "cgroup.procs").read_text().split()]

    def remove(self) -> None:
        """Take the group away, once nothing is running in it any more."""
        stop = time.monotonic() + PATIENCE
        for folder in self.folders:
            while folder.exists():
                try:
                    folder.rmdir()
                except OSError:
                    if time.monotonic() > stop:
                        break
                    time.sleep(0.002)


def _settings(folders: tuple[Path, ...], limits: Limits) -> list[tuple[Path, str, int]]:
    memory = limits.memory_bytes + SPARE
    files = {
        "memory.max": memory,
        "memory.swap.max": 0,
        "memory.limit_in_bytes": memory,
        "memory.memsw.limit_in_bytes": memory,
        "pids.max": limits.processes + AROUND,
        "cpu.max": PERIOD,  # of one core, so that no submission slows down its neighbours
        "cpu.cfs_quota_us": PERIOD,
    }
    return [(folder, file, most) for folder in folders for file, most in files.items()]


@cache
def _remove_left_behind() -> None:
    """Remove the empty groups of graders that were killed."""
    for parent in _parents():
        for folder in parent.glob(f"{NAME}-{_view()}-*"):
            if not Path("/proc", folder.name.split("-")[3]).exists():
                with contextlib.suppress(OSError):
                    folder.rmdir()


@cache
def _parents() -> tuple[Path, ...]:
    """The folders in which groups can be made: writable, and with the limits of memory and processes at least."""
    own = _own_groups()
    if (ROOT / "cgroup.controllers").exists():
        parent = ROOT / own.get("", "/").lstrip("/")
        enabled = (parent / "cgroup.subtree_control").read_text().split() if parent.exists() else []
        return (parent,) if {"memory", "pids"} <= set(enabled) and os.access(parent, os.W_OK) else ()
    parents = {kind: ROOT / kind / own.get(kind, "/").lstrip("/") for kind in ("memory", "pids", "cpu")}
    usable = {kind: parent for kind, parent in parents.items() if os.access(parent, os.W_OK)}
    return tuple(usable.values()) if {"memory", "pids"} <= set(usable) else ()


def _view() -> str:
    """Whose numbers of processes are meant: graders in other containers have others."""
    return re.sub(r"\D", "", os.readlink("/proc/self/ns/pid"))


def _own_groups() -> dict[str, str]:
    """The groups of this process, by kind; the kind of version 2 is empty."""
    groups = {}
    for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
        _, kinds, path = line.split(":", 2)
        groups.update(dict.fromkeys(kinds.split(","), path))
    return groups


def descendants(process: int) -> list[int]:
    """All that a process has started and that those have started."""
    try:
        children = [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []
    return [one for child in children for one in (child, *descendants(child))]
