"""What course.toml may say, and what is refused in one line."""

from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path

import pytest

from exercises import catalogue
from exercises.grading import course as courses
from exercises.grading.course import Assignment, Keep, Worth
from exercises.grading.records import Limits

MINIMAL = """
[assignment.paired]
exercises = [
    { exercise = "paired/mid_p", points = 2 },
]
"""

FULL = """
[course]
id = "stats-2027"
title = "Statistics"
test_students = ["test-student"]

[defaults]
grace_minutes = 15
penalty_of_total_per_day = 0.1
keep = "best"
memory_mb = 3072

[assignment.paired]
title = "Two systems"
due = 2027-03-01T23:59:00+01:00
cut_off = 2027-03-08T23:59:00+01:00
attempts = 3
keep = "first"
rounding = 0.5
show_inputs = true
call_seconds = 20
cell_seconds = 2.5
submission_seconds = 240
exercises = [
    { exercise = "paired/mid_p", points = 2 },
    { exercise = "paired/paired_bootstrap", points = 0.1 },
    { manual = "essay", points = 4 },
]

[assignment.paired.extensions]
ada = { due = 2027-03-05T12:00:00Z, reason = "illness" }

[assignment.intervals]
exercises = [{ exercise = "intervals/wilson", points = 1 }]
"""

CET = timezone(timedelta(hours=1))


def read(tmp_path: Path, text: str) -> courses.Course:
    path = tmp_path / "course.toml"
    path.write_text(text, encoding="utf-8")
    return courses.read(path)


def test_everything_that_can_be_said(tmp_path: Path) -> None:
    course = read(tmp_path, FULL)
    assert (course.id, course.title, course.test_students) == ("stats-2027", "Statistics", ("test-student",))
    paired = course.assignment("paired")
    assert paired == Assignment(
        stem="paired",
        title="Two systems",
        exercises=(
            Worth("paired/mid_p", Fraction(2)),
            Worth("paired/paired_bootstrap", Fraction(1, 10)),
            Worth("essay", Fraction(4), manual=True),
        ),
        due=datetime(2027, 3, 1, 23, 59, tzinfo=CET),
        cut_off=datetime(2027, 3, 8, 23, 59, tzinfo=CET),
        extensions=(courses.Extension("ada", datetime(2027, 3, 5, 12, tzinfo=UTC), "illness"),),
        grace=timedelta(minutes=15),
        penalty_of_total_per_day=Fraction(1, 10),
        attempts=3,
        keep=Keep.FIRST,
        rounding=Fraction(1, 2),
        show_inputs=True,
        limits=Limits(call_seconds=20, cell_seconds=2.5, submission_seconds=240, memory_bytes=3 * 1024**3),
    )
    assert paired.total == Fraction(61, 10)
    assert paired.checked == ("paired/mid_p", "paired/paired_bootstrap")
    intervals = course.assignment("intervals")
    assert (intervals.title, intervals.keep, intervals.rounding) == ("Intervals", Keep.BEST, Fraction(1, 100))
    assert intervals.limits == Limits(memory_bytes=3 * 1024**3)


def test_an_extension_moves_the_cut_off(tmp_path: Path) -> None:
    paired = read(tmp_path, FULL).assignment("paired")
    assert paired.due is not None
    assert paired.cut_off is not None
    assert (paired.due_for("bob"), paired.cut_off_for("bob")) == (paired.due, paired.cut_off)
    assert paired.due_for("ada") == datetime(2027, 3, 5, 12, tzinfo=UTC)
    assert paired.cut_off_for("ada") == datetime(2027, 3, 12, 12, tzinfo=UTC)


def test_little_is_required(tmp_path: Path) -> None:
    course = read(tmp_path, MINIMAL)
    assert (course.id, course.test_students) == ("evalstats", ())
    assert course.assignment() == Assignment("paired", "Paired", (Worth("paired/mid_p", Fraction(2)),))


def test_a_call_gets_twice_what_the_slowest_exercise_allows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue.load("paired/mid_p"), "seconds", 12.0)
    assert read(tmp_path, MINIMAL).assignment().limits.call_seconds == 24
    with pytest.raises(ValueError, match=r"call_seconds is 11; it must be a number from 12 to 3600$"):
        read(tmp_path, MINIMAL + "call_seconds = 11\n")


