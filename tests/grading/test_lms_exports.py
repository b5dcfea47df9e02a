"""Files for Canvas and Moodle, read as these systems read them.

The readers below follow the importers of Canvas (lib/gradebook_importer.rb) and Moodle (mod/assign/feedback/offline,
grade/import/csv) as far as they matter here; the templates are written as their exporters write them.
"""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

from exercises.grading.course import Assignment, Course, Worth
from exercises.grading.exports import canvas, moodle
from exercises.grading.exports.gradebook import plain_name
from exercises.grading.marks import Attempt, Marks, mark
from exercises.grading.records import CheckMark, ExerciseMark, Graded
from exercises.grading.roster import Student
from exercises.run import Verdict

GRADEBOOKS = Path(__file__).parent / "gradebooks"
PAIRED = Assignment("paired", "Two systems", (Worth("paired/mid_p", Fraction(22)),))
ADA = Student("s1", "Ada Lovelace", "ada@uni.example", login="al1")
BOB = Student("s2", "Bob Kahn", "bob@uni.example", login="bk2")
EVE = Student("s3", "=HYPERLINK(1)", "eve@uni.example", login="eh3")
TESTER = Student("s9", "Tester", test=True)
CLASS = (ADA, BOB, EVE, TESTER)
ROSTER_MARKS = {"s1": "22", "s2": "14.67", "s3": "7.33"}


def marks(
    students: Sequence[Student] = CLASS, files: dict[str, str] | None = None, worth: Worth | None = None
) -> Marks:
    """Ada has all of three checks, Bob two, Eve one."""
    assignment = replace(PAIRED, exercises=(*PAIRED.exercises, worth)) if worth else PAIRED
    attempts = []
    for student, passed in (("s1", 3), ("s2", 2), ("s3", 1)):
        verdicts = [Verdict.PASSED] * passed + [Verdict.FAILED] * (3 - passed)
        checks = tuple(CheckMark(f"check {number}", verdict, False) for number, verdict in enumerate(verdicts))
        graded = Graded((ExerciseMark("paired/mid_p", checks),))
        if any(each.id == student for each in students):
            attempts.append(Attempt(student, 1, graded, file_name=(files or {}).get(student, "")))
    return mark(attempts, Course("stats", "", (assignment,)), assignment, students)


