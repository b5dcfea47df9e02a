"""The page about the class and its CSV files: what they say, and that no text of a student's gets out of hand."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.grading.charts import Axis, Row, chart, counts
from exercises.grading.class_report import Class, class_report, files
from exercises.grading.course import Assignment, Course, Extension, Keep, Worth
from exercises.grading.marks import Attempt, Override, mark
from exercises.grading.page import PAGES
from exercises.grading.records import Graded
from exercises.run import Verdict
from tests.grading.pages import HARMLESS, HOSTILE, assert_well_made, assignment, graded, parsed, text_of

TABLE, MID_P = "paired/paired_table", "paired/mid_p"
DUE = datetime(2027, 3, 1, 12, tzinfo=UTC)
RIGHT = graded((TABLE, "right_loop"), (MID_P, "right_by_counting"))
WRONG = graded((TABLE, "wrong_swapped"), (MID_P, "wrong_one_sided"))
STARTED = graded((TABLE, "right_numpy"), (MID_P, "starter"))
BOTH = assignment(TABLE, MID_P)
TABLE_ONLY = assignment(TABLE)


class Student:
    def __init__(self, number: int, name: str = "") -> None:
        self.id = f"s{number}"
        self.name = name or f"Student {number}"


def a_class(
    work: list[Graded | None], what: Assignment, *overrides: Override, tested: tuple[str, ...] = (), **more: Any
) -> Class:
    """Student 0 handed in the first, and so on; None is nothing handed in."""
    students = [Student(number) for number in range(len(work))]
    attempts = [
        Attempt(student.id, 1, each, DUE + timedelta(hours=number - 1), f"{student.id}.ipynb")
        for number, (student, each) in enumerate(zip(students, work, strict=True))
        if each is not None
    ]
    course = Course("c", "Course", (what,), tested)
    marks = mark(attempts, course, what, students, overrides)
    return Class(marks, what, {each.student: each.graded for each in attempts if each.graded}, **more)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def page(of: Class) -> str:
    made = class_report(of)
    assert_well_made(made)
    return text_of(made)


# ---- small and odd classes -------------------------------------------------------------------------------------------


def test_nobody_is_on_the_roster() -> None:
    text = page(a_class([], BOTH))
    assert "0 students on the roster, 6 points to reach." in text
    assert "Nobody has handed in anything that could be graded." in text
    assert "Nothing: every file was matched, read and graded." in text


def test_nobody_handed_in() -> None:
    of = a_class([None, None, None], BOTH)
    assert "no submission: 3" in page(of)
    assert all(rows(text) == [] for name, text in files(of).items() if name.endswith(".csv"))


def test_one_student() -> None:
    text = page(a_class([WRONG], BOTH))
    assert "The one mark is" in text
    assert "cannot be said here: fewer than 3 students" in text
    assert "Items to look at" not in text
    assert "1 submission cannot tell which checks to look at." in text


def test_two_students() -> None:
    text = page(a_class([RIGHT, WRONG], BOTH))
    assert "the 2 marks run from" in text
    assert "Items to look at" not in text
    assert "2 submissions cannot tell which checks to look at." in text


def test_all_have_full_marks() -> None:
    text = page(a_class([RIGHT] * 4, BOTH))
    assert "The middle mark (the median) is 100% of the points, and the mean is 100%; the 4 marks run" in text
    assert "All exercises were solved equally often: 4 of 4 solved each." in text
    assert "90% to 100% of the points 4" in text
    assert "cannot be said here: everybody has the same here" in text
    assert "No answer gave a known misconception away." in text
    assert text.count("Everybody passed, so it tells nobody apart.") == len(a_class([RIGHT], BOTH).items)


def test_one_exercise_has_no_other_to_be_compared_with() -> None:
    text = page(a_class([graded((TABLE, answer)) for answer in ("right_loop", "wrong_swapped", "starter")], TABLE_ONLY))
    assert "tell students apart cannot be said here: there is no other exercise." in text
    assert "“The table of two log files”: 1 of 3 solved it." in text
    assert "Hardest" not in text


def test_of_few_students_correlations_are_not_counted() -> None:
    few, many = (page(a_class([RIGHT, WRONG, STARTED] * times, BOTH)) for times in (3, 4))
    assert "9 students are too few to say how well exercises tell them apart: a correlation of 0.35 either way" in few
    assert "a correlation below" not in few
    assert "No exercise has a correlation below 0.2." in many
    assert "Among 12 students 0.30 either way is ordinary for things that have nothing to do with" in many
    assert "on the other exercises that were checked" in many


def test_all_files_are_unreadable() -> None:
    text = page(a_class([Graded(unreadable="a picture")] * 2, BOTH))
    assert "Files that cannot be read (2)" in text
    assert "a picture" in text
    assert text.count("No submission could be read.") == 3


# ---- what it says ----------------------------------------------------------------------------------------------------


def test_exercises_checks_and_misconceptions_are_counted() -> None:
    of = a_class([RIGHT, RIGHT, WRONG, STARTED, None], BOTH)
    text = page(of)
    assert "Hardest was “The mid-p”, which 2 of 4 solved." in text
    assert re.search(r"The table of two log files 3 of 4; mean points \d+%", text)
    assert of.slips
    table = rows(files(of)["items.csv"])
    whole = {row["exercise"]: row for row in table if not row["check"]}
    assert (whole[TABLE]["passed"], whole[TABLE]["students"]) == ("3", "4")
    assert (whole[MID_P]["not_started"], whole[MID_P]["failed"], whole[MID_P]["passed"]) == ("1", "1", "2")
    assert sum(int(whole[MID_P][str(verdict).replace(" ", "_")]) for verdict in Verdict) == 4
    named = rows(files(of)["misconceptions.csv"])
    assert [row["misconception"] for row in named] == [one.misconception for one in of.slips]
    assert {row["of"] for row in named} == {"4"}


def test_all_that_are_hardest_or_most_frequent_are_named() -> None:
    three = assignment(TABLE, MID_P, "paired/exact_mcnemar")
    exact = ("paired/exact_mcnemar", "right_by_counting")
    tied = (("wrong_swapped", "wrong_point"), ("starter", "starter"), ("right_loop", "right_by_counting"))
    easy = [graded((TABLE, table), (MID_P, mid_p), exact) for table, mid_p in tied]
    text = page(a_class(easy, three))
    assert "Hardest were “The table of two log files” and “The mid-p”, which 1 of 3 solved." in text
    of = a_class(easy, three)
    assert [each.students.count for each in of.slips] == [1, 1]
    assert "All were seen equally often: each shown by 1 of 3." in text
    more = a_class([*easy, graded((TABLE, "wrong_swapped"), (MID_P, "starter"), exact)], three)
    assert [each.students.count for each in more.slips] == [2, 1]
    assert re.search("Most frequent: “[^”]+”, shown by 2 of 4.", page(more))


def test_marks_that_can_still_change_are_counted() -> None:
    what = replace(BOTH, exercises=(*BOTH.exercises, Worth("essay", Fraction(6), manual=True)))
    given = Override("s0", "essay", Fraction(6), "good")
    assert "2 of the 3 marks are provisional: they can still change." in page(a_class([RIGHT] * 3, what, given))
    assert "1 of the 2 marks is provisional: it can still change." in page(a_class([RIGHT] * 2, what, given))
    assert "provisional" not in page(a_class([RIGHT], what, given))


def test_who_was_late_at_an_unknown_time_is_listed() -> None:
    what = replace(BOTH, due=DUE, penalty_of_total_per_day=Fraction(1, 10), keep=Keep.BEST)
    students = [Student(number) for number in range(3)]
    attempts = [Attempt(each.id, 1, RIGHT, file_name="x.ipynb", late=True) for each in students]
    attempts.append(Attempt("s1", 2, RIGHT, DUE + timedelta(days=1), "y.ipynb"))

    def text(what: Assignment) -> str:
        given = [Override("s2", "total", Fraction(3), "agreed")]
        return page(Class(mark(attempts, Course("c", "Course", (what,)), what, students, given), what, {}))

    assert "find the time out, and set the mark by hand (1) Student 1 (s1)" in text(what)
    assert "give the time with --times, or set the mark by hand (1) Student 0 (s0)" in text(what)
    assert "1 of the 3 marks is provisional" in text(what)
    assert "Student 0 (s0) late, not known when 0 0" in text(what)
    assert "nobody knows" not in text(replace(what, penalty_of_total_per_day=Fraction(0)))


def test_test_students_are_in_no_number() -> None:
    without = a_class([RIGHT, WRONG, STARTED], BOTH)
    tested = a_class([RIGHT, WRONG, STARTED, RIGHT], BOTH, tested=("s3",))
    assert {name: text for name, text in files(without).items() if name != "class.html"} == {
        name: text for name, text in files(tested).items() if name != "class.html"
    }
    assert "3 students on the roster" in page(tested)
    assert "1 test student: marked, and left out of the statistics" in page(tested)


def test_what_needs_a_person_comes_first() -> None:
    what = replace(BOTH, exercises=(*BOTH.exercises, Worth("essay", Fraction(2), manual=True)))
    of = a_class(
        [RIGHT, Graded(unreadable="no notebook"), WRONG],
        what,
        Override("s2", "essay", Fraction(1), "short"),
        unmatched=["who.ipynb"],
        duplicates=["s0-old.ipynb"],
        failures=["s9: the grader died"],
    )
    text = page(of)
    for entry in (
        *("if it fails again (1) s9: the grader died", "nobody on the roster (1) who.ipynb"),
        *("another one was taken (1) s0-old.ipynb", "cannot be read (1) Student 1 (s1): s1.ipynb: no notebook"),
        "still to be marked by hand (1) Student 0 (s0)",
    ):
        assert entry in text
    assert text.index("What needs a person") < text.index("Marks")
    assert "Student 2 (s2) essay 1 short" in text


def test_lateness_extensions_and_overrides() -> None:
    what = replace(
        assignment(TABLE, MID_P, due=DUE, penalty_of_total_per_day=Fraction(1, 10)),
        extensions=(Extension("s3", DUE + timedelta(days=1), "was ill"),),
    )
    text = page(a_class([RIGHT, RIGHT, RIGHT, RIGHT], what, Override("s0", "total", Fraction(5), "oral exam")))
    assert "Student 2 (s2) 2027-03-01 13:00 (UTC+0000) 1 0.6" in text
    assert "Student 3 (s3) 2027-03-01 14:00 (UTC+0000) 0 0 was ill" in text
    assert "Student 0 (s0) the mark 5 oral exam" in text
    assert "Nobody was late" not in text
    assert "Nobody was late, nothing was extended" in page(a_class([RIGHT], BOTH))


def test_similar_and_slow_submissions_are_named() -> None:
    alike = tuple(f"{number:012x}" for number in range(40))
    others = [tuple(f"{1000 * k + number:012x}" for number in range(40)) for k in (1, 2)]
    partly = (*others[0][:30], *(f"{9000 + number:012x}" for number in range(10)))
    shapes = (alike, others[0], alike, others[1], alike, partly)
    work = [replace(RIGHT, shapes=each, seconds=k) for k, each in enumerate(shapes)]
    of = a_class(work, BOTH)
    text = page(of)
    assert "Student 0 (s0): s0.ipynb Student 2 (s2): s2.ipynb Student 4 (s4): s4.ipynb 100% 40" in text
    assert "Student 1 (s1): s1.ipynb Student 5 (s5): s5.ipynb 66% 30" in text
    assert "No pair that is not listed shares more than 0 unusual fragments." in text
    assert rows(files(of)["same.csv"]) == [
        {
            **{"students": "s0; s2; s4", "files": "s0.ipynb; s2.ipynb; s4.ipynb"},
            **{"how_many": "3", "part_all_share": "1.000", "fragments_all_share": "40"},
        }
    ]
    assert rows(files(of)["similar.csv"]) == [
        {
            **{"student_1": "s1", "file_1": "s1.ipynb", "student_2": "s5", "file_2": "s5.ipynb"},
            **{"alike_weighted": "0.659", "unusual_fragments": "30", "next_most": "0"},
        }
    ]
    slowest = rows(files(of)["slowest.csv"])
    assert [row["student"] for row in slowest] == ["s5", "s4", "s3", "s2", "s1", "s0"]
    assert slowest[0]["seconds"] == "5.0"
    assert "No two submissions are nearly the same, and no two share much" in page(a_class([RIGHT, WRONG], BOTH))


# ---- hostile texts ---------------------------------------------------------------------------------------------------


def everywhere(text: str) -> Class:
    """A class with `text` in every field that a student, a file or a roster can fill."""
    alike = tuple(f"{number:012x}" for number in range(40))
    first = RIGHT.exercises[0]
    spoilt = replace(first, checks=tuple(replace(one, call=text, returned=text, wanted=text) for one in first.checks))
    work = replace(RIGHT, exercises=(spoilt, RIGHT.exercises[1]), shapes=alike, problems=(text,))
    what = replace(BOTH, due=DUE, extensions=(Extension("s0", DUE + timedelta(days=1), text),))
    given = [Override("s0", MID_P, Fraction(1), text), Override("s1", "total", Fraction(1), text)]
    of = a_class(
        [work, work, Graded(unreadable=text)], what, *given, unmatched=[text], duplicates=[text], failures=[text]
    )
    students = tuple(replace(each, name=text, file_name=text) for each in of.marks.students)
    return replace(of, marks=replace(of.marks, students=students))


@pytest.mark.parametrize("text", HOSTILE)
def test_no_element_or_attribute_comes_from_a_text(text: str) -> None:
    made = class_report(everywhere(text))
    assert_well_made(made)
    assert parsed(made).tags == parsed(class_report(everywhere(HARMLESS))).tags


@pytest.mark.parametrize("text", [*HOSTILE, "-1+1", "@SUM(A1)", "\t=1", "+1", "a\n=1,b"])
def test_no_cell_of_a_csv_is_a_formula_or_ends_its_line(text: str) -> None:
    made, plain = files(everywhere(text)), files(everywhere(HARMLESS))
    for name in ("items.csv", "misconceptions.csv", "same.csv", "similar.csv", "slowest.csv"):
        cells = [cell for row in csv.reader(io.StringIO(made[name])) for cell in row]
        assert len(cells) == len([cell for row in csv.reader(io.StringIO(plain[name])) for cell in row])
        assert made[name].count("\n") == plain[name].count("\n")
        assert not [cell for cell in cells if re.match(r"\s*[=+@\t]|\s*-(?!\d)", cell)]
        assert made[name].replace("\n", "").isprintable()


def test_the_same_bytes_again_in_any_order() -> None:
    one = everywhere(HOSTILE[0])
    other = replace(one, graded=dict(reversed(list(one.graded.items()))))
    assert files(one) == files(other)


# ---- charts ----------------------------------------------------------------------------------------------------------


@given(st.integers(0, 10**6))
def test_an_axis_of_counts_has_whole_ticks_up_to_the_most(most: int) -> None:
    ticks = [value for value, _ in counts("students", most).ticks]
    assert ticks[0] == 0
    assert ticks[-1] >= max(1, most)
    assert 2 <= len(ticks) <= 6
    assert len({b - a for a, b in pairwise(ticks)}) == 1


def test_a_bar_goes_from_zero_to_its_value_and_a_line_from_end_to_end() -> None:
    axis = Axis("share", ((-1, "-1"), (1, "1")))
    made = chart("a finding", axis, [Row("x", "-0.5", -0.5, -0.75, 0.25), Row("y", "none", None)])
    tags = [dict(pairs) | {"tag": tag} for tag, pairs in parsed(made).tags]
    (bar,) = [tag for tag in tags if tag.get("class") == "bar"]
    assert (float(bar["x"]), float(bar["width"])) == (250, 250)
    (reach,) = [tag for tag in tags if tag.get("class") == "reach"]
    assert reach["d"].startswith("M125.0 50H625.0")
    assert "a finding" in text_of(made)
    assert "share" in text_of(made)


# ---- colours ---------------------------------------------------------------------------------------------------------

STYLE = (PAGES / "page.css").read_text(encoding="utf-8")
ROOTS = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
PALETTES = [dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", root)) for root in ROOTS]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2."""

    def luminance(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_measured_as_the_standard_does() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("palette", PALETTES, ids=["day", "night", "print"])
def test_letters_and_drawings_stand_out(palette: dict[str, str]) -> None:
    for ground in ("ground", "raised"):
        for ink in ("ink", "quiet", "accent", "right", "wrong"):
            assert contrast(palette[ink], palette[ground]) >= 4.5, (ink, ground)
    for one, other in (("bar", "raised"), ("bar", "ground"), ("ink", "bar"), ("line", "ground")):
        assert contrast(palette[one], palette[other]) >= 3, (one, other)
