"""Text of others made harmless: for a terminal or a page (`visible`), for a spreadsheet (`spreadsheet_safe`); CSV.

`visible` does not escape HTML: a page still passes its result through `html.escape`.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from exercises.values import MAX_MESSAGE

CUT = "..."
MAX_CSV_BYTES = 50_000_000
SEPARATORS = ",;\t"
# controls, formats (bidi overrides, zero widths, tags), halves of pairs, what is no character, separators of lines
INVISIBLE = {"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"}

# A cell starts at the start of the text, and after a separator where the file is read with that one; blanks, quotes and
# what cannot be seen may come before its first character.
_START = re.compile(r"""(?:^|[,;|\t\r\n])[,;|"'\s\x00-\x1f\u200b-\u200f\u2060\ufeff]*""")
_SEPARATORS = re.compile(r"[,;|\t\r\n]")
_CALCULATES = tuple("=+-@＝＋－＠")  # also in the wide forms of East Asian keyboards
_PLAIN_NUMBER = re.compile(r"-?\d+(?:\.\d+)?\s*(?:[,;|\t\r\n]|$)")


def visible(text: str, room: int = MAX_MESSAGE, lines: bool = False) -> str:
    r"""`text` in at most about `room` characters, with everything that steers or hides shown as an escape.

    With `lines`, line ends and tabs stay.

    >>> visible("red \x1b[31m, reversed \u202e, half \ud800")
    'red \\x1b[31m, reversed \\u202e, half \\ud800'
    >>> visible("one\r\ntwo"), visible("one\r\ntwo", lines=True)
    ('one\\r\\ntwo', 'one\ntwo')
    >>> visible("long " * 100, room=9)
    'long long...'
    """
    cut = text[: room + 1]
    kept = "\n\t" if lines else ""
    if lines:
        cut = cut.replace("\r\n", "\n")
    shown = "".join(character if character in kept else _shown(character) for character in cut[:room])
    return shown + CUT if len(text) > room else shown


def _shown(character: str) -> str:
    return repr(character)[1:-1] if unicodedata.category(character) in INVISIBLE else character


def spreadsheet_safe(text: str) -> str:
    """`text` as a cell of a CSV file that no spreadsheet takes for a formula; plain numbers stay as they are.

    An apostrophe goes before whatever could start one. The CSV writer still has to quote.

    >>> spreadsheet_safe('=HYPERLINK("http://x")'), spreadsheet_safe("-2.5"), spreadsheet_safe("-2+3")
    ('\\'=HYPERLINK("http://x")', '-2.5', "'-2+3")
    >>> spreadsheet_safe('Ada";"=1+1')
    'Ada";"\\'=1+1'
    """
    guarded = _START.sub(_guarded, text)
    return f"'{guarded}" if guarded.startswith(("\t", "\r")) else guarded


def _guarded(start: re.Match[str]) -> str:
    cell, place = _SEPARATORS.split(start[0])[-1], start.end()
    if "'" in cell or not start.string.startswith(_CALCULATES, place) or _PLAIN_NUMBER.match(start.string, place):
        return start[0]
    return f"{start[0]}'"


def csv_rows(path: Path, most_bytes: int = MAX_CSV_BYTES) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file that are not empty, each with its line number: commas, semicolons or tabs between cells.

    ValueError names the file and the line.
    """
    try:
        with path.open("rb") as file:
            content = file.read(most_bytes + 1)
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path.name} is not UTF-8 text: save it as CSV UTF-8") from None
    if len(content) > most_bytes:
        raise ValueError(f"{path.name} has more than {most_bytes:,} bytes")
    header = text.lstrip().partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(SEPARATORS, key=header.count), strict=True)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, [cell.strip() for cell in cells]
    except csv.Error as error:
        raise ValueError(f"{path.name}, line {reader.line_num}: {error}") from None


def csv_text(rows: Iterable[Iterable[str]], line_end: str = "\n") -> str:
    """The text of a CSV file whose cells no spreadsheet takes for formulas."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator=line_end)
    writer.writerows([[spreadsheet_safe(cell) for cell in row] for row in rows])
    return written.getvalue()
