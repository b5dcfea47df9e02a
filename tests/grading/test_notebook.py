"""Bytes that somebody handed in: honest notebooks are read as Jupyter shows them, the others refused at once."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jupytext
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exercises.grading import notebook
from exercises.grading.notebook import (
    UnreadableError,
    broken_definition,
    definitions,
    foreign_imports,
    note_on_several,
    read_cells,
    without_spare_starters,
)
from exercises.grading.records import Cell

ROOT = Path(__file__).resolve().parents[2]
STARTER = 'def f(x):\n    """Twice x."""\n    raise NotImplementedError("your answer goes here")\n'


@pytest.fixture
def at_once() -> Iterator[None]:
    """Allows five seconds of work: under one is usual, and without its guard a bomb takes minutes or all memory."""
    started = time.process_time()
    yield
    assert time.process_time() - started < 5


def ipynb(*sources: Any, **more: Any) -> bytes:
    cells = [{"cell_type": "code", "source": source, "outputs": [{"a": 1}]} for source in sources]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, **more}).encode()


def codes(name: str, content: bytes | str) -> list[tuple[str, str]]:
    content = content if isinstance(content, bytes) else content.encode()
    return [(cell.label, cell.code) for cell in read_cells(name, content)]


def refusal(name: str, content: bytes) -> str | None:
    """Why a file is refused; None if it is read."""
    try:
        cells = read_cells(name, content)
    except UnreadableError as refused:
        return str(refused)
    assert all(type(cell) is Cell for cell in cells)
    return None


# --- honest files --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted((ROOT / "book").glob("*.md")), ids=lambda path: path.name)
def test_pages_of_the_book_are_cut_as_jupytext_cuts_them(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert codes(path.name, text) == as_jupytext(text, "md:myst")


@pytest.mark.parametrize("form", ["md:myst", "py:percent"])
@pytest.mark.parametrize(
    "path", sorted((ROOT / "exercises").glob("*/worksheet.ipynb")), ids=lambda path: path.parent.name
)
def test_worksheets_are_read_in_all_three_forms(path: Path, form: str) -> None:
    read = codes(path.name, path.read_bytes())
    assert len(read) > 10
    text = jupytext.writes(jupytext.read(path), form)
    other = codes(f"a.{form[:2]}", text)
    assert [code.strip() for _, code in other] == [code.strip() for _, code in read]
    assert [label for label, _ in other] == [label for label, _ in as_jupytext(text, form)]


def as_jupytext(text: str, form: str) -> list[tuple[str, str]]:
    cells = jupytext.reads(text, form).cells
    numbered = [(number, cell) for number, cell in enumerate(cells, start=1) if cell.cell_type == "code"]
    return [(f"cell {number}", cell.source) for number, cell in numbered]


def test_all_cells_count() -> None:
    cells = [{"cell_type": "markdown", "source": "def x("}, None, {"cell_type": "code", "source": ["x = 1\n", "y"]}, 3]
    assert codes("a.ipynb", json.dumps({"cells": cells})) == [("cell 3", "x = 1\ny")]


def test_format_3_has_sheets_and_input() -> None:
    sheets = [
        {"cells": [{"cell_type": "code", "input": ["x = ", "1"]}]},
        {"cells": [{"cell_type": "code", "input": "y"}]},
        3,
    ]
    assert codes("a.ipynb", json.dumps({"worksheets": sheets})) == [("cell 1", "x = 1"), ("cell 2", "y")]


def test_a_script_is_one_cell_with_its_name() -> None:
    assert codes("mine.py", "\ufeffx = 1\r\ny = 2\r") == [("mine.py", "x = 1\ny = 2\n")]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("# %%\nx\n# %% [markdown]\n# hello\n# %% a title\ny\n", [("cell 1", "x\n"), ("cell 3", "y\n")]),
        ("import a\n# %%\nx", [("cell 1", "import a\n"), ("cell 2", "x")]),
        ("# ---\n# jupyter:\n#   a: 1\n# ---\n\n# %%\nx", [("cell 1", "x")]),
        ("#%%\nx\n# In[7]:\ny", [("cell 1", "x\n"), ("cell 2", "y")]),
        ("# %%time\nx", [("a.py", "# %%time\nx")]),
        ("# %%\n%matplotlib inline\nfiles = !ls\nx", [("cell 1", "pass\nfiles = None\nx")]),
    ],
    ids=["kinds", "before", "header", "markers", "magic", "magics"],
)
def test_percent_scripts(text: str, cells: list[tuple[str, str]]) -> None:
    assert codes("a.py", text) == cells


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("---\na: 1\n---\n# T\n```{code-cell} ipython3\n:tags: [a]\n\nx\n```\n", [("cell 2", "x")]),
        (
            "```{code-cell}\n---\nb: 1\n---\nx\n```\n+++\ntext\n+++\ntext\n\n```{code-cell}\ny\n```",
            [("cell 1", "x"), ("cell 4", "y")],
        ),
        ("````\n```{code-cell}\nx\n```\n````\n```python\nx\n```", []),
        ("~~~{code-cell}\n```\n~~~~\n", [("cell 1", "```")]),
        ("  ```{code-cell}\n  if x:\n    y\n  ```\n", [("cell 1", "if x:\n  y")]),
        ("```{code-cell}\nx", [("cell 1", "x")]),
    ],
    ids=["header", "breaks", "quoted", "marks", "indented", "open"],
)
def test_myst_pages(text: str, cells: list[tuple[str, str]]) -> None:
    assert codes("a.md", text) == cells
    assert [cell for cell in as_jupytext(text, "md:myst") if cell[1]] == cells


# --- hostile files -------------------------------------------------------------------------------------------------

ALIASES = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 20))


@pytest.mark.usefixtures("at_once")
def test_yaml_is_not_even_looked_at() -> None:
    header = f"---\na0: &a0 [1]\n{ALIASES}x: !!python/object/apply:os.system ['false']\n---\n"
    cell = f"```{{code-cell}}\n---\na0: &a0 [1]\n{ALIASES}---\nx\n```\n"
    assert codes("a.md", header + cell) == [("cell 1", "x")]


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.ipynb", b"[" * 1_000_000, "lists within lists without end"),
        ("a.ipynb", b'{"a":' * 100_000, "lists within lists without end"),
        ("a.ipynb", b'{"cells": {"a": 1}}', "no list of cells"),
        ("a.ipynb", b'{"cells": null}', "no list of cells"),
        ("a.ipynb", b"3", "no list of cells"),
        ("a.ipynb", b'{"cells": [,]}', "Expecting value in line 1"),
        ("a.ipynb", b'{"cells": [' + b"[]," * 1_100_000 + b"[]]}", "more than 2,000,000 entries"),
        ("a.ipynb", ipynb(*["x"] * 2_001), "more than 2,000 cells"),
        ("a.ipynb", ipynb("#" * 100_001), "too much code"),
        ("a.ipynb", ipynb(*["#" * 90_000] * 3), "cell 3 goes beyond"),
        ("a.ipynb", b" " * 20_000_001, "more than 20,000,000 bytes"),
        ("a.py", b"x" * 1_000_001, "more than 1,000,000 bytes"),
        ("a.py", b"# %%\n" * 2_001, "more than 2,000 cells"),
        ("a.md", b"```{code-cell}\nx\n```\n" * 2_001, "more than 2,000 cells"),
        ("a.py", "x = 'caf\u00e9'".encode("latin-1"), "not UTF-8 text (byte 9"),
        ("a.ipynb", "{}".encode("utf-16"), "not UTF-8 text"),
        ("a.py", b"x = 1\0", "NUL character"),
        ("a.py", b"\xef\xbb\xbf \n", "is empty"),
        ("a.pdf", b"x", "ends in .ipynb, .md, .py"),
        ("ipynb", b"x", "ends in .ipynb, .md, .py"),
        ("a\x1b[31m\u202e.sh", b"x", "called 'a\\x1b[31m\\u202e.sh'"),
    ],
    ids=lambda value: repr(value)[:30] if isinstance(value, bytes) else value,
)
def test_what_is_no_notebook_or_too_much_is_refused_with_a_reason(name: str, content: bytes, words: str) -> None:
    with pytest.raises(UnreadableError) as refused:
        read_cells(name, content)
    assert words in str(refused.value)
    assert len(str(refused.value)) < 300
    assert str(refused.value).isprintable()


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    "code",
    [
        "(" * 99_000,
        "-" * 99_000 + "1",
        "+".join("1" * 49_000),
        "x" + "[0]" * 33_000,
        "a" + ".b" * 49_000,
        "not " * 24_000 + "1",
        "lambda:" * 14_000 + "1",
        "if 1: pass\n" + "elif 1: pass\n" * 7_000,
        "9" * 99_000,
        "x\r" * 49_000,
        "f = " * 24_000 + "1",
        "f = 1;" * 16_000,
        "f = " + "+".join("1" * 2_000),
        "f = [" + "1," * 48_000 + "]",
        "%x\n" * 33_000,
        "x = %x\n" * 14_000,
        " " * 99_000,
        "'\\q'\n" * 19_000,
        "@f\n" * 33_000 + "def f(): pass",
        "x = '\ud800'",
    ],
    ids=lambda code: repr(code[:8]),
)
def test_deep_and_dense_code_costs_little(code: str) -> None:
    cells = read_cells("a.ipynb", ipynb(code))
    assert [cell.label for cell in cells] == ["cell 1"]
    cells[0].code.encode()
    definitions(cells, ["f"])
    broken_definition(cells, "f")
    foreign_imports(cells, [])
    without_spare_starters(cells, {"f": STARTER})


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    "text",
    [
        "```\n" * 200_000,
        "> " * 450_000,
        "- " * 450_000,
        "[a]: b\n" * 120_000,
        "1. a\n" * 150_000,
        "<a\n" * 300_000,
        "+++\n" * 200_000,
        "---\n" + "a\n" * 300_000,
        "```{code-cell}\n" + ":a\n" * 300_000,
        "`" * 900_000,
        "~" * 900_000,
        "# %% " + " " * 900_000,
    ],
    ids=lambda text: repr(text[:8]),
)
def test_long_pages_cost_little(text: str) -> None:
    for name in ("a.md", "a.py"):
        assert "too much code" in (refusal(name, text.encode()) or "too much code")


@pytest.mark.usefixtures("at_once")
def test_numbers_without_end_are_passed_over() -> None:
    content = b'{"nbformat": ' + b"9" * 15_000_000 + b', "cells": [{"cell_type": "code", "source": "x", "n": -1e999}]}'
    assert codes("a.ipynb", content) == [("cell 1", "x")]


def test_of_a_key_that_stands_twice_the_last_counts_as_in_jupyter() -> None:
    content = '{"cells": 3, "cells": [{"cell_type": "raw", "cell_type": "code", "source": "no", "source": "yes"}]}'
    assert codes("a.ipynb", content) == [("cell 1", "yes")]


def test_half_a_pair_and_nul_in_a_cell_stay_in_that_cell() -> None:
    read = codes("a.ipynb", ipynb("x = '\ud83d'", "y = '\0'", "z = 1"))
    assert [code for _, code in read] == ["x = '\ufffd'", "y = '\0'", "z = 1"]


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["a.ipynb", "a.md", "a.py"]), st.binary() | st.text().map(str.encode))
def test_any_bytes_are_read_or_refused(name: str, content: bytes) -> None:
    assert refusal(name, content) != ""


KEYS = st.sampled_from(["cells", "cell_type", "source", "worksheets", "input"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just("code"),
    lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner),
)


@settings(max_examples=100, deadline=None)
@given(JSON)
def test_any_json_is_read_or_refused(value: Any) -> None:
    assert "notebook" in (refusal("a.ipynb", json.dumps(value).encode()) or "a notebook")


# --- what cells define ---------------------------------------------------------------------------------------------


def cells_of(*sources: str) -> list[Cell]:
    return [Cell(f"cell {number}", source) for number, source in enumerate(sources, start=1)]


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("def f(): pass", 1),
        ("async def f(): pass", 1),
        ("class f: pass", 1),
        ("f = 1", 1),
        ("a, (f, *b) = 1, (2, 3)", 1),
        ("f: int = 1", 1),
        ("import f.g", 1),
        ("from a import b as f", 1),
        ("if x:\n    def f(): pass\nelse:\n    f = 1", 2),
        ("try:\n    from a import f\nexcept ImportError:\n    f = None", 2),
        ("for x in y:\n    with z:\n        f = x", 1),
        ("match x:\n    case 1:\n        f = 1", 1),
        ("f: int", 0),
        ("f.a = f[0] = 1", 0),
        ("def g():\n    def f(): pass", 0),
        ("class A:\n    f = 1", 0),
        ("f()", 0),
        ("def f(:", 0),
    ],
)
def test_where_a_name_gets_its_meaning(code: str, count: int) -> None:
    assert len(definitions(cells_of(code), ["f"])["f"]) == count


def note(*sources: str) -> str:
    return note_on_several("f", definitions(cells_of(*sources), ["f"])["f"])


def test_equal_definitions_count_once() -> None:
    one = 'def f(x):\n    """Twice."""\n    return x * 2'
    assert note(one, "x = 1", "# again\ndef f( x ) :\n\n    return x*2  # twice") == ""
    assert note(one) == note("g = 1") == ""
    assert (
        note(one, "x = 1", one.replace("2", "3"))
        == "`f` is defined in cell 1 and cell 3, differently; the last one was graded."
    )
    assert "in cell 1, cell 2 and cell 3, differently" in note(one, "f = 3", "f = 4")
    assert "in cell 1, more than once, differently" in note(f"{one}\nf = 3")


def test_a_function_in_a_cell_that_does_not_parse_is_found() -> None:
    cells = cells_of("def f(x): return 1", "x = (\ndef f(x):\n    return 2\n", "def ff(: f(")
    assert broken_definition(cells, "f").startswith("cell 2, line 1: '(' was never closed")
    assert broken_definition(cells[:1], "f") == broken_definition(cells, "g") == ""


@pytest.mark.parametrize("other", ["def f(x):\n    return 2 * x\n", "f = lambda x: 2 * x", "def f(x):\n    return 2 *"])
def test_a_spare_starter_goes(other: str) -> None:
    starter = f"import math\n{STARTER}y = 1\n"
    blank = "import math\n\n\n\ny = 1\n"
    for order in ((0, 1), (1, 0)):
        sources = [(starter, other)[place] for place in order]
        left = without_spare_starters(cells_of(*sources), {"f": STARTER})
        assert [cell.code for cell in left] == [(blank, other)[place] for place in order]
        assert [cell.label for cell in left] == ["cell 1", "cell 2"]


@pytest.mark.parametrize(
    "sources",
    [
        (STARTER,),
        (STARTER, STARTER),
        (STARTER, "def g(x): return x"),
        (f"if True:\n{STARTER}".replace("\n", "\n    "), "f = 1"),
    ],
    ids=["one", "two", "another", "inside"],
)
def test_the_only_starter_stays(sources: tuple[str, ...]) -> None:
    cells = cells_of(*sources)
    assert without_spare_starters(cells, {"f": STARTER}) == cells


def test_decorated_starters_are_not_the_starter() -> None:
    cells = cells_of(f"@cache\n{STARTER}", "f = 1")
    assert without_spare_starters(cells, {"f": STARTER}) == cells


BODIES = st.sampled_from(
    [STARTER, "def f(x):\n    return 2\n", "f = 3\n", "g = 1\n", "def f(:\n", "if g:\n    f = 2\n"]
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(BODIES, max_size=3).map("".join), max_size=4))
def test_what_is_taken_out_leaves_the_lines_and_the_last_real_definition(sources: list[str]) -> None:
    cells = cells_of(*sources)
    left = without_spare_starters(cells, {"f": STARTER})
    assert [cell.label for cell in left] == [cell.label for cell in cells]
    assert [cell.code.count("\n") for cell in left] == [cell.code.count("\n") for cell in cells]
    starter = definitions([Cell("", STARTER)], ["f"])["f"][0].shape
    before = [place.shape for place in definitions(cells, ["f"])["f"] if place.shape != starter]
    after = [place.shape for place in definitions(left, ["f"])["f"]]
    assert [shape for shape in after if shape != starter] == before
    if before:
        assert starter not in after
    assert without_spare_starters(left, {"f": STARTER}) == left


def test_foreign_imports_are_the_modules_that_will_not_be_there() -> None:
    cells = cells_of(
        "import os, pandas as pd, numpy.linalg",
        "from evalstats import a\nimport exercises",
        "import x(",
        "from . import b",
    )
    assert foreign_imports(cells, ["numpy"]) == ["evalstats", "pandas"]
    many = foreign_imports(cells_of("\n".join(f"import m{n:02}{'x' * 200}" for n in range(50))), [])
    assert len(many) == notebook.MAX_MODULES
    assert max(map(len, many)) < 110
