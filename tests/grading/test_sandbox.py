"""What is in a sandbox, what it refuses, what it limits, and that nothing is left of it.

The attack corpus asks what student code can gain; here each wall is looked at by itself. `within` runs a cell and
returns what it found, which travels as the text of an error.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyseccomp
import pytest

from exercises.grading import accounts, cgroup, sandbox, seccomp
from exercises.grading.channel import DiedError, LateError, MalformedError
from exercises.grading.records import Limits, Mode
from exercises.grading.sandbox import Box, NoSandboxError, StartError, end_nurseries, start

LIMITS = Limits(memory_bytes=512 * 1024**2)
PATIENCE = 10.0


@pytest.fixture
def box() -> Iterator[Box]:
    box = start(Mode.BUBBLEWRAP, LIMITS, ("scipy",))
    yield box
    box.close()


def run(box: Box, code: str, seconds: float = PATIENCE) -> list[str]:
    reply = box.ask({"do": "cell", "label": "cell", "code": code, "seconds": seconds}, seconds + 5)
    problems: list[str] = reply["problems"]
    return problems


def within(box: Box, code: str) -> Any:
    """What the last expression of `code`, called `found`, is in the sandbox."""
    said = run(box, f"{code}\nimport json\nraise RuntimeError(json.dumps(found))")
    assert len(said) == 1, said
    return json.loads(said[0].partition("RuntimeError: ")[2])


# ---- what is there ---------------------------------------------------------------------------------------------------


def test_only_libraries_and_packages_can_be_seen(box: Box) -> None:
    assert within(box, "import os; found = os.listdir('/dev')") == ["null"]
    parts = [Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()]  # what is shown lies here
    above = {str(folder) for path in parts for folder in path.parents}
    for absent in {
        "/tmp",
        "/etc",
        "/proc",
        "/sys",
        "/home",
        "/var",
        "/run",
        "/bin/sh",
        "/usr/bin",
        str(Path(__file__)),
    } - above:
        assert within(box, f"import os; found = os.path.lexists({absent!r})") is False, absent


def test_system_libraries_can_be_read_by_its_account(box: Box) -> None:
    """Modules of a Python that the system brings, and shared libraries, are also loaded once rights are gone."""
    assert within(box, "import os; found = [os.access(path, os.R_OK) for path in ('/usr', '/usr/lib')]") == [True, True]


def test_no_file_of_the_grader_lies_in_it(box: Box) -> None:
    found = within(
        box,
        "import os\n"
        "found = [f'{folder}/{name}' for folder, _, names in os.walk('/') for name in names"
        " if name in ('check.py', 'values.py', 'worker.py', 'confine.py', 'course.toml', 'grading.secret')"
        " and ('exercises' in folder or 'grading' in folder)]",
    )
    assert found == []


def test_only_allowed_packages_can_be_imported(box: Box) -> None:
    importable = "import importlib.util\nfound = [name for name in {} if importlib.util.find_spec(name)]"
    names = ["numpy", "scipy", "pandas", "evalstats", "statsmodels", "pytest", "pip", "matplotlib"]
    assert within(box, importable.format(names)) == ["numpy", "scipy"]
    with_paths = f"import sys; sys.path += {[*map(str, _site_folders())]!r}\n" + importable.format(names)
    assert within(box, with_paths) == ["numpy", "scipy"]


def _site_folders() -> list[Path]:
    library = sandbox.Python.here().library
    return [Path(pytest.__file__).parents[1], library / "site-packages", Path("/usr/lib/python3/dist-packages")]


def test_a_package_that_is_not_allowed_is_not_there() -> None:
    box = start(Mode.BUBBLEWRAP, LIMITS, ())
    try:
        assert within(box, "import importlib.util; found = importlib.util.find_spec('scipy') is None") is True
    finally:
        box.close()


def test_importing_exercises_gives_a_stand_in(box: Box) -> None:
    code = (
        "import exercises\nfound = [exercises.check('paired/mid_p', 3), exercises.hint('a'), exercises.solution('a')]"
    )
    assert within(box, code) == [None, None, None]
    assert "ModuleNotFoundError" in run(box, "import exercises.paired.mid_p.check")[0]


def test_nothing_of_the_environment_gets_in(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    assert within(box, "import os; found = sorted(os.environ)") == sorted([*sandbox.ENVIRONMENT, "PWD"])
    assert within(box, "import socket; found = socket.gethostname()") == "sandbox"


def test_nothing_can_be_written(box: Box) -> None:
    code = """