def saved(tmp_path: Path, text: str, name: str = "template.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


def rows_of(text: str) -> list[list[str]]:
    """The rows, all of one width, none of whose cells starts a formula."""
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert len({len(row) for row in rows}) == 1
    assert not any(cell.lstrip().startswith(("=", "+", "@")) for row in rows for cell in row)
    assert text.endswith("\r\n")
    return rows


# ---- Canvas ----------------------------------------------------------------------------------------------------------

CANVAS = (GRADEBOOKS / "canvas.csv").read_text(encoding="utf-8")


def as_canvas_reads(text: str) -> tuple[dict[str, str], str, str]:
    """The grades by whatever Canvas finds a student by, the assignment's number, and the points possible."""
    header, *rows = rows_of(text)
    assert "Student" in header[0]
    assert "ID" in header[1]
    assert header[2:4] == ["SIS User ID", "SIS Login ID"]
    assert header[4] == "Section"
    assert len(header) == 6
    number = re.fullmatch(r"(.*)\s\((\d+)\)", header[5])
    possible = [row for row in rows if "Points Possible" in row[0]]
    assert len(possible) == 1
    students = [row for row in rows if row not in possible]
    return {row[1] or row[2] or row[3]: row[5] for row in students}, number[2] if number else "", possible[0][5]


def test_canvas_gets_its_own_ids_and_one_column(tmp_path: Path) -> None:
    export = canvas.export(marks(), CLASS, saved(tmp_path, CANVAS))
    assert as_canvas_reads(export.text) == ({"101": "22", "102": "14.67", "103": "7.33"}, "4711", "22.00")
    assert export.remarks == ()
    lines = export.text.splitlines()
    assert lines[1] == "    Points Possible,,,,,22.00"  # with its spaces, as Canvas writes it
    assert lines[0] == "Student,ID,SIS User ID,SIS Login ID,Section,Two systems (4711)"
    assert lines[2] == '"Lovelace, Ada",101,S1,al1,Morning,22'
    assert "style" not in export.text  # notes are left alone


def test_canvas_is_understood_in_other_forms(tmp_path: Path) -> None:
    """With semicolons and a mark of the byte order; with two columns of names, more ids, and without ids of a SIS."""
    semicolons = "\ufeff" + "\n".join(";".join(row) for row in csv.reader(CANVAS.splitlines())) + "\n"
    assert "S1;al1" in semicolons
    semicolons = semicolons.replace('="=HYPERLINK(1)"', "Eve")
    assert canvas.export(marks(), CLASS, saved(tmp_path, semicolons)).text.count("\n") == 5
    names = (
        "LastName,FirstName,ID,SIS User ID,SIS Login ID,Integration ID,Root Account,Section,Two systems (4711)\n"
        "    Points Possible,,,,,,,,22\nLovelace,Ada,101,,al1,,canvas.example,A,\nStudent,Test,199,,,,,A,\n"
    )
    export = canvas.export(marks([ADA]), [ADA], saved(tmp_path, names))
    assert export.text.splitlines()[2] == "Lovelace,Ada,101,,al1,,canvas.example,A,22"
    assert export.remarks == ()
    teaching_assistant = 'Student,ID,SIS Login ID,Section,Two systems (4711)\n"Lovelace, Ada",101,ada@uni.example,A,\n'
    export = canvas.export(marks([ADA]), [ADA], saved(tmp_path, teaching_assistant))
    assert export.text.splitlines()[1] == '"Lovelace, Ada",101,ada@uni.example,A,22'


def test_the_number_in_canvas_is_an_id_where_the_roster_knows_it(tmp_path: Path) -> None:
    text = 'Student,ID,SIS Login ID,Section,Two systems (4711)\n"Other, Name",101,,A,\n"Kahn, Bob",s2,,A,\n'
    known = replace(ADA, canvas_id="101")
    export = canvas.export(marks([known]), [known], saved(tmp_path, text))
    assert export.text.splitlines()[1:] == ['"Other, Name",101,,A,22']
    assert export.remarks == (
        "1 matched by id, and called otherwise: compare them: s1 is Ada Lovelace here, and Other, Name there",
        "1 in Canvas and not among the marked, so left as they are there: Kahn, Bob",
    )
    # the roster's own ids are not numbers in Canvas, however alike they look
    plain = replace(ADA, id="101", login="", name="")
    (attempt,) = mark([], Course("", "", (PAIRED,)), PAIRED, [plain]).students
    assert attempt.student == "101"
    export = canvas.export(mark([], Course("", "", (PAIRED,)), PAIRED, [plain]), [plain], saved(tmp_path, text))
    assert len(export.text.splitlines()) == 1


def test_who_is_missing_on_either_side_is_told(tmp_path: Path) -> None:
    zoe = Student("s4", "Zoe\x1b[2J", "zoe@uni.example")
    text = CANVAS + '"New, Nora",105,S5,nn5,Morning,,,,,\n'
    export = canvas.export(marks([*CLASS, zoe]), [*CLASS, zoe], saved(tmp_path, text))
    assert "105" not in export.text
    assert export.remarks == (
        "1 in Canvas and not among the marked, so left as they are there: New, Nora",
        "1 marked, but not found in template.csv, so not in the file: s4",
    )


def test_a_name_finds_only_whom_nobody_else_is_called_like(tmp_path: Path) -> None:
    head = "Student,ID,SIS User ID,SIS Login ID,Section,Two systems (4711)\n"
    alone = head + '"LOVELACE, Ada",101,,,A,\n'
    export = canvas.export(marks([ADA]), [ADA], saved(tmp_path, alone))
    assert as_canvas_reads(export.text.replace("\r\n", "\r\n    Points Possible,,,,,22\r\n", 1))[0] == {"101": "22"}
    assert export.remarks == ("1 matched by name alone: compare them: Ada Lovelace",)
    twice = alone + '"Lovelace, Ada",102,,,A,\n'
    export = canvas.export(marks([ADA]), [ADA], saved(tmp_path, twice))
    assert len(export.text.splitlines()) == 1
    assert "marked, but not found" in export.remarks[1]
    # somebody who calls herself Ada gets nothing of hers
    impostor = alone + '"Mallory, Ada",102,S1,,A,\n'
    assert as_canvas_reads(
        canvas.export(marks([ADA]), [ADA], saved(tmp_path, impostor)).text + "Points Possible,,,,,22\r\n"
    )[0] == {"102": "22"}
    namesake = Student("s5", "Lovelace Ada")
    export = canvas.export(marks([ADA, namesake]), [ADA, namesake], saved(tmp_path, alone))
    assert len(export.text.splitlines()) == 1


def test_contradicting_ids_give_nobody_a_mark(tmp_path: Path) -> None:
    head = "Student,ID,SIS User ID,SIS Login ID,Section,Two systems (4711)\n"
    for row in ('"Lovelace, Ada",101,S1,bk2,A,\n', '"Lovelace, Ada",101,S1,,A,\n"Lovelace, Ada",102,,al1,A,\n'):
        export = canvas.export(marks([ADA, BOB]), [ADA, BOB], saved(tmp_path, head + row))
        assert len(export.text.splitlines()) == 1
        assert re.match(r"[12] in doubt, because ids and addresses belong to several students", export.remarks[0])
        assert export.remarks[-1].startswith("2 marked, but not found in template.csv")


def test_excused_and_not_assigned_stay_so(tmp_path: Path) -> None:
    text = CANVAS.replace("Morning,,,20.00", "Morning,,EX,20.00").replace("style,3.00", "style,N/A")
    export = canvas.export(marks(), CLASS, saved(tmp_path, text))
    assert as_canvas_reads(export.text)[0] == {"103": "7.33"}
    assert export.remarks == ("s1 is excused in Canvas, and stays so", "s2 is not assigned in Canvas, and stays so")


def test_other_points_in_canvas_are_refused(tmp_path: Path) -> None:
    for points in ("100.00", "0", "", "x"):
        path = saved(tmp_path, CANVAS.replace("22.00", points))
        with pytest.raises(ValueError, match=r"gives .* points in Canvas, and 22 here. Set its points to 22 in"):
            canvas.export(marks(), CLASS, path)


def test_the_column_is_named_or_called_like_the_assignment(tmp_path: Path) -> None:
    path = saved(tmp_path, CANVAS.replace("Two systems (", "Homework (").replace("20.00,(read", "22.00,(read"))
    for wanted in ("4712", "Intervals", "Intervals (4712)"):
        assert as_canvas_reads(canvas.export(marks(), CLASS, path, wanted).text)[1] == "4712"
    with pytest.raises(ValueError, match=r"which column takes the marks\? .*there: 'Homework \(4711\)', 'Int"):
        canvas.export(marks(), CLASS, path)
    with pytest.raises(ValueError, match=r"template.csv has no column 'Interval' .*; assignments there: 'Homework"):
        canvas.export(marks(), CLASS, path, "Interval")
    only = "Student,ID,SIS User ID,SIS Login ID,Section,Homework (4711),Final Score\nPoints Possible,,,,,22,\n"
    assert as_canvas_reads(canvas.export(marks(), CLASS, saved(tmp_path, only)).text)[1] == "4711"
    none = "Student,ID,SIS User ID,SIS Login ID,Section,Current Score (2027)\n"
    with pytest.raises(ValueError, match=r"Assignments there: none$"):
        canvas.export(marks(), CLASS, saved(tmp_path, none))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", r"template.csv is no gradebook of Canvas"),
        (b'Student,ID,"\n', r"template.csv, line 1: unexpected end of data"),
        (b"Student,ID\nx\n", r"template.csv, line 2: 1 values for 2 columns"),
        (b"name,mark\n", r"template.csv is no gradebook of Canvas: its columns must be Student, ID"),
        (b"Student,ID,Section\xff\n", r"template.csv is not UTF-8 text"),
    ],
)
def test_what_is_no_gradebook_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "template.csv").write_bytes(content)
    with pytest.raises(ValueError, match=words):
        canvas.export(marks(), CLASS, tmp_path / "template.csv")
    with pytest.raises(ValueError, match="No such file"):
        canvas.export(marks(), CLASS, tmp_path / "none.csv")