def test_the_course_of_this_repository() -> None:
    course = courses.read()
    assert [each.stem for each in course.assignments] == ["intervals", "paired"]
    assert all(each.checked == tuple(catalogue.names(each.stem)) for each in course.assignments)
    assert all(each.due is None for each in course.assignments)


def test_every_option_is_explained_in_the_file() -> None:
    text = courses.FILE.read_text(encoding="utf-8")
    for option in (
        *("due", "cut_off", "show_inputs", "grace_minutes", "penalty_of_total_per_day", "attempts", "keep", "rounding"),
        *("call_seconds", "cell_seconds", "submission_seconds", "memory_mb", "manual", "extensions", "[defaults]"),
    ):
        assert option in text


def test_examples_in_its_comments_can_be_used(tmp_path: Path) -> None:
    """Each commented line, put where the comment says."""
    lines = [line[6:] for line in courses.FILE.read_text(encoding="utf-8").splitlines() if line.startswith("#     ")]
    options = [line.partition("  ")[0] for line in lines if line[0] not in "{[" and not line.startswith("ada")]
    assert len(options) == 12
    manual, header, ada = lines[-3:]
    exercises = f'exercises = [{{ exercise = "paired/mid_p", points = 2 }}, {manual} ]'
    course = read(tmp_path, "\n".join(["[assignment.paired]", *options, exercises, header, ada]))
    assignment = course.assignment()
    assert (assignment.attempts, assignment.show_inputs, assignment.exercises[1].manual) == (3, True, True)
    assert assignment.limits == Limits()
    assert assignment.extension("ada") is not None


def test_the_catalogue_reads_past_manual_questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "course.toml").write_text(FULL, encoding="utf-8")
    monkeypatch.setattr(catalogue, "CHECKOUT", tmp_path)
    assert catalogue.names("paired")[:2] == ["paired/mid_p", "paired/paired_bootstrap"]


def test_an_assignment_is_chosen_by_its_stem(tmp_path: Path) -> None:
    course = read(tmp_path, FULL)
    with pytest.raises(ValueError, match=r"several assignments: say which one, of paired, intervals$"):
        course.assignment()
    with pytest.raises(ValueError, match=r"no assignment 'pared' \(did you mean 'paired'\?\); there are paired, inter"):
        course.assignment("pared")


REFUSED = {
    "[course]\nidd = 'x'\n": r"\[course\] has an unknown key 'idd' \(did you mean 'id'\?\); known: id, test",
    "[curse]\nid = 'x'\n": r"the file has an unknown key 'curse' \(did you mean 'course'\?\)",
    "[course]\nid = ''\n": r"\[course\] id is ''; it must be a line of text in quotes",
    "[course]\nid = 'a\\u0000'\n".replace("'", '"'): r"\[course\] id is 'a\\x00'; it must be a line of text",
    "[course]\ntest_students = 'x'\n": r"test_students is 'x'; it must be a list of ids",
    "[defaults]\ndue = 2027-03-01T23:59:00Z\n": r"\[defaults\] has an unknown key 'due'",
    "[defaults]\ntitle = 'x'\n": r"\[defaults\] has an unknown key 'title'",
    "[defaults]\nkeep = 'worst'\n": r"\[defaults\] keep is 'worst'; it must be one of 'last', 'best', 'first'",
    "course = 1\n": r"^course.toml: \[course\] must be a table",
}

