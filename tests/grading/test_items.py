"""Item statistics: against R and SciPy, by hand, and what must always hold."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evalstats import wilson_interval
from exercises.grading.items import discrimination, items, slips
from exercises.grading.records import CheckMark, ExerciseMark, Graded
from exercises.run import Verdict

MARKS = [[1, 1, 1, 1], [1, 1, 0, 1], [1, 0, 1, 0], [0, 1, 1, 1], [1, 0, 0, 0], [0, 0, 1, 0]]
# R 4.2: for (j in 1:4) cor(d[, j], rowSums(d) - d[, j])
FROM_R = [-0.2132007164, 0.7276068751, -0.2132007164, 0.7276068751]
matrices = st.integers(1, 5).flatmap(
    lambda wide: st.lists(st.lists(st.integers(0, 1), min_size=wide, max_size=wide), min_size=1, max_size=12)
)


def student(row: list[int], checks: int = 1) -> Graded:
    """One student; exercise `e0` has the first `checks` marks, and so on."""
    verdicts = [Verdict.PASSED if mark else Verdict.FAILED for mark in row]
    groups = [verdicts[start : start + checks] for start in range(0, len(row), checks)]
    marks = [[CheckMark(f"check {j}", verdict, drawn=False) for j, verdict in enumerate(group)] for group in groups]
    return Graded(tuple(ExerciseMark(f"c/e{i}", tuple(group)) for i, group in enumerate(marks)))


def class_of(rows: list[list[int]], checks: int = 1) -> list[Graded]:
    return [student(row, checks) for row in rows]


def test_discrimination_is_r_s_item_rest_correlation() -> None:
    found = [item.discrimination.value for item in items(class_of(MARKS)) if not item.check]
    assert found == pytest.approx(FROM_R, abs=1e-9)


def test_a_check_is_set_against_all_other_points_and_an_exercise_against_the_other_exercises() -> None:
    points = {"c/e0": 3, "c/e1": Fraction(1, 2)}
    found = items(class_of(MARKS, checks=2), points)
    assert [(item.exercise, item.check) for item in found] == [
        ("c/e0", ""),
        ("c/e0", "check 0"),
        ("c/e0", "check 1"),
        ("c/e1", ""),
        ("c/e1", "check 0"),
        ("c/e1", "check 1"),
    ]
    marks = np.array(MARKS, dtype=float)
    worth = np.array([1.5, 1.5, 0.25, 0.25])
    total = marks @ worth
    for column, item in zip(range(4), (found[1], found[2], found[4], found[5]), strict=True):
        rest = total - marks[:, column] * worth[column]
        expected = stats.pointbiserialr(marks[:, column].astype(bool), rest).statistic
        assert item.discrimination.value == pytest.approx(expected, abs=1e-12)
    first = stats.pearsonr(marks[:, :2].mean(axis=1), marks[:, 2:] @ worth[2:]).statistic
    assert found[0].discrimination.value == pytest.approx(first, abs=1e-12)


def test_difficulty_is_the_share_that_passed_with_wilson_s_interval() -> None:
    first = items(class_of(MARKS, checks=2))[0]
    interval = wilson_interval(2, 6)  # which looks up its own quantile
    assert (first.passed.count, first.passed.of) == (2, 6)
    assert (first.passed.low, first.passed.high) == (interval.ci_low, interval.ci_high)
    assert first.mean == pytest.approx(7 / 12)  # seven of the twelve checks
    assert first.verdicts == {Verdict.PASSED: 2, Verdict.FAILED: 4}


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([[1, 0]], "fewer than 3 students"),
        ([[1, 0], [0, 1]], "fewer than 3 students"),
        ([[1, 0], [1, 1], [1, 0]], "everybody has the same here"),
        ([[1, 1], [0, 1], [1, 1]], "everybody has the same elsewhere"),
    ],
)
def test_where_there_is_no_correlation_the_reason_is_given(rows: list[list[int]], reason: str) -> None:
    found = items(class_of(rows))[0].discrimination
    assert found.value is None
    assert found.reason == reason


def test_nobody_and_files_that_could_not_be_read_are_no_items() -> None:
    assert items([]) == []
    assert items([Graded(unreadable="not a notebook")]) == []
    assert len(items([Graded(unreadable="x"), *class_of(MARKS)])) == len(items(class_of(MARKS)))


def test_an_exercise_alone_has_nothing_to_be_compared_with_but_its_checks_have() -> None:
    whole, *checks = items(class_of([[1, 1, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0]], checks=3))
    assert (whole.discrimination.value, whole.discrimination.reason) == (None, "there is no other exercise")
    assert all(check.discrimination.value is not None for check in checks)


def warning(rows: list[list[int]], checks: int = 1, place: int = 0) -> str:
    return items(class_of(rows, checks))[place].warning


def test_odd_items_are_flagged_in_plain_words() -> None:
    assert warning([[0, 1], [0, 0], [0, 1]]).startswith("Nobody passed.")
    assert warning([[1, 1], [1, 0], [1, 1]]).startswith("Everybody passed")
    assert warning(MARKS[:2] * 3 + [[0, 0, 0, 0]]) == ""


def test_nothing_stands_out_among_two_students() -> None:
    for mark in (0, 1):
        assert warning([[mark, 1], [mark, 0]]) == warning([[mark, 1]]) == ""


def apart(students: int, both: int, more: int = 1) -> list[list[int]]:
    """A class of which `both` have both items or neither, and the rest one of them; each item passed by half."""
    rows = [[1, 1], [0, 0]] * (both // 2) + [[1, 0], [0, 1]] * ((students - both) // 2)
    return [row[:1] + row[1:] * more for row in rows]


@pytest.mark.parametrize(
    ("students", "both", "words"),
    [
        (8, 0, ""),  # -1
        (10, 6, ""),  # above 0
        (10, 4, "(correlation −0.20): among 10 students 0.33 either way is ordinary."),
        (10, 2, "(correlation −0.60): among 10 students chance alone can do that."),
        (14, 0, "(correlation −1.00): among 14 students chance alone can do that."),
        (16, 6, "(correlation −0.25): among 16 students 0.26 either way is ordinary."),
        (16, 4, "(correlation −0.50): among 16 students chance alone can do that."),
        (
            16,
            2,
            "(correlation −0.75): among 16 students chance alone seldom does that for one item; this page looks at 4 "
            "items. Read the check and some answers.",
        ),
    ],
)
def test_how_much_a_negative_correlation_means(students: int, both: int, words: str) -> None:
    rows = apart(students, both)
    assert warning(rows) == (words and f"Those with more points here had fewer elsewhere {words}")
    assert warning(rows, place=1) == (words and f"Those who pass did worse elsewhere {words}")


def test_those_with_more_points_need_not_be_those_who_pass() -> None:
    """Three of fourteen pass the first exercise, and do better elsewhere than the rest: only the points fall."""
    rows = [[1, 1, 1, 1, 1, 1, 1, 0]] * 3 + [[1, 1, 1, 0, 0, 0, 0, 0]] * 6 + [[0, 0, 0, 0, 1, 1, 1, 0]] * 5
    assert warning(rows, checks=4).startswith("Those with more points here had fewer elsewhere (correlation −0.45)")


def test_misconceptions_count_a_student_once() -> None:
    def slipped(*names: str | None) -> Graded:
        marks = tuple(CheckMark("a", Verdict.FAILED, False, slip=name) for name in names)
        return Graded((ExerciseMark("c/one", marks), ExerciseMark("c/two", marks[:1])))

    found = slips([slipped("b", "b"), slipped(None, "a"), slipped("b", None), slipped(None)])
    assert [(one.misconception, one.students.count, one.students.of) for one in found] == [("b", 2, 4), ("a", 1, 4)]
    assert [one.exercises for one in found] == [("c/one", "c/two"), ("c/one",)]
    assert slips([]) == []


@given(matrices)
def test_what_always_holds(rows: list[list[int]]) -> None:
    found = items(class_of(rows))
    for item in found:
        assert sum(item.verdicts.values()) == len(rows) == item.passed.of
        assert 0 <= item.passed.low <= item.passed.share <= item.passed.high <= 1
        value = item.discrimination.value
        assert (value is None) == bool(item.discrimination.reason)
        assert value is None or -1 <= value <= 1
    # the order of students is nobody's matter, to the last bit
    assert items(class_of(rows[::-1])) == found


@given(matrices, st.integers(0, 4))
def test_a_mirrored_item_has_the_mirrored_correlation(rows: list[list[int]], column: int) -> None:
    parts = [Fraction(row[column % len(row)]) for row in rows]
    rest = [Fraction(sum(row)) - part for row, part in zip(rows, parts, strict=True)]
    one, other = discrimination(parts, rest), discrimination([1 - part for part in parts], rest)
    assert one.reason == other.reason
    if one.value is not None and other.value is not None:
        assert math.isclose(one.value, -other.value, abs_tol=0)
        scaled = discrimination(parts, [Fraction(7, 3) * total + 5 for total in rest])
        assert scaled.value == pytest.approx(one.value, abs=1e-12)
