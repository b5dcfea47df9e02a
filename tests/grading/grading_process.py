"""A grader's process that grades attacks one after the other and looks around after each: `python -m
tests.grading.grading_process`, with a request as JSON on standard input and one line of JSON per submission as answer.

It is the parent of everything that an attack starts, also of what an attack has cut loose (a "subreaper"), so nothing
that is left can hide from it. It listens on loopback, keeps secrets where attackers look for them, and remembers its
own limits, descriptors and files.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import re
import resource
import secrets
import shutil
import signal
import socket
import struct
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from exercises import catalogue
from exercises.grading import sandbox
from exercises.grading.records import Graded, Job, Limits, Mode
from tests.grading import corpus

LIMITS = Limits(
    call_seconds=1.0,
    cell_seconds=1.5,
    submission_seconds=8.0,
    memory_bytes=640 * 1024**2,
    processes=8,
    reply_bytes=2 * 1024**2,
)
SEEDS = (20_261, 20_262)
ROOT = Path(__file__).resolve().parents[2]
CLASS = Path("/tmp/attacked_class")
PORTS = range(47_113, 47_153)  # several of these processes may run; each takes the first that is free
MARK = "attackmark"
PROTECTED = ("NEARLY_EVEN", "the two tails overlap", "[assignment.paired]", "root:x:0")
WON = re.compile(r"REACHED [^\"\\]{0,60}|CANARY[0-9a-f]{8}|" + "|".join(map(re.escape, PROTECTED)))
BROKEN = re.compile(r"\b(NameError|SyntaxError|IndentationError|UnboundLocalError)\b[^\"]{0,80}")
UNDER_OVERLAY = Path("/srv/upper")  # where `outside` collects what is written to the checkout and the interpreter
PR_SET_CHILD_SUBREAPER = 36
SIOCSIFFLAGS, IFF_UP, IFF_RUNNING = 0x8914, 0x1, 0x40
GRACE_SECONDS = 1.0


@dataclass(frozen=True)
class Outcome:
    """What came of one submission, and everything that should not have."""

    name: str
    graded: dict[str, Any] | None
    seconds: float
    peak_megabytes: float
    left: list[str]  # processes, files, connections, changed limits
    won: list[str]  # secrets and claims in the record
    error: str = ""  # what `grade` itself raised


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    grade = _grader(request["grader"])
    with Surroundings(request["private"]) as around:
        for name in request["names"]:
            outcome = _one(name, Mode(request["mode"]), grade, around)
            print(json.dumps(asdict(outcome)), flush=True)


def _grader(name: str) -> Callable[[Job], Graded]:
    if name != "real":
        from tests.grading import naive

        _loopback_up()
        return naive.careless if name == "careless" else naive.grade
    from exercises.grading.grade import grade

    return grade


def _loopback_up() -> None:
    """Switch on the loopback of a network of our own."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP | IFF_RUNNING))


def job(name: str, mode: Mode) -> Job:
    """The submission of that name: an attack, or a classmate."""
    if name == "right classmate":
        content = corpus.notebook([corpus.RIGHT_ANSWER, corpus.OTHER_ANSWER])
        return Job(name, "classmate.ipynb", content, corpus.EXERCISES, SEEDS, mode, LIMITS)
    if name == "probe":
        content = corpus.notebook([corpus.PRELUDE, corpus.PROBE, corpus.OTHER_ANSWER])
        return Job(name, "probe.ipynb", content, corpus.EXERCISES, SEEDS, mode, LIMITS)
    attack = corpus.attacks()[name]
    return Job(name, attack.file_name, attack.content(), corpus.EXERCISES, SEEDS, mode, LIMITS)


def _one(name: str, mode: Mode, grade: Callable[[Job], Graded], around: Surroundings) -> Outcome:
    made = job(name, mode)
    around.begin()
    started = time.monotonic()
    graded: Graded | None = None
    error = ""
    try:
        graded = grade(made)
    except BaseException:
        error = traceback.format_exc()[-2000:]
    seconds = time.monotonic() - started
    stored = graded.as_json() if graded else None
    text = json.dumps(stored, ensure_ascii=False)
    left = around.look()
    if len(text) > 300_000:
        left.append(f"a record of {len(text):,} characters")
    left += _drawn_inputs_told(name, graded) + _broken(name, text)
    return Outcome(name, stored, seconds, around.peak(), left, sorted(set(WON.findall(text))), error)


def _broken(name: str, text: str) -> list[str]:
    """An attack with a mistake in it attacks nothing."""
    expected = name.startswith(("texts/", "notebooks/", "bombs/compile", "forging/builtins", "forging/namespace"))
    return [] if expected else [f"the attack itself: {found.group()}" for found in BROKEN.finditer(text)][:1]


def _drawn_inputs_told(name: str, graded: Graded | None) -> list[str]:
    """Hidden inputs in what a learner is shown: checks of fixed inputs, notes, problems."""
    attack = corpus.attacks().get(name)
    if attack is None or not attack.hides_drawn or graded is None:
        return []
    shown = [*graded.problems]
    for mark in graded.exercises:
        shown += mark.notes
        shown += [f"{c.call} {c.returned} {c.wanted}" for c in mark.checks if not c.drawn]
    pairs = {pair for exercise, seed in zip(corpus.EXERCISES, SEEDS, strict=True) for pair in _pairs(exercise, seed)}
    told = [f"{b}, {c}" for b, c in sorted(pairs) if any(re.search(rf"\b{b}, ?{c}\b", text) for text in shown)]
    return [f"hidden inputs are told: {', '.join(told)}"] if told else []


