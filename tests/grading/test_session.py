"""A notebook at work: what dies is started again, what hangs is ended, and nobody else notices."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from exercises.grading.records import Cell, Limits, Mode
from exercises.grading.sandbox import Box, start
from exercises.grading.session import TRIES, MissingError, Session, Worker
from exercises.local import CrashedError, NotStartedError, TimedOutError
from exercises.values import BadValueError

LIMITS = Limits(call_seconds=1.0, cell_seconds=1.5, submission_seconds=30.0, memory_bytes=512 * 1024**2)
DOUBLE = "def double(x):\n    return 2 * x"


FIND = """
import json, os, struct, sys
def found():
    frame = sys._getframe()
    while 'pipe' not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals['pipe']
"""


class Starts:
    """Starts sandboxes, counts them, and keeps the last one at hand."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.limits = limits
        self.count = 0
        self.last: Box | None = None

    def __call__(self) -> Box:
        self.count += 1
        self.last = start(Mode.BUBBLEWRAP, self.limits, ())
        return self.last


@contextmanager
def session(*codes: str, limits: Limits = LIMITS) -> Iterator[tuple[Session, Starts]]:
    starts = Starts(limits)
    cells = [Cell(f"cell {number}", code) for number, code in enumerate(codes, start=1)]
    with Session(cells, starts, limits) as opened:
        yield opened, starts


def answers(opened: Session, function: str = "double") -> Worker:
    return opened.worker(function, 1.0)


def test_an_answer_is_a_plain_value() -> None:
    with session(DOUBLE) as (opened, starts):
        double = answers(opened)
        assert [double(2), double("ab"), double([1])] == [4, "abab", [1, 1]]
        assert starts.count == 1


def test_arguments_arrive_as_copies() -> None:
    with session("seen = []\ndef keep(x):\n    x.append(1)\n    seen.append(x)\n    return len(seen)") as (opened, _):
        given: list[int] = []
        keep = answers(opened, "keep")
        assert [keep(given), keep(given)] == [1, 2]
        assert given == []


def test_each_worker_starts_from_the_notebook_and_forgets() -> None:
    with session("asked = []\ndef count(x):\n    asked.append(x)\n    return len(asked)") as (opened, starts):
        first, second = answers(opened, "count"), answers(opened, "count")
        assert [first(0), first(0)] == [1, 2]
        assert second(0) == 1
        assert first(0) == 1
        assert starts.count == 1


@pytest.mark.parametrize(
    ("body", "error", "says"),
    [
        ("raise ValueError('no')", CrashedError, r"ValueError: no \(line 2: raise ValueError\('no'\)\)"),
        ("raise NotImplementedError('your answer goes here')", NotStartedError, "^$"),
        ("return ...", NotStartedError, "^$"),
        ("return object()", BadValueError, "an object of type object"),
        ("return float('nan')", BadValueError, "not finite"),
        ("return 10**400", BadValueError, "too large"),
        ("while True: pass", TimedOutError, "no answer after 1 second"),
        ("import os; os.kill(os.getpid(), 9)", CrashedError, "ended without an answer"),
        (
            "import os, signal; signal.signal(14, signal.SIG_IGN)\n    while True: pass",
            TimedOutError,
            "no answer after 1",
        ),
        ("import ctypes; ctypes.string_at(0)", CrashedError, "ended without an answer"),
        ("raise SystemExit", CrashedError, "SystemExit"),
        ("raise ValueError('\\x1b[31m')", CrashedError, r"\\x1b\[31m"),
    ],
)
def test_what_goes_wrong_is_told_apart_and_the_next_exercise_works(
    body: str, error: type[Exception], says: str
) -> None:
    with session(DOUBLE, f"def bad(x):\n    {body}") as (opened, _):
        with pytest.raises(error, match=says):
            answers(opened, "bad")(1)
        assert answers(opened)(2) == 4


def test_a_function_that_is_not_there() -> None:
    with session(DOUBLE, "number = 3") as (opened, starts):
        for name in ("triple", "number"):
            with pytest.raises(MissingError):
                answers(opened, name)(1)
        assert answers(opened)(2) == 4
        assert starts.count == 1


