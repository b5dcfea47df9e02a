"""What attackers of the self-check found: answers of any shape are read, and nothing they do looks like success."""

from __future__ import annotations

import collections
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exercises import catalogue, sources
from exercises.__main__ import check_file, main
from exercises.expect import MismatchError, close
from exercises.learner import check
from exercises.run import Verdict
from exercises.values import BadValueError, plain

ROOT = Path(__file__).resolve().parents[2]
MODEL = (ROOT / "solutions" / "paired" / "exact_mcnemar.py").read_text(encoding="utf-8")
NAME = "paired/exact_mcnemar"


@pytest.mark.parametrize("name", ["paired/exact_mcnemar", "paired/mid_p"])
def test_references_count_tables_that_no_float_could(name: str) -> None:
    assert 0.19 < catalogue.load(name).reference(3000, 2900) < 0.2
    assert catalogue.load(name).reference(2900, 3000) == catalogue.load(name).reference(3000, 2900)


@pytest.mark.parametrize("table", [(8, 0, 0, 3), (8, 0, 0, 0), (0, 0, 0, 3)])
def test_reference_has_no_error_without_disagreement(table: tuple[int, ...]) -> None:
    assert catalogue.load("paired/paired_standard_error").reference(*table)["paired"] == 0


# --- values --------------------------------------------------------------------------------------------------------


class Word(StrEnum):
    """An answer from a menu as an enumeration."""

    YES = "yes"


