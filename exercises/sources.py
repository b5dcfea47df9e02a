"""What the self-check in a terminal reads: a learner's function in a Python file or a notebook, in this process."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import decode_source
from pathlib import Path
from typing import Any

from exercises import cells
from exercises.deadline import TimeLimit, deadline, no_exit
from exercises.execute import execute

LOADING_SECONDS = 20.0


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
    labelled = list(_cells(path))
    # a name that no library has; it stays known, because classes look up the module in which they were made
    module = types.ModuleType(f"answers_in_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    source = Source(names=module.__dict__)
    try:
        with no_exit(), deadline(LOADING_SECONDS):
            for label, code in labelled:
                source.imports.update(cells.imports(code))
                source.problems.extend(execute(label, code, source.names))
    except TimeLimit:
        source.problems.append(f"{path.name}: still running after {LOADING_SECONDS:g} seconds; the rest was not read")
    return source


def _cells(path: Path) -> Iterator[tuple[str, str]]:
    try:
        content = path.read_bytes()
        text = decode_source(content) if path.suffix == ".py" else content.decode("utf-8-sig")
    except (SyntaxError, UnicodeDecodeError, LookupError):
        raise ValueError(f"{path.name}: this is not UTF-8 text; save the file as UTF-8") from None
    except OSError as error:
        raise ValueError(f"{path.name}: {error.strerror}") from None
    if path.suffix == ".py":
        yield path.name, text
        return
    try:
        for number, code in cells.notebook_cells(text):
            yield f"{path.name}, cell {number}", cells.without_magics(code)
    except ValueError as refusal:
        raise ValueError(f"{path.name}: {refusal}") from None
