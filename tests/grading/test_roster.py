"""Rosters as people and systems write them; what is unclear is refused with file, line and value."""

from __future__ import annotations

from pathlib import Path

import pytest

from exercises.grading.roster import Roster, Student, read

PLAIN = "id,name,email\ns01,Ada Lovelace,ada@x.org\ns02,Émilie du Châtelet,emilie@x.org\n"
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,PS 1 (9),Current Score\n"
    ",,,,,Manual Posting,\n"
    "    Points Possible,,,,,10.00,(read only)\n"
    '"Lovelace, Ada",4711,s01,ada,"A and B",9,90\n'
    '"Hopper, Grace",4712,,grace,A,,\n'
    '"Student, Test",4799,,5f2ab9c1,A,,\n'
)


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "roster.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def roster(folder: Path, text: str | bytes, test_students: tuple[str, ...] = ()) -> Roster:
    return read(written(folder, text), test_students)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_plain_rosters(separator: str, start: bytes, end: str, tmp_path: Path) -> None:
    text = PLAIN.replace(",", separator).replace("\n", end)
    assert [*roster(tmp_path, start + text.encode())] == [
        Student("s01", "Ada Lovelace", "ada@x.org"),
        Student("s02", "Émilie du Châtelet", "emilie@x.org"),
    ]


def test_canvas_gradebook(tmp_path: Path) -> None:
    assert [*roster(tmp_path, CANVAS)] == [
        Student("s01", "Lovelace, Ada", canvas_id="4711", login="ada", section="A and B"),
        Student("grace", "Hopper, Grace", canvas_id="4712", login="grace", section="A"),
        Student("5f2ab9c1", "Student, Test", canvas_id="4799", login="5f2ab9c1", section="A", test=True),
    ]


def test_canvas_gradebook_with_split_names_and_no_institution(tmp_path: Path) -> None:
    text = "LastName,FirstName,ID,SIS Login ID,Section\n    Points Possible,,,,\nLovelace,Ada,4711,ada,A\n"
    assert [*roster(tmp_path, text)] == [Student("ada", "Ada Lovelace", canvas_id="4711", login="ada", section="A")]


@pytest.mark.parametrize(
    ("text", "student"),
    [
        (
            "First name,Last name,ID number,Email address,Groups\nAda,Lovelace,s01,ada@x.org,A\n",
            Student("s01", "Ada Lovelace", "ada@x.org", section="A"),
        ),
        (
            "Identifier,Full name,Email address,Status,Grade\nParticipant 1234567,Ada Lovelace,ada@x.org,Submitted,\n",
            Student("ada@x.org", "Ada Lovelace", "ada@x.org", moodle_id="1234567"),
        ),
        (
            "Identifier;Full name;ID number;Username;Email address\nParticipant 12;Ada Lovelace;s01;ada;ada@x.org\n",
            Student("s01", "Ada Lovelace", "ada@x.org", moodle_id="12", login="ada"),
        ),
    ],
    ids=["participants", "worksheet", "worksheet with ids"],
)
def test_moodle(text: str, student: Student, tmp_path: Path) -> None:
    assert [*roster(tmp_path, text)] == [student]


def test_gradescope_roster_without_its_staff(tmp_path: Path) -> None:
    text = (
        "First Name,Last Name,SID,Email,Role,Sections\n"
        "Ada,Lovelace,007,ada@x.org,Student,A\nCharles,Babbage,,c@x.org,Instructor,\nGrace,Hopper,,g@x.org,TA,\n"
    )
    assert [*roster(tmp_path, text)] == [Student("007", "Ada Lovelace", "ada@x.org", section="A")]


def test_test_students_by_column_and_by_list(tmp_path: Path) -> None:
    text = "id,name,test\na,A,yes\nb,B,\nc,C,no\n"
    assert [student.test for student in roster(tmp_path, text)] == [True, False, False]
    assert [student.test for student in roster(tmp_path, text, ("C",))] == [True, False, True]


def test_blank_lines_and_other_columns_are_passed_over(tmp_path: Path) -> None:
    text = 'note,Student ID, Name \n\n"a\nb", s01 ,"Ada, Countess"\n,,\n'
    made = roster(tmp_path, text)
    assert [*made] == [Student("s01", "Ada, Countess")]
    assert (len(made), made.ids) == (1, ("s01",))


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        (PLAIN, ("id",)),
        ("sid,name\n1,A\n", ("sid",)),
        ("Name;E-Mail\nA;a@x\n", ("E-Mail",)),
        (CANVAS, ("SIS User ID", "SIS Login ID")),
    ],
)
def test_it_is_known_which_columns_the_ids_come_from(text: str, columns: tuple[str, ...], tmp_path: Path) -> None:
    assert roster(tmp_path, text).id_columns == columns


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id,name\ns01,A\ns02,B\nS01,C\n", "roster.csv, line 4: the id 'S01' is already that of line 2"),
        ("id,name,email\na,A,x@y\nb,B,X@y\n", "line 3: the email 'X@y' is already that of line 2"),
        (CANVAS.replace("4712", "4711"), "line 5: the canvas id '4711' is already that of line 4"),
        ("Identifier,Full name,id\nParticipant 5,A,a\nParticipant 5,B,b\n", "the moodle id '5'"),
        ("id,name\n,Ada\n", "line 2: 'Ada' has no id"),
        ("name,section\nAda,1\n", "no column of ids"),
        ("id,section\na,1\n", "no column of names"),
        ("id,name,id\na,A,b\n", "two columns called 'id'"),
        ("id,name\na,A,b\n", "line 2: 3 cells, but the header has 2"),
        ("id,name\n", "no student"),
        ("", "empty"),
        ("id,name\n../../x,A\n", "line 2: the id '../../x' must not"),
        ("id,name\n.x,A\n", "the id '.x' must not"),
        ("id,name\na\\b,A\n", "must not start with a full stop or contain"),
        ("id,name\n" + "a" * 101 + ",A\n", "at most 100 characters"),
        ("id,name\na,É\n".encode("latin-1"), "not UTF-8"),
        ("id,name\na," + "A" * 200_000, "field larger than field limit"),
        (b" " * 10_000_001, "field larger than field limit"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_is_unclear_is_refused(text: str | bytes, words: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        roster(tmp_path, text)
    assert words in str(refused.value)
    assert "roster.csv" in str(refused.value)
    assert str(refused.value).isprintable()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"none\.csv: No such file"):
        read(tmp_path / "none.csv")


def test_a_name_that_a_student_has_chosen_stops_nobody(tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_text("id,name\na,\x1b[31mred\u202e\nb," + "long " * 100 + "\nc,Ada\n", encoding="utf-8")
    first, second, third = (student.name for student in read(path))
    assert first == r"\x1b[31mred\u202e"
    assert len(second) < 110
    assert third == "Ada"