def test_canvas_without_a_template(tmp_path: Path) -> None:
    export = canvas.export(marks(), CLASS)
    assert as_canvas_reads(export.text) == (ROSTER_MARKS, "", "22")
    assert "Ada Lovelace,,s1,al1,,22" in export.text.splitlines()
    assert export.remarks[0].startswith("made without a template: Canvas looks for students by the ids")


EXPORTS = (
    (canvas, None),
    (canvas, CANVAS),
    (moodle, None),
    (moodle, (GRADEBOOKS / "moodle_worksheet.csv").read_text(encoding="utf-8")),
    (moodle, (GRADEBOOKS / "moodle_gradebook.csv").read_text(encoding="utf-8")),
)


@pytest.mark.parametrize(("system", "template"), EXPORTS)
def test_marks_that_are_not_final_are_left_out_unless_asked_for(
    system: ModuleType, template: str | None, tmp_path: Path
) -> None:
    essay = Worth("essay", Fraction(0), manual=True)
    students = tuple(replace(each, name="Eve") if each is EVE else each for each in CLASS)
    path = saved(tmp_path, template.replace("=HYPERLINK(1)", "Eve")) if template else None
    waiting = marks(students, worth=essay)
    with pytest.raises(ValueError, match=r"no mark is final yet: .* --provisional"):
        system.export(waiting, students, path)
    all_of_them = system.export(waiting, students, path, provisional=True)
    assert all_of_them.remarks[-1].endswith("or graded, and in the file as they are now: s1; s2; s3")
    assert "Bob" in all_of_them.text
    settled = tuple(replace(each, override="heard") if each.student != "s2" else each for each in waiting.students)
    export = system.export(replace(waiting, students=settled), students, path)
    assert export.remarks[-1] == (
        "1 not final yet, because something is still to be marked or graded, so left out of the file: --provisional "
        "writes them, too: s2"
    )
    assert ("Bob" in export.text, "Ada" in export.text) == (False, True)


