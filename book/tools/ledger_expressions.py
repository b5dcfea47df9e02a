"""The expressions of the ledger: evaluating them, and telling those that compute from those that repeat a number."""

from __future__ import annotations

import ast
import copy
import importlib
import itertools
import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from book.tools.numerals import Numeral

MODULES = {"np": "numpy", "math": "math", "stats": "scipy.stats", "es": "evalstats"}


@dataclass(frozen=True)
class Statement:
    """A statement of `setup`: the names it sets, those it changes in place, those it reads, and its literal numbers."""

    tree: ast.stmt
    sets: frozenset[str]
    changes: frozenset[str]
    reads: frozenset[str]
    literals: tuple[tuple[int, float], ...]


class Namespace(dict[str, Any]):
    """The names of expressions: what `setup` made, and four modules, imported when something asks for them."""

    def __init__(self, *names: Mapping[str, Any]) -> None:
        super().__init__(*names)
        self.statements: list[Statement] = []
        self.inputs: frozenset[Decimal] = frozenset()  # numbers that some row owns up to have chosen, or cites

    def fetch(self, wanted: set[str]) -> None:
        """Import those of the four modules that are wanted and not there."""
        for name in wanted & set(MODULES) - set(self):
            self[name] = importlib.import_module(MODULES[name])


def namespace(setup: str, inputs: Iterable[Decimal] = ()) -> Namespace:
    """The names that the expressions of a ledger can use. Raises ValueError for code that a ledger may not hold."""
    names = Namespace()
    tree = ast.parse(setup)
    if problem := forbidden(tree):
        raise ValueError(f"setup: {problem}")
    names.inputs = frozenset(map(abs, inputs))
    for part in tree.body:
        if literal := unowned_literal(part, names.inputs):
            raise ValueError(f"setup: {literal} is an input that no row has chosen")
    names.fetch(set(re.findall(r"\w+", setup)))
    exec(compile(setup, "<setup of the ledger>", "exec"), names)
    names.statements = [_statement(part) for part in tree.body]
    return names


def _names_in(nodes: Iterable[ast.AST]) -> set[str]:
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}


def _names_read(tree: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(tree) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}


