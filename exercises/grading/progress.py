"""How far a run is: one line that is written over on a terminal, and elsewhere a line now and then."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import TextIO

from exercises.grading.text import visible

BAR = 20  # characters
LINE_SECONDS = 30.0  # between two lines where lines stay
LINE_WIDTH = 79  # where the width is unknown


class Progress:
    """Shows how many are done, how long the rest may take, and which has been running longest."""

    def __init__(self, total: int, stream: TextIO) -> None:
        self.total = total
        self.stream = stream
        self.started = self.last = time.monotonic()
        self.written_over = stream.isatty()

    def show(self, done: int, running: Sequence[tuple[str, float]]) -> None:
        """Say that `done` are done, and that `running` (who, for how many seconds) are on their way."""
        now = time.monotonic()
        line = f"{done}/{self.total} graded{self._left(done, now)}{_longest(running)}"
        if self.written_over:
            full = BAR * done // max(self.total, 1)
            self._write_over(f"[{'#' * full}{'.' * (BAR - full)}] {line}")
        elif done == self.total or now - self.last >= LINE_SECONDS:
            self.last = now
            print(line, file=self.stream, flush=True)

    def clear(self) -> None:
        """Make room for other text."""
        if self.written_over:
            self._write_over("")

    def _left(self, done: int, now: float) -> str:
        if not 0 < done < self.total:
            return ""
        return f", about {_duration((now - self.started) / done * (self.total - done))} left"

    def _write_over(self, line: str) -> None:
        try:
            width = os.get_terminal_size(self.stream.fileno()).columns - 1
        except OSError:
            width = LINE_WIDTH
        print(f"\r{line[:width]}\x1b[K", end="", file=self.stream, flush=True)


def _longest(running: Sequence[tuple[str, float]]) -> str:
    if not running:
        return ""
    who, seconds = max(running, key=lambda each: each[1])
    return f"; longest now: {visible(who, 40)}, {_duration(seconds)}"


def _duration(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole} s" if whole < 120 else f"{round(whole / 60)} min"
