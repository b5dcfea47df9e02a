"""evalstats.io: ids decide, order never does, and what did not match is said."""

from __future__ import annotations

import copy
import datetime
import json
import math
import pickle
import re
import sys
import zipfile
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalstats import io as readers
from evalstats import mean_interval
from evalstats.io import EvalLog, align, align_all, read_inspect, read_lm_eval, read_log, read_table

LOGS = Path(__file__).parents[1] / "reference" / "logs"
LM_EVAL = [LOGS / f"model-{one}" / "samples_sums_2026-11-30T12-00-00.000000.jsonl" for one in "ab"]
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


@pytest.mark.parametrize("again", [lambda one: pickle.loads(pickle.dumps(one)), copy.copy, copy.deepcopy])
def test_nor_can_those_of_a_copy(again):
    log = EvalLog("a", "A", "m", ("q1", "q2"), (1, 1), np.array([1.0, 0.0]), clusters=("x", "y"), unscored=("q3",))
    both, several = align(A, B), align_all({"a": A, "b": B})
    for one in (log, both, several):
        assert again(one).to_dict() == one.to_dict()
    copied = again(both), again(several)
    for array in (again(log).scores, copied[0].a, copied[0].b, copied[1].scores["a"], copied[1].scores["b"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_the_columns_of_several_systems_cannot_be_changed():
    several = align_all({"a": A, "b": B})
    for columns in (several.scores, several.left_over, pickle.loads(pickle.dumps(several.scores))):
        with pytest.raises(TypeError):
            columns["a"] = ()
    assert list(several.scores) == ["a", "b"]


def test_what_one_makes_oneself_cannot_be_changed_either():
    mine = np.array([1.0, 0.0])
    both = readers.Alignment(("q1", "q2"), mine, [0, 1])
    several = readers.AlignedSystems(("q1", "q2"), {"a": mine, "b": [0, 1]}, {})
    mine[0] = 9
    assert (both.a.tolist(), both.b.tolist()) == ([1.0, 0.0], [0.0, 1.0])
    assert {name: column.tolist() for name, column in several.scores.items()} == {"a": [1.0, 0.0], "b": [0.0, 1.0]}


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
        ({b"q1": 1}, "an id is text or a number, got the bytes b'q1' at position 0; decode them"),
        ("q1", r"sequence of records, got 'q1'; read the file first, e.g. json.load\(open\(path\)\)"),
        (Path("a.json"), "read the file first"),
        (3, "got int"),
        ({"q1": "C"}, "got 'C'; write 1 for right and 0 for wrong"),
        ({"q1": np.complex128(1)}, r"must be a finite number, got .*1\+0j"),
        ({"q1": b"1"}, "must be a finite number, got b'1'"),
        ({"q1": bytearray(b"1")}, r"must be a finite number, got bytearray\(b'1'\)"),
        ({"q1": np.timedelta64(1, "s")}, "must be a finite number, got .*timedelta64"),
        ({"q1": datetime.timedelta(1)}, "must be a finite number, got datetime.timedelta"),
        ({"q1": Decimal(1)}, r"must be a finite number, got Decimal\('1'\)"),
        (pd.Series([pd.Timedelta(1)], index=["q1"]), "must be a finite number, got Timedelta"),
        (pd.DataFrame([["q1", 1, 0]], columns=["item", "correct", "correct"]), "has column 'correct' more than once"),
        (pd.DataFrame([["q1", "q2", 0]], columns=["item", "item", "correct"]), "has column 'item' more than once"),
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
    ("first", "second"),
    [
        (1, "1"),
        ("q1 ", "q1"),
        (7.0, "7"),
        ("Q1", "q1"),
        ("Stra\u00dfe", "STRASSE"),
        ("caf\u00e9", "cafe\u0301"),
        ("\uff51\uff11", "q1"),  # of full width
        ("q\u200b1", "q1"),  # with a space of no width
        ("\ufeffq1", "q1"),
        ("q1\u00a0", "q1"),
        ("q1 \u200e", "q1"),
    ],
)
def test_leftovers_that_hardly_differ(first, second):
    """They are told apart, and it is said that they may be the same."""
    report = str(align({first: 1, 2: 1}, {second: 0, 2: 0})).splitlines()
    assert report[-1] == "some leftovers differ only in type, spaces, case or Unicode form"
    assert report[1:3] == [f"1 only in A: {first!r}", f"1 only in B: {second!r}"]
    with pytest.raises(ValueError, match=r"no item in common.*\(some leftovers differ only in type, spaces, case or U"):
        align({first: 1}, {second: 1})


def test_other_leftovers_are_only_named():
    assert "differ only" not in str(align({"q1": 1, "q2": 1}, {"q1": 0, "q3": 1}))


HOSTILE = "q\x1b[31m\x07\x9b2J\u202e\u200b\nwarning: all is well"
SPELT = r"q\x1b[31m\x07\x9b2J\u202e\u200b\nwarning: all is well"


def test_no_id_or_name_steers_a_terminal_or_makes_up_a_line():
    """In no report and in no message: what is not seen is spelt out."""
    log = EvalLog(HOSTILE, HOSTILE, HOSTILE, (HOSTILE,), (1,), [1.0], unscored=(HOSTILE,), unscored_as="leave out")
    other = EvalLog("b", "B", "m", (HOSTILE,), (1,), [1.0])
    for report in (
        str(align({"q1": 1, HOSTILE: 1}, {"q1": 1})),
        str(align_all({HOSTILE: {"q1": 1, "q2": 1}, "b": {"q1": 1}})),
        str(align(log, other)),
        str(log),
    ):
        assert SPELT in report
        assert report.replace("\n", "").isprintable()
        assert not [line for line in report.splitlines() if line.startswith("warning: all is well")]
    with pytest.raises(ValueError, match="more than once") as refusal:
        align([{"item": HOSTILE, "correct": 1}] * 2, A)
    assert SPELT in str(refusal.value)


def test_a_header_does_not_steer_a_terminal(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("item,\x1b[31mright\nq1,1\n")
    with pytest.raises(ValueError, match="has no column") as refusal:
        read_table(path)
    assert r"its columns are item, \x1b[31mright" in str(refusal.value)


def test_an_alignment_is_plain_data():
    both = align({"q1": 1, ("q", 2): 0.5, "q3": 1}, {"q1": 0, ("q", 2): 1})
    plain = json.loads(json.dumps(both.to_dict()))
    assert plain["items"] == ["q1", ["q", 2]]
    assert (plain["a"], plain["b"], plain["only_a"], plain["clusters"]) == ([1.0, 0.5], [0.0, 1.0], ["q3"], None)


def test_ids_that_json_does_not_have_are_plain_data_too():
    day, moment = datetime.date(2026, 11, 30), np.datetime64("2026-11-30T12:00:00.000000000")
    ids = {
        np.int64(7): 1,
        day: 1,
        moment: 0,
        np.float32(0.5): 1,
        frozenset({1}): 1,
        (day, np.int8(3)): 1,
        np.bool_(1): 1,
    }
    written = [7, "2026-11-30", "2026-11-30T12:00:00.000000000", 0.5, "frozenset({1})", ["2026-11-30", 3], True]
    for found in (align(ids, ids), align_all({"a": ids, "b": ids})):
        assert json.loads(json.dumps(found.to_dict()))["items"] == written
    assert json.loads(json.dumps(align(ids, {day: 1}).to_dict()))["only_a"] == [
        one for one in written if one != written[1]
    ]
    log = EvalLog("a", "A", "m", (np.int64(7), day), (np.int64(1), 1), [1, 0], (day, day), (np.str_("x"), "x"))
    assert json.loads(json.dumps(log.to_dict()))["clusters"] == ["2026-11-30"] * 2


# Logs of inspect-ai, written by inspect-ai


def test_inspect_agrees_with_inspect():
    """Its own accuracy and standard error, which it computes from the means of the epochs."""
    log = read_inspect(LOGS / "sums_a.eval", metric="match")
    with zipfile.ZipFile(LOGS / "sums_a.eval") as archive:
        own = json.loads(archive.read("header.json"))["results"]["scores"][0]["metrics"]
    answer = mean_interval(list(log.means().values()))
    assert answer.point == pytest.approx(own["accuracy"]["value"], abs=1e-12)
    assert answer.extra["standard_error"] == pytest.approx(own["stderr"]["value"], abs=1e-12)


def test_every_epoch_is_kept_apart():
    """Trap 3: a reader that keeps the first epoch only would report another difference."""
    a, b = (read_inspect(LOGS / f"sums_{one}.eval", metric="match", cluster="template", stratum="kind") for one in "ab")
    assert (len(a.items), len(set(a.items)), set(a.epochs)) == (180, 60, {1, 2, 3})
    assert {len(scores) for scores in a.answers().values()} == {3}
    both = align(a, b)
    assert both.notes == ("A: mean of 3 answers an item", "B: mean of 3 answers an item")
    assert (len(set(both.clusters)), set(both.strata)) == (10, {"even", "odd"})
    assert both.a.mean() == pytest.approx(a.scores.mean())
    first = [[log.answers()[item][0] for item in both.items] for log in (a, b)]
    assert both.a.mean() - both.b.mean() != pytest.approx(np.mean(first[0]) - np.mean(first[1]))


def test_epochs_may_disagree_with_the_first():
    """The case of trap 3: epoch 1 says -1, the mean of five says +0.6."""
    items = ("q1",) * 5
    a = EvalLog("a", "A", "m", items, (1, 2, 3, 4, 5), np.array([0.0, 1, 1, 1, 1]))
    b = EvalLog("b", "B", "m", items, (5, 4, 3, 2, 1), np.array([0.0, 0, 0, 0, 1]))
    both = align(a, b)
    assert both.a[0] - both.b[0] == pytest.approx(0.6)
    assert b.answers()["q1"] == (1, 0, 0, 0, 0)


def test_inspect_says_what_failed():
    """Samples that raised an error are refused, left out and listed, or counted as wrong: as the caller says."""
    path = LOGS / "sums_failed.json"
    with pytest.raises(
        ValueError, match=r"sums_failed.json: 3 of 36 answers have no score.*'sum/07' epoch 1: RuntimeError"
    ):
        read_inspect(path, metric="match")
    left = read_inspect(path, metric="match", unscored="leave out")
    assert (len(left.items), "sum/07" in left.items, len(left.unscored)) == (33, False, 3)
    assert "3 without a score left out: sample 'sum/07' epoch 1: RuntimeError" in str(left)
    wrong = read_inspect(path, metric="match", unscored="wrong")
    assert wrong.answers()["sum/07"] == (0, 0, 0)
    assert len(wrong.unscored) == 3
    with pytest.raises(ValueError, match=r"unscored must be one of \('refuse', 'leave out', 'wrong'\), got 'drop'"):
        read_inspect(path, metric="match", unscored="drop")


def test_one_score_of_several_is_never_guessed():
    path = LOGS / "sums_a.eval"
    with pytest.raises(ValueError, match="name one scorer as metric of match, graded; got None"):
        read_inspect(path)
    with pytest.raises(ValueError, match="name one value as graded/key, of exact, length"):
        read_inspect(path, metric="graded")
    exact = read_inspect(path, metric="graded/exact")
    assert exact.metric == "graded/exact"
    assert exact.means() == read_inspect(path, metric="match").means()
    assert set(read_inspect(path, metric="graded/length").scores.tolist()) - {0.0, 1.0}


def test_zstandard_is_read_or_refused_with_the_reason():
    path = LOGS / "sums_a_zstd.eval"
    try:
        import zipfile_zstd  # noqa: F401

        known = True
    except ImportError:
        known = sys.version_info >= (3, 14)
    if known:
        assert read_inspect(path, metric="match").means() == read_inspect(LOGS / "sums_a.eval", metric="match").means()
    else:
        with pytest.raises(ValueError, match=r"sums_a_zstd.eval cannot be unpacked: .*; for zstandard use Python 3.14"):
            read_inspect(path)


def inspect_log(tmp_path: Path, samples: object, **header: object) -> Path:
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"status": "success", "eval": {"model": "m"}, "samples": samples} | header))
    return path


