"""The process from which notebooks are forked. It loads packages, hears only the grader, and runs no student code."""

from __future__ import annotations

import fcntl
import gc
import importlib
import os
import signal
import traceback
from typing import Any, NoReturn

from exercises.confine import adopt_orphans, become, confine, die_with_parent, own_processes  # type: ignore[import-not-found] # the names they have inside
from exercises.worker import Pipe, serve  # type: ignore[import-not-found]

COMPLAINTS = 2
PAIR = (3, 4)  # where a notebook's process has its pipes,
HIGH = 500  # and where no descriptor is


def keep(settings: dict[str, Any]) -> None:
    """Start and stop notebooks, one at a time, until the grader goes away."""
    if not settings["own_processes"]:
        die_with_parent()  # where no namespace takes care of that
    for module in settings["loaded"]:
        importlib.import_module(module)
    gc.freeze()  # else each child would copy what is only looked at
    control = Pipe(*map(os.dup, (0, 1)))
    _silence(0, 1)
    pipes, child = dict(enumerate(settings["pipes"])), 0
    while (request := control.receive()) is not None:
        if request["do"] == "start":
            signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
            child = os.fork()
            if child == 0:
                _watch(settings, request["place"])
            _close(pipes.pop(request["place"]))
        elif request["do"] == "stop":
            os.kill(child, signal.SIGTERM)
            if os.waitpid(child, 0)[1] != 0:
                return  # it did not end as it should, and may have left something
        control.reply(request)


WATCHED = {signal.SIGTERM, signal.SIGCHLD}


def _watch(settings: dict[str, Any], place: int) -> NoReturn:
    """Start the notebook's process, and end it when told to; it sees nothing of this one."""
    try:
        die_with_parent()
        if settings["own_processes"]:
            own_processes()
        else:
            adopt_orphans()
        notebook = os.fork()
        if notebook == 0:
            _be_notebook(settings, settings["pipes"][place])
        os.closerange(COMPLAINTS, os.sysconf("SC_OPEN_MAX"))
        ended = False
        while not ended and signal.sigwait(WATCHED) != signal.SIGTERM:
            ended = _has_ended(notebook)
        if not ended:
            os.kill(notebook, signal.SIGKILL)
        if settings["uid"] is not None and not settings["own_processes"]:
            _sweep(settings["uid"])
        while True:
            os.wait()
    except ChildProcessError:  # there are none left
        os._exit(0)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


def _has_ended(notebook: int) -> bool:
    """Collect what has ended, which may also be something that the notebook has left; was it the notebook itself?"""
    while (process := os.waitpid(-1, os.WNOHANG)[0]) not in (0, notebook):
        pass
    return process == notebook


def _sweep(uid: int) -> None:
    """End everything that runs under the notebook's account."""
    if os.fork() == 0:
        try:
            become(uid)
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)


def _be_notebook(settings: dict[str, Any], pair: list[int]) -> NoReturn:
    """Keep one pair of pipes, give up everything else, and only then listen."""
    try:
        os.setsid()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)
        for low, descriptor in zip(PAIR, [fcntl.fcntl(each, fcntl.F_DUPFD, HIGH) for each in pair], strict=True):
            os.dup2(descriptor, low)
        os.closerange(PAIR[-1] + 1, os.sysconf("SC_OPEN_MAX"))
        confine(settings)
        _silence(COMPLAINTS)
        serve(Pipe(*PAIR), settings["filters"]["no_children"])
    except BaseException:
        traceback.print_exc()  # while something can be heard: before student code
    finally:
        os._exit(0)


def _silence(*descriptors: int) -> None:
    """What is printed goes nowhere, and what is asked for is not there."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(nothing, descriptor)
    os.close(nothing)


def _close(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
