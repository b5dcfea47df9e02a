"""Folders and zips as systems export them and as attackers make them: whose a file is, and which files are read."""

from __future__ import annotations

import io
import json
import os
import socket
import stat
import struct
import time
import zipfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from random import Random

import pytest

from exercises.grading import submissions
from exercises.grading.roster import Roster, Student
from exercises.grading.submissions import Collected, collect, read_times

CLASS = Roster(
    (
        Student("s01", "Lovelace, Ada", "ada@x.org", canvas_id="4711", login="ada"),
        Student("s02", "Grace Hopper", "grace.hopper@x.org", canvas_id="4712", moodle_id="1234567", login="ghopper"),
        Student("s03", "Émilie O'Neill", "emilie@x.org", canvas_id="4713", login="eo"),
        Student("s_4", "Eve", "eve@x.org", canvas_id="4714"),
    )
)
GRADESCOPE = """\
submission_101:
  :submitters:
  - :name: Ada Lovelace
    :sid: s01
    :email: ada@x.org
  :created_at: 2026-11-30 17:59:59.123456000 Z
  :score: 3.0
submission_102:
  :submitters:
  - :name: Grace Hopper
    :sid:
    :email: Grace.Hopper@x.org
  - :name: Emilie
    :sid: s03
  :created_at: 2026-11-30 19:00:00.000000000 +01:00
submission_103:
  :submitters:
  - :name: Nobody
    :sid: s99
"""


def folder(top: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return top


def zipped(top: Path, files: Mapping[str, str | bytes], **more: int) -> Path:
    top.mkdir(parents=True, exist_ok=True)
    path = top / "class.zip"
    with zipfile.ZipFile(path, "w", more.get("method", zipfile.ZIP_DEFLATED)) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


MAKERS: dict[str, Callable[[Path, Mapping[str, str | bytes]], Path]] = {"folder": folder, "zip": zipped}


def owners(collected: Collected) -> dict[str, list[str]]:
    return {student: [each.content.decode() for each in made] for student, made in collected.attempts.items()}


def reasons(collected: Collected) -> dict[str, str]:
    return {each.file: each.why for each in collected.unmatched}


# --- whose a file is -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize(
    ("path", "student"),
    [
        ("s01.ipynb", "s01"),
        ("S01.IPYNB", "s01"),
        ("s01_homework 3.ipynb", "s01"),
        ("s01-1.py", "s01"),
        ("s01 (2).md", "s01"),
        ("s_4.ipynb", "s_4"),
        ("s_4_final.ipynb", "s_4"),
        ("s01/anything.ipynb", "s01"),
        ("homework/s01/deep/er/x.ipynb", "s01"),
        ("ghopper/x.ipynb", "s02"),
        ("grace.hopper@x.org.ipynb", "s02"),
        ("lovelaceada_4711_998877_ps1-1.ipynb", "s01"),
        ("lovelaceada_LATE_4711_998877_ps_1.ipynb", "s01"),
        ("x_4711_998877_s02.ipynb", "s01"),
        ("ada_4714_998877_x.ipynb", "s_4"),
        ("Ada/x.ipynb", "s01"),
        ("Grace Hopper_1234567_assignsubmission_file_/x.ipynb", "s02"),
        ("Grace Hopper_1234567_assignsubmission_file_x_y.ipynb", "s02"),
        ("grace  hopper_99_assignsubmission_file_/s01.ipynb", "s02"),
        ("Ada Lovelace_99_assignsubmission_file_/x.ipynb", "s01"),
        ("E\u0301milie ONeill_99_assignsubmission_file_/sub/s01/x.ipynb", "s03"),
        ("s01/s02.ipynb", "s01"),
    ],
)
def test_names_that_say_whose_a_file_is(
    make: Callable[[Path, Mapping[str, str | bytes]], Path], path: str, student: str, tmp_path: Path
) -> None:
    collected = collect(make(tmp_path, {path: "x"}), CLASS)
    assert owners(collected) == {student: ["x"]}
    assert not collected.unmatched
    assert student not in [each.id for each in collected.missing(CLASS)]
    assert len(collected.missing(CLASS)) == 3


