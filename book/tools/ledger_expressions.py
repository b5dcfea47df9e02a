"""The expressions of the ledger: evaluating them, and telling those that compute from those that repeat a number."""

from __future__ import annotations

import ast
import importlib
import math
import re
from collections.abc import Iterator
from typing import Any, ClassVar

from book.tools.numerals import Numeral


class Namespace(dict[str, Any]):
    """The names of expressions: what `setup` made, and four modules, imported when something asks for them."""

    modules: ClassVar = {"np": "numpy", "math": "math", "stats": "scipy.stats", "es": "evalstats"}

    def fetch(self, wanted: set[str]) -> None:
        """Import those of the four modules that are wanted and not there."""
        for name in wanted & set(self.modules) - set(self):
            self[name] = importlib.import_module(self.modules[name])


def namespace(setup: str) -> Namespace:
    """The names that the expressions of a ledger can use."""
    names = Namespace()
    names.fetch(set(re.findall(r"\w+", setup)))
    exec(compile(setup, "<setup of the ledger>", "exec"), names)
    return names


def evaluate(expression: str, names: Namespace) -> float:
    """The number an expression gives. Raises ValueError if it fails or is not a finite number."""
    try:
        tree = ast.parse(expression.strip(), mode="eval")
        names.fetch({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)})
        value = eval(compile(tree, "<expression>", "eval"), names)
        number = float(value)
    except Exception as error:
        raise ValueError(f"`{expression}` fails: {type(error).__name__}: {error}") from error
    if isinstance(value, bool | str) or not math.isfinite(number):
        raise ValueError(f"`{expression}` gives {value!r}, not a finite number")
    return number


def literal_number(node: ast.AST) -> float | None:
    """The number that a literal states, also one in quotes."""
    if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
        return None
    try:
        return float(node.value) if isinstance(node.value, int | float | str) else None
    except ValueError:
        return None


def repeats_its_value(expression: str, numeral: Numeral, names: Namespace) -> str | None:
    """Why an expression merely repeats the printed numeral, or None if it computes something."""
    tree = ast.parse(expression.strip(), mode="eval")
    literals = {n for node in ast.walk(tree) if (n := literal_number(node)) is not None}
    has_name = any(isinstance(node, ast.Name | ast.Call) for node in ast.walk(tree))
    if not has_name and len(literals) < 2:
        return "it is a bare number"
    value = evaluate(expression, names)
    step = float(numeral.unit) * 7
    if any(abs(n - value) <= numeral.unit / 2 for n in literals):
        moved = ast.unparse(_MoveLiterals(value, step, float(numeral.unit) / 2).visit(tree))
        if _moves_by(moved, names, value, step):
            return "it hands a literal through unchanged"
    for name, moved_value in _moved_names(tree, names, value, step, float(numeral.unit) / 2):
        if _moves_by(expression, Namespace(names | {name: moved_value}), value, step):
            return f"`{name}` is set to this very number: say that it was chosen, or compute it"
    return None


class _MoveLiterals(ast.NodeTransformer):
    """Adds `step` to every literal that states `value`."""

    def __init__(self, value: float, step: float, slack: float) -> None:
        self.value, self.step, self.slack = value, step, slack

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        number = literal_number(node)
        if number is None or abs(number - self.value) > self.slack:
            return node
        moved = number + self.step
        return ast.Constant(repr(moved) if isinstance(node.value, str) else _as_before(node.value, moved))


def _as_before(old: object, moved: float) -> float:
    """`moved` as a whole number where the old value was one and `moved` still is."""
    return int(moved) if isinstance(old, int) and moved == int(moved) else moved


def _moves_by(expression: str, names: Namespace, value: float, step: float) -> bool:
    try:
        return abs(evaluate(expression, names) - value - step) <= abs(step) * 1e-6
    except ValueError:
        return False


def _moved_names(
    tree: ast.AST, names: Namespace, value: float, step: float, slack: float
) -> Iterator[tuple[str, object]]:
    """Plain numbers of the namespace, alone or in a tuple or list, that equal `value`: each once, moved by `step`."""
    for name in sorted({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & set(names)):
        held = names[name]
        if _is_plain(held) and abs(held - value) <= slack:
            yield name, _as_before(held, held + step)
        elif isinstance(held, tuple | list):
            for i, item in enumerate(held):
                if _is_plain(item) and abs(item - value) <= slack:
                    yield name, type(held)([*held[:i], _as_before(item, item + step), *held[i + 1 :]])


def _is_plain(value: object) -> bool:
    return type(value) in {int, float}
