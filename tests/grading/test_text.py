"""Text of others, made harmless."""

import csv
import io
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.grading.text import csv_rows, csv_text, spreadsheet_safe, visible

FORMULAS = ["=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", " =1", '"=1', "＝1", "\ufeff=1", "-1e5", "\tx"]


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_formula_stays_one(formula: str) -> None:
    assert spreadsheet_safe(formula) != formula
    assert spreadsheet_safe(formula).replace("'", "") == formula.replace("'", "")


@pytest.mark.parametrize("separator", [",", ";", "|", "\t", "\n", '";"', "; "])
def test_none_can_begin_behind_a_separator_of_another_country(separator: str) -> None:
    assert spreadsheet_safe(f"Ada{separator}=1+1") == f"Ada{separator}'=1+1"


@pytest.mark.parametrize("harmless", ["", "0", "-2.5", "13.75", "a-b", "O'Brien-Smith", "1, -2, 3", "ada@uni.example"])
def test_what_cannot_be_a_formula_stays(harmless: str) -> None:
    assert spreadsheet_safe(harmless) == harmless


@given(st.text(alphabet="=+-@a1,;|\"' \t\r\n\ufeff＝.", max_size=12))
def test_read_with_any_separator_no_cell_begins_a_formula(text: str) -> None:
    guarded = spreadsheet_safe(text)
    assert spreadsheet_safe(guarded) == guarded
    for separator in ",;|\t":
        written = io.StringIO()
        csv.writer(written).writerow(["x", guarded])
        for row in csv.reader(io.StringIO(written.getvalue(), newline=""), delimiter=separator):
            for cell in row:
                for line in cell.splitlines() or [""]:
                    bare = line.strip('"\ufeff \t\r\n,;|')
                    assert not bare.startswith(("=", "+", "@", "＝")), (text, guarded)


def test_a_long_run_of_separators_takes_no_time() -> None:
    start = time.perf_counter()
    spreadsheet_safe("\n" * 200_000)
    spreadsheet_safe(",-" * 100_000)
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize(
    "hidden",
    ["\x1b[2J", "\x00", "\x7f", "\x9b", "\u202e", "\u2066", "\u200b", "\ufeff", "\ud800", "\u2028", "\U000e0041", "\r"],
)
def test_nothing_steers_or_hides(hidden: str) -> None:
    for lines in (False, True):
        shown = visible(f"a{hidden}b", lines=lines)
        assert shown.startswith("a\\")
        assert shown.endswith("b")
        assert hidden[0] not in shown
        shown.encode("utf-8")


def test_ordinary_text_stays_and_long_text_is_cut() -> None:
    ordinary = "naïve × – “quoted” <b> 漢字 🙂"
    assert visible(ordinary) == ordinary
    assert visible("a\n\tb", lines=True) == "a\n\tb"
    assert visible("a\nb") == "a\\nb"
    assert visible("x" * 301) == "x" * 300 + "..."
    assert visible("x" * 300) == "x" * 300


def test_a_csv_file_is_read_as_spreadsheets_of_all_countries_save_it(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    for separator in ",;\t":
        path.write_bytes(f'\ufeff\r\n a{separator}b\r\n{separator}\r\n"1\n2"{separator} 3 \r\n'.encode())
        assert list(csv_rows(path)) == [(2, ["a", "b"]), (5, ["1\n2", "3"])]
    path.write_text(csv_text([["a", "=1"], ["x;y", 'q"']]))
    assert [row for _, row in csv_rows(path)] == [["a", "'=1"], ["x;y", 'q"']]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a\xff", r"^x.csv is not UTF-8 text: save it as CSV UTF-8$"),
        (b'a,b\n1,"', r"^x.csv, line 2: unexpected end of data$"),
        (b"a" * 200_000, r"^x.csv, line 1: field larger than field limit"),
        (b"a,\n" * 200_000, r"^x.csv has more than 500,000 bytes$"),
    ],
)
def test_what_is_no_csv_file_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "x.csv").write_bytes(content)
    with pytest.raises(ValueError, match=words):
        list(csv_rows(tmp_path / "x.csv", most_bytes=500_000))
    with pytest.raises(ValueError, match="Is a directory"):
        list(csv_rows(tmp_path))