@pytest.mark.parametrize(
    ("path", "why", "nearest"),
    [
        ("s1.ipynb", "names no student", "s01"),
        ("ghoper.ipynb", "names no student", "s02"),
        ("Ada Lovelase.ipynb", "names no student", "s01"),
        ("zzzzzzzz.ipynb", "names no student", ""),
        ("s011.ipynb", "names no student", "s01"),
        ("homework.ipynb", "names no student", ""),
        ("lovelaceada_9999_998877_s02.ipynb", "names no student", ""),
        ("eve_4711_4714_998877_x.ipynb", "could belong to s01 or s_4", ""),
        ("s01_4714_998877_x.ipynb", "could belong to s01 or s_4", ""),
        ("Ada Lovelace_1234567_assignsubmission_file_/x.ipynb", "could belong to s01 or s02", ""),
        ("Eve_Ada Lovelace_99_assignsubmission_file_x.ipynb", "names no student", ""),
        ("ada_final.ipynb", "names no student", ""),
    ],
)
def test_exactly_one_student_must_match(path: str, why: str, nearest: str, tmp_path: Path) -> None:
    collected = collect(folder(tmp_path, {path: "x"}), CLASS)
    assert not collected.attempts
    assert [(each.file, each.nearest if nearest else "") for each in collected.unmatched] == [(path, nearest)]
    assert why in collected.unmatched[0].why


def test_hints_are_given_for_some_files_only(tmp_path: Path) -> None:
    collected = collect(folder(tmp_path, {f"ghoper{number:04}.ipynb": "" for number in range(200)}), CLASS)
    assert len(collected.unmatched) == 200
    assert sum(each.nearest == "s02" for each in collected.unmatched) == submissions.MAX_HINTS


def test_identity_is_never_read_from_inside(tmp_path: Path) -> None:
    inside = json.dumps({"metadata": {"student": "s01", "authors": [{"name": "Ada Lovelace"}]}, "cells": []})
    collected = collect(folder(tmp_path, {"x.ipynb": inside, "s02.ipynb": inside}), CLASS)
    assert [*collected.attempts] == ["s02"]
    assert [*reasons(collected)] == ["x.ipynb"]


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("top", ["", "assignment_9_export/"])
def test_gradescope_lists_people_and_times(
    make: Callable[[Path, Mapping[str, str | bytes]], Path], top: str, tmp_path: Path
) -> None:
    files = {f"submission_{number}/s02.ipynb": str(number) for number in (101, 102, 103)}
    files["submission_metadata.yml"] = GRADESCOPE
    collected = collect(make(tmp_path, {top + name: text for name, text in files.items()}), CLASS)
    assert owners(collected) == {"s01": ["101"], "s02": ["102"], "s03": ["102"]}
    moments = {student: made[0].submitted for student, made in collected.attempts.items()}
    assert moments["s01"] == datetime(2026, 11, 30, 17, 59, 59, 123456, tzinfo=UTC)
    assert moments["s02"] == moments["s03"] == datetime(2026, 11, 30, 18, tzinfo=UTC)
    assert reasons(collected) == {f"{top}submission_103/s02.ipynb": "is of somebody who is not on the roster"}


def test_a_list_in_a_students_folder_says_nothing(tmp_path: Path) -> None:
    mine = {"s_4/submission_101/x.ipynb": "mine", "s_4/submission_metadata.yml": GRADESCOPE}
    assert owners(collect(folder(tmp_path, mine), CLASS)) == {"s_4": ["mine"]}
    moodle = "Eve_99_assignsubmission_file_"
    again = {f"{moodle}/submission_101/x.ipynb": "mine", f"{moodle}/submission_metadata.yml": GRADESCOPE}
    assert owners(collect(zipped(tmp_path, again), CLASS)) == {"s_4": ["mine"]}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: !!python/object/apply:os.system ['touch x']", "could not determine a constructor"),
        ("a: [", "submission_metadata.yml"),
        ("[" * 100_000, "submission_metadata.yml"),
        ("#" * 20_000_001, "more than 20,000,000 bytes"),
    ],
    ids=lambda text: text[:20],
)
def test_a_bad_list_is_refused(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=words):
        collect(folder(tmp_path, {"submission_metadata.yml": text}), CLASS)


@pytest.mark.parametrize(
    "text", ["3", "[1]", "submission_101: 3", "submission_101: {':submitters': 3}", "1: {':submitters': [3]}"]
)
def test_a_list_of_another_form_says_nothing(text: str, tmp_path: Path) -> None:
    assert not collect(folder(tmp_path, {"submission_metadata.yml": text, "submission_101/x.py": ""}), CLASS).attempts


# --- attempts ------------------------------------------------------------------------------------------------------


