"""Messages to a process that is not trusted: JSON behind its length in four bytes, with ids and deadlines."""

from __future__ import annotations

import json
import os
import secrets
import select
import struct
import time
from typing import Any


class DiedError(Exception):
    """Nobody is at the other end any more."""


class LateError(Exception):
    """No reply in time."""


class MalformedError(Exception):
    """What came back is no reply: too long, no JSON, or an answer to a question that was not asked."""


class Channel:
    """Two pipes: requests go out on one, replies come in on the other, each with the id of its request."""

    def __init__(self, requests: int, replies: int, most: int) -> None:
        self.requests, self.replies, self.most = requests, replies, most
        for descriptor in (requests, replies):
            os.set_blocking(descriptor, False)

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Send a request and wait for its reply."""
        return self.receive(self.send(request, seconds), seconds=seconds)

    def send(self, request: dict[str, Any], seconds: float) -> str:
        """Send a request; the id by which its reply will be known."""
        identity = secrets.token_hex(8)
        self.send_bytes(json.dumps({"id": identity, **request}, allow_nan=False).encode(), seconds)
        return identity

    def receive(self, *identities: str, seconds: float) -> dict[str, Any]:
        """The next reply, which must be to one of these requests."""
        stop = time.monotonic() + seconds
        length = struct.unpack(">I", self._read(4, stop))[0]
        if length > self.most:
            raise MalformedError(f"a reply of more than {self.most:,} bytes")
        reply = _parsed(self._read(length, stop))
        if reply.get("id") not in identities:
            raise MalformedError("an answer to a question that was not asked")
        return reply

    def send_bytes(self, data: bytes, seconds: float) -> None:
        """Send bytes behind their length."""
        stop = time.monotonic() + seconds
        waiting = memoryview(struct.pack(">I", len(data)) + data)
        while waiting:
            _wait(self.requests, select.POLLOUT, stop)
            try:
                waiting = waiting[os.write(self.requests, waiting[: 1 << 16]) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise DiedError from None

    def _read(self, count: int, stop: float) -> bytes:
        parts = []
        while count:
            _wait(self.replies, select.POLLIN, stop)
            part = os.read(self.replies, min(count, 1 << 20))
            if not part:
                raise DiedError
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def hang_up(self) -> None:
        """Close both pipes."""
        os.close(self.requests)
        os.close(self.replies)


def _wait(descriptor: int, event: int, stop: float) -> None:
    poll = select.poll()
    poll.register(descriptor, event)
    if not poll.poll(max(0.0, stop - time.monotonic()) * 1000):
        raise LateError


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
