"""A notebook at work in a sandbox, seen from outside.

The cells run once. Then each exercise gets a worker: a child of the notebook's process, forked when all cells have run,
that answers the calls of one exercise and is gone. So no exercise can spoil another, and imports are paid for once.
That is no secrecy: a notebook can tell one worker what it heard in another. Hidden inputs are asked last (see `grade`).

Whatever dies is started again: the sandbox, the cells (without those that killed it), the worker. A death is tried
again first, because the machine may have killed a process that did nothing wrong.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from exercises.grading.channel import DiedError, LateError, MalformedError
from exercises.grading.records import Cell, Limits
from exercises.grading.sandbox import Box
from exercises.grading.text import visible
from exercises.local import CrashedError, NotStartedError, TimedOutError
from exercises.values import BadValueError, plain

GRACE_SECONDS = 1.0  # what the inside is late by, it says itself; after that, the sandbox is ended
MOST_PROBLEMS = 10  # of one cell; more help nobody
TRIES = 3  # a process may be killed by the machine; one that dies so often at the same place dies of its own doing
ENDED = "its process ended without an answer"


class MissingError(Exception):
    """The notebook has no function of that name."""


class Session:
    """A notebook in a sandbox that is started when it is needed, and again when it has died."""

    def __init__(self, cells: Iterable[Cell], start: Callable[[], Box], limits: Limits) -> None:
        self.cells = tuple(cells)
        self.limits = limits
        self.problems: dict[str, list[str]] = {}  # by cell
        self._start = start
        self._stop = time.monotonic() + limits.submission_seconds
        self._box: Box | None = None
        self._active: Worker | None = None  # only one can listen to the pipe
        self._left_out: set[int] = set()
        self._deaths: Counter[int] = Counter()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def end(self) -> None:
        """End the sandbox; a new one is started when it is needed."""
        self._active = None
        if self._box is not None:
            self._box.close()
            self._box = None

    def box(self) -> Box:
        """A sandbox in which the cells have run."""
        while self._box is None:
            self.seconds_left()
            box = self._start()
            try:
                if self._run_cells(box):
                    self._box = box
            finally:
                if self._box is None:
                    box.close()
        return self._box

    def seconds_left(self) -> float:
        """What remains for this submission."""
        left = self._stop - time.monotonic()
        if left <= 0:
            raise TimedOutError(f"the whole notebook was given {self.limits.submission_seconds:g} seconds")
        return left

    def _run_cells(self, box: Box) -> bool:
        """Run the cells; False if one ended or held up the sandbox: then all begins again, in the end without it."""
        for place, cell in enumerate(self.cells):
            if place in self._left_out:
                continue
            try:
                self.problems[cell.label] = self._run_cell(box, cell)
            except (DiedError, LateError, MalformedError) as error:
                self.seconds_left()
                self._deaths[place] += 1
                if not isinstance(error, DiedError) or self._deaths[place] == TRIES:
                    self._left_out.add(place)
                    self.problems[cell.label] = [f"{cell.label}: {_why_left_out(error, self.limits.cell_seconds)}"]
                return False
        return True

    def _run_cell(self, box: Box, cell: Cell) -> list[str]:
        seconds = min(self.limits.cell_seconds, self.seconds_left())
        request = {"do": "cell", "label": cell.label, "code": cell.code, "seconds": seconds}
        reply = box.ask(request, seconds + GRACE_SECONDS)
        if reply.get("late") is True:
            self.seconds_left()
            return [f"{cell.label}: still running after {seconds:g} seconds"]
        problems = reply.get("problems")
        if type(problems) is not list:
            raise MalformedError("no list of problems")
        said = [visible(problem) for problem in problems[:MOST_PROBLEMS] if type(problem) is str]
        return [*said, f"{cell.label}: and so on"] if len(problems) > MOST_PROBLEMS else said

    def worker(self, function: str, seconds: float) -> Worker:
        """A worker that answers calls of this function, each within so many seconds."""
        return Worker(self, function, seconds)

    def listening(self, worker: Worker) -> Box:
        """The sandbox with this worker listening in it. The one before is ended, and forgets what it was asked."""
        box = self.box()
        if self._active is not worker:
            self._retire(box)
            box = self.box()
            worker.begin(box)
            self._active = worker
        return box

    def _retire(self, box: Box) -> None:
        if self._active is None:
            return
        try:
            box.send({"do": "end"}, GRACE_SECONDS)
            self._active.await_end(box)
            self._active = None
        except (DiedError, LateError, MalformedError):
            self.end()

    def lost(self) -> None:
        """The worker that was listening has died, and the notebook's process lives."""
        self._active = None


def _why_left_out(error: Exception, seconds: float) -> str:
    if isinstance(error, LateError):
        return f"still running after {seconds:g} seconds, and could not be stopped; it was left out"
    return f"it ended the notebook{f' ({error})' if str(error) else ''}; it was left out"


class Worker:
    """An answer that lives in the sandbox: call it like the function, and a plain value comes back, or an exception."""

    def __init__(self, session: Session, function: str, seconds: float) -> None:
        self.session = session
        self.function = function
        self.seconds = seconds
        self._work = ""  # the id under which the notebook's process tells of the worker's end
        self._has_died = False

    def __call__(self, *arguments: Any) -> Any:
        """Ask for one answer."""
        for _ in range(1 if self._has_died else TRIES):
            try:
                return self._ask(list(arguments))
            except DiedError:
                continue
            except LateError:
                self.session.end()
                raise TimedOutError(f"no answer after {self.seconds:g} seconds") from None
            except MalformedError as error:
                self.session.end()
                raise CrashedError(f"its process sent {error}") from None
        self._has_died = True
        raise CrashedError(ENDED)

    def _ask(self, arguments: list[Any]) -> Any:
        try:
            seconds = min(self.seconds, self.session.seconds_left()) + GRACE_SECONDS
            box = self.session.listening(self)
            identity = box.send({"do": "call", "arguments": arguments}, seconds)
            reply = box.receive(identity, self._work, seconds=seconds)
        except DiedError:
            self.session.end()
            raise
        if reply["id"] == self._work:
            self.session.lost()
            raise DiedError
        return _value(reply, self.seconds)

    def begin(self, box: Box) -> None:
        """Have the notebook's process fork this worker."""
        self._work = box.send({"do": "work", "function": self.function, "seconds": self.seconds}, GRACE_SECONDS)
        reply = box.receive(self._work, seconds=GRACE_SECONDS + self.seconds)
        if reply.get("missing") is True:
            self.await_end(box)
            raise MissingError
        if reply.get("ready") is not True:
            raise DiedError

    def await_end(self, box: Box) -> None:
        """Wait until the notebook's process says that this worker is gone."""
        box.receive(self._work, seconds=GRACE_SECONDS)


def _value(reply: dict[str, Any], seconds: float) -> Any:
    """What a reply says; a text from inside is only ever a text."""
    if "value" in reply:
        return plain(reply["value"])
    if reply.get("late") is True:
        raise TimedOutError(f"no answer after {seconds:g} seconds")
    if reply.get("not_started") is True:
        raise NotStartedError
    for kind, error in (("bad", BadValueError), ("crashed", CrashedError)):
        if type(reply.get(kind)) is str:
            raise error(visible(reply[kind]))
    raise MalformedError("a reply that says nothing")