def test_files_of_canvas_are_one_attempt_of_which_the_newest_is_chosen(tmp_path: Path) -> None:
    """Canvas gives the files of the newest attempt; the end of a name is the student's own, and may be anything."""
    names = ["ada_4711_1_ps-2.ipynb", "ada_LATE_4711_2_ps-10.ipynb", "ada_4711_3_ps.ipynb"]
    collected = collect(folder(tmp_path, {name: name for name in names}), CLASS)
    assert [(each.file_name, each.attempt, each.late) for each in collected.attempts["s01"]] == [(names[1], 1, True)]
    assert collected.duplicates[0].others == (names[0], names[2])


def test_names_that_students_choose_make_no_attempts(tmp_path: Path) -> None:
    files = {f"Eve_99_assignsubmission_file_/x_1_2_y-{number}.py": f"{number}" for number in range(9)}
    assert len(collect(folder(tmp_path, files), CLASS).attempts["s_4"]) == 1


def test_attempts_in_a_folder_of_ones_own_say_so_in_the_name(tmp_path: Path) -> None:
    files = {
        "s01_attempt2.py": "second",
        "s01 attempt 10.py": "tenth",
        "s01_attempt1.py": "first",
        "s01/attempt3.py": "x",
    }
    attempts = collect(folder(tmp_path, files), CLASS).attempts["s01"]
    assert [each.content for each in attempts] == [b"x", b"first", b"second", b"tenth"]


def test_attempts_are_in_the_order_of_listed_times(tmp_path: Path) -> None:
    later = GRADESCOPE + "submission_100:\n  :submitters: [{':sid': s01}]\n  :created_at: 2026-12-01 00:00:00 Z\n"
    files = {"submission_metadata.yml": later, "submission_100/a.py": "new", "submission_101/b.ipynb": "old"}
    assert owners(collect(folder(tmp_path, files), CLASS)) == {"s01": ["old", "new"]}


def test_of_files_handed_in_at_once_one_is_chosen_and_said(tmp_path: Path) -> None:
    collected = collect(
        folder(tmp_path, {f"s01/{name}": name for name in ("a.py", "b.md", "d.ipynb", "c.ipynb")}), CLASS
    )
    assert owners(collected) == {"s01": ["c.ipynb"]}
    (duplicate,) = collected.duplicates
    assert (duplicate.chosen, duplicate.others) == ("s01/c.ipynb", ("s01/d.ipynb", "s01/b.md", "s01/a.py"))
    assert "a notebook goes before a page before a script" in duplicate.why


def test_the_same_file_twice_is_said(tmp_path: Path) -> None:
    (duplicate,) = collect(folder(tmp_path, {"s01.ipynb": "x", "s01_again.ipynb": "x"}), CLASS).duplicates
    assert (duplicate.chosen, duplicate.others, duplicate.why) == (
        "s01.ipynb",
        ("s01_again.ipynb",),
        "they have the same content",
    )


def test_other_files_are_told_only_of_students_without_a_notebook(tmp_path: Path) -> None:
    files = {"s01/x.ipynb": "", "s01/data.csv": "", "s02/x.pdf": "", "s03.zip": "", "notes.txt": ""}
    collected = collect(folder(tmp_path, files), CLASS)
    assert [*collected.attempts] == ["s01"]
    assert reasons(collected) == {
        "s02/x.pdf": "belongs to s02, but does not end in .ipynb, .md, .py",
        "s03.zip": "belongs to s03, but does not end in .ipynb, .md, .py",
        "notes.txt": "names no student of the roster",
    }


def test_hidden_files_are_counted(tmp_path: Path) -> None:
    hidden = ["__MACOSX/._s01.ipynb", ".DS_Store", "s01/.ipynb_checkpoints/x-checkpoint.ipynb", ".git/s02.ipynb"]
    for make in MAKERS.values():
        collected = collect(make(tmp_path / make.__name__, dict.fromkeys(hidden, "x")), CLASS)
        assert (collected.attempts, collected.unmatched) == ({}, ())
        assert collected.passed_over >= 3


# --- times ---------------------------------------------------------------------------------------------------------


