"""A Python that can harm nobody: bubblewrap where it works, else an account of its own with Landlock and seccomp.

What is inside: the standard library, the packages that the exercises allow, and `/dev/null`. No network, no other
processes, no other file, no place to write, no environment, no rights. Our own code comes down the pipe, so that no
file of the grader lies there either. Root starts each sandbox under an account that nobody else has.
"""

from __future__ import annotations

import atexit
import importlib.util
import json
import marshal
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, NoReturn, cast

import exercises
from exercises.grading import seccomp
from exercises.grading.accounts import account, sweep
from exercises.grading.cgroup import AROUND, Group, descendants
from exercises.grading.channel import Channel, DiedError, LateError, MalformedError
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
    "exercises.nursery": INSIDE / "nursery.py",
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
STOP_SECONDS = 10.0
PLACES = 24  # notebooks from one nursery
SHORT = 1000  # bytes of what a nursery says
NOBODY = 65534

INSTALL = """\
There is no sandbox here, and student code is not run without one.
On Linux, install bubblewrap: sudo apt-get install bubblewrap libseccomp2
(Fedora: sudo dnf install bubblewrap libseccomp).
On macOS and Windows, grade in a Linux machine, virtual machine or container.
--trusted runs the code without any protection: only for code that you would run yourself."""


CLOSED_FOLDER = re.compile(r"PermissionError: .*?('.*')")
OTHER_PYTHON = (
    r"the account of the sandbox cannot read \1, which this Python needs and which lies in a closed folder. "
    "Use a Python that every account can read, such as that of the system"
)


class NoSandboxError(ValueError):
    """There is no sandbox on this machine; the text says what to install."""


class StartError(Exception):
    """The sandbox did not start; the text says what it complained of."""


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


class Nursery:
    """A Python in its sandbox that has loaded packages and never runs student code: each notebook is forked from it.

    Loading scipy takes longer than most notebooks; so it is loaded once. A notebook's process sees no process but its
    own (in bubblewrap), gives up all rights before it hears of any student, keeps one pair of pipes and no other, and
    dies with all that it has started.
    """

    def __init__(self, mode: Mode, limits: Limits, allowed: tuple[str, ...], loaded: tuple[str, ...]) -> None:
        self.mode = mode
        self.limits = limits
        self._busy = False
        with ExitStack() as stack:  # what goes wrong on the way leaves nothing
            self._uid = stack.enter_context(account()) if mode is not Mode.TRUSTED else None
            settings, command = _settings(mode, limits, allowed, self._uid), _command(mode, allowed, self._uid)
            ours, theirs = zip(*(_pipes() for _ in range(PLACES)), strict=True)
            self._places = dict(enumerate(ours))
            stack.callback(lambda: _close(end for pair in self._places.values() for end in pair))
            self.process = _started(command, [end for pair in theirs for end in pair])
            self._stack = stack.pop_all()
        self._group = Group.create(limits) if mode is not Mode.TRUSTED else None
        to, back, self._complaints = (
            cast(IO[bytes], pipe) for pipe in (self.process.stdin, self.process.stdout, self.process.stderr)
        )
        self._channel = Channel(to.fileno(), back.fileno(), SHORT)
        self._pipes = (to, back, self._complaints)
        self._begin({**settings, "pipes": theirs, "loaded": loaded})

    @property
    def full(self) -> bool:
        """Whether all places have been used."""
        return not self._places

    def _begin(self, settings: dict[str, Any]) -> None:
        try:
            self._channel.send_bytes(json.dumps(settings).encode(), START_SECONDS)
            self._channel.send_bytes(_modules(), START_SECONDS)
            self._channel.ask({"do": "nothing"}, START_SECONDS)
            self._own = descendants(self.process.pid)
            if self._group is not None:
                self._group.add(self.process.pid)
        except (DiedError, LateError, MalformedError, OSError) as error:
            self._fail(error)

    def _fail(self, error: Exception) -> NoReturn:
        """End, and say what was complained of; student code has had no say yet."""
        os.set_blocking(self._complaints.fileno(), False)
        lines = (self._complaints.read(10_000) or b"").decode(errors="replace").strip().splitlines()
        self.end()
        raise StartError(lines[-1] if lines else str(error) or type(error).__name__) from None

    def box(self) -> Box:
        """A new notebook's process, forked and without rights."""
        if self._busy:
            raise RuntimeError("a nursery has one notebook at a time")
        self._busy = True
        place, (requests, replies) = self._places.popitem()
        box = Box(self, requests, replies)
        try:
            self._channel.ask({"do": "start", "place": place}, START_SECONDS)
            box.ask({"do": "cell", "label": "", "code": "", "seconds": START_SECONDS}, START_SECONDS)
        except (DiedError, LateError, MalformedError, OSError) as error:
            box.hang_up()
            self._fail(error)
        except BaseException:  # somebody pressed Ctrl-C
            box.hang_up()
            self.end()
            raise
        return box

    def stop(self) -> None:
        """End the notebook's process and all that it started."""
        try:
            self._channel.ask({"do": "stop"}, STOP_SECONDS)
            self._busy = False
        except (DiedError, LateError, MalformedError):
            self.end()

    def at_rest(self) -> tuple[set[int], int]:
        """The processes and the number of our descriptors that it takes while there is no notebook."""
        own = set() if self.ended else {self.process.pid, *self._own}
        sign = self._uid is not None
        return own, 0 if self._complaints.closed else sign + len(self._pipes) + 2 * len(self._places)

    @property
    def ended(self) -> bool:
        """Whether it is of no use any more."""
        return self._complaints.closed or self.process.poll() is not None

    def end(self) -> None:
        """End everything in the sandbox, and wait until it has ended."""
        if self._complaints.closed:
            return
        self.process.kill()
        if self._group is not None:
            for process in self._group.processes():
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
        self.process.wait()
        for pipe in self._pipes:
            pipe.close()
        if self.mode is Mode.LANDLOCK and self._uid is not None:
            sweep(self._uid)
        if self._group is not None:
            self._group.remove()
        self._stack.close()