class Name(str):
    """A text with its own idea of equality."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


def defaults() -> dict[str, int]:
    counts: dict[str, int] = collections.defaultdict(int)
    counts["a"] += 2
    return counts


@pytest.mark.parametrize(
    ("value", "copied"),
    [
        (collections.Counter("aab"), {"a": 2, "b": 1}),
        (defaults(), {"a": 2}),
        (collections.OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
        ({np.str_("a"): np.int64(1)}, {"a": 1}),
        ({Word.YES: 1}, {"yes": 1}),
        (Word.YES, "yes"),
        (np.str_("A better"), "A better"),
        (Name("no"), "no"),
        (Decimal("0.25"), 0.25),
        (Fraction(1, 4), 0.25),
        (np.longdouble(0.25), 0.25),
        (np.array([0.25], dtype=np.longdouble), [0.25]),
        (np.float32(0.25), 0.25),
    ],
    ids=lambda value: type(value).__name__,
)
def test_natural_results_are_read_as_plain_values(value: object, copied: Any) -> None:
    made = plain(value)
    assert made == copied
    assert json.loads(json.dumps(made)) == copied
    leaves = [*made, *made.values()] if isinstance(made, dict) else made if isinstance(made, list) else [made]
    assert {type(leaf) for leaf in leaves} <= {str, int, float}


class Liar:
    """Says that it is an array, and makes one that raises."""

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return np.ndarray

    def __array__(self, *arguments: Any, **named: Any) -> Any:
        raise RuntimeError("asked")


def nested() -> list[Any]:
    """Seventeen lists in memory, as many values as ten to the seventeen when read."""
    value: list[Any] = [0] * 10
    for _ in range(16):
        value = [value] * 10
    return value


@pytest.mark.parametrize(
    "value",
    [
        nested(),
        Liar(),
        Fraction(10**400),
        Decimal("NaN"),
        Decimal("sNaN"),
        Decimal("1e400"),
        np.broadcast_to(np.float64(0), (10**9,)),
        np.datetime64("2026-01-01"),
        "x" * 10**6,
        {"x" * 10**6: 1},
        {Word.YES: object()},
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_lies_or_has_no_end_is_refused_at_once(value: object) -> None:
    started = time.perf_counter()
    with pytest.raises(BadValueError) as refused:
        plain(value)
    assert time.perf_counter() - started < 1
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    ("got", "said"), [(0.02, True), (0.0225, True), (0.0224, False), (0.0, False), (0.0227, False)]
)
def test_unrounded_is_asked_for_only_where_something_was_rounded(got: float, said: bool) -> None:
    with pytest.raises(MismatchError) as mismatch:
        close(got, 0.022462, "p.")
    assert ("unrounded" in str(mismatch.value)) is said


# --- calls ---------------------------------------------------------------------------------------------------------


class Silent(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


class Base(BaseException):
    pass


def raising(error: BaseException) -> Callable[[int, int], float]:
    def answer(b: int, c: int) -> float:
        raise error

    return answer


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (Silent(), "Silent"),
        (Base("gone"), "Base: gone"),
        (GeneratorExit(), "GeneratorExit"),
        (ValueError("x" * 10**6), "ValueError: xxx"),
        (NotImplementedError("b above c"), "NotImplementedError: b above c"),
        (NotImplementedError(), "NotImplementedError (line"),
        (ValueError("\ud800"), "ValueError: \\ud800"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_whatever_is_raised_is_a_crash_with_a_short_message(error: BaseException, words: str) -> None:
    report = check(NAME, raising(error))
    assert report.verdict is Verdict.CRASHED
    assert words in repr(report)
    assert len(repr(report)) < 2000


def test_stop_button_stops() -> None:
    with pytest.raises(KeyboardInterrupt):
        check(NAME, raising(KeyboardInterrupt()))


def test_leaving_the_process_is_a_crash() -> None:
    def leaves(b: int, c: int) -> float:
        os._exit(0)

    report = check(NAME, leaves)
    assert report.verdict is Verdict.CRASHED
    assert "os._exit(0) would end the check" in repr(report)


# --- files ---------------------------------------------------------------------------------------------------------


def written(folder: Path, text: str | bytes, name: str = "mine.py") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    "before",
    [
        "from dataclasses import dataclass\n@dataclass\nclass Table:\n    b: int\n    c: int = 0\nTable(1)\n",
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Table:\n    later: Later\nclass Later: pass\n",
        "import sys\nhere = __file__\nassert sys.modules[__name__].here == __file__\n",
        "\ufeff",
        "needed = []\nneeded.append(1)\nassert needed == [1]\n",
        "shown = []\nclass plt:\n    def show(): shown.append(1)\nplt.show()\nassert not shown\n",
        "print(undefined)\nundefined\nexercises.check('paired/mid_p', None)\n",
    ],
    ids=["dataclass", "future", "file", "mark", "expression", "window", "display"],
)
def test_ordinary_files_load_without_a_word(before: str, tmp_path: Path) -> None:
    report = check_file(NAME, written(tmp_path, before + MODEL.partition("\n\n")[2]))
    assert report.verdict is Verdict.PASSED
    assert not [note for note in report.notes if note.startswith("Elsewhere")]


def test_annotations_are_evaluated_unless_the_file_says_otherwise(tmp_path: Path) -> None:
    source = sources.read(written(tmp_path, "def f(x: int): pass\nkind = f.__annotations__['x']\n"))
    assert source.names["kind"] is int


@pytest.mark.parametrize("content", ["caf\u00e9 = 1\n".encode("latin-1"), "x = 1\n".encode("utf-16")])
@pytest.mark.parametrize("name", ["mine.py", "mine.ipynb"])
def test_other_encodings_are_refused_in_one_line(content: bytes, name: str, tmp_path: Path, capsys: Any) -> None:
    assert main(["check", NAME, str(written(tmp_path, content, name))]) == 2
    said = capsys.readouterr().err
    assert "UTF-8" in said
    assert said.count("\n") == 1


def test_loading_has_a_time_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "LOADING_SECONDS", 0.3)
    loop = "while True:\n    try:\n        x = 1\n    except Exception:\n        pass\n"
    report = check_file(NAME, written(tmp_path, MODEL + loop))
    assert report.verdict is Verdict.PASSED
    assert "still running after 0.3 seconds" in repr(report)
    assert check_file(NAME, written(tmp_path, loop + MODEL)).verdict is Verdict.CRASHED


@pytest.mark.parametrize(
    "statement",
    [
        "import os; left = os._exit(0)",
        "raise BaseException('base')",
        "class E(Exception):\n    def __str__(self): raise E\nraise E()",
        "raise ValueError('x' * 10**6)",
    ],
)
def test_what_a_file_raises_is_a_short_note(statement: str, tmp_path: Path) -> None:
    report = check_file(NAME, written(tmp_path, f"{MODEL}\n{statement}\n"))
    assert report.verdict is Verdict.PASSED
    assert "Elsewhere in the file" in repr(report)
    assert len(repr(report)) < 3000


def run_check_in_terminal(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "exercises", "check", NAME, str(path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    "body",
    [
        "import os; os._exit(0)",
        "import sys; sys.stdout.close(); return 2.0",
        "import os; os.close(1); return 2.0",
        "import sys; sys.exit(0)",
    ],
)
def test_a_file_that_ends_the_process_or_closes_the_terminal_has_not_passed(body: str, tmp_path: Path) -> None:
    assert run_check_in_terminal(written(tmp_path, f"def exact_mcnemar(b, c):\n    {body}\n")).returncode != 0


def test_a_file_that_takes_the_terminal_for_itself_still_gets_its_report(tmp_path: Path) -> None:
    done = run_check_in_terminal(written(tmp_path, f"{MODEL}\nimport io, sys\nsys.stdout = io.StringIO()\n"))
    assert done.returncode == 0
    assert "passed: all" in done.stdout


# --- notebooks -----------------------------------------------------------------------------------------------------


def notebook(folder: Path, *sources_of_cells: Any) -> Path:
    cells = [{"cell_type": "code", "source": source} for source in sources_of_cells]
    return written(folder, json.dumps({"cells": cells}), "mine.ipynb")


@pytest.mark.parametrize("cells", [{"a": 1}, None, "text", 3])
def test_cells_that_are_no_list_are_refused(cells: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"mine\.ipynb: this is not a notebook"):
        check_file(NAME, written(tmp_path, json.dumps({"cells": cells}), "mine.ipynb"))
    with pytest.raises(ValueError, match="not a notebook"):
        check_file(NAME, written(tmp_path, "[" * 100_000, "mine.ipynb"))


def test_odd_cells_are_passed_over(tmp_path: Path) -> None:
    odd: list[Any] = [None, 3, {}, {"cell_type": "code"}, {"cell_type": "code", "source": {"a": 1}}]
    odd += [{"cell_type": "code", "source": [1, None]}, {"cell_type": "code", "source": "x = \0"}]
    good = {"cell_type": "code", "source": MODEL}
    report = check_file(NAME, written(tmp_path, json.dumps({"cells": [*odd, good]}), "mine.ipynb"))
    assert report.verdict is Verdict.PASSED


def test_only_what_python_cannot_read_is_blanked(tmp_path: Path) -> None:
    text = 'x = """\n%d of\n!important\n"""\n'
    assert sources.read(notebook(tmp_path, text)).names["x"] == "\n%d of\n!important\n"
    mixed = sources.read(notebook(tmp_path, "%matplotlib inline\n" + text + "if True:\n    !ls\nf?\n"))
    assert mixed.names["x"] == "\n%d of\n!important\n"
    assert not mixed.problems
    assert sources.read(notebook(tmp_path, "%time\n" + text)).names["x"] == "\n%d of\n!important\n"
    assert sources.read(notebook(tmp_path, "if True:\n    %time\ny = 1\n")).names["y"] == 1
