"""Start a grader's process in each of the ways in which graders are started.

As root everything happens in a mount namespace of its own: `/tmp` and the like are empty there, and what is written to
the checkout or the interpreter lands in a folder beside them. So a test sees every file that an attack leaves, and an
attack that works spoils nothing. An ordinary user grades under an account of the test's own; without root the tests
grade as the user they are.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from exercises.grading.records import Mode

ROOT = Path(__file__).resolve().parents[2]
USER = 54_321
STAGE = "/srv"

# Nothing of the machine can be written to, whoever wins: every disk is read-only from here on. Kernel file systems
# stay: a sandbox needs /proc and the control groups.
READ_ONLY = """\
awk '{ for (i = 7; $i != "-"; i++); print $(i + 1), $5 }' /proc/self/mountinfo | while read -r kind place; do
  case "$kind" in
    proc|sysfs|cgroup|cgroup2|devpts|mqueue|devtmpfs) ;;
    *) mount -o remount,bind,ro "$place" ;;
  esac
done
if touch /.evalstats-grading 2>/dev/null; then echo "the disk can be written to" >&2; exit 1; fi"""


class Way(Enum):
    """Who starts which sandbox."""

    ROOT_BUBBLEWRAP = "bubblewrap, by root"
    USER_BUBBLEWRAP = "bubblewrap, by a user"
    ROOT_LANDLOCK = "Landlock, by root"

    @property
    def mode(self) -> Mode:
        return Mode.LANDLOCK if self is Way.ROOT_LANDLOCK else Mode.BUBBLEWRAP

    @property
    def missing(self) -> str:
        """Why it cannot be tried here, or nothing."""
        needs_root = self is not Way.USER_BUBBLEWRAP and os.geteuid() != 0
        return "only root can start a sandbox as root; run the tests as root for these" if needs_root else ""


def run(
    way: Way, names: Iterable[str], grader: str = "real", timeout: float = 500.0, secret: str = "CANARY00e7e7e7"
) -> list[dict[str, Any]]:
    """Grade the submissions of these names one after the other in one process; what came of each."""
    root = os.geteuid() == 0
    request = {"mode": way.mode.value, "names": list(names), "grader": grader, "private": root}
    command = [sys.executable, "-m", "tests.grading.grading_process"]
    if root:
        own = ["--mount"]
        if grader != "real":  # attacks that are to win reach no process of the machine, and no listener of other tests
            own += ["--net", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc"]
        command = ["unshare", *own, "--propagation", "private", *_in_own_mounts(command, way)]
    environment = os.environ | {"GRADING_TOKEN": secret, "PYTHONDONTWRITEBYTECODE": "1", "HOME": "/tmp"}
    done = subprocess.run(
        command,
        input=json.dumps(request),
        capture_output=True,
        text=True,
        errors="replace",
        cwd=ROOT,
        env=environment,
        timeout=timeout,
        check=False,
    )
    lines = done.stdout.splitlines()
    foreign = [line for line in lines if not line.startswith('{"name": ')]
    if done.returncode or foreign or "attackmark" in done.stderr:
        raise AssertionError(f"code {done.returncode}, output {foreign[:5]}, complaints {done.stderr[-3000:]}")
    return [json.loads(line) for line in lines]


def _in_own_mounts(command: Sequence[str], way: Way) -> list[str]:
    """The command after a script that lays out the mounts, for `unshare`."""
    needed = _outermost([ROOT, Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()])
    lines = [READ_ONLY, f"mount -t tmpfs -o mode=755 tmpfs {STAGE}"]
    lines += [f"mkdir -p {STAGE}/upper {STAGE}/work {STAGE}/kept"]
    for number, path in enumerate(needed):
        places = f"lowerdir={path},upperdir={STAGE}/upper/{number},workdir={STAGE}/work/{number}"
        lines += [
            f"mkdir -p {STAGE}/upper/{number} {STAGE}/work/{number} {STAGE}/kept/{number}",
            f"chmod --reference={path} {STAGE}/upper/{number}",
            f"mount -t overlay -o {places} overlay {STAGE}/kept/{number}",
        ]
    # without bubblewrap, a sandbox's own account must find the interpreter by the usual way
    closed = _closed(needed) if way is not Way.ROOT_BUBBLEWRAP else []
    lines += [f"mount -t tmpfs -o mode=755 tmpfs {folder}" for folder in closed]
    lines += [f"mount -t tmpfs -o mode=1777 tmpfs {folder}" for folder in ("/tmp", "/var/tmp", "/dev/shm")]
    lines += [f"mkdir -p {path} && mount --bind {STAGE}/kept/{n} {path}" for n, path in enumerate(needed)]
    lines.append(f"cd {ROOT}")
    identity = (
        ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--"] if way is Way.USER_BUBBLEWRAP else []
    )
    script = "\n".join(["set -e", *lines, '"$@"', "exit 0"])
    return ["sh", "-c", script, "sh", *identity, *command]


def _outermost(paths: Sequence[Path]) -> list[Path]:
    """Those that lie in none of the others; the system's own folders stay as they are."""
    own = [path for path in dict.fromkeys(paths) if path != Path("/usr")]
    return [path for path in own if not any(path != other and path.is_relative_to(other) for other in own)]


def _closed(paths: Sequence[Path]) -> list[Path]:
    """The outermost folders above the paths that another user may not enter."""
    above = {folder for path in paths for folder in path.parents if not folder.stat().st_mode & 0o001}
    return [folder for folder in sorted(above) if not any(other in folder.parents for other in above)]