def test_times_of_ones_own_are_for_all_attempts_and_time_stamps_count_nothing(tmp_path: Path) -> None:
    table = tmp_path / "times.csv"
    table.write_text("student,submitted\nADA,2026-11-30T18:00:00+01:00\n", encoding="utf-8")
    files = folder(tmp_path / "in", {"s01_attempt1.py": "old", "s01_attempt2.py": "new", "s02.py": "x"})
    os.utime(files / "s02.py", (0, 0))
    collected = collect(files, CLASS, read_times(table))
    moment = datetime(2026, 11, 30, 18, tzinfo=timezone(timedelta(hours=1)))
    assert [each.submitted for each in collected.attempts["s01"]] == [moment, moment]  # none came later
    assert [each.submitted for each in collected.attempts["s02"]] == [None]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id,when\n", "first line must be student,submitted"),
        ("student,submitted\ns01,2026-11-30T18:00:00\n", "line 2: '2026-11-30T18:00:00' must be a time with its zone"),
        ("student,submitted\ns01,soon\n", "line 2: 'soon' must be"),
        (
            "student,submitted\ns01,2026-11-30T18:00Z\ns01,2026-11-30T18:00Z\n",
            "line 3: 's01' has a time in a line above",
        ),
        ("student,submitted\ns01\n", "line 2: 's01' must be a student, a comma and a time"),
        (b"\xff", "is not UTF-8 text"),
    ],
)
def test_bad_times_are_refused(text: str | bytes, words: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"times\.csv") as refused:
        read_times(folder(tmp_path, {"times.csv": text}) / "times.csv")
    assert words in str(refused.value)


def test_times_of_strangers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'s99' is not one student"):
        collect(folder(tmp_path, {"s01.py": ""}), CLASS, {"s99": datetime.now(UTC)})


# --- hostile folders -----------------------------------------------------------------------------------------------


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    secret = folder(tmp_path / "elsewhere", {"secret.txt": "secret", "s02.ipynb": "secret"})
    top = folder(tmp_path / "in", {"s01.ipynb": "x"})
    (top / "s02.ipynb").symlink_to(secret / "secret.txt")
    (top / "s03").symlink_to(secret)
    os.mkfifo(top / "s03.py")
    here = os.open(top, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"/proc/self/fd/{here}/s_4.py")
        collected = collect(top, CLASS)
    os.close(here)
    assert owners(collected) == {"s01": ["x"]}
    assert reasons(collected) == {
        "s02.ipynb": "is a link; links are not followed",
        "s03": "is a link; links are not followed",
        "s03.py": "is no regular file",
        "s_4.py": "is no regular file",
    }


@pytest.mark.parametrize("swap", ["link", "pipe"])
def test_a_file_that_is_swapped_after_it_was_listed_is_not_opened(swap: str, tmp_path: Path) -> None:
    top = folder(tmp_path / "in", {"s01.ipynb": "x"})
    files, _, _ = submissions._in_folder(top)
    (top / "s01.ipynb").unlink()
    if swap == "link":
        (top / "s01.ipynb").symlink_to(folder(tmp_path, {"secret": "secret"}) / "secret")
    else:
        os.mkfifo(top / "s01.ipynb")
    with pytest.raises(ValueError, match=r"cannot be read|no regular file"):
        files[0].read(10)


def test_names_of_any_bytes_are_shown_harmless(tmp_path: Path) -> None:
    os.close(os.open(os.fsencode(tmp_path) + b"/s01_\x1b[31m\xff<b>.pdf", os.O_CREAT))
    (unmatched,) = collect(tmp_path, CLASS).unmatched
    assert unmatched.file == "s01_\\x1b[31m\\udcff<b>.pdf"


def test_too_many_files_and_folders_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = folder(tmp_path / "in", {f"s01/{number}.txt": "" for number in range(10)})
    deep = top / "/".join("d" * 30)
    deep.mkdir(parents=True)
    assert [each.why for each in collect(top, CLASS).unmatched if each.file.startswith("d/")] == ["is no regular file"]
    monkeypatch.setattr(submissions, "MAX_FILES", 9)
    with pytest.raises(ValueError, match="more than 9 files, 9 of them in 's01'"):
        collect(top, CLASS)


def test_one_student_cannot_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submissions, "MAX_STUDENT", 25)
    files = {f"s01_{number}.py": f"{number}" * 10 for number in range(4)}
    collected = collect(folder(tmp_path, {**files, "s02.py": "y" * 20}), CLASS)
    assert owners(collected) == {"s01": ["0" * 10], "s02": ["y" * 20]}
    assert [each.file for each in collected.unmatched] == ["s01_2.py", "s01_3.py"]


def test_a_file_too_large_to_grade_is_cut_where_reading_it_will_say_so(tmp_path: Path) -> None:
    with (tmp_path / "s01.ipynb").open("wb") as file:
        file.truncate(10**12)
    (made,) = collect(tmp_path, CLASS).attempts["s01"]
    assert len(made.content) == 20_000_001


# --- hostile zips --------------------------------------------------------------------------------------------------


