"""Accounts of their own for sandboxes that root starts: a number that belongs to nobody, for one sandbox at a time.

The kernel counts processes by account, and one account may end another's processes only if they are the same. So no two
sandboxes share one, nor does anything else on the machine.
"""

from __future__ import annotations

import os
import pwd
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

FIRST, COUNT = 61_500, 400  # above what systems give to people, below what they give to containers
PATIENCE = 5.0

# becomes the account, and ends everything that is running under it
SWEEP = "import os, sys; os.setgroups([]); os.setgid(int(sys.argv[1])); os.setuid(int(sys.argv[1])); os.kill(-1, 9)"


@contextmanager
def account() -> Iterator[int | None]:
    """The number of an account that nobody uses; None for an ordinary user, who cannot change accounts.

    A socket with a name of its own is the sign that an account is taken: it goes when its process does, however that
    ends.
    """
    if os.geteuid() != 0:
        yield None
        return
    first = os.getpid() % COUNT  # graders that cannot see each other's signs seldom meet
    for uid in (FIRST + (first + step) % COUNT for step in range(COUNT)):
        if _has_a_name(uid):
            continue
        with socket.socket(socket.AF_UNIX) as sign:
            try:
                sign.bind(f"\0evalstats-grading-{uid}")
            except OSError:
                continue
            sweep(uid)  # left by a grader that was killed: a living one would hold the sign
            yield uid
            return
    raise OSError(f"{COUNT} sandboxes are running already")


def _has_a_name(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def processes_of(uid: int) -> list[int]:
    """The processes that are running under an account; those that wait to be collected are not."""
    running = ((int(entry.name), _state(entry.name)) for entry in os.scandir("/proc") if entry.name.isdigit())
    return [process for process, (owner, letter) in running if owner == uid and letter not in "ZX"]


def _state(process: str) -> tuple[int, str]:
    """Whose a process is, and the letter of what it does; its folder in /proc may belong to root all the same."""
    try:
        lines = Path("/proc", process, "status").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return -1, "X"  # it has ended
    fields = dict(line.split(":", 1) for line in lines if line.startswith(("Uid:", "State:")))
    return int(fields["Uid"].split()[0]), fields["State"].split()[0]


def sweep(uid: int) -> None:
    """End every process of an account, also those that are being born, and those that stop whoever would end them."""
    command = [sys.executable, "-I", "-S", "-c", SWEEP, str(uid)]
    stop = time.monotonic() + PATIENCE
    while processes_of(uid) and time.monotonic() < stop:
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(command, check=False, stderr=subprocess.DEVNULL, timeout=1.0)
        for process in processes_of(uid):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
