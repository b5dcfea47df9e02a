"""The expressions of the ledger: evaluating them, and telling those that compute from those that repeat a number."""

from __future__ import annotations

import ast
import importlib
import math
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, ClassVar

from book.tools.numerals import Numeral


class Namespace(dict[str, Any]):
    """The names of expressions: what `setup` made, and four modules, imported when something asks for them."""

    modules: ClassVar = {"np": "numpy", "math": "math", "stats": "scipy.stats", "es": "evalstats"}

    def __init__(self, *names: Mapping[str, Any]) -> None:
        super().__init__(*names)
        self.assigned: dict[str, ast.Assign] = {}  # name -> the statement of `setup` that sets it

    def fetch(self, wanted: set[str]) -> None:
        """Import those of the four modules that are wanted and not there."""
        for name in wanted & set(self.modules) - set(self):
            self[name] = importlib.import_module(self.modules[name])


def namespace(setup: str) -> Namespace:
    """The names that the expressions of a ledger can use."""
    names = Namespace()
    names.fetch(set(re.findall(r"\w+", setup)))
    exec(compile(setup, "<setup of the ledger>", "exec"), names)
    for statement in ast.parse(setup).body:
        if isinstance(statement, ast.Assign):
            names.assigned |= dict.fromkeys(_names_in(statement.targets), statement)
    return names


def _names_in(nodes: Iterable[ast.AST]) -> set[str]:
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}


def evaluate(expression: str, names: Namespace) -> float:
    """The number an expression gives. Raises ValueError if it fails or is not a finite number."""
    try:
        tree = ast.parse(expression.strip(), mode="eval")
        names.fetch(_names_in([tree]))
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
    has_name = bool(_names_in([tree]))
    if not has_name and (len(literals) < 2 or any(_only_shifts(n, numeral) for n in literals)):
        return "it is a bare number"
    value = evaluate(expression, names)
    move = _MoveLiterals(value, float(numeral.unit))
    if move.finds_any(tree) and _moves_by(ast.unparse(move.visit(tree)), names, value, move.step):
        return "it hands a literal through unchanged"
    for name in sorted(_names_in([tree]) & set(names.assigned)):
        if move.finds_any(names.assigned[name]):
            statement = ast.unparse(move.visit(ast.parse(ast.unparse(names.assigned[name]))))
            if _moves_by(expression, _after(statement, names), value, move.step):
                return f"`{name}` is set to this very number: say that it was chosen, or compute it"
    return None


def _only_shifts(literal: float, numeral: Numeral) -> bool:
    """Whether a literal has the digits of the numeral, with the decimal point elsewhere, as in 5157 / 1000."""
    digits = [str(Decimal(repr(n)).normalize().as_tuple().digits) for n in (literal, float(numeral.value))]
    return numeral.significant_digits >= 2 and digits[0] == digits[1]


class _MoveLiterals(ast.NodeTransformer):
    """Adds a little to every literal that states `value`."""

    def __init__(self, value: float, unit: float) -> None:
        self.value, self.slack, self.step = value, unit / 2, 7 * unit

    def states_value(self, node: ast.AST) -> bool:
        number = literal_number(node)
        return number is not None and abs(number - self.value) <= self.slack

    def finds_any(self, tree: ast.AST) -> bool:
        return any(self.states_value(node) for node in ast.walk(tree))

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        if not self.states_value(node):
            return node
        moved = float(node.value) + self.step  # type: ignore[arg-type]  # states_value has seen that it is a number
        if isinstance(node.value, str):
            return ast.Constant(repr(moved))
        return ast.Constant(int(moved) if isinstance(node.value, int) and moved == int(moved) else moved)


def _after(statement: str, names: Namespace) -> Namespace:
    """The names as they would be had `statement` stood in `setup`; unchanged if it cannot be run."""
    changed = Namespace(names)
    try:
        exec(compile(statement, "<moved>", "exec"), changed)
    except (
        Exception
    ):  # the moved literal was one that the statement cannot do with, so it was more than a number to print
        return names
    return changed


def _moves_by(expression: str, names: Namespace, value: float, step: float) -> bool:
    try:
        return abs(evaluate(expression, names) - value - step) <= abs(step) * 1e-6
    except ValueError:
        return False
