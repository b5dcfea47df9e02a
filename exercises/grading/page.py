"""The parts of a self-contained page: nothing in it runs, and nothing is loaded from anywhere.

Every text that may come from somebody else goes through `safe`, or through what calls it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from exercises.grading.text import visible

PAGES = Path(__file__).parent / "pages"
ROOM = 2_000  # characters of a text that are shown,
NAME_ROOM = 200  # and of a name or a reason
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
MARKUP = (
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\*([^*]+)\*"), r"<em>\1</em>"),
    (re.compile(r"\$([^$]+)\$"), lambda found: _formula(found[1])),
)


@cache
def _style() -> str:
    return (PAGES / "page.css").read_text(encoding="utf-8").strip()


def page(title: str, body: Iterable[str]) -> str:
    """The whole page. `title` is plain text, `body` is HTML."""
    head = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{safe(title)}</title>\n<style>\n{_style()}\n</style>\n</head>\n"
    )
    return "\n".join([f"{head}<body>\n<main>", *body, "</main>\n</body>\n</html>\n"])


def safe(text: str, room: int = ROOM) -> str:
    """A text of anybody's, as HTML that shows it."""
    return html.escape(visible(text, room))


def own(text: str, room: int = NAME_ROOM) -> str:
    """A text of anybody's within a sentence of ours: writing from right to left stays inside."""
    return f"<bdi>{safe(text, room)}</bdi>"


def code(text: str, room: int = ROOM) -> str:
    """A text of anybody's, as code."""
    return f"<code>{safe(text, room)}</code>"


def prose(text: str) -> str:
    """A text of the course with its little markup: code, emphasis, short formulas.

    >>> prose("steadier by $\\\\sqrt n$, *always*: `sf(k)` <")
    'steadier by <i>√n</i>, <em>always</em>: <code>sf(k)</code> &lt;'
    """
    shown = safe(" ".join(text.split()))
    for pattern, replacement in MARKUP:
        shown = pattern.sub(replacement, shown)
    return shown


def _formula(formula: str) -> str:
    raised = re.sub(r"\^(\w)", r"<sup>\1</sup>", re.sub(r"\\sqrt\s*", "√", formula))
    return f"<i>{raised}</i>"


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], last_is_sum: bool = False) -> str:
    """A table of HTML cells, the first of each row its head. Heads that begin with # are above numbers."""
    numbers = [head.startswith("#") for head in heads]
    body = list(rows)
    above = "".join(
        f'<th scope="col"{_class(number)}>{safe(head.removeprefix("#"))}</th>'
        for head, number in zip(heads, numbers, strict=True)
    )
    lines = [f'<div class="scroll" tabindex="0" role="region" aria-label="{safe(caption)}"><table>']
    lines += [f"<caption>{safe(caption)}</caption>", f"<thead><tr>{above}</tr></thead>", "<tbody>"]
    for place, (first, *others) in enumerate(body):
        cells = "".join(f"<td{_class(number)}>{cell}</td>" for cell, number in zip(others, numbers[1:], strict=True))
        of_sum = ' class="sum"' if last_is_sum and place == len(body) - 1 else ""
        lines.append(f'<tr{of_sum}><th scope="row"{_class(numbers[0])}>{first}</th>{cells}</tr>')
    return "\n".join([*lines, "</tbody></table></div>"])


def _class(number: bool) -> str:
    return ' class="number"' if number else ' class="text"'


def listed(entries: Iterable[str]) -> str:
    """A list of HTML entries."""
    return f"<ul>{''.join(f'<li>{entry}</li>' for entry in entries)}</ul>"