def _base(node: ast.AST) -> str:
    """`x` for `x.y[0].z`."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _statement(tree: ast.stmt) -> Statement:
    parts = list(ast.walk(tree))
    stores = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    stores |= {part.name for part in parts if isinstance(part, ast.FunctionDef | ast.ClassDef)}
    imports = [part for part in parts if isinstance(part, ast.Import | ast.ImportFrom)]
    stores |= {(alias.asname or alias.name).split(".")[0] for part in imports for alias in part.names}
    changes = {_base(p) for p in parts if isinstance(p, ast.Attribute | ast.Subscript) and isinstance(p.ctx, ast.Store)}
    changes |= {_base(p.target) for p in parts if isinstance(p, ast.AugAssign)}
    changes |= {  # methods called for what they do, such as decodes.append(x)
        _base(p.value.func) for p in parts
        if isinstance(p, ast.Expr) and isinstance(p.value, ast.Call) and isinstance(p.value.func, ast.Attribute)
    }  # fmt: skip
    changes -= {""}
    reads = _names_read(tree) | changes
    return Statement(tree, frozenset(stores), frozenset(changes), frozenset(reads), literal_numbers(tree))


# ---- code that could hide a number -----------------------------------------------------------------------------------

_FORBIDDEN = {
    "eval", "exec", "compile", "__import__", "globals", "locals", "vars", "open", "input", "ord", "chr", "hash", "id",
    "bytes", "bytearray", "memoryview", "Decimal", "Fraction", "literal_eval", "fromhex", "from_bytes", "fromstring",
    "frombuffer", "loads", "unpack", "getattr", "setattr", "breakpoint",
    "importlib", "ast", "json", "struct", "base64", "pickle", "string",
}  # fmt: skip


def forbidden(tree: ast.AST) -> str | None:
    """What in some code could make a number out of a text, or run code that cannot be seen; None if nothing does."""
    for node in ast.walk(tree):
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if name in _FORBIDDEN or name.startswith("__"):
            return f"`{name}` is not allowed in a ledger"
        if isinstance(node, ast.Import | ast.ImportFrom):
            wanted = {*(a.name for a in node.names), getattr(node, "module", None) or ""}
            if bad := {part for each in wanted for part in each.split(".")} & _FORBIDDEN:
                return f"`{min(bad)}` is not allowed in a ledger"
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and _holds_only_a_number(node.value):
            return f"the text {node.value!r} is a number in disguise"
        if text := _text_at_work(node):
            return f"`{ast.unparse(text)[:40]}` makes something of a text"
    return None


def _holds_only_a_number(text: str | bytes) -> bool:
    shown = text.decode("latin-1") if isinstance(text, bytes) else text
    return bool(re.search(r"\d", shown)) and not re.search(r"[A-Za-z]{2}", shown)


def _text_at_work(node: ast.AST) -> ast.AST | None:
    """`"x" * 5157`, `len("xxx")`, `"x5.157"[1:]`, `"5x".strip("x")`: a literal text that does more than name things."""

    def is_text(part: ast.AST) -> bool:
        holds_text = isinstance(part, ast.Constant) and isinstance(part.value, str | bytes)
        return holds_text or isinstance(part, ast.JoinedStr)

    if isinstance(node, ast.BinOp) and (is_text(node.left) or is_text(node.right)):
        return node
    if isinstance(node, ast.Attribute | ast.Subscript) and is_text(node.value):
        return node
    if isinstance(node, ast.Call) and _base(node.func) in {"len", "int", "float", "sum", "complex"}:
        return next((argument for argument in node.args if is_text(argument)), None)
    return None


# The usual levels and the quantiles that belong to them.
_CONVENTIONAL = frozenset(map(Decimal, "0.5 0.1 0.05 0.01 0.025 0.005 0.95 0.975 0.99 0.995".split()))


def unowned_literal(tree: ast.AST, inputs: Collection[Decimal]) -> str | None:
    """A literal that may be a result in disguise, since no row owns up to it as an input; None if there is none.

    Three significant digits are too many without an owner (10,000 has one). In bare arithmetic, which neither calls
    anything nor names anything of `setup`, so is any decimal: 5.1 + 0.057.
    """
    called = any(isinstance(node, ast.Call) for node in ast.walk(tree))
    is_bare = not called and not _names_read(tree) - set(MODULES)
    for node in ast.walk(tree):
        number = node.value if isinstance(node, ast.Constant) else None
        if isinstance(number, bool) or not isinstance(number, int | float):
            continue
        value = abs(Decimal(repr(number)))
        digits = value.normalize().as_tuple().digits
        too_many = len(digits) >= 3 or (is_bare and value != value.to_integral() and digits != (1,))
        if too_many and value not in _CONVENTIONAL and value not in inputs:
            return ast.unparse(node)
    return None


# ---- evaluating ------------------------------------------------------------------------------------------------------


def evaluate(expression: str, names: Namespace) -> float:
    """The number an expression gives. Raises ValueError if it fails or is not a finite number."""
    try:
        tree = ast.parse(expression.strip(), mode="eval")
        if problem := forbidden(tree):
            raise ValueError(problem)
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


def literal_numbers(tree: ast.AST) -> tuple[tuple[int, float], ...]:
    """The literal numbers of some code other than 0, each with its place in a walk through it."""
    return tuple((place, number) for place, node in enumerate(ast.walk(tree)) if (number := literal_number(node)))


def repeats_its_value(expression: str, numeral: Numeral, names: Namespace) -> str | None:
    """Why an expression merely repeats the printed numeral, or None if it computes something."""
    tree = ast.parse(expression.strip(), mode="eval")
    literals = {n for node in ast.walk(tree) if (n := literal_number(node)) is not None}
    names_used = _names_in([tree])
    has_own_name = bool(names_used - set(MODULES))
    if (len(literals) < 2 and not names_used) or (any(_only_shifts(n, numeral) for n in literals) and not has_own_name):
        return "it is a bare number"
    if literal := unowned_literal(tree, names.inputs):
        return f"{literal} is an input that no row has chosen"
    value = evaluate(expression, names)
    if not has_own_name and numeral.is_decimal and numeral.significant_digits >= 3 and _spells(tree, value, names):
        return "it spells the number out, place by place"
    for place, shift in _suspects(literal_numbers(tree), value, numeral):
        if shift and numeral.significant_digits < 2:  # the 1000 in 100 * (45 - 35) / 1000 is no 1 in disguise
            continue
        moved = _with_moved(tree, place, shift, numeral)
        if _moves_along(ast.unparse(moved), names, value, numeral):
            return "it hands a literal through unchanged"
    return _held_by_setup(expression, tree, value, numeral, names)


def _spells(tree: ast.Expression, value: float, names: Namespace) -> bool:
    """Whether each literal counts for a power of ten, as in 51 / 10 + 57 / 1000; those that scale are left aside."""
    weights = []
    for place, node in enumerate(ast.walk(tree)):
        number = literal_number(node)
        if number and not math.log10(abs(number)).is_integer():
            moved = copy.deepcopy(tree)
            literal = next(itertools.islice(ast.walk(moved), place, None))
            assert isinstance(literal, ast.Constant)
            literal.value = number + 1
            try:
                weights.append(abs(evaluate(ast.unparse(moved), names) - value))
            except ValueError:
                return False
    return bool(weights) and all(w > 0 and abs(math.log10(w) - round(math.log10(w))) < 1e-6 for w in weights)


def _held_by_setup(expression: str, tree: ast.AST, value: float, numeral: Numeral, names: Namespace) -> str | None:
    """Why `setup` holds the printed number rather than computes it: moved there, the value moves by just as much."""
    needed = _needed(_names_in([tree]), names.statements)
    for i in needed:
        statement = names.statements[i]
        for place, shift in _suspects(statement.literals, value, numeral):
            moved = _with_moved(statement.tree, place, shift, numeral)
            changed = _after(i, moved, needed, names)
            if changed is not None and _moves_along(expression, changed, value, numeral):
                said = ", ".join(sorted(statement.sets)[:3]) or ast.unparse(statement.tree)[:30]
                return f"`{said}` is set to this very number: say that it was chosen, or compute it"
    return None


def _only_shifts(literal: float, numeral: Numeral) -> bool:
    """Whether a literal has the digits of the numeral, with the decimal point elsewhere, as in 5157 / 1000."""
    digits = [str(Decimal(repr(n)).normalize().as_tuple().digits) for n in (literal, float(numeral.value))]
    return numeral.significant_digits >= 2 and digits[0] == digits[1]


def _suspects(literals: Iterable[tuple[int, float]], value: float, numeral: Numeral) -> list[tuple[int, int]]:
    """Which literals state the value, also with the point moved by so many places."""
    found = []
    for place, number in literals:
        shift = round(math.log10(abs(number / value))) if value else 0
        if abs(abs(number) / 10.0**shift - abs(value)) <= float(numeral.unit) / 2:
            found.append((place, shift))
    return found


def _with_moved(tree: ast.AST, place: int, shift: int, numeral: Numeral) -> ast.AST:
    """A copy of some code in which one literal is moved by seven units of the printed place."""
    moved = copy.deepcopy(tree)
    node = next(itertools.islice(ast.walk(moved), place, None))
    assert isinstance(node, ast.Constant)
    number = literal_number(node) or 0.0
    by = 7 * float(numeral.unit) * 10.0**shift
    new = number + math.copysign(by, number)
    is_whole = isinstance(node.value, int) and abs(new - round(new)) < 1e-9
    node.value = repr(new) if isinstance(node.value, str) else round(new) if is_whole else new
    return moved


def _needed(wanted: set[str], statements: list[Statement]) -> list[int]:
    """The statements of `setup` on which these names rest, in order."""
    wanted, found = set(wanted), []
    for i in reversed(range(len(statements))):
        if (statements[i].sets | statements[i].changes) & wanted:
            found.append(i)
            wanted |= statements[i].reads
    return found[::-1]


def _after(start: int, moved: ast.AST, needed: list[int], names: Namespace) -> Namespace | None:
    """The names as they would be had `moved` stood in `setup`; None if it cannot be run so.

    Only what rests on the moved statement is run again, and what makes the objects that it changes in place.
    """
    statements = names.statements
    again, stale = {start}, set(statements[start].sets | statements[start].changes)
    for i in (i for i in needed if i > start):
        if statements[i].reads & stale:
            again.add(i)
            stale |= statements[i].sets | statements[i].changes
    in_place = {name for i in again for name in statements[i].changes}
    again |= {i for i in needed if (statements[i].sets | statements[i].changes) & in_place}
    changed = Namespace(names)
    body = [moved if i == start else statements[i].tree for i in sorted(again)]
    try:
        exec("\n".join(map(ast.unparse, body)), changed)
    except Exception:  # the code cannot do with the moved literal, so it was more than a number to print
        return None
    return changed


def _moves_along(expression: str, names: Namespace, value: float, numeral: Numeral) -> bool:
    """Whether the value has moved by exactly the step that the literal was moved by, its point where it was printed."""
    step = 7 * float(numeral.unit)
    try:
        return abs(abs(evaluate(expression, names) - value) - step) <= step * 1e-6
    except ValueError:
        return False