# ---- Moodle ----------------------------------------------------------------------------------------------------------

WORKSHEET = (GRADEBOOKS / "moodle_worksheet.csv").read_text(encoding="utf-8")


def as_moodle_reads(text: str) -> dict[str, str]:
    """The grades of a worksheet by the number of the participant."""
    header, *rows = rows_of(text)
    grades = {}
    for row in rows:
        cells = dict(zip(header, row, strict=True))
        assert cells["Identifier"].startswith("Participant ")
        assert cells["Last modified (grade)"]
        assert 0 <= float(cells["Grade"]) <= 22
        grades[cells["Identifier"][len("Participant ") :]] = cells["Grade"]
    return grades


def test_a_worksheet_gets_its_grades_and_keeps_what_the_import_needs(tmp_path: Path) -> None:
    export = moodle.export(marks(), CLASS, saved(tmp_path, WORKSHEET))
    assert as_moodle_reads(export.text) == {"501": "22", "502": "14.67", "503": "7.33"}
    assert export.remarks == ()
    assert export.text.splitlines()[0] == (
        "Identifier,Full name,Email address,Grade,Maximum grade,Last modified (grade)"
    )
    assert "Tuesday, 2 March 2027, 9:00 AM" in export.text
    assert "style" not in export.text  # a comment that is not in the file is left alone


def test_a_blind_worksheet_goes_by_the_numbers_of_files_or_roster(tmp_path: Path) -> None:
    blind = re.sub(r'^("Participant \d+"|Identifier),("[^"]*"),[^,]*,', r"\1,", WORKSHEET, flags=re.MULTILINE)
    assert "Ada" not in blind
    assert "uni.example" not in blind
    files = {
        "s1": "Participant_501_assignsubmission_file_x_502_assignsubmission_.ipynb",
        "s2": "class/Bob Kahn_502_assignsubmission_file_/work.ipynb",
    }
    students = [ADA, BOB, replace(EVE, moodle_id="503")]
    export = moodle.export(marks(students, files), students, saved(tmp_path, blind))
    assert as_moodle_reads(export.text) == {"501": "22", "502": "14.67", "503": "7.33"}
    assert export.remarks == ()
    # where others have files of other names, this one is Ada's idea
    export = moodle.export(marks(students, {**files, "s2": "bob.ipynb"}), students, saved(tmp_path, blind))
    assert as_moodle_reads(export.text) == {"503": "7.33"}


