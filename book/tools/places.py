"""Where things are in this repository, how a step is run, and the two ways a target can stop."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
PEERS = ROOT / ".venv-bench"  # an environment for each package that `make bench` compares with
BUILD = ROOT / "_build"
SITE = BUILD / "html"
WIDGETS = ROOT / "book" / "widgets"
MY = ROOT / "my"  # a reader's own files; git and every target that makes or removes something leave them alone

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
NOISE = re.compile(r"\[IPKernelApp\] WARNING\b.* Kernel is running over TCP\b")


class Refusal(Exception):
    """Something the user can put right: shown as one line, without a traceback."""


class Failure(Exception):
    """A step that ran and failed: its own output has said why."""


def venv_program(name: str) -> Path:
    """A program inside the virtual environment, on POSIX and on Windows."""
    folder, suffix = ("Scripts", ".exe") if os.name == "nt" else ("bin", "")
    return VENV / folder / (name + suffix)


def venv_python() -> Path:
    return venv_program("python")


def environment() -> dict[str, str]:
    """The environment of every step: our programs first, our sources importable, output in UTF-8."""
    settings = dict(os.environ)
    settings["PATH"] = os.pathsep.join([str(venv_python().parent), settings.get("PATH", "")])
    settings["VIRTUAL_ENV"] = str(VENV)
    settings["PYTHONUTF8"] = "1"
    settings["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # silences the debugger of ipykernel
    settings.pop("PYTHONHOME", None)
    return settings


def how_to_run(*words: str) -> str:
    """How to run a target, in the form in which this one was called: make tells what it starts that it is make."""
    return " ".join(["make" if "MAKELEVEL" in os.environ else "python -m book.tools", *words])


def run_and_show(command: Sequence[str], folder: Path, look: Callable[[str], None] = lambda line: None) -> int:
    """Run a step, show what it prints as it comes, let `look` see each line, and return the exit code.

    Colours are for a terminal; and that a kernel of ours on this machine uses TCP is no news.
    """
    coloured = sys.stdout.isatty()
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as process:
        for line in process.stdout or ():
            if NOISE.match(plain(line)):
                continue
            print(line if coloured else COLOURS.sub("", line), end="", flush=True)
            look(line)
    return process.returncode


def plain(line: str) -> str:
    """A line without colours and surrounding space."""
    return COLOURS.sub("", line).strip()


def project() -> dict[str, Any]:
    """The [project] table of pyproject.toml."""
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def repository_address() -> str:
    return str(project()["urls"]["Repository"]).rstrip("/")


def fingerprint(paths: Iterable[Path], also: str = "") -> str:
    """One hash of the names and contents of files; folders are walked, Python's own caches left out."""
    digest = hashlib.sha256(also.encode())
    for path in sorted(_files(paths)):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _files(paths: Iterable[Path]) -> Iterable[Path]:
    skipped = {"__pycache__", "node_modules", ".ipynb_checkpoints"}
    for path in paths:
        if path.is_file():
            yield path
        elif path.is_dir():
            yield from (p for p in path.rglob("*") if p.is_file() and not skipped & set(p.parts))


def remembered(stamp: Path) -> str:
    """What a stamp file holds, or nothing where there is none."""
    return stamp.read_text(encoding="utf-8") if stamp.is_file() else ""


def remember(stamp: Path, value: str) -> None:
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(value, encoding="utf-8")
