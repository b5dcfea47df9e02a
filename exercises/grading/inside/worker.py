"""The process that runs a notebook, and its children, each of which answers the calls of one exercise.

Messages are JSON behind their length in four bytes. Every request carries an id that nobody can guess, and the reply
repeats it: what a notebook writes to the pipe by itself answers no request. What is said here is believed by nobody;
everything is looked at again outside.
"""

from __future__ import annotations

import gc
import json
import os
import random
import struct
import sys
import types
from typing import Any

import numpy as np

from exercises.confine import refuse  # type: ignore[import-not-found] # the names that the modules have in the sandbox
from exercises.deadline import TimeLimit, deadline, no_exit
from exercises.execute import execute
from exercises.local import CrashedError, Local, NotStartedError, TimedOutError
from exercises.values import BadValueError

Names = dict[str, Any]


class Pipe:
    """Requests in, replies out."""

    def __init__(self, requests: int, replies: int) -> None:
        self.requests, self.replies = requests, replies

    def receive(self) -> dict[str, Any] | None:
        """The next request; None when the grader went away."""
        length = self._read(4)
        data = self._read(struct.unpack(">I", length)[0]) if length else b""
        request: dict[str, Any] | None = json.loads(data) if data else None
        return request

    def reply(self, request: dict[str, Any], **said: Any) -> None:
        """Answer a request."""
        data = json.dumps({"id": request["id"], **said}, allow_nan=False).encode()
        waiting = memoryview(struct.pack(">I", len(data)) + data)
        while waiting:
            waiting = waiting[os.write(self.replies, waiting) :]

    def _read(self, count: int) -> bytes:
        parts: list[bytes] = []
        while count and (part := os.read(self.requests, min(count, 1 << 20))):
            parts.append(part)
            count -= len(part)
        return b"" if count else b"".join(parts)


def serve(pipe: Pipe, no_children: str) -> None:
    """Run cells and start children, as the grader asks, until it goes away."""
    start_numbers()
    module = types.ModuleType("notebook")
    sys.modules[module.__name__] = module  # classes look up the module in which they were made
    while (request := pipe.receive()) is not None:
        if request["do"] == "cell":
            pipe.reply(request, **_run_cell(request, module.__dict__))
        elif request["do"] == "work":
            gc.freeze()  # else each child would copy what is only looked at
            child = os.fork()
            if child == 0:
                try:
                    _answer_calls(pipe, request, module.__dict__.get(request["function"]), no_children)
                finally:
                    os._exit(0)
            os.waitpid(child, 0)
            pipe.reply(request, ended=True)


def start_numbers() -> None:
    """Whoever draws numbers without a seed draws the same ones at every run."""
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002 -- the old functions, which students use


def _run_cell(request: dict[str, Any], names: Names) -> dict[str, Any]:
    try:
        with no_exit(), deadline(request["seconds"]):
            return {"problems": execute(request["label"], request["code"], names)}
    except TimeLimit:
        return {"late": True}


def _answer_calls(pipe: Pipe, request: dict[str, Any], function: Any, no_children: str) -> None:
    """Call the function as often as the grader asks."""
    start_numbers()  # forking has undone it
    if no_children:
        refuse(bytes.fromhex(no_children))
    if not callable(function):
        pipe.reply(request, missing=True)
        return
    pipe.reply(request, ready=True)
    answer = Local(function, request["seconds"], fresh=True)
    while (call := pipe.receive()) is not None and call["do"] == "call":
        pipe.reply(call, **_outcome(answer, call["arguments"]))


def _outcome(answer: Local, arguments: list[Any]) -> dict[str, Any]:
    try:
        return {"value": answer(*arguments)}
    except BadValueError as bad:
        return {"bad": str(bad)}
    except CrashedError as crash:
        return {"crashed": str(crash)}
    except TimedOutError:
        return {"late": True}
    except NotStartedError:
        return {"not_started": True}
