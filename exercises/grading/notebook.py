"""From the bytes that a student handed in to cells of code; and what can be said of those cells without running them.

Everything here is text handling on hostile input: nothing is rendered, executed, looked up or loaded. Python's parser
gets so little that it is quick, and stops by itself at code that is nested too deeply.

Jupytext would read MyST pages and scripts, but not those of an attacker: it copies the YAML header of a page, in which
a few aliases unfold to more than memory holds, and its Markdown parser takes time in the square of a page's length.
Cells are found by lines here, where Jupytext finds them; header and options of cells are left out unread.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile

from exercises.cells import UNREADABLE, foreign, imports, notebook_cells, parse, without_magics
from exercises.execute import unparsed
from exercises.grading.records import Cell
from exercises.grading.text import visible

KINDS = (".ipynb", ".md", ".py")
MAX_NOTEBOOK = 20_000_000  # bytes; outputs with pictures take room
MAX_ENTRIES = 2_000_000  # commas and brackets of JSON; an entry takes up to 60 bytes of memory
MAX_PAGE = 1_000_000  # bytes of a MyST page or a script, which have no outputs
MAX_CELLS = 2_000
MAX_CELL = 100_000  # characters
MAX_CODE = 200_000  # characters of all cells
MAX_NAME = 100
MAX_PLACES = 100  # definitions in a cell, from its end, that are looked at
MAX_MODULES = 10
CODE_CELL = "{code-cell}"
FENCE = re.compile(r"^(?P<indent> {0,3})(?P<fence>`{3,}(?=[^`]*$)|~{3,})[ \t]*(?P<info>.*)$")
CELL_MARKER = re.compile(r"^#[ \t]*(?:%%+(?:[ \t](?P<title>.*))?|In\[[\d ]*\]:?[ \t]*)$", re.MULTILINE)
NO_CODE = re.compile(r"\[(?:markdown|md|raw)\]")
HEADER = re.compile(r"\A# ---\n(?:#[^\n]*\n)*?# ---\n")
SURROGATES = re.compile("[\ud800-\udfff]")
DEFINERS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
BLOCKS = ("body", "handlers", "cases", "orelse", "finalbody")


class UnreadableError(Exception):
    """A file that cannot be graded; the text tells the learner why, and what to do."""


# ---- reading ---------------------------------------------------------------------------------------------------------


def read_cells(name: str, content: bytes) -> list[Cell]:
    """The code cells of a notebook (`.ipynb`, MyST `.md`, percent `.py`) or script, with magics blanked.

    A cell is labelled as Jupyter users count it: "cell 3" is the third of all cells, text cells too. A script without
    `# %%` is one cell, labelled with the file's name. Raises `UnreadableError`.
    """
    kind = name[name.rfind(".") :].lower() if "." in name else ""
    shown = visible(name, MAX_NAME)
    if kind not in KINDS:
        raise UnreadableError(f"A file that ends in {', '.join(KINDS)} is needed; this one is called '{shown}'.")
    text = _decoded(content, MAX_NOTEBOOK if kind == ".ipynb" else MAX_PAGE)
    if kind == ".ipynb":
        numbered = _from_json(text)
    elif kind == ".md":
        numbered = _from_myst(text)
    elif CELL_MARKER.search(text):
        numbered = _from_percent(text)
    else:
        return [Cell(shown, code) for _, code in _checked([(1, text)])]
    return [Cell(f"cell {number}", code) for number, code in _checked(numbered)]


def _decoded(content: bytes, most: int) -> str:
    if len(content) > most:
        advice = "clear the outputs (Edit > Clear Outputs of All Cells) and save it again"
        raise UnreadableError(f"The file has more than {most:,} bytes; {advice}.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = f"byte {error.start + 1:,} is something else"
        raise UnreadableError(f"The file is not UTF-8 text ({where}); save it again as UTF-8.") from None
    if "\0" in text:
        raise UnreadableError("The file contains a NUL character, so it is no text file; save the notebook again.")
    if not text.strip():
        raise UnreadableError("The file is empty.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _checked(numbered: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The same cells, made fit for Python, if they are within the limits."""
    total = 0
    for number, source in numbered:
        total += len(source)
        if number > MAX_CELLS:
            raise UnreadableError(f"The notebook has more than {MAX_CELLS:,} cells; delete those that are not needed.")
        if len(source) > MAX_CELL or total > MAX_CODE:
            most = f"{MAX_CELL:,} characters are allowed in a cell and {MAX_CODE:,} in all"
            raise UnreadableError(f"There is too much code: {most}, and cell {number} goes beyond that.")
        code = source.replace("\r\n", "\n").replace("\r", "\n")
        yield number, without_magics(SURROGATES.sub("\ufffd", code))


