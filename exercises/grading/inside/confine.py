"""Give up rights: another account, limits, Landlock, and filters of system calls. None of it can be taken back.

The order matters: each step still needs what the next one takes away.
"""

from __future__ import annotations

import ctypes
import os
import resource
from typing import Any

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
PR_SET_CHILD_SUBREAPER = 36
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
SECCOMP_MODE_FILTER = 2
CAPABILITIES_VERSION = 0x20080522
CLONE_NEWPID = 0x20000000
SIGKILL = 9

# the same numbers on every architecture
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
LANDLOCK_ASK_VERSION = 1
RULE_PATH_BENEATH = 1
EXECUTE, WRITE_FILE, READ_FILE, READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
FILE_RIGHTS = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF, 5: 0xFFFF}  # version: everything it can forbid
NET_RIGHTS = 0b11  # bind and connect, from version 4 on
SCOPES = 0b11  # abstract sockets and signals, from version 6 on

libc = ctypes.CDLL(None, use_errno=True)


class Filter(ctypes.Structure):
    """A program for `prctl`: `struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


class Ruleset(ctypes.Structure):
    """What a set of Landlock rules forbids: `struct landlock_ruleset_attr`."""

    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class PathBeneath(ctypes.Structure):
    """One exception: `struct landlock_path_beneath_attr`."""

    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def confine(settings: dict[str, Any]) -> None:
    """Give up everything that the settings do not leave."""
    if settings["uid"] is not None:
        become(settings["uid"])
    drop_rights()
    die_with_parent()
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    prctl(PR_SET_DUMPABLE, 0)
    for name, most in settings["limits"].items():
        resource.setrlimit(getattr(resource, name), (most, most))
    if settings["landlock"] is not None:
        allow_only(**settings["landlock"])
    for name in ("sandbox", "requests", "no_program"):
        if settings["filters"].get(name):
            refuse(bytes.fromhex(settings["filters"][name]))


def become(uid: int) -> None:
    """Be an account that owns nothing, for good."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    if os.getresuid() != (uid, uid, uid) or os.getresgid() != (uid, uid, uid) or os.getgroups():
        raise OSError("the account could not be changed")


def drop_rights() -> None:
    """Give up every right that root, or the owner of a namespace, has."""
    header = (ctypes.c_uint32 * 2)(CAPABILITIES_VERSION, 0)
    nothing = (ctypes.c_uint32 * 6)()
    checked(libc.capset(header, nothing))
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)


def own_processes() -> None:
    """From here on, children see no process but their own."""
    checked(libc.unshare(CLONE_NEWPID))


def die_with_parent() -> None:
    """End when the process that started this one does."""
    prctl(PR_SET_PDEATHSIG, SIGKILL)


def adopt_orphans() -> None:
    """From here on, processes below this one whose parent has ended become its children."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def prctl(option: int, *values: Any) -> None:
    """Tell the kernel something about this process."""
    padded = [ctypes.c_ulong(value) if isinstance(value, int) else value for value in values]
    padded += [ctypes.c_ulong(0)] * (4 - len(padded))
    checked(libc.prctl(ctypes.c_int(option), *padded))


def refuse(program: bytes) -> None:
    """Lay a filter over the system calls of this process and of all that it starts."""
    laid = Filter(len(program) // 8, program)
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(laid))


def allow_only(read: list[str], listed: list[str]) -> None:
    """Landlock: below `read` everything may be read, the folders `listed` may be listed, and nothing else opened."""
    version = min(landlock_version(), 7)
    rules = Ruleset(FILE_RIGHTS.get(version, FILE_RIGHTS[5]), NET_RIGHTS * (version >= 4), SCOPES * (version >= 6))
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = checked(libc.syscall(LANDLOCK_CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), 0))
    for path in read:
        rights = READ_FILE | EXECUTE | (READ_FOLDER if os.path.isdir(path) else 0)
        allow(ruleset, path, rights)
    for path in listed:
        allow(ruleset, path, READ_FOLDER)
    allow(ruleset, os.devnull, READ_FILE | WRITE_FILE)
    checked(libc.syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def allow(ruleset: int, path: str, rights: int) -> None:
    """One exception from what the ruleset forbids."""
    folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    rule = PathBeneath(rights, folder)
    checked(libc.syscall(LANDLOCK_ADD_RULE, ruleset, RULE_PATH_BENEATH, ctypes.byref(rule), 0))
    os.close(folder)


def landlock_version() -> int:
    """The version of Landlock here, 0 where there is none."""
    return max(0, int(libc.syscall(LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), LANDLOCK_ASK_VERSION)))


def checked(answer: int) -> int:
    """The answer of the kernel, unless it refused."""
    if answer < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return answer