import os
tried, found = 0, []
for folder, _, _ in os.walk('/'):
    tried += 1
    try:
        open(f'{folder}/x', 'w')
        found.append(folder)
    except OSError:
        pass
"""
    assert within(box, code) == []
    assert within(box, "found = tried > 100") is True
    write = "import os\nread, write = os.pipe()\nos.write(write, b'0')\nopen('/dev/null', 'w').write('0')"
    assert run(box, write) == []


# ---- rights ----------------------------------------------------------------------------------------------------------


def test_it_runs_without_rights_under_an_account_of_its_own(box: Box) -> None:
    ids = within(box, "import os; found = [*os.getresuid(), *os.getresgid(), *os.getgroups()]")
    assert len(set(ids)) == 1
    assert ids[0] not in (0, os.getuid())
    prctl = "import ctypes; prctl = ctypes.CDLL(None).prctl\n"
    assert within(box, prctl + "found = [prctl(39, 0, 0, 0, 0), prctl(3, 0, 0, 0, 0)]") == [
        1,
        0,
    ]  # no new rights, no dump
    assert "Operation not permitted" in run(box, "import os; x = os.setuid(0)")[0] or os.geteuid() != 0


def test_each_refused_call_is_refused(box: Box) -> None:
    """As the kernel says it, called by number: -1 for every argument, so that none could do anything."""
    numbers = {}
    for name in seccomp.REFUSED:
        number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
        if number >= 0:
            numbers[name] = number
    assert len(numbers) > 0.9 * len(seccomp.REFUSED)
    code = f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
found = {{}}
for name, number in {numbers!r}.items():
    answer = libc.syscall(number, *[ctypes.c_long(-1)] * 6)
    found[name] = [answer, ctypes.get_errno()]
"""
    run(box, code)
    for some in range(0, len(numbers), 5):  # the text of an error is short
        part = within(box, f"found = dict(list(found.items())[{some}:{some + 5}])\nkept = found")
        assert set(map(tuple, part.values())) == {(-1, 1)}, part
        run(box, code)


def test_what_another_sandbox_could_notice_of_a_shared_file_is_refused(box: Box) -> None:
    code = """
import ctypes, errno, fcntl, math, os
libc = ctypes.CDLL(None, use_errno=True)
file = os.open(math.__file__ if hasattr(math, '__file__') else os.__file__, os.O_RDONLY)
def tried(call, *arguments):
    ctypes.set_errno(0)
    return [call(*arguments), ctypes.get_errno()]
room = ctypes.create_string_buffer(64)
found = [tried(libc.fcntl, file, command, room) for command in (5, 6, 7, 8, 10, 36, 1024, 1026, 1036, 2**31)]
found += [tried(libc.ioctl, file, ctypes.c_ulong(request), room) for request in (0x5412, 0x541C, 0x6611, 0xC020660B, 1)]
found += [tried(libc.flock, file, 2)]
found = [pair for pair in found if pair != [-1, errno.EPERM]]
found += [tried(libc.fcntl, file, fcntl.F_GETFD, 0), tried(libc.ioctl, file, 0x5401, room)]
found += [os.isatty(file), os.get_blocking(file), os.get_inheritable(os.dup(file))]
"""
    # not one of the refused got through, and others do: close on exec, no terminal, ...
    assert within(box, code) == [[1, 0], [-1, errno.ENOTTY], False, True, False]
    page = """
import ctypes, mmap
libc = ctypes.CDLL(None, use_errno=True)
page = mmap.mmap(-1, mmap.PAGESIZE)
place = ctypes.addressof(ctypes.c_char.from_buffer(page))
found = []
for advice in (0, 20, 21, 22, 23, 25):
    ctypes.set_errno(0)
    found.append([libc.madvise(ctypes.c_void_p(place), ctypes.c_size_t(mmap.PAGESIZE), advice), ctypes.get_errno()])
"""
    assert within(box, page) == [[0, 0], *[[-1, 1]] * 5]


