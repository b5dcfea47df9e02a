"""Files are whole or not there; ids make safe names; a record is good for exactly what it was made of."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.grading import store
from exercises.grading.records import CheckMark, ExerciseMark, Graded, Job, Limits, Mode
from exercises.run import Verdict

JOB = Job("anna", "anna.ipynb", b"cells", ("paired/mid_p", "paired/verdict"), (11, 12))
GRADED = Graded(
    (ExerciseMark("paired/mid_p", (CheckMark("is right", Verdict.FAILED, True, "mid_p(1, 2)", "3", "4", "a-slip"),)),),
    problems=("cell 3: é\udc80",),
    seconds=1.5,
)
RECORD = store.Record("anna", 1, "anna.ipynb", store.fingerprint(JOB), GRADED)


def parts(folder: Path) -> list[Path]:
    return list(folder.rglob(f"{store.PART}*"))


def test_written_files_are_whole_and_readable_as_told(tmp_path: Path) -> None:
    path = tmp_path / "marks.csv"
    for content, mode in (("ünï\n", 0o644), (b"\x00\xff", 0o600), ("", 0o644)):
        store.write_atomically(path, content, mode)
        assert path.read_bytes() == (content.encode() if isinstance(content, str) else content)
        assert path.stat().st_mode & 0o777 == mode
    assert not parts(tmp_path)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "marks.csv"
    store.write_atomically(path, "old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        store.write_atomically(path, "new")
    assert path.read_text() == "old"
    assert not parts(tmp_path)


WRITER = """
import sys
from pathlib import Path
from exercises.grading import store
print("ready", flush=True)
while True:
    for letter in "ab":
        store.write_atomically(Path(sys.argv[1]), letter * 3_000_000)
