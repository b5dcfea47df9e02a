"""From the text of a notebook to the code of its cells, and what can be said of code without running it."""

from __future__ import annotations

import ast
import json
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)  # what Python raises at code that it cannot parse
ATTEMPTS = 50  # at reading a cell with magics in it, while it is short,
ATTEMPTED = 500_000  # and so many characters in all while it is long
ASSIGNED_MAGIC = re.compile(r"(\s*\w+\s*=\s*)[%!]")


def notebook_cells(text: str) -> Iterator[tuple[int, str]]:
    """The number and source of each code cell of a Jupyter notebook, format 3 or 4; all its cells count, from 1.

    Outputs, attachments and numbers are passed over. Of a key that stands twice the last one counts, as in Jupyter.
    """
    for number, cell in enumerate(_all_cells(text), start=1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            yield number, _joined(cell.get("source", cell.get("input")))


def _all_cells(text: str) -> list[Any]:
    try:
        notebook = json.loads(text, parse_int=_nothing, parse_float=_nothing)
    except json.JSONDecodeError as error:
        raise ValueError(f"this is not a notebook: {error.msg} in line {error.lineno}") from None
    except RecursionError:
        raise ValueError("this is not a notebook: it has lists within lists without end") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if cells is None and isinstance(notebook, dict) and isinstance(notebook.get("worksheets"), list):
        sheets = [sheet.get("cells") for sheet in notebook["worksheets"] if isinstance(sheet, dict)]  # format 3
        cells = [cell for sheet in sheets if isinstance(sheet, list) for cell in sheet]
    if not isinstance(cells, list):
        raise ValueError("this is not a notebook: it has no list of cells")
    return cells


def _nothing(number: str) -> None:
    """Numbers say nothing about code, and one of a million digits takes long to read."""


def _joined(source: Any) -> str:
    """The code of a cell, which is a text or a list of lines; anything else is no code."""
    if isinstance(source, list):
        return "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def without_magics(code: str) -> str:
    """Blank the lines that only IPython understands: the one at which Python stops, until it understands the rest.

    >>> without_magics("%matplotlib inline\\nif True:\\n    !ls\\n")
    'pass\\nif True:\\n    pass\\n'
    """
    lines = code.split("\n")
    for _ in range(min(ATTEMPTS, 1 + ATTEMPTED // (len(code) + 1))):
        stop = _first_error("\n".join(lines))
        if stop is None:
            return "\n".join(lines)
        if not 0 < stop <= len(lines) or not _is_magic(lines[stop - 1]):
            break
        lines[stop - 1] = _blank(lines[stop - 1])
    return "\n".join(_blank(line) if _is_magic(line) else line for line in lines)


def _first_error(code: str) -> int | None:
    """The line at which Python cannot go on, 0 if it cannot say, None if it reads everything."""
    try:
        parse(code)
    except UNREADABLE as error:
        return (error.lineno or 0) if isinstance(error, SyntaxError) else 0
    return None


def parse(code: str) -> ast.Module:
    """The syntax tree of some code; its warnings are for whoever runs it. Raises one of `UNREADABLE`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(code)


def _is_magic(line: str) -> bool:
    if ASSIGNED_MAGIC.match(line):
        return True
    return line.lstrip().startswith(("%", "!", "?")) or (line.rstrip().endswith("?") and "#" not in line)


def _blank(line: str) -> str:
    if assigned := ASSIGNED_MAGIC.match(line):
        return f"{assigned[1]}None"
    return line[: len(line) - len(line.lstrip())] + "pass"


def imports(code: str) -> set[str]:
    """The top-level names of the modules that a piece of code imports; code that does not parse imports nothing.

    >>> sorted(imports("import numpy as np; from scipy.stats import binom"))
    ['numpy', 'scipy']
    """
    if "import" not in code:
        return set()
    try:
        tree = parse(code)
    except UNREADABLE:
        return set()
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def foreign(modules: Iterable[str], allowed: Iterable[str]) -> list[str]:
    """Those of the imported modules that are not there when graded: neither Python's own, nor ours, nor allowed.

    >>> foreign(["math", "numpy", "pandas", "exercises"], ["numpy"])
    ['pandas']
    """
    return sorted(set(modules) - set(allowed) - sys.stdlib_module_names - {"exercises"})