def _from_json(text: str) -> Iterator[tuple[int, str]]:
    if sum(text.count(mark) for mark in ",[{") > MAX_ENTRIES:
        raise UnreadableError(
            f"The notebook has more than {MAX_ENTRIES:,} entries; clear its outputs and save it again."
        )
    try:
        yield from notebook_cells(text)
    except ValueError as error:
        reason = str(error)
        raise UnreadableError(f"The file cannot be read: {reason}. Open it in Jupyter and save it again.") from None


def _from_myst(text: str) -> Iterator[tuple[int, str]]:
    """Cells as Jupytext cuts them: fenced code cells, and the text between them, which `+++` can divide."""
    lines = iter(_after_front_matter(text.split("\n")))
    number = 0
    text_before = False
    for line in lines:
        fence = FENCE.match(line)
        inside = _fenced(fence, lines) if fence else []
        if fence and fence["info"].startswith(CODE_CELL):
            number += 2 if text_before else 1
            text_before = False
            yield number, _without_options(inside)
        elif line.startswith("+++"):
            number += text_before
            text_before = False
        elif line.strip():
            text_before = True


def _after_front_matter(lines: list[str]) -> list[str]:
    if not lines[0].startswith("---"):
        return lines
    return [*dropwhile(lambda line: not line.startswith("---"), lines[1:])][1:]


def _fenced(fence: re.Match[str], lines: Iterator[str]) -> list[str]:
    """The lines up to the one that closes the fence: of the same marks, and no fewer."""
    marks = fence["fence"]

    def inside(line: str) -> bool:
        mark = line.strip(" \t")
        return not mark.startswith(marks) or bool(mark.strip(marks[0]))

    return [line.removeprefix(fence["indent"]) for line in takewhile(inside, lines)]


def _without_options(lines: list[str]) -> str:
    """The code of a MyST cell; above it, options may stand between lines of `---`, or in lines that start with `:`."""
    if lines and lines[0].startswith("---"):
        lines = _after_front_matter(lines)
    else:
        lines = [*dropwhile(lambda line: line.lstrip().startswith(":"), lines)]
    return "\n".join(lines if not lines or lines[0].strip() else lines[1:])


def _from_percent(text: str) -> Iterator[tuple[int, str]]:
    """Cells as Jupytext cuts them: each begins with a line `# %%`; what stands before the first is a cell, too."""
    markers = [*CELL_MARKER.finditer(text)]
    before = HEADER.sub("", text[: markers[0].start()])
    first = 1
    if before.strip():
        yield 1, before
        first = 2
    ends = [marker.start() for marker in markers[1:]] + [len(text)]
    for number, (marker, end) in enumerate(zip(markers, ends, strict=True), start=first):
        if not NO_CODE.search(marker["title"] or ""):
            yield number, text[marker.end() + 1 : end]