"""


def test_readers_and_killers_of_a_writer_never_see_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "marks.csv"
    store.write_atomically(path, "a" * 3_000_000)
    for _ in range(3):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout
            writer.stdout.readline()
            for _ in range(40):
                text = path.read_bytes()
                assert text in (b"a" * 3_000_000, b"b" * 3_000_000)
            writer.kill()
        assert path.stat().st_size == 3_000_000
    with store.held(tmp_path):
        assert not parts(tmp_path)


def test_leftovers_are_removed_by_the_next_run(tmp_path: Path) -> None:
    (tmp_path / "feedback").mkdir()
    for name in (f"{store.PART}x1", f"feedback/{store.PART}x2", "feedback/anna.html"):
        (tmp_path / name).write_text("half")
    with store.held(tmp_path):
        assert not parts(tmp_path)
    assert (tmp_path / "feedback/anna.html").exists()


IDS = (
    *(
        "anna",
        "Anna",
        "ANNA",
        "anna-1",
        "anna_1",
        "anna.1",
        "anna~1",
        "../anna",
        "..",
        ".",
        "/etc/passwd",
        "a/b",
        "a\\b",
    ),
    *(
        "a b",
        "a  b",
        "ánna",
        "a\u0301nna",
        "анна",
        "李雷",
        "韩梅梅",
        "",
        " ",
        "-",
        "con",
        "x" * 40,
        "x" * 41,
        "x" * 5000,
    ),
    *("\0", "a\nb", "anna@uni.ac.uk", "Anna@uni.ac.uk", "~", "00123", "123", "\udc80", ".part-1", "*", "a:b", "NUL."),
)


@pytest.mark.parametrize("student", IDS)
def test_names_of_files_are_safe(student: str, tmp_path: Path) -> None:
    stem = store.file_stem(student)
    assert stem
    assert len(stem) <= 60
    assert set(stem) <= set("abcdefghijklmnopqrstuvwxyz0123456789-~")
    (tmp_path / f"{stem}-1.json").write_text("")
    assert [path.parent for path in tmp_path.rglob("*")] == [tmp_path]


def test_different_students_have_different_files() -> None:
    assert len({store.file_stem(student).casefold() for student in IDS}) == len(IDS)


@given(st.lists(st.text(alphabet="aA1-~./_é ", max_size=6), unique=True), st.integers(1, 3))
def test_no_two_ids_and_attempts_meet(students: list[str], attempts: int) -> None:
    names = {f"{store.file_stem(s)}-{a}".casefold() for s in students for a in range(1, attempts + 1)}
    assert len(names) == len(students) * attempts


def test_ordinary_ids_stay_readable() -> None:
    assert store.file_stem("s1234567") == "s1234567"
    assert store.file_stem("anna-maria") == "anna-maria"
    assert store.file_stem("Anna Ó Brien").startswith("anna-o-brien~")


def test_a_record_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    with store.held(tmp_path) as records:
        assert records.find(JOB) is None
        records.keep(RECORD, JOB)
        assert records.find(JOB) == RECORD
        failed = replace(RECORD, graded=None, failure="the grader died", trace="Traceback …")
        records.keep(failed, JOB)
        assert records.find(JOB) == failed
        assert records.find(replace(JOB, attempt=2)) is None
    assert RECORD.graded
    assert RECORD.graded.exercises[0].share == Fraction(0)


@pytest.mark.parametrize(
    "damage",
    [
        *(b"", b"{", b"\xff", b"null", b"[]", b"{}", b"[" * 100_000, b'{"graded": 3}'),
        json.dumps(RECORD.as_json()).encode()[:-30],
        json.dumps(RECORD.as_json() | {"student": "ben"}).encode(),
        json.dumps(RECORD.as_json() | {"unknown": 1}).encode(),
    ],
)
def test_a_damaged_record_is_seen(damage: bytes, tmp_path: Path) -> None:
    with store.held(tmp_path) as records:
        records.path(JOB).write_bytes(damage)
        with pytest.raises(ValueError, match=r"anna-1\.json is damaged"):
            records.find(JOB)


@pytest.mark.parametrize(
    "change",
    [
        {"content": b"cells "},
        {"seeds": (11, 13)},
        {"seeds": (12, 11)},
        {"exercises": ("paired/mid_p", "paired/which_test")},
        {"mode": Mode.LANDLOCK},
        {"limits": Limits(call_seconds=11)},
        {"file_name": "anna.py"},
        {"attempt": 2},
        {"student": "ben"},
    ],
)
def test_whatever_could_change_the_outcome_changes_the_fingerprint(change: dict[str, Any]) -> None:
    assert store.fingerprint(replace(JOB, **change)) != store.fingerprint(JOB)
    assert store.fingerprint(replace(JOB)) == store.fingerprint(JOB)


def test_the_fingerprint_follows_the_code_that_grades(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, bytes] = {}
    read = Path.read_bytes

    def changed(path: Path) -> bytes:
        return read(path) + seen.get(path.name, b"")

    def afresh() -> str:
        for cached in (store.code, store._code_digest, store._exercise, store._version):
            cached.cache_clear()
        return store.fingerprint(JOB)

    monkeypatch.setattr(Path, "read_bytes", changed)
    before = afresh()
    for name in ("run.py", "expect.py", "records.py", "grade.py", "worker.py", "check.py", "starter.py"):
        seen = {name: b"# changed"}
        assert afresh() != before, name
    for name in ("command.py", "store.py", "canvas.py", "__main__.py"):
        seen = {name: b"# changed"}
        assert afresh() == before, name
    seen = {}
    assert afresh() == before
    monkeypatch.setattr(store, "version", lambda package: "0.0")
    assert afresh() != before
    monkeypatch.undo()
    afresh()


GRADER = "import sys, exercises.grading.grade; print(*(name for name in sys.modules if name.startswith('exercises')))"


def test_no_module_of_the_grader_is_taken_for_one_without_effect() -> None:
    loaded = subprocess.run([sys.executable, "-c", GRADER], capture_output=True, text=True, check=True).stdout.split()
    assert "exercises.grading.sandbox" in loaded
    for_learners = {"exercises.learner", "exercises.report"}  # loaded with the package
    left_out = {"exercises." + name.replace("/", ".") for name in store.WITHOUT_EFFECT}
    assert left_out & set(loaded) <= for_learners


def test_the_seeds_cannot_be_read_from_a_record() -> None:
    job = replace(JOB, seeds=(1234567890123, 9876543210987))
    kept = json.dumps(replace(RECORD, fingerprint=store.fingerprint(job)).as_json())
    assert "1234567890123" not in kept
    assert "9876543210987" not in kept


HOLDER = """
import sys, time
from pathlib import Path
from exercises.grading import store
with store.held(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


def test_a_folder_is_held_by_one_process_and_the_other_is_named(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        holder.stdout.readline()
        with pytest.raises(ValueError, match=rf"in use by process {holder.pid} on ") as refusal, store.held(tmp_path):
            pass
        assert "\n" not in str(refusal.value)
        holder.kill()
    with store.held(tmp_path), pytest.raises(ValueError, match=f"process {os.getpid()} "), store.held(tmp_path):
        pass


def test_what_is_written_is_for_the_eyes_of_its_owner(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with store.held(tmp_path / "new" / "results") as kept:
            kept.put("marks.csv", "a mark")
    finally:
        os.umask(before)
    folder = tmp_path / "new" / "results"
    modes = {path.name: path.stat().st_mode & 0o777 for path in (folder, folder / store.RECORDS, folder / "marks.csv")}
    assert modes == {"results": 0o700, store.RECORDS: 0o700, "marks.csv": 0o600}