def test_calls_that_are_not_refused_work(box: Box) -> None:
    getpid = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, "getpid")
    assert within(box, f"import ctypes, os; found = ctypes.CDLL(None).syscall({getpid}) == os.getpid()") is True


def test_no_other_program_can_be_started(box: Box) -> None:
    program = str(sandbox.Python.here().program)
    assert "Operation not permitted" in run(box, f"import os; x = os.execv({program!r}, ['python', '-c', 'pass'])")[0]


def test_new_namespaces_are_refused_by_every_flag(box: Box) -> None:
    clone = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, "clone")
    code = f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
found = []
for flag in {seccomp.NEW_NAMESPACE_FLAGS!r}:
    found.append([libc.syscall({clone}, flag | 17, 0, 0, 0, 0), ctypes.get_errno()])
"""
    assert within(box, code) == [[-1, 1]] * len(seccomp.NEW_NAMESPACE_FLAGS)


# ---- limits ----------------------------------------------------------------------------------------------------------


def test_memory_has_an_end(box: Box) -> None:
    assert "MemoryError" in run(box, "x = bytearray(600 * 1024**2)")[0]


def test_the_memory_of_all_processes_has_an_end_where_groups_can_be_made() -> None:
    group = cgroup.Group.create(LIMITS)
    if group is None:
        pytest.skip("no control group can be made on this machine: memory is limited for each process alone")
    group.remove()
    box = start(Mode.BUBBLEWRAP, LIMITS, ())
    try:
        code = """
import os, time
children = []
for _ in range(3):
    child = os.fork()
    if child == 0:
        x = bytearray(b'1') * (300 * 1024**2)
        time.sleep(3)
        os._exit(0)
    children.append(child)
found = [os.waitpid(child, 0)[1] for child in children]
"""
        try:
            ends = within(box, code)
        except (DiedError, LateError):
            return  # the notebook's own process was chosen to end
        assert any(ends), "three times 300 MB fitted into 512 MB"
    finally:
        box.close()


def test_processes_and_threads_have_an_end(box: Box) -> None:
    code = """
import os, time
children = []
try:
    for _ in range(50):
        child = os.fork()
        if child == 0:
            time.sleep(30)
            os._exit(0)
        children.append(child)
except OSError:
    pass
found = len(children)
for child in children:
    os.kill(child, 9)
    os.waitpid(child, 0)
"""
    assert 0 < within(box, code) < LIMITS.processes


def test_a_worker_has_no_children_but_may_have_threads(box: Box) -> None:
    run(box, "import os, threading\ndef fork():\n    return os.fork()\n")
    run(box, "def thread():\n    t = threading.Thread(target=len, args=('',))\n    t.start(); t.join()\n    return 7\n")
    assert "temporarily unavailable" in _call(box, "fork")["crashed"]
    assert _call(box, "thread")["value"] == 7


def _call(box: Box, function: str, *arguments: object) -> dict[str, Any]:
    work = box.send({"do": "work", "function": function, "seconds": 2.0}, PATIENCE)
    assert box.receive(work, seconds=PATIENCE)["ready"] is True
    reply = box.ask({"do": "call", "arguments": list(arguments)}, PATIENCE)
    box.send({"do": "end"}, PATIENCE)
    assert box.receive(work, seconds=PATIENCE)["ended"] is True
    return reply


# ---- what comes out --------------------------------------------------------------------------------------------------

WRITE = """
import os, struct, sys
def frame(data, length=None):
    return struct.pack('>I', len(data) if length is None else length) + data
place = sys._getframe()
while 'pipe' not in place.f_locals:
    place = place.f_back