# ---- what cells define -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """Where a name gets its meaning: the cell's position and label, the lines there, and a fingerprint of what it says.

    The fingerprint is that of the syntax, without docstrings: neither comments nor blanks count.
    """

    cell: int
    label: str
    lines: tuple[int, int]
    shape: str
    outermost: bool  # not inside an `if`, `try` or the like


def definitions(cells: Sequence[Cell], names: Collection[str]) -> dict[str, list[Place]]:
    """Where each of `names` is defined, assigned or imported outside of functions, in the order of execution.

    >>> places = definitions([Cell("cell 2", "def f(x): return x"), Cell("cell 5", "f = 3")], ["f", "g"])
    >>> [place.label for place in places["f"]], places["g"]
    (['cell 2', 'cell 5'], [])
    """
    found: dict[str, list[Place]] = {name: [] for name in names}
    for position, cell in enumerate(cells):
        if not any(name in cell.code for name in names):
            continue
        try:
            tree = parse(cell.code)
        except UNREADABLE:
            continue
        lines = cell.code.split("\n")
        outermost = {id(statement) for statement in tree.body}
        binding = [(statement, name) for statement in _statements(tree) for name in _bound(statement) & found.keys()]
        for statement, name in binding[-MAX_PLACES:]:
            last = statement.end_lineno or statement.lineno
            first = min([statement.lineno, *(line.lineno for line in getattr(statement, "decorator_list", ()))])
            shape = _shape(statement, lines[first - 1 : last])
            found[name].append(Place(position, cell.label, (first, last), shape, id(statement) in outermost))
    return found


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """All statements in the order in which they stand, but for those inside functions and classes."""
    waiting: list[ast.AST] = [*reversed(tree.body)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt):
            yield node
        if not isinstance(node, DEFINERS):
            inner = [each for block in BLOCKS for each in getattr(node, block, ())]
            waiting.extend(reversed(inner))


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement defines, assigns or imports."""
    if isinstance(statement, DEFINERS):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        targets = [statement.target]
    named = [node for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    return {node.id for node in named if isinstance(node.ctx, ast.Store)}


def _shape(statement: ast.stmt, lines: list[str]) -> str:
    if isinstance(statement, DEFINERS) and ast.get_docstring(statement, clean=False) is not None:
        statement.body = statement.body[1:] or [ast.Pass()]
    try:
        said = ast.dump(statement)
    except RecursionError:
        said = "\n".join(lines)  # what is nested too deeply is compared as it is written
    return hashlib.sha256(said.encode("utf-8", "backslashreplace")).hexdigest()


def note_on_several(name: str, places: Sequence[Place]) -> str:
    """What to tell a learner who defined one name more than once, in different ways; nothing otherwise."""
    if len({place.shape for place in places}) < 2:
        return ""
    *others, last = dict.fromkeys(place.label for place in places)
    where = f"{', '.join(others)} and {last}" if others else f"{last}, more than once"
    return f"`{name}` is defined in {where}, differently; the last one was graded."


def broken_definition(cells: Sequence[Cell], name: str) -> str:
    """Why a function is not there though it was written: the error of the last cell with it that does not parse."""
    header = re.compile(rf"^[ \t]*(?:async[ \t]+)?def[ \t]+{re.escape(name)}[ \t]*\(", re.MULTILINE)
    for cell in reversed(cells):
        if header.search(cell.code):
            try:
                parse(cell.code)
            except UNREADABLE as error:
                return unparsed(cell.label, error)
    return ""


def without_spare_starters(cells: Sequence[Cell], starters: Mapping[str, str]) -> list[Cell]:
    """The cells without unmodified starters of functions that are written elsewhere, too, even if with an error.

    `starters` holds the code of the starter by the function's name. Other lines keep their numbers.
    """
    found = definitions(cells, starters.keys())
    spare: set[Place] = set()
    for name, starter in starters.items():
        shapes = {place.shape for place in definitions([Cell("", starter)], [name])[name]}
        unmodified = {place for place in found[name] if place.shape in shapes and place.outermost}
        if any(place.shape not in shapes for place in found[name]) or broken_definition(cells, name):
            spare |= unmodified
    codes = [cell.code.split("\n") for cell in cells]
    for place in spare:
        first, last = place.lines
        codes[place.cell][first - 1 : last] = [""] * (last - first + 1)
    return [Cell(cell.label, "\n".join(lines)) for cell, lines in zip(cells, codes, strict=True)]


def foreign_imports(cells: Iterable[Cell], allowed: Collection[str]) -> list[str]:
    """The first modules that cells import and that will not be there: not Python's own, not ours, not allowed.

    >>> foreign_imports([Cell("cell 1", "import math, pandas as pd\\nimport exercises, numpy")], ["numpy"])
    ['pandas']
    """
    used = set().union(*(imports(cell.code) for cell in cells))
    return [visible(module, MAX_NAME) for module in foreign(used, allowed)[:MAX_MODULES]]
