"""evalstats.io: ids decide, order never does, and what did not match is said."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalstats.io import align

A = {"q1": 1, "q2": 0, "q3": 1, "q5": 1}
B = {"q3": 1, "q1": 0, "q2": 0, "q4": 1}


def records(scores: dict) -> list[dict]:
    return [{"item": item, "correct": score, "model": "m"} for item, score in scores.items()]


FORMS = {
    "mapping": lambda scores: scores,
    "records": records,
    "generator": lambda scores: iter(records(scores)),
    "frame": lambda scores: pd.DataFrame(records(scores)),
    "labelled column": lambda scores: pd.Series(scores),
    "frame by index": lambda scores: pd.DataFrame(records(scores)).set_index("item"),
    "series": lambda scores: pd.Series(scores).rename_axis("item").reset_index(name="correct"),
}


@pytest.mark.parametrize("form_a", FORMS)
@pytest.mark.parametrize("form_b", FORMS)
def test_every_form_is_matched_by_id(form_a, form_b):
    both = align(FORMS[form_a](A), FORMS[form_b](B))
    assert both.items == ("q1", "q2", "q3")
    assert both.a.tolist() == [1, 0, 1]
    assert both.b.tolist() == [0, 0, 1]
    assert (both.only_a, both.only_b) == (("q5",), ("q4",))
    assert (both.n, both.complete) == (3, False)


def test_the_report_says_what_did_not_match():
    assert str(align(A, B)) == "3 items matched by id\n1 only in A: q5\n1 only in B: q4"
    assert str(align(A, A)) == "4 items matched by id\nnothing left over"
    many = {f"q{i}": 1 for i in range(20)}
    assert "18 only in A: q2, q3, q4, q5, q6, and 13 more" in str(align(many, {"q0": 1, "q1": 0}))


@given(st.permutations(sorted(A)), st.permutations(sorted(B)))
@settings(max_examples=30, deadline=None)
def test_order_never_matters(order_a, order_b):
    both = align({item: A[item] for item in order_a}, {item: B[item] for item in order_b})
    assert dict(zip(both.items, zip(both.a.tolist(), both.b.tolist(), strict=True), strict=True)) == {
        "q1": (1, 0),
        "q2": (0, 0),
        "q3": (1, 1),
    }
    assert list(both.items) == [item for item in order_a if item in B]


def test_other_columns():
    frame = pd.DataFrame({"id": [7, 8], "score": [0.5, 0.25]})
    both = align(frame, [{"id": 8, "score": 1}, {"id": 7, "score": 0}], on="id", value="score")
    assert both.items == (7, 8)
    assert both.b.tolist() == [0, 1]


def test_ids_of_numpy_and_python_are_the_same():
    frame = pd.DataFrame({"item": np.array([1, 2], dtype=np.int64), "correct": [True, False]})
    assert align(frame, {1: 0, 2: 1}).n == 2


def test_the_arrays_cannot_be_changed():
    both = align(A, B)
    with pytest.raises(ValueError, match="read-only"):
        both.a[0] = 0
    with pytest.raises(AttributeError):
        both.items = ()


def test_strict_refuses_what_did_not_match():
    assert align(A, A, strict=True).complete
    with pytest.raises(ValueError, match="1 only in A: q5; 1 only in B: q4"):
        align(A, B, strict=True)


@pytest.mark.parametrize(
    ("a", "says"),
    [
        ([*records(A), {"item": "q1", "correct": 1}], "1 item more than once: q1"),
        (records(A) * 2, "4 items more than once: q1, q2, q3, q5"),
        ({"q9": 1}, "no item in common: a has 'q9'; b has 'q3', 'q1', 'q2', 'q4'"),
        ({"q1": math.nan}, "score of item 'q1' must be a finite number, got nan"),
        ({"q1": None}, "got None"),
        ({"q1": "1"}, "got '1'"),
        (pd.DataFrame({"item": ["q1"], "correct": pd.array([pd.NA], dtype="Int64")}), "got <NA>"),
        ([{"item": None, "correct": 1}], "needs an id, got None at position 0"),
        ([{"item": math.nan, "correct": 1}], "needs an id, got nan at position 0"),
        ([{"item": pd.NA, "correct": 1}], "needs an id, got <NA> at position 0"),
        ([{"item": ["q1"], "correct": 1}], r"needs an id, got \['q1'\]"),
        ([{"id": "q1", "correct": 1}], "a record needs 'item' and 'correct'"),
        (pd.DataFrame({"id": ["q1"], "correct": [1]}), "no column 'item'; its columns are id, correct"),
        ([], "at least 1 item"),
        ([1, 0, 1], "a record needs"),
        ("q1", r"sequence of records, got 'q1'; read the file first, e.g. json.load\(open\(path\)\)"),
        (Path("a.json"), "read the file first"),
        (3, "got int"),
        ({"q1": "C"}, "got 'C'; write 1 for right and 0 for wrong"),
        (pd.Series([1, 0], index=["q1", None]), "needs an id, got nan at position 1"),
        (
            pd.DataFrame({"score": [1]}, index=pd.Index(["q1"], name="item")),
            "no column 'correct'; its columns are score",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_nothing_is_guessed(a, says):
    with pytest.raises(ValueError, match=says):
        align(a, B)


def test_a_number_is_not_its_text():
    """Ids 1 and "1" do not match; the message shows which is which."""
    with pytest.raises(ValueError, match=r"a has 1, 2; b has '1', '2'.*same type"):
        align({1: 0, 2: 1}, {"1": 0, "2": 1})


def test_pandas_is_not_needed(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert align(records(A), B).n == 3


def test_the_report_counts_one_item():
    assert str(align({"q1": 1}, {"q1": 0})) == "1 item matched by id\nnothing left over"


@pytest.mark.parametrize(
    ("a", "b"), [({1: 1, 2: 1}, {"1": 0, 2: 0}), ({"q1 ": 1, 2: 1}, {"q1": 0, 2: 0}), ({7.0: 1, 2: 1}, {"7": 0, 2: 0})]
)
def test_leftovers_that_differ_only_in_type_or_spaces(a, b):
    report = str(align(a, b)).splitlines()
    assert report[-1] == "some leftovers differ only in type or spaces"
    assert report[1:3] == [f"1 only in A: {next(iter(a))!r}", f"1 only in B: {next(iter(b))!r}"]
    with pytest.raises(ValueError, match=r"no item in common.*\(some leftovers differ only in type or spaces\)"):
        align({key: 1 for key in a if key != 2}, {key: 1 for key in b if key != 2})


def test_other_leftovers_are_only_named():
    assert "type or spaces" not in str(align({"q1": 1, "q2": 1}, {"q1": 0, "q3": 1}))