def _pairs(exercise: str, seed: int) -> Iterator[tuple[int, int]]:
    drawn = catalogue.load(exercise).drawn(seed)
    if {"b", "c"} <= set(drawn):
        yield drawn["b"], drawn["c"]
        yield drawn["c"], drawn["b"]


class Surroundings:
    """Everything around the grader that an attack must leave alone."""

    def __init__(self, private: bool) -> None:
        self.private = private  # whether /tmp and the like are this process's own
        self.folder = CLASS if private else CLASS.with_name(f"{CLASS.name}_{os.getpid()}")

    def __enter__(self) -> Surroundings:
        self._lay_out_class()
        self._listen()
        self.kept = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        self.files = self._files()
        return self

    def __exit__(self, *raised: object) -> None:
        for listener in self.listeners:
            listener.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _lay_out_class(self) -> None:
        (self.folder / "submissions").mkdir(parents=True, exist_ok=True)
        (self.folder / "results").mkdir(exist_ok=True)
        for place in ("grading.secret", "submissions/neighbour.ipynb", "results/marks.csv", "results/neighbour.json"):
            (self.folder / place).write_text(f"CANARY{secrets.token_hex(4)}\n", encoding="utf-8")
        (self.folder / "grading.secret").chmod(0o600)
        # a grader keeps these to itself as its guide says; its own umask is what it is
        (self.folder / "submissions").chmod(0o700)
        (self.folder / "results").chmod(0o700)

    def _listen(self) -> None:
        for self.port in PORTS:
            tcp, udp = (socket.socket(socket.AF_INET, kind) for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM))
            tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # also where one has just ended
            if all(_bound(listener, ("127.0.0.1", self.port)) for listener in (tcp, udp)):
                break
            tcp.close()
            udp.close()
        abstract, named = (socket.socket(socket.AF_UNIX) for _ in range(2))
        abstract.bind(f"\0attackmark_{self.port}")
        named.bind(str(self.folder / "socket"))
        self.listeners = [tcp, udp, abstract, named]
        for listener in self.listeners:
            if listener is not udp:
                listener.listen(50)
            listener.setblocking(False)

    def begin(self) -> None:
        """Remember how things are."""
        self.state = self._state()
        with suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")  # the peak of memory starts again

    def peak(self) -> float:
        """Megabytes of memory that this process had at most since `begin`."""
        line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024

    def look(self) -> list[str]:
        """What an attack has left; it is removed, so that the next one is not blamed."""
        found = [*self._processes(), *self._connections(), *self._new_files(), *self._ipc()]
        state = self._state()
        found += [
            f"{name} was {self.state[name]} and is {value}"
            for name, value in state.items()
            if value != self.state[name]
        ]
        for path, content in self.kept.items():
            if not path.is_file() or path.read_bytes() != content:
                found.append(f"{path} has changed")
                path.write_bytes(content)
        return found

    def _state(self) -> dict[str, Any]:
        """This process's own limits, signals, folder, descriptors."""
        kinds = [name for name in dir(resource) if name.startswith("RLIMIT_")]
        state: dict[str, Any] = {name: resource.getrlimit(getattr(resource, name)) for name in kinds}
        state["descriptors"] = len(os.listdir("/proc/self/fd")) - sandbox.at_rest()[1]
        state["folder"] = os.getcwd()
        state["handlers"] = str({number: signal.getsignal(number) for number in signal.valid_signals()})
        state["blocked signals"] = str(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
        state["environment"] = hash(frozenset(os.environ.items()))
        state["user"] = str((os.getresuid(), os.getresgid(), os.getgroups()))
        return state

    def _processes(self) -> list[str]:
        ends = time.monotonic() + GRACE_SECONDS
        while (left := set(_descendants(os.getpid())) - sandbox.at_rest()[0]) and time.monotonic() < ends:
            time.sleep(0.02)
        for process in left:
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        found = [f"process {process} is left: {_command(process)}" for process in left]
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        return found

    def _connections(self) -> list[str]:
        found = []
        for listener in self.listeners:
            with suppress(BlockingIOError):
                if listener.type == socket.SOCK_DGRAM:
                    found.append(f"a datagram came: {listener.recv(100)!r}")
                else:
                    listener.accept()[0].close()
                    found.append(f"a connection came to {listener.getsockname()!r}")
        return found

    def _new_files(self) -> list[str]:
        new = sorted(self._files() - self.files)
        for path in reversed(new):
            with suppress(OSError):
                os.chmod(path, 0o700, follow_symlinks=False)
            with suppress(OSError):
                os.rmdir(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
        return [f"{path} is left" for path in new]

    def _files(self) -> set[str]:
        """Every path in the places where everybody may write; where they are not our own, those with our mark."""
        places = ["/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/dev/mqueue"]
        found: set[str] = set()
        for place in [*places, str(UNDER_OVERLAY)] if self.private else places:
            for folder, inside, files in os.walk(place):
                inside[:] = [name for name in inside if os.path.join(folder, name) != str(ROOT)]  # it has its overlay
                found.update(os.path.join(folder, name) for name in (*inside, *files))
        return found if self.private else {path for path in found if MARK in path}

    def _ipc(self) -> list[str]:
        tables = "".join(path.read_text() for path in Path("/proc/sysvipc").glob("*"))
        return ["System V IPC is left"] if str(0x61747461) in tables else []


def _bound(listener: socket.socket, place: tuple[str, int]) -> bool:
    try:
        listener.bind(place)
    except OSError:
        return False
    return True


def _descendants(process: int) -> Iterator[int]:
    """Living processes below this one."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[1]) == process and fields[0] != "Z":
                child = int(path.parent.name)
                yield child
                yield from _descendants(child)


def _command(process: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_text(errors="replace").replace("\0", " ")[:80]
    return "?"


if __name__ == "__main__":
    main()
