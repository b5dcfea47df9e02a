"""What keeps a learner's code from running for ever or ending the self-check, in this process.

It interrupts Python code running in the main thread on systems with alarm signals (Linux, macOS), which covers
notebooks and the terminal there. Elsewhere, and inside one long call of compiled code, nothing can interrupt: press the
stop button. Grading does not rely on this; it ends the sandbox.

`no_exit` turns `os._exit` into an error, because a process that ends with code 0 and says nothing looks like success.
Both guard against accidents. Code that means to cheat the self-check on its own machine can; it fools only itself.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn


class TimeLimit(BaseException):
    """The call took too long. Not an `Exception`, so that `except Exception` in an answer does not swallow it."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise `TimeLimit` inside the block once `seconds` have passed, and again each second if that was swallowed."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    running = True

    def ring(number: int, frame: FrameType | None) -> None:
        if running:
            raise TimeLimit

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        running = False
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def no_exit() -> Iterator[None]:
    """Make `os._exit` raise `SystemExit` inside the block."""

    before, here = os._exit, os.getpid()

    def refuse(status: int) -> NoReturn:
        if os.getpid() != here:
            before(status)  # a child of the learner's own may
        raise SystemExit(f"os._exit({status}) would end the check")

    os._exit = refuse
    try:
        yield
    finally:
        os._exit = before
