"""Find a learner's function in a Python file or a notebook, without running what stands around it.

Everything is executed, cell by cell, but calls that only show or check something (`print`, `exercises.check`).
A cell that does not parse, or a statement that fails, does not take the rest with it; of a bare expression that fails
nothing is said.
"""

from __future__ import annotations
import __future__

import ast
import json
import linecache
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import decode_source
from pathlib import Path
from typing import Any

from exercises.deadline import TimeLimit, deadline, no_exit
from exercises.values import error_text

LOADING_SECONDS = 20.0
SHOWING = ("print", "display", "exercises", "check", "hint", "solution", "input", "help")
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


@dataclass(frozen=True)
class Source:
    """What a file defines, what went wrong on the way, and which modules it imports."""

    names: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    imports: set[str] = field(default_factory=set)


def read(path: Path) -> Source:
    """Execute the definitions of a `.py` or `.ipynb` file."""
    if path.suffix not in (".py", ".ipynb"):
        raise ValueError(f"{path.name}: a file ending in .py or .ipynb is needed")
    if not path.is_file():
        raise ValueError(f"{path}: there is no such file")
    cells = list(_cells(path))
    # a name that no library has; it stays known, because classes look up the module in which they were made
    module = types.ModuleType(f"answers_in_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    source = Source(names=module.__dict__)
    try:
        with no_exit(), deadline(LOADING_SECONDS):
            for label, code in cells:
                _execute(label, code, source)
    except TimeLimit:
        source.problems.append(f"{path.name}: still running after {LOADING_SECONDS:g} seconds; the rest was not read")
    return source


def _cells(path: Path) -> Iterator[tuple[str, str]]:
    try:
        content = path.read_bytes()
        text = decode_source(content) if path.suffix == ".py" else content.decode("utf-8-sig")
    except (SyntaxError, UnicodeDecodeError):
        raise ValueError(f"{path.name}: this is not UTF-8 text; save the file as UTF-8") from None
    except OSError as error:
        raise ValueError(f"{path.name}: {error.strerror}") from None
    if path.suffix == ".py":
        yield path.name, text
        return
    for number, cell in enumerate(_notebook_cells(path.name, text), start=1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            yield f"{path.name}, cell {number}", _without_magics(_joined(cell.get("source")))


def _notebook_cells(name: str, text: str) -> list[Any]:
    try:
        cells = json.loads(text)["cells"]
    except (ValueError, KeyError, TypeError, RecursionError):
        cells = None
    if not isinstance(cells, list):
        raise ValueError(f"{name}: this is not a notebook")
    return cells


def _joined(source: Any) -> str:
    """The code of a cell, which is a text or a list of lines; anything else is no code."""
    if isinstance(source, list):
        return "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def _without_magics(code: str) -> str:
    """Blank the lines that only IPython understands: the one at which Python stops, until it understands the rest."""
    lines = code.split("\n")
    for _ in range(len(lines)):
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
        ast.parse(code)
    except UNREADABLE as error:
        return (error.lineno or 0) if isinstance(error, SyntaxError) else 0
    return None


def _is_magic(line: str) -> bool:
    return line.lstrip().startswith(("%", "!", "?")) or (line.rstrip().endswith("?") and "#" not in line)


def _blank(line: str) -> str:
    return line[: len(line) - len(line.lstrip())] + "pass"


def _execute(label: str, code: str, source: Source) -> None:
    try:
        tree = ast.parse(code, label)
    except UNREADABLE as error:
        where = f", line {error.lineno}: {error.msg}" if isinstance(error, SyntaxError) else f": {error_text(error)}"
        source.problems.append(f"{label}{where}")
        return
    source.imports.update(imports(tree))
    # errors can then show the line
    linecache.cache[label] = (len(code), None, code.splitlines(keepends=True), label)
    flags = _future_flags(tree)
    for statement in tree.body:
        if _only_shows(statement):
            continue
        try:
            module = ast.Module([statement], [])
            exec(compile(module, label, "exec", flags=flags, dont_inherit=True), source.names)
        except (KeyboardInterrupt, TimeLimit):
            raise
        except BaseException as error:
            if not isinstance(statement, ast.Expr):
                source.problems.append(f"{label}, line {statement.lineno}: {error_text(error)}")


def _future_flags(tree: ast.Module) -> int:
    """What `from __future__ import ...` at the top asks for; each statement is compiled on its own."""
    flags = 0
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            for alias in node.names:
                flags |= getattr(getattr(__future__, alias.name, None), "compiler_flag", 0)
    return flags


def _only_shows(statement: ast.stmt) -> bool:
    """Whether a statement prints, displays or checks, and leaves nothing behind that the function could need."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    called = statement.value.func
    if isinstance(called, ast.Attribute) and called.attr == "show":
        return True  # a window that waits to be closed
    while isinstance(called, ast.Attribute):
        called = called.value
    return isinstance(called, ast.Name) and called.id in SHOWING


def imports(tree: ast.AST) -> set[str]:
    """The top-level names of the modules that a piece of code imports.

    >>> sorted(imports(ast.parse("import numpy as np; from scipy.stats import binom")))
    ['numpy', 'scipy']
    """
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found