def test_locked_grades_stay(tmp_path: Path) -> None:
    export = moodle.export(marks(), CLASS, saved(tmp_path, WORKSHEET.replace("3.00,22.00,Yes", "3.00,22.00,No")))
    assert as_moodle_reads(export.text) == {"501": "22", "503": "7.33"}
    assert export.remarks == ("s2 has a grade that is locked in Moodle, and keeps it",)


def test_another_maximum_in_moodle_is_refused(tmp_path: Path) -> None:
    assert moodle.export(marks(), CLASS, saved(tmp_path, WORKSHEET.replace("22.00", '"22,00"'))).remarks == ()
    with pytest.raises(ValueError, match=r"the maximum grade is 100.00 in Moodle, and 22 here. Set it to 22 in Moo"):
        moodle.export(marks(), CLASS, saved(tmp_path, WORKSHEET.replace("22.00", "100.00")))
    with pytest.raises(ValueError, match=r"has a scale in Moodle, and must have points"):
        moodle.export(marks(), CLASS, saved(tmp_path, WORKSHEET.replace("Maximum grade", "Scale")))


def test_who_is_missing_in_moodle_or_here_is_told(tmp_path: Path) -> None:
    export = moodle.export(marks([BOB]), [BOB], saved(tmp_path, WORKSHEET.replace("bob@", "bobby@")))
    assert as_moodle_reads(export.text) == {"502": "14.67"}
    assert export.remarks == (
        "1 matched by name alone: compare them: Bob Kahn",
        "2 in Moodle and not among the marked, so left as they are there: Ada Lovelace; =HYPERLINK(1)",
    )


GRADEBOOK = (GRADEBOOKS / "moodle_gradebook.csv").read_text(encoding="utf-8")


def test_a_gradebook_of_moodle_gets_one_column(tmp_path: Path) -> None:
    export = moodle.export(marks([ADA, BOB]), [ADA, BOB], saved(tmp_path, GRADEBOOK))
    assert rows_of(export.text) == [
        ["First name", "Surname", "ID number", "Email address", "Assignment: Two systems (Real)"],
        ["Ada", "Lovelace", "S1", "ada@uni.example", "22"],
        ["Bob", "Kahn", "", "bob@uni.example", "14.67"],
    ]
    assert export.remarks == (
        "in Grades, Import, CSV file: map from 'Email address' to the same, and 'Assignment: Two systems (Real)' to "
        "the assignment, whose maximum grade must be 22",
    )
    other = moodle.export(marks([ADA]), [ADA], saved(tmp_path, GRADEBOOK), "Quiz: Intervals (Real)")
    assert rows_of(other.text)[0][-1] == "Quiz: Intervals (Real)"
    with pytest.raises(ValueError, match=r"no column 'Course total'.* there: 'Assignment: Two systems \(Real\)'"):
        moodle.export(marks([ADA]), [ADA], saved(tmp_path, GRADEBOOK), "Course total")


def test_another_file_or_another_language_is_refused(tmp_path: Path) -> None:
    for text in ("ID,Bewertung\n", WORKSHEET.replace("Identifier", "ID").replace("Email address", "E-Mail")):
        with pytest.raises(ValueError, match=r"neither a grading worksheet .* nor an export .* with Moodle in English"):
            moodle.export(marks(), CLASS, saved(tmp_path, text))


def test_moodle_without_a_template() -> None:
    students = [ADA, replace(BOB, email=""), TESTER]
    export = moodle.export(marks(students), students)
    # a row without an address would be given to whoever stands above it
    assert rows_of(export.text) == [
        ["Full name", "ID number", "Email address", "Two systems"],
        ["Ada Lovelace", "s1", "ada@uni.example", "22"],
    ]
    assert export.remarks[0] == "without an e-mail address on the roster, so not in the file: s2"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Lovelace, Ada", "ADA LOVELACE", True),
        ("José García-López", "Jose Garcia Lopez", True),
        ("Li Wei", "Li Wen", False),
        ("Ada", "Ada Lovelace", False),
        ("!", "", True),
    ],
)
def test_names_are_compared_by_their_letters(one: str, other: str, same: bool) -> None:
    assert (plain_name(one) == plain_name(other)) is same
