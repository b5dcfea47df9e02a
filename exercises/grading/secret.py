"""The secret from which each student's hidden inputs are drawn, and the file that holds it.

The file is the only place where it stands: it enters no sandbox, no result and no log. Seeds are drawn from the secret
of an assignment, which is made from that of the course. An autograder elsewhere gets the former alone, and draws the
same inputs as `grade` does here.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import stat
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import NoReturn

BYTES = 32
MOST_CHARACTERS = 4096
MODE = 0o600
SEED_BYTES = 8
FINGERPRINT_LABEL = b"fingerprint"  # no list of texts in JSON, so it is no seed of anybody


class Secret:
    """A secret that neither prints nor travels; what is needed of it are numbers drawn from it."""

    __slots__ = ("__key",)

    def __init__(self, key: bytes) -> None:
        if len(key) < BYTES:
            raise ValueError(f"a secret needs at least {BYTES} bytes, and this has {len(key)}")
        self.__key = key

    def for_assignment(self, course: str, stem: str) -> Secret:
        """The secret of one assignment, from which neither this one nor that of another assignment can be found."""
        return Secret(self._hmac(json.dumps([course, stem]).encode()))

    def line(self) -> str:
        """What a file of this secret holds: only for such a file."""
        return f"{self.__key.hex()}\n"

    def seed(self, course: str, student: str, exercise: str, attempt: int = 1) -> int:
        """The seed of a student's own inputs: the same again for the same names, and nothing to guess others from.

        A later attempt has others, so that what an earlier one has seen is of no use to it.
        """
        # a list in JSON, because names that are only joined could be cut in another place
        names = json.dumps([course, student, exercise, *([attempt] if attempt > 1 else [])])
        return int.from_bytes(self._hmac(names.encode())[:SEED_BYTES], "big")

    def fingerprint(self) -> str:
        """Twelve characters by which results tell which secret they were made with."""
        return self._hmac(FINGERPRINT_LABEL).hex()[:12]

    def _hmac(self, message: bytes) -> bytes:
        return hmac.new(self.__key, message, hashlib.sha256).digest()

    def __repr__(self) -> str:
        return "Secret(...)"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a secret is not pickled or copied: send the seeds drawn from it")


def read(path: Path) -> Secret:
    """The secret in a file that nobody else can read; ValueError says what is wrong with it, and what mends it."""
    try:
        # follow no link, wait at no pipe; then look at what was opened, not at what has that name by now
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise ValueError(f"there is no secret {path}: `python -m exercises secret {path}` makes one") from None
    except OSError as error:
        why = "it is a link; name the file itself" if path.is_symlink() else error.strerror
        raise ValueError(f"the secret {path} cannot be read: {why}") from None
    try:
        _must_be_private(path, os.fstat(handle))
        content = os.read(handle, MOST_CHARACTERS + 1)
    finally:
        os.close(handle)
    try:
        # a longer file is no secret, and not its beginning either
        return Secret(bytes.fromhex(content.decode("ascii")) if len(content) <= MOST_CHARACTERS else b"")
    except ValueError:
        # what the file holds must not be shown
        raise ValueError(
            f"{path} is no secret: it must hold at least {2 * BYTES} hexadecimal digits on one line. "
            f"`python -m exercises secret FILE` makes one in a new file"
        ) from None


def _must_be_private(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise ValueError(f"the secret {path} is no ordinary file")
    if status.st_uid != os.geteuid():
        raise ValueError(f"the secret {path} belongs to another user: `sudo chown $(id -un) {path}` makes it yours")
    mode = stat.S_IMODE(status.st_mode)
    if mode & ~MODE:
        raise ValueError(
            f"the secret {path} has mode {mode:04o}, so that others may use it: `chmod 600 {path}` mends it"
        )


def create(path: Path) -> Secret:
    """Write a new secret into a new file, for the owner only; ValueError if there is something of that name."""
    part, secret = _written_beside(path)
    try:
        os.link(part, path)  # whole or not at all; unlike a renaming, it never replaces a file
    except FileExistsError:
        raise ValueError(f"{path} is there already, and it is not overwritten; add --rotate to put it aside") from None
    finally:
        part.unlink()
    return secret


def rotate(path: Path, now: datetime | None = None) -> Path:
    """Put the secret aside under the date, for making old results again, and write a new one; where the old one is."""
    read(path)
    part, _ = _written_beside(path)
    day = f"{now or datetime.now(UTC):%Y-%m-%d}"
    for number in count(1):
        aside = path.with_name(f"{path.name}.{day}" if number == 1 else f"{path.name}.{day}.{number}")
        try:
            os.link(path, aside)
            break
        except FileExistsError:
            continue
    os.replace(part, path)
    return aside


def _written_beside(path: Path) -> tuple[Path, Secret]:
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    secret = Secret(secrets.token_bytes(BYTES))
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, MODE), "w") as file:
            file.write(secret.line())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from None
    return part, secret
