"""What is refused, and that the message names the value and the allowed range."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import evalstats as es
from evalstats import plots
from evalstats._checks import (
    binary_vector,
    cluster_codes,
    equal_lengths,
    finite_vector,
    integer,
    number,
    positive,
    same_rows,
    share,
    short,
)


@pytest.mark.parametrize(
    "values",
    [
        [1, 0, 1],
        (1.0, 0.0, 1.0),
        np.array([1, 0, 1], np.int8),
        [True, False, True],
        pd.Series([1, 0, 1]),
        [Fraction(1), 0, 1],
    ],
)
def test_vectors_that_pass(values: Any) -> None:
    vector = finite_vector("scores", values)
    assert vector.dtype == np.float64
    assert vector.tolist() == [1.0, 0.0, 1.0]
    assert binary_vector("right", values).tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "scores must hold at least 1 value, got 0"),
        ([1, math.nan], "scores must be finite, got nan at position 1"),
        ([math.inf], "scores must be finite, got inf at position 0"),
        (["1", "0"], "scores must hold numbers, got '1' at position 0"),
        ([1, None], "scores must hold numbers, got None at position 1"),
        ([1 + 2j], r"scores must hold numbers, got \(1\+2j\) at position 0"),
        ([Decimal("0.1")], "scores must hold numbers"),
        ([[1, 0], [0, 1]], "scores must be a one-dimensional sequence of numbers, got 2 dimensions"),
        (0.7, "scores must be a one-dimensional sequence of numbers, got 0 dimensions"),
        ((x for x in [1, 0]), "one number per row, in the order of the rows, got a generator; make it a list first"),
        ({1: 0}, r"got a dict; write list\(scores.values\(\)\), and what else you give in the same order"),
        ({1: 0}.values(), "in the order of the rows, got a dict_values; make it a list first"),
        ({1, 0}, "got a set; write a list with one number for each row"),
        (frozenset([1]), "got a frozenset"),
        ("10", "got a str; write a list"),
        (b"10", "got a bytes"),
        (pd.DataFrame({"x": [1, 0]}), "got a DataFrame; give one column of it"),
        ([1, "C"], "scores must hold numbers, got 'C' at position 1; write 1 for right and 0 for wrong"),
        (["yes"], "got 'yes' at position 0; write 1 for right and 0 for wrong"),
        (np.ma.masked_array([1.0, 2.0], [False, True]), "scores must be finite, got nan at position 1"),
        (pd.Series([1.0, None]), "scores must be finite, got nan at position 1"),
        (pd.array([1, None], dtype="Int64"), "scores must be finite, got nan at position 1"),
    ],
)
def test_vectors_that_are_refused(values: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        finite_vector("scores", values)


def test_at_least_and_copy() -> None:
    with pytest.raises(ValueError, match="scores must hold at least 2 values, got 1"):
        finite_vector("scores", [1], at_least=2)
    source = np.array([3.0, 1.0])
    finite_vector("scores", source).sort()
    assert source.tolist() == [3.0, 1.0]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, 0.9], "right must be 0 or 1 for each item, got 0.9 at position 1"),
        ([2], "got 2 at position 0"),
        ([-1], "got -1"),
    ],
)
def test_binary_refuses(values: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        binary_vector("right", values)


def test_equal_lengths() -> None:
    with pytest.raises(ValueError, match="a and b must describe the same items, got 3 and 1 values"):
        equal_lengths("a", np.zeros(3), "b", np.zeros(1))


@pytest.mark.parametrize(
    "groups", [["x", "x", "y"], np.array([7, 7, 9]), [("p", 1), ("p", 1), ("p", 2)], pd.Series(["x", "x", "y"])]
)
def test_cluster_codes(groups: Any) -> None:
    codes, k = cluster_codes(groups, 3)
    assert codes.tolist() == [0, 0, 1]
    assert k == 2


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (["x", "y"], "groups must name one cluster for each of the 3 rows, got 2"),
        (["x", "y", "y", "y"], "for each of the 3 rows, got 4"),
        (["x", "x", "x"], "groups must name at least 2 clusters, got 1"),
        (["x", None, "y"], "groups must not be missing, got None at position 1"),
        (["x", math.nan, "y"], "groups must not be missing, got nan at position 1"),
        ([1, pd.NA, 2], "groups must not be missing, got <NA> at position 1"),
        ([1, pd.NaT, 2], "groups must not be missing, got NaT at position 1"),
        ([[1], [1], [2]], r"groups must hold one label a row, got \[1\] at position 0"),
        ({1: "x", 2: "x", 3: "y"}, r"order of the rows, got a dict; write \[groups\[i\] for i in matched.items\]"),
        ({"x", "y", "z"}, "groups must be one label per row, in the order of the rows, got a set"),
        ({"x": 1, "y": 2, "z": 3}.keys(), "got a dict_keys"),
        ("xxy", "got a str"),
        (b"xxy", "got a bytes"),
        (pd.DataFrame({"x": [1], "y": [1], "z": [1]}), "got a DataFrame"),
        (np.array([[1, 2], [1, 2], [3, 4]]), r"groups must hold one label a row, got \[1, 2\] at position 0"),
    ],
)
def test_cluster_codes_refuse(groups: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cluster_codes(groups, 3)


@pytest.mark.parametrize(
    ("check", "value", "message"),
    [
        (share, 0, "level must lie strictly between 0 and 1, got 0"),
        (share, 95, "level must lie strictly between 0 and 1, got 95"),
        (share, None, "level must lie strictly between 0 and 1, got None"),
        (share, "0.95", "level must lie strictly between 0 and 1, got '0.95'"),
        (share, 0.05, r"level is the confidence, such as 0.95, got 0.05; did you mean 0.95\?"),
        (positive, 0, "level must be above 0, got 0"),
        (number, math.nan, "level must be a finite number, got nan"),
        (lambda owner, value: number(owner, value, 0, 1), 2, r"level must be a finite number in \[0, 1\], got 2"),
        (lambda owner, value: integer(owner, value, 2), 1, "level must be an integer of at least 2, got 1"),
        (lambda owner, value: integer(owner, value, 2), 2.5, "level must be an integer of at least 2, got 2.5"),
        (lambda owner, value: integer(owner, value, 0), None, "level must be an integer of at least 0, got None"),
    ],
)
def test_numbers_that_are_refused(check: Any, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check("level", value)


@pytest.mark.parametrize(
    ("owner", "value", "message"),
    [
        ("alpha", 0.95, r"alpha is the level of the test, such as 0\.05, got 0\.95; did you mean 0\.05\?"),
        ("alpha", 0.5, r"such as 0\.05, got 0\.5$"),
        ("q", 0.9, r"q is the false discovery rate, such as 0\.05, got 0\.9; did you mean 0\.1\?"),
    ],
)
def test_an_error_rate_is_small(owner: str, value: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        share(owner, value)
    assert share(owner, 0.499) == 0.499
    assert share("level", 0.5) == 0.5
    assert share("power", 0.05) == 0.05


def test_labels_may_come_from_an_iterator() -> None:
    assert cluster_codes(zip("xxy", "aab", strict=True), 3)[0].tolist() == [0, 0, 1]


def test_text_is_no_score_only_where_scores_are_asked_for() -> None:
    with pytest.raises(ValueError, match=r"p-values must hold numbers, got '0.1' at position 0$"):
        finite_vector("p-values", ["0.1"])


def test_rows_with_different_names_are_refused() -> None:
    one, other = pd.Series([1, 0], index=["q1", "q2"]), pd.Series([1, 0], index=["q2", "q1"])
    same_rows(a=one, b=one.copy(), groups=["x", "y"], strata=None)
    same_rows(a=[1, 0], b=np.array([1, 0]), groups=other)
    with pytest.raises(ValueError, match="a and b are labelled differently; match them with align first"):
        same_rows(a=one, b=other)
    with pytest.raises(ValueError, match="a and groups are labelled differently; bring groups into the order of a"):
        same_rows(a=one, b=[1, 0], groups=other)


def test_long_values_are_cut() -> None:
    """A message of one line, whatever was given."""
    for value in (list(range(10**6)), {i: "x" * 99 for i in range(99)}, np.zeros((99, 99)), 10**5000, "q" * 999):
        assert len(short(value)) <= 80
        assert "\n" not in short(value)
        with pytest.raises(ValueError, match="level must") as refusal:
            share("level", value)
        assert len(str(refusal.value)) <= 140
    assert short(10**5000) == "an int"
    assert (short(None), short([1, 2]), short("q1")) == ("None", "[1, 2]", "'q1'")


LONG = {f"system {i}": [i] * 500 for i in range(500)}


@pytest.mark.parametrize(
    "call",
    [
        lambda: es.verdict(LONG),
        lambda: es.cheapest_design(0.1, LONG),
        lambda: es.weighted_mean_interval([1, 0, 1, 0], ["a", "a", "b", "b"], weights=LONG),
        lambda: es.bootstrap_statistic([1, 2, 3], lambda data: LONG, n_boot=5),
        lambda: es.bootstrap_table_statistic(list(range(-500, 500)), lambda tables: tables[0]),
        lambda: es.triage(1, 2, 1, 2, discordant=LONG),
        lambda: es.Extra({"key": object}),
        lambda: es.Extra({"k" * 999: math.nan}),
        lambda: es.align([{"item": LONG, "correct": 1}], {"q": 1}),
        lambda: es.align({"q" * 999: math.nan}, {"q": 1}),
        lambda: es.wilson_interval("9" * 9999, 10),
        lambda: es.required_n_mcnemar(0.1, LONG),
        lambda: plots.power_curve(LONG.keys(), [1, 2]),
        lambda: plots.paired_table(es.PairedTable(1, 1, 1, 1), labels=[*LONG]),
        lambda: plots.step_up_staircase(LONG),
    ],
)
def test_no_message_prints_a_whole_object(call: Any) -> None:
    with pytest.raises(ValueError, match=r"got|must") as refusal:
        call()
    assert len(str(refusal.value)) <= 300
