"""A Python that can harm nobody: bubblewrap where it works, else an account of its own with Landlock and seccomp.

What is inside: the standard library, the packages that the exercises allow, and `/dev/null`. No network, no other
processes, no other file, no place to write, no environment, no rights. Our own code comes down the pipe, so that no
file of the grader lies there either. Root starts each sandbox under an account that nobody else has.
"""

from __future__ import annotations

import importlib.util
import json
import marshal
import os
import secrets
import select
import shutil
import signal
import struct
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, cast

import exercises
from exercises.grading import seccomp
from exercises.grading.accounts import account, sweep
from exercises.grading.cgroup import Group
from exercises.grading.inside import confine
from exercises.grading.records import Limits, Mode

INSIDE = Path(confine.__file__).parent
COURSE = Path(exercises.__file__).parent
SENT = {  # the name of a module in the sandbox, and where it is written
    "exercises": INSIDE / "standin.py",
    "exercises.deadline": COURSE / "deadline.py",
    "exercises.values": COURSE / "values.py",
    "exercises.execute": COURSE / "execute.py",
    "exercises.local": COURSE / "local.py",
    "exercises.confine": INSIDE / "confine.py",
    "exercises.worker": INSIDE / "worker.py",
}
SYSTEM_LIBRARIES = ("/usr/lib", "/usr/lib64", "/lib", "/lib64")
ENVIRONMENT = {
    "HOME": "/",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",  # the order of sets is the same at every run
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
INSTALLED = ("site-packages", "dist-packages")  # folders of the standard library that hold other people's packages
START_SECONDS = 60.0
NOBODY = 65534

INSTALL = """\
There is no sandbox here, and student code is not run without one.
On Linux, install bubblewrap: sudo apt-get install bubblewrap libseccomp2
(Fedora: sudo dnf install bubblewrap libseccomp).
On macOS and Windows, grade in a Linux machine, virtual machine or container.
--trusted runs the code without any protection: only for code that you would run yourself."""


class NoSandboxError(ValueError):
    """There is no sandbox on this machine; the text says what to install."""


class DiedError(Exception):
    """The sandbox ended by itself."""


class LateError(Exception):
    """No reply in time."""


class StartError(Exception):
    """The sandbox did not start; the text says what it complained of."""


class MalformedError(Exception):
    """What came back is no reply: too long, no JSON, or an answer to a question that was not asked."""


@dataclass(frozen=True)
class Python:
    """The interpreter that runs inside, and the files that it needs."""

    program: Path
    library: Path
    files: tuple[Path, ...]

    @classmethod
    @cache
    def here(cls) -> Python:
        """The one that runs this, without its virtual environment."""
        program = Path(getattr(sys, "_base_executable", None) or sys.executable).resolve()
        library = Path(sysconfig.get_path("stdlib")).resolve()
        shared = Path(sysconfig.get_config_var("LIBDIR") or "") / (sysconfig.get_config_var("INSTSONAME") or "-")
        return cls(program, library, tuple(file for file in (program, shared) if file.is_file()))


@cache
def packages(names: tuple[str, ...]) -> dict[str, str]:
    """Where each package lies. numpy is always there: the worker itself needs it."""
    found = {}
    for name in sorted({"numpy", *names}):
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.submodule_search_locations:
            raise ValueError(f"the exercises allow {name}, which is not installed here")
        found[name] = str(Path(spec.submodule_search_locations[0]).resolve())
    return found


def _package_folders(names: tuple[str, ...]) -> list[Path]:
    folders = [Path(folder) for folder in packages(names).values()]
    bundled = [folder.with_name(f"{folder.name}.libs") for folder in folders]
    return [*folders, *(folder for folder in bundled if folder.is_dir())]


@cache
def _modules() -> bytes:
    """The code that is sent: compiled once in a process of the grader."""
    return marshal.dumps(
        {name: compile(path.read_text(encoding="utf-8"), f"{name}.py", "exec") for name, path in SENT.items()}
    )


class Box:
    """One sandbox, with a worker in it that waits for requests."""

    def __init__(self, mode: Mode, limits: Limits, allowed: Iterable[str]) -> None:
        self.limits = limits
        self._stack = ExitStack()
        names = tuple(sorted(allowed))
        uid = self._stack.enter_context(account()) if mode is not Mode.TRUSTED else None
        self._sweep = uid if mode is Mode.LANDLOCK else None
        settings = _settings(mode, limits, names, uid)
        with ExitStack() as files:
            command, passed = _command(mode, names, uid, files)
            self._process: subprocess.Popen[bytes] = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=passed,
                env=ENVIRONMENT,
                cwd="/",
                bufsize=0,
                start_new_session=True,
            )
        self._group = Group.create(limits) if mode is not Mode.TRUSTED else None
        self._to, self._from, self._complaints = (
            cast(IO[bytes], pipe) for pipe in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        for pipe in (self._to, self._from):
            os.set_blocking(pipe.fileno(), False)
        self._begin(settings)

    def _begin(self, settings: dict[str, Any]) -> None:
        """Send our own code, and hear from it once; nothing of a student's has run when the group closes around it."""
        stop = time.monotonic() + START_SECONDS
        try:
            for part in (json.dumps(settings).encode(), _modules()):
                self._write(struct.pack(">I", len(part)) + part, stop)
            self.ask({"do": "cell", "label": "", "code": "", "seconds": START_SECONDS}, START_SECONDS)
            if self._group is not None:
                self._group.add(self._process.pid)
        except (DiedError, LateError, MalformedError, OSError) as error:
            said = self._last_words()
            self.close()
            raise StartError(said or str(error) or type(error).__name__) from None

    def _last_words(self) -> str:
        """What the sandbox complained of before any student code could."""
        self._process.kill()
        lines = self._complaints.read(10_000).decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Send a request and wait for its reply."""
        return self.receive(self.send(request, seconds), seconds=seconds)

    def send(self, request: dict[str, Any], seconds: float) -> str:
        """Send a request; the id by which its reply will be known."""
        identity = secrets.token_hex(8)
        data = json.dumps({"id": identity, **request}, allow_nan=False).encode()
        self._write(struct.pack(">I", len(data)) + data, time.monotonic() + seconds)
        return identity

    def receive(self, *identities: str, seconds: float) -> dict[str, Any]:
        """The next reply, which must be to one of these requests."""
        stop = time.monotonic() + seconds
        length = struct.unpack(">I", self._read(4, stop))[0]
        if length > self.limits.reply_bytes:
            raise MalformedError(f"a reply of more than {self.limits.reply_bytes:,} bytes")
        reply = _parsed(self._read(length, stop))
        if reply.get("id") not in identities:
            raise MalformedError("an answer to a question that was not asked")
        return reply

    def _write(self, data: bytes, stop: float) -> None:
        waiting = memoryview(data)
        while waiting:
            self._wait(self._to, select.POLLOUT, stop)
            try:
                waiting = waiting[os.write(self._to.fileno(), waiting[: 1 << 16]) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise DiedError from None

    def _read(self, count: int, stop: float) -> bytes:
        parts = []
        while count:
            self._wait(self._from, select.POLLIN, stop)
            part = os.read(self._from.fileno(), min(count, 1 << 20))
            if not part:
                raise DiedError
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def _wait(self, pipe: IO[bytes], event: int, stop: float) -> None:
        poll = select.poll()
        poll.register(pipe, event)
        if not poll.poll(max(0.0, stop - time.monotonic()) * 1000):
            raise LateError

    def close(self) -> None:
        """End everything in the sandbox, and wait until it has ended."""
        self._process.kill()
        if self._group is not None:
            for process in self._group.processes():
                _kill(process)
        self._process.wait()
        for pipe in (self._to, self._from, self._complaints):
            pipe.close()
        if self._sweep is not None:
            sweep(self._sweep)
        if self._group is not None:
            self._group.remove()
        self._stack.close()


def _kill(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def _parsed(data: bytes) -> dict[str, Any]:
    """A reply as plain values; whatever it is that student code has written."""
    try:
        reply = json.loads(data.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise MalformedError("a reply that is no JSON") from None
    if type(reply) is not dict:
        raise MalformedError("a reply that is no JSON object")
    return reply


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _settings(mode: Mode, limits: Limits, names: tuple[str, ...], uid: int | None) -> dict[str, Any]:
    """What the sandbox is told of itself: the rights to give up, and where packages lie."""
    programs = ("", "", "") if mode is Mode.TRUSTED else tuple(program.hex() for program in seccomp.filters())
    within_bubblewrap = mode is Mode.BUBBLEWRAP  # which lays the first filter itself
    return {
        "packages": packages(names),
        "uid": uid,
        "landlock": _landlock_rules(names) if mode is Mode.LANDLOCK else None,
        "filters": {
            "sandbox": "" if within_bubblewrap else programs[0],
            "no_program": programs[1],
            "no_children": programs[2],
        },
        "limits": {
            "RLIMIT_AS": limits.memory_bytes,
            "RLIMIT_FSIZE": 0,
            "RLIMIT_NPROC": limits.processes,
            "RLIMIT_NOFILE": 64,
            "RLIMIT_CORE": 0,
            "RLIMIT_MEMLOCK": 0,
            "RLIMIT_CPU": int(limits.submission_seconds) + 1,
        }
        if mode is not Mode.TRUSTED
        else {"RLIMIT_AS": limits.memory_bytes},
    }


def _landlock_rules(names: tuple[str, ...]) -> dict[str, list[str]]:
    """What may be read: the standard library without what others installed into it, and the allowed packages."""
    python = Python.here()
    own = [str(path) for path in python.library.iterdir() if path.name not in INSTALLED]
    read = [*own, *python.files, *_package_folders(names), *_system_libraries()]
    return {"read": [str(path) for path in read], "listed": [str(python.library)]}


def _system_libraries() -> list[Path]:
    """The folders of shared libraries, without other Pythons below them."""
    return [Path(path) for path in SYSTEM_LIBRARIES if Path(path).is_dir()]


def _command(mode: Mode, names: tuple[str, ...], uid: int | None, files: ExitStack) -> tuple[list[str], list[int]]:
    """The command that starts a sandbox, and the open files that it inherits."""
    isolated = ["-s", "-P", "-S"]  # and not -I, which would pass over PYTHONHASHSEED
    python = [str(Python.here().program), *isolated, "-c", (INSIDE / "boot.py").read_text(encoding="utf-8")]
    if mode is not Mode.BUBBLEWRAP:
        return python, []
    filter_file: IO[bytes] = files.enter_context(TemporaryFile())  # noqa: SIM115 -- the stack closes it
    filter_file.write(seccomp.filters()[0])
    filter_file.seek(0)
    options = [*_namespaces(uid), *_mounts(names), "--seccomp", str(filter_file.fileno())]
    return [bubblewrap(), *options, "--", *python], [filter_file.fileno()]


def bubblewrap() -> str:
    """The program; refuses where it is not installed."""
    program = shutil.which("bwrap")
    if program is None:
        raise NoSandboxError(INSTALL)
    return program


def _namespaces(uid: int | None) -> list[str]:
    """Everything of its own. Root keeps the right to change accounts until the worker has done so."""
    options = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    options += ["--hostname", "sandbox", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    if uid is None:
        options += ["--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY)]
    else:
        options += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    return options


def _mounts(names: tuple[str, ...]) -> list[str]:
    """What can be seen: libraries to read, and `/dev/null`."""
    python = Python.here()
    options = ["--dir", "/usr"]  # else its rights would be those of a folder that only root may enter
    for library in SYSTEM_LIBRARIES:
        if Path(library).is_symlink():
            options += ["--symlink", os.readlink(library), library]
        elif Path(library).is_dir():
            options += ["--ro-bind", library, library]
    shown = [python.library, *python.files, *_package_folders(names)]
    for path in shown:
        if not any(path.is_relative_to(library) for library in SYSTEM_LIBRARIES):
            # without this, bubblewrap gives the folders above the rights they have outside
            options += [word for folder in reversed(path.parents[:-1]) for word in ("--dir", str(folder))]
            options += ["--ro-bind", str(path), str(path)]
    for folder in (*(python.library / name for name in INSTALLED), Path("/usr/lib/python3")):
        if folder.is_dir():
            options += ["--tmpfs", str(folder), "--remount-ro", str(folder)]
    options += ["--dir", "/dev", "--dev-bind", os.devnull, os.devnull]
    return [*options, "--remount-ro", "/"]


def probe(only: Mode | None = None) -> Mode:
    """The best sandbox that works here, found out by starting it; refuses, with what to install, where none does."""
    complaints = []
    for mode in (only,) if only is not None else (Mode.BUBBLEWRAP, Mode.LANDLOCK):
        try:
            if mode is Mode.LANDLOCK:
                _landlock_can_work()
            Box(mode, Limits(), ()).close()
            return mode
        except (StartError, NoSandboxError, seccomp.SeccompMissingError) as error:
            complaints.append(f"{mode}: {error}")
    raise NoSandboxError("\n".join([INSTALL, "What was tried:", *complaints]))


def _landlock_can_work() -> None:
    if os.geteuid() != 0:
        raise StartError("only root can give student code an account of its own")
    if confine.landlock_version() == 0:
        raise StartError("this kernel has no Landlock")