def entry(name: str, kind: int = 0) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (kind | 0o644) << 16
    return info


@pytest.mark.parametrize(
    ("info", "why"),
    [
        (entry("../s01.ipynb"), "leads out of the folder"),
        (entry("a/../../s01.ipynb"), "leads out of the folder"),
        (entry("/s01.ipynb"), "leads out of the folder"),
        (entry("..\\s01.ipynb"), "leads out of the folder"),
        (entry("C:/s01.ipynb"), "leads out of the folder"),
        (entry("s01.ipynb", stat.S_IFLNK), "is a link"),
        (entry("s01.ipynb", stat.S_IFIFO), "no regular file"),
        (entry("s01.ipynb", stat.S_IFCHR), "no regular file"),
        (entry(""), "has no name"),
        (entry("./."), "has no name"),
        (entry("s01/" * 21 + "x.ipynb"), "too long a one"),
        (entry("s01_" + "x" * 300 + ".ipynb"), "too long a one"),
    ],
    ids=lambda value: value.filename[:20] if isinstance(value, zipfile.ZipInfo) else value,
)
def test_entries_that_are_no_plain_files_are_not_read(info: zipfile.ZipInfo, why: str, tmp_path: Path) -> None:
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(info, "/etc/passwd")
        archive.writestr("s02.ipynb", "x")
    collected = collect(path, CLASS)
    assert owners(collected) == {"s02": ["x"]}
    assert [why in each.why for each in collected.unmatched] == [True]
    assert [each.name for each in tmp_path.iterdir()] == ["class.zip"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_compression_is_not_tried(method: int, tmp_path: Path) -> None:
    collected = collect(zipped(tmp_path, {"s01.ipynb": "x"}, method=method), CLASS)
    assert "compressed in an unusual way" in reasons(collected)["s01.ipynb"]


def patched(path: Path, central: bytes, local: bytes = b"") -> Path:
    """Write over the flags and the method of the first entry, in both places where a zip has them."""
    data = bytearray(path.read_bytes())
    start = data.index(b"PK\x01\x02") + 8
    data[start : start + len(central)] = central
    data[6 : 6 + len(local)] = local
    path.write_bytes(data)
    return path


def test_encrypted_entries_are_not_read(tmp_path: Path) -> None:
    collected = collect(patched(zipped(tmp_path, {"s01.ipynb": "x"}), b"\x01\x00", b"\x01\x00"), CLASS)
    assert reasons(collected) == {"s01.ipynb": "is encrypted"}


def test_a_damaged_entry_does_not_stop_the_rest(tmp_path: Path) -> None:
    path = zipped(tmp_path, {"s01.ipynb": "x" * 100, "s02.ipynb": "fine"}, method=zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"x" * 100, b"y" * 100))
    collected = collect(path, CLASS)
    assert owners(collected) == {"s02": ["fine"]}
    assert "is damaged" in reasons(collected)["s01.ipynb"]


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04" + b"x" * 100])
def test_what_is_no_zip_is_refused(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"class\.zip: this is not a zip file"):
        collect(folder(tmp_path, {"class.zip": content}) / "class.zip", CLASS)
    with pytest.raises(ValueError, match="no such folder or zip"):
        collect(tmp_path / "none", CLASS)


def test_a_bomb_is_unpacked_no_further_than_the_limit_whatever_it_says_of_itself(tmp_path: Path) -> None:
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("s01.ipynb", "w") as bomb:
        for _ in range(300):
            bomb.write(bytes(10**6))
    assert path.stat().st_size < 10**6
    started = time.process_time()
    (made,) = collect(path, CLASS).attempts["s01"]
    assert len(made.content) == 20_000_001
    assert time.process_time() - started < 2
    data = bytearray(path.read_bytes())
    sizes = data.index(b"PK\x01\x02") + 24
    data[sizes : sizes + 4] = struct.pack("<I", 5)  # says that it is small
    path.write_bytes(data)
    assert "is damaged" in reasons(collect(path, CLASS))["s01.ipynb"]


def test_changed_bytes_are_refused_or_damaged_or_do_not_matter(tmp_path: Path) -> None:
    files = {"s01.ipynb": "x" * 500, "é/s02.ipynb": "y" * 50}
    whole = zipped(tmp_path, files).read_bytes()
    random = Random(1)
    said: set[str] = set()
    for _ in range(500):
        changed = bytearray(whole)
        for _ in range(random.choice([1, 2, 5])):
            changed[random.randrange(len(changed))] = random.choice([0, 1, 255])
        (tmp_path / "class.zip").write_bytes(changed)
        try:
            collected = collect(tmp_path / "class.zip", CLASS)
        except ValueError as refusal:
            said.add(str(refusal)[:40])
        else:
            assert {text for texts in owners(collected).values() for text in texts} <= {*files.values()}
    assert said == {"class.zip: this is not a zip file that c"}