REFUSED_IN_ASSIGNMENT = {
    "due = 2027-03-01T23:59:00\n": r"\[assignment.paired\] due is 2027-03-01T23:59:00; it must be a date, a time",
    "due = 2027-03-01\n": r"due is 2027-03-01; it must be a date, a time and the offset of your time zone: 20",
    "due = '2027-03-01T23:59:00Z'\n": r"due is '2027-03-01T23:59:00Z'; it must be a date",
    "deu = 2027-03-01T23:59:00Z\n": r"unknown key 'deu' \(did you mean 'due'\?\); known: attempts, call_seconds",
    "cut_off = 2027-03-01T23:59:00Z\n": r"\[assignment.paired\] has a cut_off but no 'due'",
    "due = 2027-03-02T00:00:00Z\ncut_off = 2027-03-01T23:59:00Z\n": r"cut_off is 2027-03-01T23:59:00\+00:00; it must",
    "grace_minutes = -1\n": r"grace_minutes is -1; it must be a whole number from 0 to",
    "grace_minutes = 1.5\n": r"grace_minutes is 1.5; it must be a whole",
    "grace_minutes = true\n": r"grace_minutes is True; it must be a whole",
    "penalty_of_total_per_day = 10\n": r"penalty_of_total_per_day is 10; it must be a number from 0 to 1$",
    "penalty_of_total_per_day = -0.1\n": r"is -0.1; it must be a number from 0 to 1$",
    "penalty_of_total_per_day = nan\n": r"is NaN; it must be a number from 0 to 1$",
    "attempts = 0\n": r"attempts is 0; it must be a whole number from 1 to 1000$",
    "rounding = 0\n": r"rounding is 0; it must be a step such as",
    "rounding = inf\n": r"rounding is Infinity; it must be a step such as",
    "show_inputs = 1\n": r"show_inputs is 1; it must be true or false$",
    "memory_mb = 10\n": r"memory_mb is 10; it must be a whole number from 256",
    "call_seconds = 1\n": r"call_seconds is 1; it must be a number from 5 to 3600",
    "[assignment.paired.extensions]\nada = { due = 2027-03-01T00:00:00Z, reason = 'x' }\n": "extensions but no 'due'",
    "due = 2027-03-02T00:00:00Z\n[assignment.paired.extensions]\nada = { due = 2027-03-01T23:59:00Z, reason = '' }\n": (
        r"\[assignment.paired.extensions\] ada: reason is ''; it must be a line of text"
    ),
    "due = 2027-03-02T00:00:00Z\n[assignment.paired.extensions]\nada = { due = 2027-03-01T00:00:00Z, reason='a' }\n": (
        r"\[assignment.paired.extensions\] ada: due is 2027-03-01T00:00:00\+00:00; it must be after 2027-03-02"
    ),
    "due = 2027-03-02T00:00:00Z\n[assignment.paired.extensions]\nada = { due = 2027-03-03T00:00:00Z }\n": (
        r"\[assignment.paired.extensions\] ada: has no 'reason'"
    ),
}

REFUSED_EXERCISES = {
    '{ exercise = "paired/mid_pp", points = 2 }': (
        r"^course.toml: \[assignment.paired\], exercise 1: exercise is 'paired/mid_pp'; there is no exercise"
    ),
    '{ exercise = "paired/mid_p", points = 0 }': r"exercise 1: points is 0; it must be a number above 0",
    '{ exercise = "paired/mid_p", points = "2" }': r"points is '2'; it must be a number",
    '{ exercise = "paired/mid_p", points = nan }': r"points is NaN; it must be a number",
    '{ exercise = "paired/mid_p", points = 1e999999 }': r"points is 1E\+999999; it must be a number",
    '{ exercise = "paired/mid_p" }': r"exercise 1: has no 'points'",
    '{ exercise = "paired/mid_p", pionts = 1, points = 2 }': r"unknown key 'pionts' \(did you mean 'points'\?\)",
    "{ points = 2 }": r"exercise 1: it must have either 'exercise' or 'manual'",
    '{ exercise = "paired/mid_p", manual = "essay", points = 2 }': r"it must have either 'exercise' or 'manual'",
    '{ manual = "total", points = 2 }': r"manual is 'total'; it must be a word other than 'total', without /",
    '{ manual = "a", points = 2 }, { manual = "a", points = 2 }': r"\[assignment.paired\] lists 'a' 2 times; each",
    '"paired/mid_p"': r"exercise 1: must be a table",
    "": r"exercises is \[\]; it must be a list such as",
}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        *((begin + MINIMAL, words) for begin, words in REFUSED.items()),
        *((MINIMAL + end, words) for end, words in REFUSED_IN_ASSIGNMENT.items()),
        *((f"[assignment.paired]\nexercises = [{items}]\n", words) for items, words in REFUSED_EXERCISES.items()),
        ("", r"the file has no 'assignment'"),
        ("[assignment]\n", r"there is no assignment: add a table such as \[assignment.paired\]"),
        ("[assignment.paired]\n", r"\[assignment.paired\] has no 'exercises'"),
        ("[assignment\n", r"^course.toml is not TOML: "),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words) as refusal:
        read(tmp_path, text)
    assert "\n" not in str(refusal.value)
    assert str(refusal.value).startswith("course.toml")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"nowhere.toml: No such file"):
        courses.read(tmp_path / "nowhere.toml")


def test_checks_have_a_fingerprint_each() -> None:
    digests = {courses.checks_digest(name) for name in catalogue.names()}
    assert len(digests) == len(catalogue.names())
    assert all(len(digest) == 12 for digest in digests)
