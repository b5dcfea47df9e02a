"""Data that comes with the package: what it is called, the table itself, and where it is from.

``load("small_models")`` is the real eval this project ran: one row for each response of two small language models.
``load("small_models_items")`` is the table of its questions. Nothing is downloaded.

pandas is needed for :func:`load` only, and imported there.
"""

from __future__ import annotations

import lzma
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["datasheet", "load", "names"]

_FOLDER = Path(__file__).parent
_TABLES = {
    "small_models": ("small_models/responses.csv.xz", "small_models/datasheet.md"),
    "small_models_items": ("small_models/items.csv", "small_models/datasheet.md"),
}


def names() -> tuple[str, ...]:
    """The names :func:`load` and :func:`datasheet` know.

    >>> names()
    ('small_models', 'small_models_items')
    """
    return tuple(_TABLES)


def load(name: str) -> pd.DataFrame:
    """The stored table called ``name``, one observation a row, in its stored order.

    An empty response is the empty string, never a missing value, and a response that reads "None" stays that text.

    Raises ``ValueError`` for a name that is not in :func:`names`, and ``ImportError`` if pandas is not installed.
    """
    path = _FOLDER / _lookup(name)[0]
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("evalstats.datasets.load needs pandas, which is not installed: install it first.") from None
    raw = path.read_bytes()
    text = (lzma.decompress(raw) if path.suffix == ".xz" else raw).decode("utf-8")
    return pd.read_csv(StringIO(text), keep_default_na=False)


def datasheet(name: str) -> str:
    """How the table called ``name`` was made, what its columns mean, its licences and known faults, as Markdown.

    Raises ``ValueError`` for a name that is not in :func:`names`.
    """
    return (_FOLDER / _lookup(name)[1]).read_text(encoding="utf-8")


def _lookup(name: str) -> tuple[str, str]:
    if name not in _TABLES:
        raise ValueError(f"No dataset is called {name!r}; the names are {', '.join(map(repr, names()))}.")
    return _TABLES[name]
