"""Which system calls student code may make: a list of refusals, written as a filter that the kernel runs.

A notebook's process lays the first two over itself before it hears of a student. The third, no children, is for each
worker; a notebook can keep it from being laid, and gains nothing but processes, which are limited anyway.
A refused call fails with "operation not permitted"; a call of a foreign architecture ends the process.
"""

from __future__ import annotations

import ctypes.util
import errno
import struct
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

NETWORK = "socket socketpair connect bind listen accept accept4 sendto sendmsg sendmmsg recvfrom recvmsg recvmmsg"
NAMESPACES = """
    unshare setns mount umount2 pivot_root chroot mount_setattr open_tree move_mount fsopen fsconfig fsmount fspick
"""
OTHER_PROCESSES = """
    ptrace process_vm_readv process_vm_writev process_madvise process_mrelease pidfd_getfd kcmp perf_event_open
"""
BETWEEN_PROCESSES = """
    msgget msgsnd msgrcv msgctl semget semop semtimedop semctl shmget shmat shmdt shmctl
    mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr
"""
KERNEL = """
    bpf userfaultfd io_uring_setup io_uring_enter io_uring_register keyctl add_key request_key
    open_by_handle_at name_to_handle_at init_module finit_module delete_module kexec_load kexec_file_load reboot
    swapon swapoff quotactl quotactl_fd acct syslog settimeofday clock_settime clock_adjtime adjtimex
    sethostname setdomainname ioperm iopl modify_ldt vhangup lookup_dcookie nfsservctl
    fanotify_init fanotify_mark personality seccomp memfd_create memfd_secret
"""
# What one sandbox can do to files that it only reads, and another can notice: locks, watches, marks, the disk's cache.
SHARED_FILES = """
    sysinfo utime utimes utimensat futimesat chmod fchmod fchmodat fchmodat2 chown lchown fchown fchownat
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr sync syncfs
    flock inotify_init inotify_init1 inotify_add_watch fadvise64 readahead mincore cachestat preadv2 pwritev2
"""
REFUSED = tuple(" ".join((NETWORK, NAMESPACES, OTHER_PROCESSES, BETWEEN_PROCESSES, KERNEL, SHARED_FILES)).split())

NEW_NAMESPACE_FLAGS = (0x00000080, 0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
CLONE_THREAD = 0x00010000
# What may be asked of a descriptor: is it a terminal, how much is there to read, (non-)blocking, close on exec.
IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
FCNTLS = (0, 1, 2, 3, 4, 1030)  # to copy it, its flags; nothing about locks, leases, signals or the disk
CACHE_ADVICE = (20, 21, 22, 23, 25)  # of madvise: put out of memory, bring in, collapse

MISSING = (
    "the sandbox needs libseccomp, which writes its filter of system calls. "
    "Install it: sudo apt-get install libseccomp2, and the Python package pyseccomp (extra `grading`)."
)


class SeccompMissingError(Exception):
    """The library that writes the filter is not here."""


@cache
def filters() -> tuple[bytes, bytes, bytes, bytes]:
    """Four programs for the kernel: for the sandbox, for requests to it, "no other program", "no child processes"."""
    return (
        _for_the_sandbox(),
        _only({"ioctl": IOCTLS, "fcntl": FCNTLS}),
        _refusing("execve", "execveat"),
        _no_children(),
    )


@cache  # to find it, a program is started
def _library() -> Any:
    try:
        import pyseccomp
    except (ImportError, RuntimeError, OSError):
        raise SeccompMissingError(MISSING) from None
    if ctypes.util.find_library("seccomp") is None:
        raise SeccompMissingError(MISSING)
    return pyseccomp


def _for_the_sandbox() -> bytes:
    library = _library()
    refused = library.ERRNO(errno.EPERM)
    rules = library.SyscallFilter(library.ALLOW)
    for name in REFUSED:
        _add(rules, refused, name)
    for flag in NEW_NAMESPACE_FLAGS:
        rules.add_rule(refused, "clone", library.Arg(0, library.MASKED_EQ, flag, flag))
    # its flags lie in memory, where a filter cannot look; the C library falls back on `clone`
    _add(rules, library.ERRNO(errno.ENOSYS), "clone3")
    for advice in CACHE_ADVICE:
        rules.add_rule(refused, "madvise", library.Arg(2, library.MASKED_EQ, 0xFFFFFFFF, advice))
    return _program(rules)


def _only(requests: Mapping[str, Sequence[int]]) -> bytes:
    """Of these calls, only those with one of these numbers as their second argument; libseccomp cannot say "only".

    The call's number is at offset 0 of what the kernel shows, and the lower half of the second argument at 24.
    """
    library = _library()
    load, jump_if_equal, answer = 0x20, 0x15, 0x06
    allow, refuse = 0x7FFF0000, 0x00050000 | errno.EPERM
    program = []
    for name, allowed in requests.items():
        number = library.resolve_syscall(library.Arch.NATIVE, name)
        steps = len(allowed)
        program += [(load, 0, 0, 0), (jump_if_equal, 0, steps + 3, number), (load, 0, 0, 24)]
        program += [(jump_if_equal, steps - place, 0, request) for place, request in enumerate(allowed)]
        program += [(answer, 0, 0, refuse), (answer, 0, 0, allow)]
    program.append((answer, 0, 0, allow))
    return b"".join(struct.pack("<HBBI", *step) for step in program)


def _refusing(*names: str) -> bytes:
    library = _library()
    rules = library.SyscallFilter(library.ALLOW)
    for name in names:
        _add(rules, library.ERRNO(errno.EPERM), name)
    return _program(rules)


def _no_children() -> bytes:
    library = _library()
    refused = library.ERRNO(errno.EAGAIN)
    rules = library.SyscallFilter(library.ALLOW)
    for name in ("fork", "vfork"):
        _add(rules, refused, name)
    rules.add_rule(refused, "clone", library.Arg(0, library.MASKED_EQ, CLONE_THREAD, 0))
    return _program(rules)


def _add(rules: Any, action: int, name: str) -> None:
    """Add a rule, unless the library or this architecture knows no call of that name."""
    try:
        number = _library().resolve_syscall(_library().Arch.NATIVE, name)
    except (ValueError, OSError):
        return
    if number >= 0:
        rules.add_rule(action, name)


def _program(rules: Any) -> bytes:
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()
