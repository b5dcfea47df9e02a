"""The environments of the peers, and the processes that run in them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from book.tools.places import PEERS, ROOT, remember, remembered, venv_program, venv_python

PINS = ROOT / "tests" / "bench" / "requirements.txt"
GRADERS = ROOT / "tests" / "bench" / "grading_requirements.txt"
LOCK = ROOT / "requirements.lock"
SHARED = ("numpy", "scipy", "pandas", "statsmodels")  # the same everywhere, as locked
BESIDE_GRADERS = ("ipykernel", "numpy", "scipy")  # what runs a notebook of a class, and what it may import
OWN = ("evalstats", "limit", "scipy", "statsmodels")  # run in the project's own environment
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA", "VECLIB_MAXIMUM")}


class NotInstalled(Exception):
    """Why a peer cannot be run here."""


@dataclass(frozen=True)
class Environment:
    """A Python with one peer in it."""

    who: str
    pin: str = ""  # empty: the project's own
    also: tuple[str, ...] = ()  # what is installed beside it, as locked

    @property
    def folder(self) -> Path:
        return PEERS / self.who

    @property
    def python(self) -> Path:
        if not self.pin:
            return venv_python()
        return self.program("python")

    def program(self, name: str) -> Path:
        """A program that was installed with the peer."""
        own = venv_program(name)
        return self.folder / own.relative_to(own.parents[1])

    def make(self) -> None:
        """Install the peer, unless it is there as pinned."""
        if not self.pin:
            return
        shared = "".join(line for line in _lock_lines() if line.split("==")[0] in {*SHARED, *self.also})
        wanted = "\n".join([self.pin, *self.also, shared]) + sys.version
        stamp = self.folder / "complete"
        if remembered(stamp) == wanted and self.python.exists():
            return
        print(f"Installing {self.pin} into {self.folder.relative_to(ROOT).as_posix()} ...", flush=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        constraints = self.folder.with_suffix(".txt")
        remember(constraints, shared)
        uv, python, these = str(venv_program("uv")), str(self.python), [self.pin, *self.also]
        _quietly([uv, "venv", "--quiet", "--python", str(venv_python()), str(self.folder)])
        install = [uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", python, "-c", str(constraints)]
        _quietly([*install, *these])
        remember(stamp, wanted)

    def versions(self) -> dict[str, str]:
        """The versions of the peer and of what all share, as installed."""
        names = json.dumps(sorted({self.who, *SHARED}))
        code = (
            "import json, importlib.metadata as m\n"
            f"have = {{d.metadata['Name'].lower().replace('_', '-'): d.version for d in m.distributions()}}\n"
            f"print(json.dumps({{name: have[name] for name in {names} if name in have}}))"
        )
        found: dict[str, str] = json.loads(_quietly([str(self.python), "-c", code]))
        return found


def _lock_lines() -> list[str]:
    return LOCK.read_text(encoding="utf-8").splitlines(keepends=True)


def _quietly(command: list[str]) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise NotInstalled(without_places(done.stderr + done.stdout))
    return done.stdout


def without_places(said: str) -> str:
    """One line of what a program said, with nothing in it about this machine or a server."""
    lines = [line.strip(" ×╰─▶│") for line in said.splitlines()]
    line = next((line for line in reversed(lines) if line), "nothing")
    return re.sub(r"\S*://\S*|(?<!\w)/\S+", "…", line)[:200]


def environments() -> dict[str, Environment]:
    """Everyone who takes part, by name."""
    peers = {pin.split("==")[0]: pin for pin in pins(PINS)}
    return {who: Environment(who) for who in OWN} | {who: Environment(who, pin) for who, pin in peers.items()}


def graders() -> dict[str, Environment]:
    """The graders that ours is compared with, by name."""
    return {pin.split("==")[0]: Environment(pin.split("==")[0], pin, BESIDE_GRADERS) for pin in pins(GRADERS)}


def ready(who: str) -> Environment:
    """The environment of one grader, made now if need be; `NotInstalled` says why it cannot be had."""
    place = graders()[who]
    place.make()
    return place


def compile_own() -> None:
    """Leave our modules compiled, as an installer leaves those of the peers: who is timed first shall not do it."""
    command = [str(venv_python()), "-m", "compileall", "-q", "evalstats", "exercises"]
    subprocess.run(command, cwd=ROOT, env=clean_settings(), check=True, stdout=subprocess.DEVNULL)


def pins(path: Path) -> list[str]:
    """The lines of a file of requirements that name a package."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def clean_settings() -> dict[str, str]:
    """One thread, and compiled modules kept: what a user has."""
    dropped = {"PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    return {key: value for key, value in os.environ.items() if key not in dropped} | ONE_THREAD


class Process:
    """A worker and the pipe to it."""

    def __init__(self, environment: Environment) -> None:
        self.process = subprocess.Popen(
            [str(environment.python), "-m", "tests.bench.worker"],
            cwd=ROOT,
            env=clean_settings(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )

    def ask(self, do: str, **request: Any) -> dict[str, Any]:
        """One request and its reply; a worker that is gone has been ended, by the system or by its peer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps({"do": do} | request) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        reply: dict[str, Any] = json.loads(line) if line else {"error": f"the process ended ({self.process.wait()})"}
        return reply

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):  # what a process that is gone was still to be asked
            self.process.stdin.close()
        self.process.wait()
