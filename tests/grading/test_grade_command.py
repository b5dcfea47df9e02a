"""The words that instructors type: what is refused, what is said, and what stands in the files afterwards."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from exercises.__main__ import main
from exercises.grading import runner, sandbox, secret, store, whole_class
from exercises.grading.records import Mode
from tests.grading import classroom, fakes
from tests.grading.pages import text_of

PROBE = sandbox.probe


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No sandbox, no student code: `fakes` grades."""
    monkeypatch.setattr(whole_class, "grade_one", fakes.grade)
    monkeypatch.setattr(sandbox, "probe", lambda: Mode.BUBBLEWRAP)


class Classroom:
    """A small class on disk, and what was said when it was graded."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys
        self.out = folder / "results"
        self.words = classroom.write_class(folder, 0)
        (folder / "roster.csv").write_text(
            "id,name,email\nada,Ada L,ada@x.org\nben,Ben B,ben@x.org\ncy,Cy C,cy@x.org\n"
        )
        for student in ("ada", "ben", "cy"):
            self.hand_in(f"{student}.py", "ok")

    def hand_in(self, name: str, content: str) -> None:
        (self.folder / "submissions" / name).write_text(content)

    def grade(self, *more: str, without: str = "") -> tuple[int, str, str]:
        words = list(self.words)
        if without:
            del words[words.index(without) : words.index(without) + 2]
        return self.say(*words, "--out", str(self.out), *more)

    def say(self, *words: str) -> tuple[int, str, str]:
        status = main(words)
        said = self.capsys.readouterr()
        return status, said.out, said.err

    def refuses(self, *more: str, without: str = "") -> str:
        status, said, complaint = self.grade(*more, without=without)
        assert (status, said) == (2, "")
        assert complaint.startswith("exercises: ")
        assert complaint.count("\n") == 1
        return complaint

    def marks(self) -> dict[str, Any]:
        stored = json.loads((self.out / "marks.json").read_text())
        return {mark["student"]: mark for mark in stored["students"]}


@pytest.fixture
def room(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Classroom:
    return Classroom(tmp_path, capsys)


def test_a_class_is_graded_and_everything_is_where_it_is_said_to_be(room: Classroom) -> None:
    status, said, progress = room.grade("-j", "1")
    assert status == 0
    assert "3 of 3 students handed in something.\nGraded now: 3. As they were, and so kept: 0." in said
    assert (
        f"python -m exercises export canvas {room.out} --roster {room.folder / 'roster.csv'} --out canvas.csv" in said
    )
    assert progress == "3/3 graded\n"
    for name in ("marks.csv", "class.html", *(f"feedback/{student}.html" for student in room.marks())):
        assert (room.out / name).is_file()
    about = json.loads((room.out / "run.json").read_text())
    assert (about["assignment"], about["modes"], about["submissions"]) == ("paired", ["bubblewrap"], 3)
    assert room.grade("-j", "1")[1].startswith("Two systems, the same items: 3 of 3 students")
    assert "Graded now: 0. As they were, and so kept: 3." in room.grade("-j", "1")[1]
    assert "Graded now: 3." in room.grade("-j", "1", "--again")[1]


def test_no_file_and_no_line_holds_the_secret(room: Classroom) -> None:
    key = (room.folder / "grading.secret").read_text().strip()
    seed = (
        secret.read(room.folder / "grading.secret")
        .for_assignment("evalstats", "paired")
        .seed("evalstats", "ada", "paired/mid_p")
    )
    room.hand_in("ada.py", "raise")
    said = room.grade("-j", "1")
    written = b"".join(path.read_bytes() for path in room.out.rglob("*") if path.is_file()) + repr(said).encode()
    assert key.encode() not in written
    assert str(seed).encode() not in written


def test_what_needs_a_person_is_listed_and_changes_the_status(room: Classroom) -> None:
    room.hand_in("nobody.py", "ok")
    room.hand_in("ben.py", "raise")
    room.hand_in("cy.ipynb", "ok")
    status, said, _ = room.grade("-j", "2")
    assert status == 1
    assert re.search(r"Files that were not graded.*\(1\):\n  nobody\.py: ", said)
    assert re.search(r"of which one was chosen \(1\):\n  cy: cy\.ipynb, and not cy\.py; ", said)
    assert f"not of the student (1):\n  ben: {runner.RAISED}" in said
    assert room.marks()["ben"]["status"] == "could not be graded"
    assert "a bug of ours" not in (room.out / "feedback/ben.html").read_text()
    assert "a bug of ours" in json.loads((room.out / "records/ben-1.json").read_text())["trace"]
    room.hand_in("ben.py", "ok")
    (room.folder / "submissions/nobody.py").unlink()
    assert room.grade("-j", "1")[0] == 0
    assert room.marks()["ben"]["status"] == "graded"


def test_the_word_late_in_canvas_s_file_names_reaches_student_and_instructor(room: Classroom) -> None:
    (room.folder / "roster.csv").write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section\n"
        '"Lovelace, Ada",1001,s1001,ada,A\n"Babbage, Charles",1002,s1002,cb,A\n'
    )
    course = room.folder / "late.toml"
    course.write_text(
        "[assignment.paired]\ndue = 2027-03-01T12:00:00Z\npenalty_of_total_per_day = 0.1\n"
        'exercises = [{ exercise = "paired/mid_p", points = 2 }]\n'
    )
    for file in (room.folder / "submissions").iterdir():
        file.unlink()
    room.hand_in("lovelaceada_LATE_1001_50001_homework.py", "ok")
    room.hand_in("babbagecharles_1002_50002_homework.py", "ok")
    status, said, _ = room.grade("-j", "1", "--course", str(course))
    assert status == 0
    assert (
        "This needs you (2):\n"
        "  1 handed in at a time that is not known, and count as in time: give --times FILE, with the columns "
        "student,submitted\n"
        "  1 late, it is not known how late, and nothing was taken off: give --times FILE, with the columns "
        "student,submitted\n\nNext:"
    ) in said
    late = "handed in late, but it is not known how late: no penalty was taken"
    assert {student: mark["notes"] for student, mark in room.marks().items()} == {
        "s1001": [late],
        "s1002": ["when it was handed in is not known: taken as in time"],
    }
    assert late in (room.out / "feedback/s1001.html").read_text()
    page = text_of((room.out / "class.html").read_text())
    assert "Late, nobody knows by how much, and nothing was taken off: give the time with --times, or set" in page
    assert "by hand (1) Lovelace, Ada (s1001)" in page
    assert "Lovelace, Ada (s1001) late, not known when 0 0" in page
    times = room.folder / "times.csv"
    times.write_text("student,submitted\ns1001,2027-03-02T12:00:00Z\n")
    assert room.grade("-j", "1", "--course", str(course), "--times", str(times))[0] == 0
    assert room.marks()["s1001"]["days_late"] == 1
    assert "nobody knows" not in (room.out / "class.html").read_text()


def test_the_screen_ends_with_what_the_instructor_has_to_do(room: Classroom) -> None:
    course = room.folder / "essay.toml"
    course.write_text(
        "[assignment.paired]\n"
        "exercises = [{ exercise = 'paired/mid_p', points = 2 }, { manual = 'essay', points = 3 }]\n"
    )
    words = ("-j", "1", "--course", str(course))
    room.hand_in("ben.py", "unreadable")
    _, said, _ = room.grade(*words)
    assert said[said.index("This needs you") :].startswith(
        "This needs you (2):\n"
        "  1 with a file that cannot be read: ben\n"
        "  essay: 2 still to be marked; give the points with --overrides FILE\n"
        "\nNext: look at the page of the class.\n"
        "2 of 3 marks are not final: do what stands above, and run this again.\nAn export leaves them out.\nThen,"
    )
    export = ("export", "canvas", str(room.out), "--roster", str(room.folder / "roster.csv"), "--out")
    out = room.folder / "canvas.csv"
    assert "2 not final yet" in room.say(*export, str(out))[1]
    assert "ada" not in out.read_text()
    assert room.say(*export, str(out), "--provisional")[0] == 0
    assert "ada" in out.read_text()
    by_hand = room.folder / "overrides.csv"
    by_hand.write_text("student,exercise,points,reason\nada,essay,3,read\ncy,total,2,talked\n")
    _, said, _ = room.grade(*words, "--overrides", str(by_hand))
    assert "not final" not in said
    assert "essay" not in said


def test_marks_and_times_that_a_run_no_longer_has_are_told(room: Classroom) -> None:
    by_hand, times = room.folder / "overrides.csv", room.folder / "times.csv"
    by_hand.write_text("student,exercise,points,reason\nada,total,3,talked\n")
    times.write_text("student,submitted\nada,2027-03-02T12:00:00Z\n")
    both = ("-j", "1", "--overrides", str(by_hand), "--times", str(times))
    for _ in range(2):
        assert "the last run had" not in room.grade(*both)[1]
    _, said, _ = room.grade("-j", "1", "--times", str(times))
    assert (
        "Please note (1):\n  the last run had --overrides overrides.csv, and this one has not: the marks that it gave "
        "by hand are gone\n"
    ) in said
    assert (
        "the last run had --times times.csv, and this one has not: the times that it gave are not known any more\n"
    ) in room.grade("-j", "1")[1]
    assert "the last run had" not in room.grade("-j", "1")[1]
    (room.folder / "submissions/cy.py").unlink()
    remark = "the last run had 3 submissions, and this one has 2: who has none now has no points\n"
    assert [remark in room.grade("-j", "1")[1] for _ in range(2)] == [True, False]
    assert str(room.folder) not in (room.out / "run.json").read_text()


@pytest.mark.parametrize(("header", "column"), [("name;mail", "mail"), ("Name,E-Mail", "E-Mail")])
def test_a_roster_without_ids_says_what_took_their_place(header: str, column: str, room: Classroom) -> None:
    separator = ";" if ";" in header else ","
    people = [f"{student}{separator}{student}@x.org\n" for student in ("ada", "ben", "cy")]
    (room.folder / "roster.csv").write_text("".join([f"{header}\n", *people]))
    submissions = room.folder / "submissions"
    assert room.refuses() == (
        f"exercises: {submissions}: no file in it is that of a student. ada.py names no student of the roster; ben.py "
        f"names no student of the roster. The ids of students are such as ada@x.org and ben@x.org (column {column!r} "
        "of roster.csv); names of files must begin with them\n"
    )
    assert room.refuses(without="--assignment") == room.refuses()
    (submissions / "ada.py").rename(submissions / "ada@x.org.py")
    assert f"\nThe ids:   column {column!r} of roster.csv\n" in room.grade("-j", "1")[1]
    for file in submissions.iterdir():
        file.unlink()
    assert room.refuses(without="--assignment") == f"exercises: {submissions}: there is no file in it\n"


def test_one_student_alone(room: Classroom) -> None:
    status, said, _ = room.grade("--only", "ben", "-j", "1")
    assert status == 1
    assert "Graded now: 1." in said
    assert "Not graded yet: run it without --only (2):\n  ada\n  cy" in said
    assert room.grade("-j", "1")[0] == 0
    room.hand_in("ada.py", "another")
    room.hand_in("ben.py", "another")
    status, said, _ = room.grade("--only", "ben", "-j", "1")
    assert "Graded now: 1. As they were, and so kept: 1." in said
    assert "(1):\n  ada" in said
    assert "did you mean 'ben'?" in room.refuses("--only", "bem")


def test_the_assignment_is_found_out_and_said(room: Classroom) -> None:
    room.hand_in("ada.py", "def mid_p(b, c): pass")
    room.hand_in("ben.py", "def mid_p(b, c): pass\ndef wilson(k, n): pass")
    room.hand_in("cy.ipynb", "no notebook")
    _, said, _ = room.grade("-j", "1", without="--assignment")
    assert said.startswith("Assignment: paired, because 2 of 3 submissions define functions of it.\n")
    room.hand_in("ada.py", "def wilson(k, n): pass\ndef mid_p(b, c): pass")
    assert "add --assignment, one of intervals, paired" in room.refuses(without="--assignment")


def test_damaged_records_are_graded_again_and_named(room: Classroom) -> None:
    room.grade("-j", "1")
    (room.out / "records/ada-1.json").write_text("{")
    (room.out / "run.json").write_text("{")
    status, said, _ = room.grade("-j", "1")
    assert (status, "Graded now: 1." in said) == (0, True)
    assert f"{room.out / 'records/ada-1.json'} is damaged (JSONDecodeError): graded again" in said


def test_results_of_another_assignment_are_not_overwritten(room: Classroom) -> None:
    room.grade("-j", "1")
    before = (room.out / "marks.json").read_bytes()
    refusal = room.refuses("--assignment", "intervals", without="--assignment")
    assert "holds results of paired (evalstats): name another folder" in refusal
    assert (room.out / "marks.json").read_bytes() == before


def test_what_cannot_be_met_is_refused_in_one_line(room: Classroom) -> None:
    (room.folder / "file").write_text("")
    (room.folder / "other").mkdir()
    (room.folder / "other/thesis.tex").write_text("")
    for words, complaint in (
        (["--roster", "none.csv"], "none.csv"),
        (["--secret", "none.secret"], "`python -m exercises secret none.secret` makes one"),
        (["--assignment", "pared"], "did you mean 'paired'?"),
        (["--course", "none.toml"], "none.toml"),
        (["--overrides", "none.csv"], "none.csv"),
        (["--times", "none.csv"], "none.csv"),
        (["--out", str(room.folder / "file")], "is a file: name a folder"),
        (["--out", str(room.folder / "submissions/out")], "must not be taken for submissions"),
        (["--out", str(room.folder / "other")], "holds other files, and no results"),
        (["--executor", "dask"], "belong together"),
        (["--scheduler", "tcp://127.0.0.1:1"], "belong together"),
        (["--executor", "dask", "--scheduler", "tcp://127.0.0.1:1", "-j", "2"], "-j is for worker processes"),
    ):
        assert complaint in room.refuses(*words)
    assert not room.out.exists()
    (room.folder / "grading.secret").chmod(0o644)
    assert "has mode 0644" in room.refuses()


@pytest.mark.parametrize("number", ["0", "-1", "two", "1001", "²"])
def test_a_strange_number_of_workers_is_refused(number: str, room: Classroom) -> None:
    with pytest.raises(SystemExit) as refusal:
        room.grade(f"-j{number}")
    assert refusal.value.code == 2
    assert f"{number!r} is no number of workers" in room.capsys.readouterr().err


def test_without_a_sandbox_nothing_is_run_unless_trusted(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> Mode:
        raise sandbox.NoSandboxError(sandbox.INSTALL)

    monkeypatch.setattr(sandbox, "probe", none)
    status, said, complaint = room.grade()
    assert (status, said) == (2, "")
    assert "sudo apt-get install bubblewrap" in complaint
    assert not list(room.out.glob("records/*"))
    status, said, _ = room.grade("--trusted", "-j", "1")
    assert status == 0
    assert "without a sandbox" in said
    assert json.loads((room.out / "run.json").read_text())["modes"] == ["trusted"]


def test_each_reason_why_there_is_no_sandbox_is_told_once_and_in_words(
    room: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed() -> None:
        raise sandbox.StartError("PermissionError: [Errno 13] Permission denied: '/closed/python3'")

    monkeypatch.setattr(sandbox, "probe", PROBE)
    monkeypatch.setattr(sandbox, "_landlock_can_work", closed)
    monkeypatch.setattr(shutil, "which", lambda program: None)
    complaint = room.grade()[2]
    assert complaint.count("There is no sandbox here") == 1
    assert complaint.splitlines()[-2:] == [
        "bubblewrap: it is not installed",
        "landlock: the account of the sandbox cannot read '/closed/python3', which this Python needs and which lies in "
        "a closed folder. Use a Python that every account can read, such as that of the system",
    ]


def test_stopping_while_the_course_itself_is_loaded_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise KeyboardInterrupt")
    words = [sys.executable, "-m", "exercises", "list"]
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(tmp_path)}
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "\nexercises: stopped\n")


def test_stopping_while_commands_are_loaded_is_one_line(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib, "import_module", stopped)
    assert room.grade() == (130, "", "\nexercises: stopped\n")


def test_a_full_disk_is_told_in_one_line(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*anything: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store, "write_atomically", full)
    assert room.grade("-j", "1")[::2] == (2, "exercises: No space left on device\n")


def test_a_folder_in_use_is_refused(room: Classroom) -> None:
    with store.held(room.out):
        assert "is in use by process" in room.refuses()


def test_secrets_are_made_and_rotated(room: Classroom) -> None:
    path = room.folder / "new.secret"
    status, said, _ = room.say("secret", str(path))
    assert (status, path.stat().st_mode & 0o777) == (0, 0o600)
    assert path.read_text().strip() not in said
    before = path.read_text()
    assert room.say("secret", str(path))[0] == 2
    assert path.read_text() == before
    status, said, _ = room.say("secret", "--rotate", str(path))
    (aside,) = room.folder.glob("new.secret.*")
    assert str(aside) in said
    assert (aside.read_text(), path.read_text() != before) == (before, True)


def test_changes_between_two_runs(room: Classroom) -> None:
    room.grade("-j", "1")
    old = room.folder / "old"
    shutil.copytree(room.out, old)
    assert room.say("changes", str(old), str(room.out))[1].startswith("0 of 3 marks differ")
    room.hand_in("ada.py", "odd")
    room.grade("-j", "1")
    table = room.folder / "changes.csv"
    status, said, _ = room.say("changes", str(old), str(room.out), "--csv", str(table))
    assert status == 0
    assert "1 of 3 marks differ" in said
    assert "ada" in table.read_text()
    assert room.say("changes", str(room.folder), str(old)) == (
        2,
        "",
        f"exercises: {room.folder} is no results folder of `grade`: there is no marks.json in it\n",
    )


def test_marks_are_exported(room: Classroom) -> None:
    room.grade("-j", "1")
    for system in ("canvas", "moodle"):
        out = room.folder / f"{system}.csv"
        words = ("export", system, str(room.out), "--roster", str(room.folder / "roster.csv"), "--out", str(out))
        status, said, _ = room.say(*words)
        assert (status, said.splitlines()[0]) == (0, f"{out} is ready to be imported.")
        assert "ada" in out.read_text(encoding="utf-8-sig")
        assert room.say(*words, "--template", "none.csv")[0] == 2
        refusal = room.say(*words[:2], "none", *words[3:])[2]
        assert refusal == "exercises: none is no results folder of `grade`: there is no marks.json in it\n"
        with pytest.raises(SystemExit):
            room.say(*words[:-1], str(room.folder / "no/marks.csv"))
        assert f"there is no folder {room.folder / 'no'}" in room.capsys.readouterr().err


def test_assignments_are_exported(room: Classroom) -> None:
    own = ("--secret", str(room.folder / "grading.secret"))
    out = room.folder / "autograder.zip"
    status, said, _ = room.say("export", "gradescope", "paired", "--out", str(out), *own)
    assert (status, out.stat().st_mode & 0o777, str(out) in said) == (0, 0o600, True)
    assert "Please note (1):\n  made without --roster: Gradescope knows students by their e-mail address" in said
    people = ("--roster", str(room.folder / "roster.csv"))
    assert "Please note" not in room.say("export", "gradescope", "paired", "--out", str(out), *own, *people)[1]
    status, said, _ = room.say("export", "nbgrader", "paired", "--out", str(room.folder / "nb"))
    assert (status, (room.folder / "nb/source/paired/paired.ipynb").exists()) == (0, True)
    assert room.say("export", "nbgrader", "none", "--out", str(room.folder / "nb"))[0] == 2


@pytest.mark.parametrize(
    "words",
    [
        "grade",
        "secret",
        "changes",
        "export",
        *(f"export {each}" for each in "canvas moodle gradescope nbgrader".split()),
    ],
)
def test_every_command_explains_itself(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*words.split(), "--help"])
    assert ended.value.code == 0
    assert f"usage: python -m exercises {words}" in capsys.readouterr().out


def test_learners_do_not_wait_for_what_instructors_need() -> None:
    script = "import sys, exercises.__main__ as m; m.main(['misconceptions', '--help'])"
    check = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "
    loaded = subprocess.run([sys.executable, "-c", check + script], capture_output=True, text=True, check=True).stderr
    assert "exercises.grading.arguments" in loaded.split()
    for heavy in ("exercises.grading.command", "exercises.grading.store", "distributed", "matplotlib", "yaml"):
        assert heavy not in loaded.split()


def test_grading_does_not_wait_for_what_other_commands_need(room: Classroom) -> None:
    words = [*room.words, "--out", str(room.out), "--trusted", "-j", "1"]
    script = f"import sys, exercises.__main__ as m; m.main({words!r})"
    check = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "
    done = subprocess.run([sys.executable, "-c", check + script], capture_output=True, text=True, check=True)
    assert "3 of 3 students handed in something" in done.stdout
    loaded = done.stderr.split()
    assert "exercises.grading.class_report" in loaded
    for heavy in ("nbformat", "jsonschema", "scipy.special", "scipy.stats", "pandas", "matplotlib", "distributed"):
        assert heavy not in loaded
