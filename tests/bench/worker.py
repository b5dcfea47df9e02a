"""A process of one environment that answers and times on demand: a line of JSON in, a line of JSON out.

It is started by `measure` with the Python of its environment, which may hold numpy and one peer and nothing else.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.bench.cases import CASES, digest
from tests.bench.implementations import IMPLEMENTATIONS, MODULES, Call

Reply = dict[str, Any]


def peak_megabytes() -> float | None:
    """The most memory that this process has held so far; only Linux tells it of the process alone."""
    status = Path("/proc/self/status")
    if not status.is_file():
        return None
    peak = next(line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM"))
    return int(peak.split()[1]) * 1024 / 1e6  # "kB" are 1024 bytes


def forget_peak() -> None:
    """Let the peak start anew from what is held now, where Linux allows it."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return


class Worker:
    """Keeps data and calls that were made once."""

    def __init__(self) -> None:
        self.calls: dict[str, tuple[Call, int]] = {}

    def prepared(self, key: str, sizes: dict[str, int]) -> tuple[Call, int]:
        """The call to be timed, and a digest of its data."""
        wanted = f"{key} {sorted(sizes.items())}"
        if wanted not in self.calls:
            import_module(MODULES[IMPLEMENTATIONS[key].who])  # before memory is looked at
            data = CASES[key.split("/")[0]].make(sizes)
            self.calls[wanted] = IMPLEMENTATIONS[key].prepare(data, sizes.get("n_boot", 0)), digest(data)
        return self.calls[wanted]

    def answer(self, key: str, sizes: dict[str, int]) -> Reply:
        """The answer, and how far it raised the peak of memory."""
        call, made_of = self.prepared(key, sizes)
        forget_peak()
        before = peak_megabytes()
        found = call()
        after = peak_megabytes()
        return {
            "answer": found() if callable(found) else found,
            "data": made_of,
            "memory": None if before is None or after is None else max(0.0, after - before),
        }

    def time(self, key: str, sizes: dict[str, int], times: int) -> Reply:
        """CPU seconds of one call, from so many in a row.

        Before quick calls comes one that is not timed: it pays for memory that the system has given elsewhere.
        """
        call, _ = self.prepared(key, sizes)
        if times > 1:
            call()
        begun = time.process_time()
        for _ in range(times):
            call()
        return {"seconds": (time.process_time() - begun) / times}


def serve() -> None:
    """Answer until the input ends. What a peer prints goes to the error output and not between the replies."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    worker = Worker()
    actions: dict[str, Callable[..., Reply]] = {"answer": worker.answer, "time": worker.time}
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = actions[request.pop("do")](**request)
        except Exception as error:  # a peer may raise anything; the run goes on and the row says so
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), file=replies, flush=True)


if __name__ == "__main__":
    serve()