pipe = place.f_locals['pipe']
"""


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ('frame(b\'{"id": "0", "problems": []}\')', "not asked"),
        ("frame(b'[]')", "no JSON object"),
        ("frame(b'[' * 200_000)", "no JSON"),
        ("frame(b'{\"id\": NaN}')", "no JSON"),
        ("frame(b'{\"id\": ' + b'1' * 5000 + b'}')", "no JSON"),
        ("frame(b'\\xff')", "no JSON"),
        ("frame(b'', 2**31)", "more than"),
        ("frame(b'')", "no JSON"),
    ],
)
def test_what_a_notebook_writes_by_itself_is_no_reply(written: str, why: str) -> None:
    box = start(Mode.BUBBLEWRAP, LIMITS, ())
    try:
        with pytest.raises(MalformedError, match=why):
            run(box, f"{WRITE}\nos.write(pipe.replies, {written})")
    finally:
        box.close()


def test_half_a_reply_is_waited_for_no_longer_than_asked() -> None:
    box = start(Mode.BUBBLEWRAP, LIMITS, ())
    try:
        begun = time.monotonic()
        code = f"{WRITE}\nos.write(pipe.replies, frame(b'{{', 100))\nwhile True: pass"
        with pytest.raises(LateError):
            box.ask({"do": "cell", "label": "cell", "code": code, "seconds": 60}, 1.0)
        assert time.monotonic() - begun < 10
    finally:
        box.close()


def test_a_sandbox_that_does_not_read_is_not_waited_for() -> None:
    box = start(Mode.BUBBLEWRAP, LIMITS, ())
    try:
        box.send({"do": "cell", "label": "cell", "code": "import time; time.sleep(60)", "seconds": 60}, 1.0)
        with pytest.raises(LateError):
            box.send({"do": "cell", "label": "cell", "code": "x" * 2_000_000, "seconds": 60}, 1.0)
    finally:
        box.close()


# ---- beginning and end -----------------------------------------------------------------------------------------------


def test_no_process_is_left_of_a_notebook_and_none_at_all_in_the_end() -> None:
    end_nurseries()
    before = _descendants(os.getpid())
    start(Mode.BUBBLEWRAP, LIMITS, ()).close()
    waiting = _descendants(os.getpid()) - before
    assert len(waiting) == 3  # bubblewrap's two and the nursery
    box = start(Mode.BUBBLEWRAP, LIMITS, ())
    code = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
"""
    run(box, code)
    inside = _descendants(os.getpid()) - before - waiting
    assert len(inside) >= 3
    box.close()
    _await_end(inside)
    assert _descendants(os.getpid()) - before == waiting
    end_nurseries()
    _await_end(waiting)


def test_a_notebook_that_does_not_end_by_itself_is_ended() -> None:
    before = _descendants(os.getpid())
    box = start(Mode.BUBBLEWRAP, LIMITS, ())
    inside = _descendants(os.getpid()) - before - sandbox.at_rest()[0]
    stubborn = "import signal\nfor number in (2, 14, 15):\n    signal.signal(number, signal.SIG_IGN)\nwhile True: pass"
    with pytest.raises(LateError):
        box.ask({"do": "cell", "label": "cell", "code": stubborn, "seconds": 60}, 0.5)
    box.close()
    _await_end(inside)


def _await_end(processes: set[int]) -> None:
    stop = time.monotonic() + PATIENCE
    while (left := processes & _living()) and time.monotonic() < stop:
        time.sleep(0.01)
    assert not left


def _living() -> set[int]:
    return {int(name) for name in os.listdir("/proc") if name.isdigit()}