def test_entries_that_share_their_bytes_are_not_read(tmp_path: Path) -> None:
    path = zipped(tmp_path, {"s01.ipynb": "x" * 1000, "s02.ipynb": "y" * 1000, "s03.ipynb": "z"})
    data = bytearray(path.read_bytes())
    first = data.index(b"PK\x01\x02")
    second = data.index(b"PK\x01\x02", first + 4)
    data[second + 42 : second + 46] = data[first + 42 : first + 46]
    path.write_bytes(data)
    collected = collect(path, CLASS)
    assert [*collected.attempts] == ["s03"]
    assert {*reasons(collected).values()} == {"shares its bytes with another file in the zip"}


def test_two_entries_of_one_name_are_two_files(tmp_path: Path) -> None:
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("s01.ipynb", "first")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("s01.ipynb", "second")
    collected = collect(path, CLASS)
    assert owners(collected) == {"s01": ["first"]}
    assert len(collected.duplicates) == 1


def test_a_zip_in_a_zip_is_not_opened(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("s02.ipynb", "x")
    collected = collect(zipped(tmp_path, {"s01.zip": inner.getvalue()}), CLASS)
    assert not collected.attempts
    assert "does not end in" in reasons(collected)["s01.zip"]


def test_a_hundred_thousand_entries_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(100_000):
            archive.writestr(f"{number}.py", "")
    started = time.process_time()
    with pytest.raises(ValueError, match="more than 20,000 files"):
        collect(path, CLASS)
    assert time.process_time() - started < 5


def test_names_in_a_zip_are_shown_harmless(tmp_path: Path) -> None:
    collected = collect(zipped(tmp_path, {"s01_\x1b[2J\n<script>.pdf": "", "=1+1.py": ""}), CLASS)
    assert {*reasons(collected)} == {"s01_\\x1b[2J\\n<script>.pdf", "=1+1.py"}


# --- a class -------------------------------------------------------------------------------------------------------


def test_a_class_of_200_is_quick(tmp_path: Path) -> None:
    students = [
        Student(f"s{number:03}", f"First{number} Last{number}", canvas_id=str(4000 + number)) for number in range(200)
    ]
    text = (Path(__file__).resolve().parents[2] / "exercises/paired/worksheet.ipynb").read_bytes()
    files = {f"last{number}first{number}_{4000 + number}_{90000 + number}_ps1.ipynb": text for number in range(200)}
    for make in MAKERS.values():
        source = make(tmp_path / make.__name__, files)
        started = time.process_time()
        collected = collect(source, Roster(tuple(students)))
        assert time.process_time() - started < 2
        assert [*collected.attempts] == [student.id for student in students]
        assert not collected.unmatched
        assert not collected.duplicates


def test_whoever_takes_anothers_name_in_moodle_replaces_nothing(tmp_path: Path) -> None:
    files = {
        "Eve_98_assignsubmission_file_/x.ipynb": "somebody's who is called Eve now",
        "Eve_99_assignsubmission_file_/x.ipynb": "Eve's",
        "Grace Hopper_7_assignsubmission_file_/x.ipynb": "hers",
    }
    collected = collect(folder(tmp_path, files), CLASS)
    assert owners(collected) == {"s02": ["hers"]}
    assert {why for why in reasons(collected).values()} == {
        "participants 98, 99 are called like s_4; put their numbers into the roster"
    }


def test_only_so_many_attempts_are_graded(tmp_path: Path) -> None:
    collected = collect(folder(tmp_path, {f"s01_attempt{number}.py": f"{number}" for number in range(1, 16)}), CLASS)
    assert owners(collected) == {"s01": [str(number) for number in range(6, 16)]}
    assert len(collected.unmatched) == 5
    assert all("older than the 10 newest" in each.why for each in collected.unmatched)


@pytest.mark.parametrize("name", ["s01 final (2).ipynb", "S01 (1).ipynb", "s01 - mine.ipynb", "s_4 last version.md"])
def test_an_id_may_be_followed_by_a_blank(name: str, tmp_path: Path) -> None:
    assert len(collect(folder(tmp_path, {name: "x"}), CLASS).attempts) == 1
