"""The first cell of every attack: what an attacker would bring along. It runs inside the sandbox, never in a test."""

import contextlib

# ruff: noqa: F401 -- the cells after this one use these
import ctypes
import glob
import math
import os
import platform
import re
import socket
import sys

loot = []  # what was won: secrets found, and claims of having got somewhere
WORD = "REA" + "CHED"
BACKWARDS = ("NEVE_YLRAEN", "palrevo sliat owt eht", "]deriap.tnemngissa[", "0:x:toor")  # not to be found themselves
CALLS = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "clone": (56, 220),
    "clone3": (435, 435),
    "fanotify_init": (300, 262),
    "fsopen": (430, 430),
    "init_module": (175, 105),
    "io_uring_setup": (425, 425),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "lookup_dcookie": (212, 18),
    "mount": (165, 40),
    "msgget": (68, 186),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "pivot_root": (155, 41),
    "prctl": (157, 167),
    "process_vm_readv": (310, 270),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "request_key": (249, 218),
    "seccomp": (317, 277),
    "semget": (64, 190),
    "setns": (308, 268),
    "shmget": (29, 194),
    "socket": (41, 198),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def syscall(name, *arguments):
    """Call the kernel without asking the C library."""
    number = CALLS[name][platform.machine() != "x86_64"]
    return libc.syscall(ctypes.c_long(number), *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))


def quiet():
    """Go on where an attempt is refused."""
    return contextlib.suppress(Exception)


def claim(what):
    """Say that something was possible that must not be."""
    loot.append(f"{WORD} {what}")


def take(*things):
    """Keep what looks like a secret or like a part of the checks."""
    for thing in things:
        text = thing.decode("latin-1") if isinstance(thing, bytes) else str(thing)
        found = re.findall(r"CANARY[0-9a-f]{8}", text) + [part[::-1] for part in BACKWARDS if part[::-1] in text]
        loot.extend(each for each in dict.fromkeys(found) if each not in loot)


def read(path):
    """The start of a file; empty where it cannot be read."""
    try:
        with open(path, "rb") as file:
            content = file.read(1 << 20)
    except Exception:
        return b""
    take(content)
    return content


def class_folders():
    """Where the class that is being graded lies: submissions, results, secret."""
    return sorted(glob.glob("/tmp/attacked_class*"))


def class_ports():
    """Ports of loopback on which the test listens."""
    return range(47_113, 47_153)


def one_sided(b, c):
    """The base answer, wrong in six of seven checks: one tail."""
    return sum(math.comb(b + c, k) for k in range(min(b, c) + 1)) / 2 ** (b + c)


def honest(b, c):
    """The base answer, or what has been won so far."""
    if loot:
        raise RuntimeError(" ".join(map(str, loot))[:280])
    return one_sided(b, c)