def _descendants(process: int) -> set[int]:
    parents = {}
    for one in _living():
        try:
            parents[one] = int(Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = {process}
    while more := {one for one, parent in parents.items() if parent in found and one not in found}:
        found |= more
    return found - {process}


def test_two_sandboxes_have_two_accounts() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can change accounts; an ordinary user's sandboxes are apart by their namespaces")
    first, second = start(Mode.BUBBLEWRAP, LIMITS, ()), start(Mode.BUBBLEWRAP, LIMITS, ("scipy",), ("scipy.stats",))
    try:
        code = "import os; found = os.getuid()"
        assert within(first, code) != within(second, code)
    finally:
        first.close()
        second.close()


def test_where_there_is_no_bubblewrap_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(NoSandboxError, match="apt-get install bubblewrap") as refused:
        sandbox.probe()
    assert "--trusted" in str(refused.value)


def test_a_sandbox_that_does_not_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    end_nurseries()
    monkeypatch.setattr(sandbox, "_namespaces", lambda uid: ["--no-such-option"])
    with pytest.raises(StartError, match="no-such-option"):
        start(Mode.BUBBLEWRAP, LIMITS, ())


def test_a_package_that_is_not_installed_is_named() -> None:
    with pytest.raises(ValueError, match="no_such_package"):
        start(Mode.BUBBLEWRAP, LIMITS, ("no_such_package",))


# ---- one nursery, many notebooks -------------------------------------------------------------------------------------


def test_notebooks_of_one_nursery_know_nothing_of_each_other() -> None:
    box = start(Mode.BUBBLEWRAP, LIMITS, ())
    leave = """
import builtins, sys, os, json, random, numpy
builtins.left = json.left = numpy.left = sys.left = 'a trace'
sys.path.append('a trace')
os.environ['left'] = 'a trace'
sys.modules['left'] = sys
random.seed(7)
"""
    run(box, leave)
    first = box.nursery
    box.close()
    box = start(Mode.BUBBLEWRAP, LIMITS, ())
    try:
        assert box.nursery is first
        look = """
import builtins, sys, os, json, random, numpy
found = [hasattr(each, 'left') for each in (builtins, json, numpy, sys)]
found += ['a trace' in sys.path, 'left' in os.environ, 'left' in sys.modules]
"""
        assert set(within(box, look)) == {False}
    finally:
        box.close()


def test_a_notebook_sees_no_process_but_its_own_and_no_other_pipe(box: Box) -> None:
    assert within(box, "import os; found = [os.getpid(), os.getppid(), os.getpgrp(), os.getsid(0)]") == [1, 0, 1, 1]
    code = """
import os
found = []
for number in range(4096):
    try:
        os.fstat(number)
        found.append(number)
    except OSError:
        pass
found = len(found)
"""
    assert within(box, code) == 5  # nothing three times, requests, replies
    assert "No such process" in run(box, "import os; x = os.kill(2, 9)")[0]
    assert run(box, "import os; x = os.kill(-1, 9)") in (
        [],
        ["cell, line 1: ProcessLookupError: [Errno 3] No such process"],
    )


def test_a_notebook_has_no_rights_in_its_namespaces(box: Box) -> None:
    code = """
import ctypes
header, rights = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
assert ctypes.CDLL(None).capget(header, rights) == 0
found = list(rights)
"""
    assert within(box, code) == [0] * 6


def test_numbers_without_a_seed_are_the_same_at_every_run() -> None:
    found = []
    for _ in range(2):
        box = start(Mode.BUBBLEWRAP, LIMITS, ())
        run(box, "import random, numpy\ndef draw():\n    return [random.random(), numpy.random.random()]")
        found.append([_call(box, "draw")["value"], within(box, "found = [random.random(), numpy.random.random()]")])
        box.close()
    assert found[0] == found[1]


def test_what_is_worth_loading_is_there_before_the_notebook() -> None:
    box = start(Mode.BUBBLEWRAP, LIMITS, ("scipy",), ("scipy.stats",))
    try:
        assert within(box, "import sys; found = 'scipy.stats' in sys.modules") is True
    finally:
        box.close()


def test_a_used_up_or_killed_nursery_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    end_nurseries()
    monkeypatch.setattr(sandbox, "PLACES", 2)
    boxes = []
    for turn in range(5):
        box = start(Mode.BUBBLEWRAP, LIMITS, ())
        assert run(box, "x = 1") == []
        boxes.append(box.nursery)
        box.close()
        if turn == 3:
            os.killpg(box.nursery.process.pid, 9)
    assert boxes[0] is boxes[1]
    assert len(set(map(id, boxes))) == 3
    end_nurseries()


def test_what_a_notebook_leaves_is_collected_and_does_not_end_it() -> None:
    """Without a namespace of processes, the watcher adopts orphans. This code is harmless, so nothing holds it."""
    box = start(Mode.TRUSTED, LIMITS, ())
    orphan = """
import os, time
if os.fork() == 0:
    if os.fork() == 0:
        time.sleep(0.1)
    os._exit(0)
time.sleep(0.3)
"""
    try:
        for _ in range(3):
            assert run(box, orphan) == []
        zombies = [one for one in _descendants(os.getpid()) if _state(one) == "Z"]
        assert len(zombies) <= 3  # those that the notebook itself has not collected
        assert run(box, "x = 1") == []
    finally:
        box.close()


def _state(process: int) -> str:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


def test_threads_have_nurseries_of_their_own() -> None:
    def work(number: int) -> list[str]:
        box = start(Mode.BUBBLEWRAP, LIMITS, ())
        try:
            return run(box, f"import time\ntime.sleep(0.2)\nx = {number}")
        finally:
            box.close()

    with ThreadPoolExecutor(3) as threads:
        assert list(threads.map(work, range(9))) == [[]] * 9


def test_a_start_that_is_broken_off_leaves_a_nursery_that_can_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    start(Mode.BUBBLEWRAP, LIMITS, ()).close()
    asked = Box.ask

    def interrupted(*arguments: Any, **more: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(Box, "ask", interrupted)
    with pytest.raises(KeyboardInterrupt):
        start(Mode.BUBBLEWRAP, LIMITS, ())
    monkeypatch.setattr(Box, "ask", asked)
    box = start(Mode.BUBBLEWRAP, LIMITS, ())
    assert run(box, "x = 1") == []
    box.close()


def test_a_nursery_has_one_notebook_at_a_time() -> None:
    box = start(Mode.BUBBLEWRAP, LIMITS, ())
    with pytest.raises(RuntimeError, match="one notebook"):
        start(Mode.BUBBLEWRAP, LIMITS, ())
    box.close()


# ---- accounts and groups ---------------------------------------------------------------------------------------------


def test_an_account_is_given_once_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(accounts, "FIRST", accounts.FIRST + accounts.COUNT)  # where no grader looks
    monkeypatch.setattr(accounts, "COUNT", 2)
    with accounts.account() as first, accounts.account() as second:
        assert first != second
        with pytest.raises(OSError, match="2 sandboxes"), accounts.account():
            pass
    with accounts.account() as again:
        assert again == first


def test_what_a_killed_grader_left_is_swept() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can change accounts")
    uid = accounts.FIRST + accounts.COUNT - 1
    child = os.fork()
    if child == 0:
        os.setuid(uid)
        time.sleep(600)
        os._exit(0)
    stop = time.monotonic() + PATIENCE
    while child not in accounts.processes_of(uid) and time.monotonic() < stop:
        time.sleep(0.01)
    accounts.sweep(uid)
    assert os.waitpid(child, 0)[1] == 9
    assert accounts.processes_of(uid) == []


def test_groups_of_version_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a made-up tree of files, because a machine has one version or the other."""
    (tmp_path / "cgroup.controllers").write_text("cpu memory pids")
    (tmp_path / "cgroup.subtree_control").write_text("memory pids")
    monkeypatch.setattr(cgroup, "ROOT", tmp_path)
    monkeypatch.setattr(cgroup, "_own_groups", lambda: {"": "/"})
    cgroup._parents.cache_clear()
    try:
        assert cgroup._parents() == (tmp_path,)
        (tmp_path / "cgroup.subtree_control").write_text("cpu")
        cgroup._parents.cache_clear()
        assert cgroup._parents() == ()
        assert cgroup.Group.create(LIMITS) is None
    finally:
        cgroup._parents.cache_clear()


def test_a_group_has_the_limits_and_goes_away() -> None:
    group = cgroup.Group.create(LIMITS)
    if group is None:
        pytest.skip("no control group can be made on this machine")
    limits = [file.read_text().strip() for folder in group.folders for file in folder.glob("pids.max")]
    assert limits == [str(LIMITS.processes + cgroup.AROUND)]
    memory = [
        file
        for folder in group.folders
        for name in ("memory.max", "memory.limit_in_bytes")
        for file in folder.glob(name)
    ]
    assert abs(int(memory[0].read_text()) - LIMITS.memory_bytes - cgroup.SPARE) < 2**16
    group.remove()
    assert not any(folder.exists() for folder in group.folders)


def test_a_process_that_waits_to_be_collected_is_not_running() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can change accounts")
    uid = accounts.FIRST + accounts.COUNT - 2
    child = os.fork()
    if child == 0:
        os.setuid(uid)
        os._exit(0)
    stop = time.monotonic() + PATIENCE
    while Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0] != "Z" and time.monotonic() < stop:
        time.sleep(0.01)
    assert accounts.processes_of(uid) == []
    os.waitpid(child, 0)
