"""Find a learner's function in a Python file or a notebook, without running what stands around it.

Imports, definitions, assignments and blocks are executed, cell by cell; bare expressions (plots, checks, calls that
display something) are not. A cell that does not parse, or a statement that fails, does not take the rest with it.
"""

from __future__ import annotations

import ast
import json
import linecache
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


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
    source = Source(names={"__name__": path.stem})
    for label, code in _cells(path):
        _execute(label, code, source)
    return source


def _cells(path: Path) -> Iterator[tuple[str, str]]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield path.name, text
        return
    try:
        cells = json.loads(text)["cells"]
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{path.name}: this is not a notebook") from None
    for number, cell in enumerate(cells, start=1):
        if cell.get("cell_type") == "code":
            yield f"{path.name}, cell {number}", _without_magics("".join(cell["source"]))


def _without_magics(code: str) -> str:
    """Blank the lines that only IPython understands, keeping line numbers."""
    return "\n".join("" if line.lstrip().startswith(("%", "!", "?")) else line for line in code.split("\n"))


def _execute(label: str, code: str, source: Source) -> None:
    try:
        tree = ast.parse(code, label)
    except SyntaxError as error:
        source.problems.append(f"{label}, line {error.lineno}: {error.msg}")
        return
    source.imports.update(imports(tree))
    # errors can then show the line
    linecache.cache[label] = (len(code), None, code.splitlines(keepends=True), label)
    for statement in tree.body:
        if isinstance(statement, ast.Expr):
            continue
        try:
            exec(compile(ast.Module([statement], []), label, "exec"), source.names)
        except (Exception, SystemExit) as error:
            source.problems.append(f"{label}, line {statement.lineno}: {type(error).__name__}: {error}")


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