def sample(value: object, item: object = "q1", epoch: object = 1, **more: object) -> dict:
    return {"id": item, "epoch": epoch, "scores": {"s": {"value": value}}} | more


def test_letters_and_numbers_are_scores(tmp_path):
    values = ["C", "P", "I", "N", True, 0, 0.25]
    path = inspect_log(tmp_path, [sample(value, f"q{i}") for i, value in enumerate(values)])
    assert list(read_inspect(path).means().values()) == [1, 0.5, 0, 0, 1, 0, 0.25]


@pytest.mark.parametrize(
    ("samples", "header", "says"),
    [
        ([sample("yes")], {}, "sample 'q1' epoch 1: a score must be a finite number, got 'yes'; write 1 for right"),
        ([sample([1, 2])], {}, r"must be a finite number, got \[1, 2\]"),
        ([sample(math.inf)], {}, "must be a finite number, got inf"),
        ([sample(10**400)], {}, "must be a finite number, got 1000"),
        ([sample(math.nan)], {}, "1 of 1 answers have no score"),
        ([sample(1), sample(0)], {}, "item 'q1' has a score already"),
        ([sample(1), sample(0, 2)], {}, "ids must be of one type, got 2 after 'q1'"),
        ([sample(1, None)], {}, "an id is text or a whole number, got None"),
        ([sample(1, True)], {}, "an id is text or a whole number, got True"),
        ([sample(1, " ")], {}, "an id is text or a whole number, got ' '"),
        ([sample(1, 1.5)], {}, "an id is text or a whole number, got 1.5"),
        ([sample(1, epoch="1")], {}, "epoch must be an integer of at least 0, got '1'"),
        ([sample(1)], {"status": "error"}, "must have finished with status 'success', got 'error'"),
        ([sample(1)], {"status": "cancelled"}, "got 'cancelled'"),
        ([sample(1)], {"results": {"total_samples": 2}}, "the log says 2 samples and holds 1"),
        ([sample(1)], {"invalidated": True}, "samples of it were declared invalid"),
        ([], {}, "name one scorer as metric of none"),
        ("text", {}, "samples must be a list, got 'text'"),
        (["text"], {}, "'scores' must stand in an object, got 'text'"),
        ([{"id": 1, "epoch": 1, "scores": 7}], {}, "name one scorer as metric of none"),
        ([sample(1), sample(1, "q2") | {"scores": ["s"]}], {}, r"'s' must stand in an object, got \['s'\]"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_inspect_refuses(tmp_path, samples, header, says):
    with pytest.raises(ValueError, match=f"log.json.*{says}"):
        read_inspect(inspect_log(tmp_path, samples, **header))


def test_a_label_belongs_to_an_item(tmp_path):
    rows = [sample(1, metadata={"t": "x", "long": readers.CUT}), sample(1, epoch=2, metadata={"t": "y", "long": "z"})]
    path = inspect_log(tmp_path, rows)
    with pytest.raises(ValueError, match="item 'q1' has 'y', and had 'x' before"):
        read_inspect(path, cluster="t")
    with pytest.raises(ValueError, match="'u' must be a label, text or a number, got None"):
        read_inspect(path, stratum="u")
    with pytest.raises(ValueError, match="'long' must be a label, text or a number, got 'Key removed"):
        read_inspect(path, cluster="long")


# Archives and files that mean harm


def archive(tmp_path: Path, members: dict[str, bytes], packed: int = zipfile.ZIP_DEFLATED) -> Path:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", packed) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return path


def test_a_zip_bomb_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(readers, "MOST_BYTES", 100_000)
    monkeypatch.setattr(readers, "_pieces", lambda member: pytest.fail("unpacked"))
    path = archive(tmp_path, {"header.json": b"{}", "summaries.json": b" " * 1_000_000})
    assert path.stat().st_size < 5_000
    with pytest.raises(ValueError, match=r"summaries.json must unpack to at most 100000 bytes, got 1000000"):
        read_inspect(path)


@pytest.mark.parametrize("packed", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_that_lies_about_its_size(tmp_path, packed):
    """The stated size is also the most that is read, so the check sum does not fit."""
    path = archive(tmp_path, {"header.json": b"{}", "summaries.json": b" " * 1_000_000}, packed)
    data = path.read_bytes().replace((1_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"log.eval cannot be unpacked: Bad CRC-32"):
        read_inspect(path)


def test_a_file_that_is_too_large(tmp_path, monkeypatch):
    monkeypatch.setattr(readers, "MOST_BYTES", 100)
    (tmp_path / "a.csv").write_text("item,correct\n" + "q,1\n" * 100)
    with pytest.raises(ValueError, match=r"a.csv must have at most 100 bytes, got 413"):
        read_table(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.json", b"[" * 100 + b"]" * 100, r"row 1 must be an object, got \[\[\["),
        ("a.json", b"[" * 100_000 + b"]" * 100_000, "a.json: not JSON that can be read: maximum recursion depth"),
        ("a.jsonl", b'{"item": "q1", "correct": ' + b"[" * 100 + b"]" * 100 + b"}", "line 1: a score must be a finite"),
        ("a.jsonl", b'{"item": "q1"' + b'{"a":' * 100_000, "line 1: not JSON"),
        ("a.json", b"7" * 5000, "not JSON that can be read: Exceeds the limit"),
        ("a.json", b"\xff\xfe{", "not JSON that can be read"),
        ("a.json", b"", "a.json: not JSON that can be read: Expecting value: line 1 column 1"),
        ("a.eval", b"no archive", "a.eval cannot be unpacked: File is not a zip file"),
        ("a.eval", b"", "a.eval cannot be unpacked: File is not a zip file"),
        ("a.txt", b"q1,1", "a table is .csv, .json, .jsonl or .parquet, got '.txt'"),
        ("a.jsonl", b"[1, 2]", "a.jsonl, line 1: 'item' must stand in an object"),
        (
            "a.jsonl",
            b'{"item": "q1", "correct": 1}\n\n{"item": "q2"}',
            "line 3 has no column 'correct'; its columns are item",
        ),
        (
            "a.jsonl",
            b'{"item": "q1", "correct": 1}\n{"item": 2, "correct": 1}',
            "line 2: ids must be of one type, got 2 after",
        ),
        ("a.jsonl", b'{"item": "q1", "correct": Infinity}', "line 1: a score must be a finite number, got inf"),
        ("a.jsonl", b'{"item": "q1", "correct": 1e999}', "line 1: a score must be a finite number, got inf"),
        ("a.jsonl", b'{"item": "q1", "correct": NaN}', r"1 of 1 answers have no score \(line 1\)"),
        ("a.jsonl", b'{"item": "q1", "correct": "1"}', "line 1: a score must be a finite number, got '1'"),
        ("a.jsonl", b'{"item": ["q1"], "correct": 1}', r"line 1: an id is text or a whole number, got \['q1'\]"),
        ("a.jsonl", b"", "must hold at least 1 answer with a score"),
        ("a.csv", b"", "a.csv has no column 'item'"),
        ("a.csv", b"item,correct\n", "a.csv must hold at least 1 answer"),
        ("a.csv", b"id,correct\nq1,1", "a.csv has no column 'item'; its columns are id, correct"),
        ("a.csv", b"item,correct,correct\nq1,1,0", "every column needs a name of its own"),
        ("a.csv", b"item,correct\nq1,1\nq2", "line 3 must have 2 cells, got 1"),
        ("a.csv", b"item,correct\nq1,1,1", "line 2 must have 2 cells, got 3"),
        ("a.csv", b"item,correct\nq1,1\nq2,\nq3,nan", r"2 of 3 answers have no score \(line 3, line 4\)"),
        ("a.csv", b"item,correct\nq1,1\nq2,inf", "line 3: a score must be a finite number, got inf"),
        ("a.csv", b"item,correct\nq1,right", "line 2: a score must be a finite number, got 'right'; write 1 for right"),
        ("a.csv", b"item,correct\nq1,1_0", "got '1_0'"),
        ("a.csv", b"item,correct\n,1", "line 2: an id is text or a whole number, got ''"),
        ("a.csv", b"item,correct\nq1,1\nq1,1", r"line 3: item 'q1' has a score already \(a.csv, line 2\)"),
        ("a.csv", b"item,correct\nq1,1\n\xff,1", "a.csv, after line 0: 'utf-8' codec can't decode"),
        ("a.csv", b'item,correct\n"q1,1', "after line 2: unexpected end of data"),
        ("a.csv", b"item,correct\n" + b"q" * 200_000 + b",1", "field larger than field limit"),
        ("samples_x.jsonl", b"7", "line 1: 'filter' must stand in an object"),
        ("samples_x.jsonl", b'{"doc_id": 1}', "line 1: metrics must be a list, got None"),
        ("samples_x.jsonl", b"", "name one filter_name of none"),
    ],
)
def test_hostile_and_broken_files(tmp_path, name, data, says):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError, match=says) as caught:
        read_log(tmp_path / name)
    assert name in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "source", [LOGS / "sums_a.eval", LOGS / "sums_failed.json", LM_EVAL[0]], ids=lambda one: one.name[:8]
)
def test_damaged_files_are_read_or_refused(tmp_path, source):
    """A few bytes changed at random: never anything but a ValueError that names the file."""
    random = np.random.default_rng(5)
    path = tmp_path / source.name
    refusals = []
    for _ in range(60):
        data = bytearray(source.read_bytes())
        for place in [*random.integers(len(data), size=3), *(-random.integers(1, 200, size=2))]:
            data[place] = random.integers(256)
        path.write_bytes(data)
        try:
            read_log(path, metric="exact_match" if "samples" in path.name else "match", unscored="wrong")
        except ValueError as error:
            refusals.append(str(error))
    assert len(refusals) > 20
    assert all(path.name in words and len(words) < 600 for words in refusals)


def test_what_is_no_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_log(tmp_path / "none.csv")
    with pytest.raises(ValueError, match="must be a file, and is a folder or a device"):
        read_table(tmp_path)


def test_an_unfinished_archive(tmp_path):
    with pytest.raises(ValueError, match=r"log.eval has no header.json: the run did not finish"):
        read_inspect(archive(tmp_path, {"_journal/start.json": b"{}"}))


# Samples of lm-evaluation-harness, written by lm-evaluation-harness


def test_lm_eval_agrees_with_lm_eval():
    """The means that the harness printed for these two models: .4 and .95 after the filters."""
    rows = [json.loads(line) for line in LM_EVAL[0].read_text().splitlines()]
    for name in ("first", "digits"):
        log = read_lm_eval(LM_EVAL[0], filter_name=name, cluster="template")
        assert (log.system, log.metric, len(log.items), len(set(log.clusters))) == ("model-a", "exact_match", 20, 5)
        own = [row["exact_match"] for row in rows if row["filter"] == name]
        assert log.scores.tolist() == own
    with pytest.raises(ValueError, match="name one filter_name of first, digits; got None"):
        read_lm_eval(LM_EVAL[0])
    with pytest.raises(ValueError, match="name one metric of exact_match; got 'acc'"):
        read_lm_eval(LM_EVAL[0], filter_name="first", metric="acc")


def test_one_id_for_two_questions_is_refused(tmp_path):
    a, b = (read_lm_eval(path, filter_name="digits") for path in LM_EVAL)
    assert align(a, b, strict=True).n == 20
    changed = tmp_path / "samples_sums.jsonl"
    changed.write_text(LM_EVAL[1].read_text().replace('"doc_hash": "5', '"doc_hash": "0'))
    with pytest.raises(ValueError, match=r"item \d+ stands for two questions: '5.* in A, '0.* in B"):
        align(a, read_lm_eval(changed, filter_name="digits"))


def test_a_metric_of_a_whole_corpus_is_no_score(tmp_path):
    row = {"doc_id": 0, "filter": "none", "metrics": ["bleu"], "bleu": ["reference", "answer"]}
    path = tmp_path / "samples_x.jsonl"
    path.write_text(json.dumps(row))
    with pytest.raises(ValueError, match=r"line 1: a score must be a finite number, got \['reference', 'answer'\]"):
        read_lm_eval(path)


# Tables


TABLE = "item,correct,model,run,kind\nq1,1,A,1,x\nq1,0,A,2,x\nq2,true,A,1,y\nq1,0.5,B,1,x\n"


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_table_with_everything(tmp_path, mark, ends):
    path = tmp_path / "runs.csv"
    path.write_text(mark + TABLE.replace("\n", ends), encoding="utf-8", newline="")
    log = read_table(path, system="model", only="A", epoch="run", cluster="item", stratum="kind")
    assert (log.items, log.epochs, log.scores.tolist()) == (("q1", "q1", "q2"), (1, 2, 1), [1, 0, 1])
    assert (log.system, log.strata) == ("A", ("x", "x", "y"))
    assert str(log).splitlines()[1:] == ["mean of 1 to 2 answers an item"]
    assert json.loads(json.dumps(log.to_dict()))["clusters"] == ["q1", "q1", "q2"]
    with pytest.raises(ValueError, match="name one system as only of A, B; got None"):
        read_table(path, system="model", epoch="run")
    with pytest.raises(ValueError, match="'q1' has a score already"):
        read_table(path, system="model", only="A")


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
def test_lines_of_json(tmp_path, ends):
    path = tmp_path / "runs.jsonl"
    lines = [b'\xef\xbb\xbf{"item": 1, "correct": true}', b'{"item": 2, "correct": 0.5}', b""]
    path.write_bytes(ends.join(lines))
    assert read_table(path).means() == {1: 1.0, 2: 0.5}


def test_parquet_where_pyarrow_is(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    import pyarrow

    path = tmp_path / "runs.parquet"
    parquet.write_table(pyarrow.table({"item": [1, 2], "correct": [True, None], "text": ["a", "b"]}), path)
    assert read_table(path, unscored="wrong").means() == {1: 1.0, 2: 0.0}
    with pytest.raises(ValueError, match=r"1 of 2 answers have no score \(row 2\)"):
        read_table(path)
    with pytest.raises(ValueError, match="has no column 'right'; its columns are item, correct, text"):
        read_table(path, score="right")
    path.write_bytes(path.read_bytes()[:20])
    with pytest.raises(ValueError, match=r"runs.parquet is not Parquet that can be read: Parquet magic bytes"):
        read_table(path)


def test_parquet_is_bounded_and_needs_pyarrow(tmp_path, monkeypatch):
    path = tmp_path / "runs.parquet"
    path.write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ImportError, match="reading Parquet needs pyarrow; install it, or write the table as CSV"):
        read_table(path)
    many = SimpleNamespace(
        schema_arrow=SimpleNamespace(names=["item", "correct"]), metadata=SimpleNamespace(num_rows=10**9)
    )
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", SimpleNamespace(ParquetFile=lambda path: many))
    with pytest.raises(ValueError, match="must have at most 10000000 rows, got 1000000000"):
        read_table(path)


def test_options_of_another_reader(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text("item,right\nq1,1\n")
    assert read_log(path, metric="right", cluster=None).metric == "right"
    with pytest.raises(ValueError, match=r"runs.csv is read by read_table, which has no 'filter_name'; it has item"):
        read_log(path, filter_name="none")


# What the traps of other packages become here (peers.md 4b)


def test_trap_4_a_log_of_inspect_has_scores():
    assert len(read_log(LOGS / "sums_b.eval", metric="match").means()) == 60


def test_trap_9_one_cluster_and_missing_clusters(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text("item,correct,group\nq1,1,g\nq2,0,g\n")
    log = read_table(path, cluster="group")
    with pytest.raises(ValueError, match="groups must name at least 2 clusters, got 1"):
        mean_interval(list(log.means().values()), log.by_item("clusters").values())
    path.write_text("item,correct,group\nq1,1,g\nq2,0,\n")
    with pytest.raises(ValueError, match=r"runs.csv, line 3: 'group' must be a label, text or a number, got ''"):
        read_table(path, cluster="group")


def test_trap_10_partial_overlap_is_reported_or_refused(tmp_path):
    a, b = tmp_path / "a.csv", tmp_path / "b.csv"
    a.write_text("item,correct\n" + "".join(f"q{i},1\n" for i in range(10)))
    b.write_text("item,correct\n" + "".join(f"q{i},0\n" for i in range(7, 17)))
    both = align(read_table(a), read_table(b))
    assert (both.n, len(both.only_a), len(both.only_b)) == (3, 7, 7)
    with pytest.raises(ValueError, match=r"7 only in A.*7 only in B"):
        align(read_table(a), read_table(b), strict=True)
    a.write_text(a.read_text() + "q3,0\n")
    with pytest.raises(ValueError, match="line 12: item 'q3' has a score already"):
        read_table(a)


def test_trap_12_a_share_of_answers_is_not_a_count_of_items():
    """Three answers to an item are one row: 60 items, not 180."""
    a, b = (read_log(LOGS / f"sums_{one}.eval", metric="match") for one in "ab")
    assert align(a, b).n == 60


def test_two_metrics_and_two_clusterings(tmp_path):
    a = EvalLog("a", "A", "acc", ("q1", "q2"), (1, 1), np.array([1.0, 0]), clusters=("x", "y"))
    b = EvalLog("b", "B", "acc_norm", ("q1", "q2"), (1, 1), np.array([1.0, 0]), clusters=("x", "x"))
    with pytest.raises(ValueError, match="item 'q2' has two clusters: 'y' in A, 'x' in B"):
        align(a, b)
    both = align(a, {"q1": 0, "q2": 1})
    assert (both.clusters, both.strata, both.notes) == (("x", "y"), None, ())
    c = EvalLog("b", "B", "acc_norm", ("q1", "q2"), (1, 1), np.array([1.0, 0]))
    assert align(a, c).warning == "the metrics differ: acc in A, acc_norm in B"
    assert str(align(a, c)).splitlines()[-1] == f"warning: {align(a, c).warning}"


def test_a_log_is_whole():
    with pytest.raises(
        ValueError, match=r"every answer needs one entry in each column, got \{'items': 2, 'epochs': 2, 'scores': 1\}"
    ):
        EvalLog("a", "A", "m", ("q1", "q2"), (1, 1), np.array([1.0]))
    log = EvalLog("a", "A", "m", ("q1",), (1,), np.array([1.0]))
    with pytest.raises(ValueError, match="read-only"):
        log.scores[0] = 0


# Several systems, and scales


@given(st.tuples(*(st.permutations(ids) for ids in ("abcd", "bcde", "cdea"))))
def test_several_systems_are_matched_by_id(orders):
    logs = {
        name: {item: ord(item) + k for item in order} for k, (name, order) in enumerate(zip("xyz", orders, strict=True))
    }
    matched = align_all(logs)
    assert set(matched.items) == {"c", "d"}
    assert list(matched.items) == [item for item in orders[0] if item in "cd"]
    for k, name in enumerate("xyz"):
        assert matched.scores[name].tolist() == [ord(item) + k for item in matched.items]
        assert set(matched.left_over[name]) == set(orders[k]) - {"c", "d"}
    assert not matched.complete
    assert align_all(logs | {"y": logs["x"], "z": logs["x"]}).complete


def test_two_of_several_systems_are_matched_as_align_does():
    logs = {name: read_log(LOGS / f"sums_{name}.eval", metric="match", cluster="template") for name in "ab"}
    both, matched = align(*logs.values()), align_all(logs)
    assert (matched.items, matched.clusters, matched.n) == (both.items, both.clusters, 60)
    assert (matched.scores["a"] == both.a).all()
    assert (matched.scores["b"] == both.b).all()
    assert matched.notes == ("a: mean of 3 answers an item", "b: mean of 3 answers an item")
    assert json.loads(json.dumps(matched.to_dict()))["scores"]["a"] == both.a.tolist()
    with pytest.raises(ValueError, match="read-only"):
        matched.scores["a"][0] = 0


def test_what_several_logs_say_of_an_item_must_agree():
    a, b = (EvalLog("a", "A", "acc", ("q1",), (1,), np.array([1.0]), clusters=(where,)) for where in "xy")
    with pytest.raises(ValueError, match="item 'q1' has two clusters: 'x' in old, 'y' in new"):
        align_all({"odd": {"q1": 1}, "old": a, "new": b})
    assert align_all({"odd": {"q1": 1}, "old": a}).clusters == ("x",)


@pytest.mark.parametrize(
    ("a", "b", "warned"),
    [
        ({"q1": 1, "q2": 0}, {"q1": 10, "q2": 7}, "the largest scores are 1 in A and 10 in B: are both on one scale?"),
        (
            {"q1": 90, "q2": 100},
            {"q1": 0, "q2": 1},
            "the largest scores are 1 in B and 100 in A: are both on one scale?",
        ),
        ({"q1": 1, "q2": 0}, {"q1": 9, "q2": 7}, None),
        ({"q1": 0, "q2": 0}, {"q1": 1, "q2": 1}, None),  # all wrong is no scale
        ({"q1": 0, "q2": 0}, {"q1": 0, "q2": 0}, None),
    ],
)
def test_scores_on_two_scales_are_told(a, b, warned):
    assert align(a, b).warning == warned
    assert (warned or "nothing left over") in str(align(a, b)).splitlines()[-1]


# Marks in JSON, as the front page shows them


def test_a_mapping_in_json(tmp_path):
    path = tmp_path / "new.json"
    path.write_text('{"capital/1": 1, "capital/2": 0, "status": 1, "half": 0.5, "right": true}')
    log = read_log(path)
    assert log.means() == {"capital/1": 1.0, "capital/2": 0.0, "status": 1.0, "half": 0.5, "right": 1.0}
    assert (log.system, log.metric) == ("new", "correct")


def test_a_list_of_records_in_json(tmp_path):
    path = tmp_path / "new.json"
    rows = [{"item": "q1", "run": k, "correct": k % 2, "eval": "x"} for k in range(3)]
    path.write_text("\ufeff" + json.dumps(rows), encoding="utf-8")
    assert read_log(path, epoch="run").answers() == {"q1": (0.0, 1.0, 0.0)}


@pytest.mark.parametrize(
    ("text", "options", "says"),
    [
        ('{"q1": 1, "q1": 0}', {}, "new.json, item 2: item 'q1' has a score already (new.json, item 1)"),
        ('{"q1": {"correct": 1}}', {}, "new.json, item 1: a score must be a finite number, got [('correct', 1)]"),
        ('{"q1": "yes"}', {}, "a score must be a finite number, got 'yes'; write 1 for right and 0 for wrong"),
        ('{"q1": 1}', {"cluster": "kind"}, "new.json, item 1 has no column 'kind'; its columns are item, correct"),
        ("{}", {}, "new.json must hold a list of objects, or an object from item id to score"),
        ("3", {}, "new.json must hold a list of objects, or an object from item id to score"),
        ("[1, 2]", {}, "new.json, row 1 must be an object, got 1"),
        ("[[1, 2]]", {}, "new.json, row 1 must be an object, got [1, 2]"),
        ('[{"item": "q1"}]', {}, "new.json, row 1 has no column 'correct'; its columns are item"),
        ('[{"item": "q1", "correct": 1, "correct": 0}]', {}, "new.json, row 1: 'correct' comes twice in one object"),
        ('{"q1": 1', {}, "new.json: not JSON that can be read"),
        ('{"q1": null, "q2": 1}', {}, "1 of 2 answers have no score"),
    ],
)
def test_odd_json(tmp_path, text, options, says):
    path = tmp_path / "new.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=re.escape(says)):
        read_log(path, **options)


SAMPLE = '{"id": "q1", "epoch": 1, "scores": {"match": {"value": 1, "value": 0}}}'
INSPECT = f'{{"status": "success", "samples": [{SAMPLE}]}}'


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.jsonl", '{"item": "q1", "correct": 1}\n{"item": "q2", "correct": 1, "correct": 0}', "line 2: .*'correct'"),
        (
            "samples_a.jsonl",
            '{"doc_id": 1, "filter": "none", "metrics": ["acc"], "acc": 1, "acc": 0}',
            "line 1: .*'acc'",
        ),
        ("a.json", INSPECT, "a.json: .*'value'"),
        ("a.json", '[{"item": "q1", "item": "q2", "correct": 0}]', "row 1: 'item'"),
    ],
)
def test_a_key_that_comes_twice_is_refused(tmp_path, name, text, says):
    """Python would take the last without a word."""
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=f"{says} comes twice in one object"):
        read_log(tmp_path / name)


def test_a_column_of_parquet_that_comes_twice_is_refused(tmp_path):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    columns = [pa.array(["q1"]), pa.array([1]), pa.array([0])]
    parquet.write_table(pa.Table.from_arrays(columns, names=["item", "correct", "correct"]), tmp_path / "a.parquet")
    with pytest.raises(ValueError, match=r"a\.parquet"):
        read_log(tmp_path / "a.parquet")