def _started(command: list[str], passed: list[int]) -> subprocess.Popen[bytes]:
    """A process that has these descriptors, which are closed here."""
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            command,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            pass_fds=passed,
            env=ENVIRONMENT,
            cwd="/",
            bufsize=0,
            start_new_session=True,
        )
    finally:
        _close(passed)


def _close(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def _pipes() -> tuple[tuple[int, int], tuple[int, int]]:
    """Two pipes: our ends (to write requests, to read replies), and those of the notebook's process."""
    read_request, write_request = os.pipe()
    read_reply, write_reply = os.pipe()
    return (write_request, read_reply), (read_request, write_reply)


class Box(Channel):
    """One notebook's process in its sandbox, which waits for requests."""

    def __init__(self, nursery: Nursery, requests: int, replies: int) -> None:
        super().__init__(requests, replies, nursery.limits.reply_bytes)
        self.nursery = nursery

    def close(self) -> None:
        """End it, and all that it started."""
        self.hang_up()
        self.nursery.stop()


_Key = tuple[int, int, Mode, Limits, tuple[str, ...], tuple[str, ...]]  # first the process and thread that start it
_nurseries: dict[_Key, Nursery] = {}


def start(mode: Mode, limits: Limits, allowed: Iterable[str], loaded: Iterable[str] = ()) -> Box:
    """A sandbox with a notebook's process in it. One at a time in a thread, for the same mode, limits and packages.

    `loaded` are modules of the allowed packages that are worth loading beforehand.
    """
    key = (os.getpid(), threading.get_ident(), mode, limits, tuple(sorted(allowed)), tuple(sorted(loaded)))
    try:
        return _nursery(key).box()
    except StartError:  # the machine may have ended the nursery
        return _nursery(key).box()


def _nursery(key: _Key) -> Nursery:
    """The nursery that is kept for this, or a new one."""
    nursery = _nurseries.get(key)
    if nursery is None or nursery.ended or nursery.full:
        if nursery is not None:
            nursery.end()
        nursery = _nurseries[key] = Nursery(*key[2:])
    return nursery


def at_rest() -> tuple[set[int], int]:
    """The processes and the number of our descriptors that all nurseries take."""
    each = [nursery.at_rest() for nursery in _nurseries.values()]
    return set().union(*(own for own, _ in each)), sum(count for _, count in each)


def end_nurseries() -> None:
    """End what is kept for the next notebook; at the end of the process this happens by itself."""
    while _nurseries:
        key, nursery = _nurseries.popitem()
        if key[0] == os.getpid():
            nursery.end()


atexit.register(end_nurseries)


def _settings(mode: Mode, limits: Limits, names: tuple[str, ...], uid: int | None) -> dict[str, Any]:
    """What the sandbox is told of itself: the rights to give up, and where packages lie."""
    names_of_filters = ("sandbox", "requests", "no_program", "no_children")
    programs = ("",) * 4 if mode is Mode.TRUSTED else tuple(program.hex() for program in seccomp.filters())
    own = AROUND if mode is Mode.BUBBLEWRAP and uid is None else 0  # they are of the same account
    return {
        "packages": packages(names),
        "uid": uid,
        "own_processes": mode is Mode.BUBBLEWRAP,
        "landlock": _landlock_rules(names) if mode is Mode.LANDLOCK else None,
        "filters": dict(zip(names_of_filters, programs, strict=True)),
        "limits": {
            "RLIMIT_AS": limits.memory_bytes,
            "RLIMIT_FSIZE": 0,
            "RLIMIT_NPROC": limits.processes + own,
            "RLIMIT_NOFILE": 64,
            "RLIMIT_CORE": 1,  # 0 would not keep a core from a program that the machine hands cores to
            "RLIMIT_MEMLOCK": 0,
            "RLIMIT_CPU": int(limits.submission_seconds) + 1,
        }
        if mode is not Mode.TRUSTED
        else {"RLIMIT_AS": limits.memory_bytes},
    }


def _landlock_rules(names: tuple[str, ...]) -> dict[str, list[str]]:
    """What may be read: the standard library without what others installed into it, and the allowed packages."""
    python = Python.here()
    own = [path for path in python.library.iterdir() if path.name not in INSTALLED]
    shared = [path for folder in _system_libraries() for path in folder.iterdir() if not path.name.startswith("python")]
    read = [*own, *shared, *python.files, *_package_folders(names)]
    return {"read": [str(path) for path in read if path.exists()], "listed": [str(python.library)]}


def _system_libraries() -> list[Path]:
    """The folders of shared libraries, each once."""
    return [*dict.fromkeys(Path(path).resolve() for path in SYSTEM_LIBRARIES if Path(path).is_dir())]


def _command(mode: Mode, names: tuple[str, ...], uid: int | None) -> list[str]:
    """The command that starts a sandbox with the nursery in it."""
    isolated = ["-s", "-P", "-S"]  # and not -I, which would pass over PYTHONHASHSEED
    python = [str(Python.here().program), *isolated, "-c", (INSIDE / "boot.py").read_text(encoding="utf-8")]
    if mode is not Mode.BUBBLEWRAP:
        return python
    return [bubblewrap(), *_namespaces(uid), *_mounts(names), "--", *python]


def bubblewrap() -> str:
    """The program; refuses where it is not installed."""
    program = shutil.which("bwrap")
    if program is None:
        raise NoSandboxError("it is not installed")
    return program


def _namespaces(uid: int | None) -> list[str]:
    """Everything of its own. The nursery keeps the rights that it needs to give each notebook less than it has."""
    options = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    options += ["--hostname", "sandbox", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    kept = ["SYS_ADMIN"]  # within its own namespaces: to make one of processes for each notebook
    if uid is None:
        options += ["--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY)]
    else:
        kept += ["SETUID", "SETGID", "KILL"]  # to give it another account, and to end it
    return [*options, *(word for right in kept for word in ("--cap-add", f"CAP_{right}"))]


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
            start(mode, Limits(), ()).close()
            return mode
        except (StartError, NoSandboxError, seccomp.SeccompMissingError) as error:
            complaints.append(f"{mode}: {error}")
    said = [CLOSED_FOLDER.sub(OTHER_PYTHON, complaint) for complaint in complaints]
    raise NoSandboxError("\n".join([INSTALL, "What was tried:", *said]))


def _landlock_can_work() -> None:
    if os.geteuid() != 0:
        raise StartError("only root can give student code an account of its own")
    if confine.landlock_version() == 0:
        raise StartError("this kernel has no Landlock")
