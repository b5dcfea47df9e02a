"""Execute one cell of a learner's file, statement by statement, but not the calls that only show or check something.

A cell that does not parse, or a statement that fails, does not take the rest with it; of a bare expression that fails
nothing is said. The self-check runs this in its own process; in grading it runs inside the sandbox.
"""

from __future__ import annotations
import __future__

import ast
import linecache
from typing import Any

from exercises.deadline import TimeLimit
from exercises.values import error_text

SHOWING = ("print", "display", "exercises", "check", "hint", "solution", "input", "help")


def execute(label: str, code: str, names: dict[str, Any]) -> list[str]:
    """Run the code of the cell called `label` in the namespace `names`; returns what went wrong, one line per error."""
    try:
        tree = ast.parse(code, label)
    except Exception as error:
        return [unparsed(label, error)]
    # errors can then show the line
    linecache.cache[label] = (len(code), None, code.splitlines(keepends=True), label)
    flags = _future_flags(tree)
    problems: list[str] = []
    for statement in tree.body:
        if _only_shows(statement):
            continue
        try:
            module = ast.Module([statement], [])
            exec(compile(module, label, "exec", flags=flags, dont_inherit=True), names)
        except (KeyboardInterrupt, TimeLimit):
            raise
        except BaseException as error:
            if not isinstance(statement, ast.Expr):
                problems.append(f"{label}, line {statement.lineno}: {error_text(error)}")
    return problems


def unparsed(label: str, error: Exception) -> str:
    """What to say of a cell that Python cannot parse."""
    where = f", line {error.lineno}: {error.msg}" if isinstance(error, SyntaxError) else f": {error_text(error)}"
    return f"{label}{where}"


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