@pytest.mark.parametrize(
    ("killer", "says", "most_starts"),
    [
        ("import ctypes; ctypes.string_at(0)", "it ended the notebook", TRIES + 1),
        ("import signal; signal.signal(14, signal.SIG_IGN)\nwhile True: pass", "could not be stopped", 2),
        ("import time; time.sleep(60)", "still running after 1.5 seconds", 1),
        ("import os\nfor number in range(3, 60):\n    os.close(number)", "", TRIES + 1),
    ],
)
def test_a_cell_that_ends_or_holds_up_the_notebook_is_left_out(killer: str, says: str, most_starts: int) -> None:
    with session("import math", killer, DOUBLE) as (opened, starts):
        assert answers(opened)(2) == 4
        assert says in " ".join(opened.problems.get("cell 2", [])) or not says
        assert starts.count <= most_starts


def test_errors_are_kept_by_cell() -> None:
    with session("x = 1 / 0\ny = 2", "def f(:", DOUBLE, "z = undefined") as (opened, _):
        assert answers(opened)(2) == 4
        assert "ZeroDivisionError" in opened.problems["cell 1"][0]
        assert "cell 2, line 1" in opened.problems["cell 2"][0]
        assert opened.problems["cell 3"] == []
        assert "NameError" in opened.problems["cell 4"][0]


@pytest.mark.parametrize("when", range(4))
def test_a_sandbox_killed_from_outside_costs_nothing(when: int) -> None:
    """At any of four calls; the machine did it, so it is tried again and the answers are the same."""
    with session(DOUBLE) as (opened, starts):
        double, again = answers(opened), answers(opened)
        found = []
        for place, worker in enumerate([double, double, again, again]):
            if place == when and starts.last is not None:
                os.killpg(starts.last.nursery.process.pid, signal.SIGKILL)
            found.append(worker(place))
        assert found == [0, 2, 4, 6]


def test_the_whole_notebook_has_a_deadline() -> None:
    limits = Limits(call_seconds=1.0, cell_seconds=1.0, submission_seconds=2.0)
    slow = ["import time; time.sleep(60)"] * 4
    late = pytest.raises(TimedOutError, match="whole notebook was given 2 seconds")
    with session(DOUBLE, *slow, limits=limits) as (opened, _):
        for _ in range(2):
            with late:
                answers(opened)(2)


@pytest.mark.parametrize("forged", ["{'value': 4}", "{'id': '0', 'value': 4}", "{'id': None, 'value': 4}"])
def test_a_reply_written_ahead_answers_nothing(forged: str) -> None:
    write = f"""{FIND}
def cheat(x):
    data = json.dumps({forged}).encode()
    pipe = found()
    os.write(pipe.replies, struct.pack('>I', len(data)) + data)
    return x
"""
    with session(write, DOUBLE) as (opened, _):
        with pytest.raises(CrashedError, match="not asked"):
            answers(opened, "cheat")(1)
        assert answers(opened)(2) == 4


def test_a_reply_sent_twice_is_noticed() -> None:
    twice = f"""{FIND}
def cheat(x):
    pipe = found()
    reply = pipe.reply
    def again(request, **said):
        reply(request, **said)
        reply(request, **said)
    pipe.reply = again
    return x
"""
    with session(twice, DOUBLE) as (opened, _):
        cheat = answers(opened, "cheat")
        assert [cheat(1), cheat(2)] == [1, 2]  # the second is answered twice
        with pytest.raises(CrashedError, match="not asked"):
            cheat(3)
        assert answers(opened)(2) == 4


def test_values_are_looked_at_again_outside() -> None:
    lies = """
import exercises.local
exercises.local.plain = lambda value: value
def lie(x):
    return [float('1e308') * 1, {"a": [1] * 300_000}]
"""
    with session(lies) as (opened, _), pytest.raises(BadValueError, match="200,000 values"):
        answers(opened, "lie")(1)


def test_a_large_question_and_a_large_answer_get_through() -> None:
    with session("def same(x):\n    return x") as (opened, _):
        long = [float(number) for number in range(100_000)]
        same = answers(opened, "same")
        assert [same(long), same(long)] == [long, long]
