"""How do results go into a page, a paper or a build log? One row each, with everything that the result says.

Numbers are rounded to the precision that the interval has: two significant digits of its width, and more where an end
that is not 0 would be written as 0. Without an interval they have four significant digits. JSON is not rounded.
"""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from . import _checks as checks


class Reportable(Protocol):
    """Whatever says all that it knows as plain values."""

    def to_dict(self) -> dict[str, Any]: ...


Reportables = Reportable | Iterable[Reportable]

LATEX = {one: f"\\{one}" for one in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


def _listed(results: Any) -> list[Reportable]:
    several = isinstance(results, Iterable) and not hasattr(results, "to_dict") and not hasattr(results, "shape")
    found = list(results) if several else [results]
    odd = [checks.kind_of(one) for one in found if not hasattr(one, "to_dict") or checks.row_names(one) is not None]
    if odd or not found:
        raise ValueError(f"results must be a result or a list of at least 1, got {odd[0] if odd else 'an empty one'}")
    return found


def _places(low: Any, high: Any) -> int | None:
    """Decimal places that show two digits of an interval's width, and no end as 0 that is not 0."""
    if not isinstance(low, float) or not isinstance(high, float) or high <= low:
        return None
    places = max(0, 1 - math.floor(math.log10(high - low)))
    while places < 15 and any(end != 0 and round(end, places) == 0 for end in (low, high)):
        places += 1
    return places


def _number(value: Any, places: int | None) -> str:
    if not isinstance(value, float):
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"{value:.4g}" if places is None else f"{value:.{places}f}"


def _flat(facts: Mapping[str, Any], prefix: str = "") -> Iterable[str]:
    """`key = value` for each fact, those inside of others under both names."""
    for key, value in facts.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key} = {_number(value, None)}"


def _row(result: Reportable) -> dict[str, str]:
    """What a result says, column by column; a fact that has no column of its own stands under "further"."""
    facts = dict(result.to_dict())
    extra = dict(facts.pop("extra", None) or {})
    if isinstance(judged := extra.get("interval"), Mapping):  # a decision shows what it was made from
        del extra["interval"]
        extra |= judged.get("extra", {})
        facts |= {key: value for key, value in judged.items() if key not in facts or key == "name"}
        facts.pop("extra", None)

    def take(*keys: str) -> Any:
        return next((facts.pop(key) for key in keys if facts.get(key) is not None), None)

    low, high, level = take("ci_low"), take("ci_high"), take("level")
    places = _places(low, high)
    warnings = dict.fromkeys(one for one in (take("caveat"), take("warning")) if one)
    p, method, interval = take("pvalue"), take("method", "test"), take("interval")
    cells = {
        "what": take("name") or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(result).__name__).lower(),
        "decision": take("decision", "verdict"),
        "estimate": take("effect", "point", "value"),
        "interval": None if low is None else f"{_number(low, places)} to {_number(high, places)} ({100 * level:g}%)",
        "p": None if p is None else f"{p:.3g}",
        "method": method if interval is None else f"{method}, interval {interval}",
        "n": take("n"),
        "clusters": take("n_clusters"),
        "replicates": take("n_boot"),
        "seed": take("seed"),
        "notes": "; ".join(filter(None, [take("reason"), take("note"), *(f"warning: {one}" for one in warnings)])),
    }
    further = "; ".join(_flat({key: value for key, value in facts.items() if value is not None} | extra))
    return {
        key: _number(cell, places) for key, cell in (cells | {"further": further}).items() if cell not in (None, "")
    }


def _table(results: Reportables) -> tuple[list[str], list[list[str]]]:
    """The columns that any of the results has, and a line of cells for each result."""
    rows = [_row(result) for result in _listed(results)]
    order = dict.fromkeys(("what", "decision", "estimate", "interval", "p", "method", "n", "clusters", "replicates"))
    columns = [key for key in order | dict.fromkeys(("seed", "notes", "further")) if any(key in row for row in rows)]
    return columns, [[" ".join(row.get(column, "").split()) for column in columns] for row in rows]


def to_markdown(results: Reportables) -> str:
    """What did we find, as a table in Markdown?

    Parameters
    ----------
    results : result, or sequence of results
        An `Estimate`, a `TestResult` (so also a `PairedComparison`), a `Decision`, a `SampleSize`, ...

    Returns
    -------
    str
        One row a result: estimate, interval with its level, p, method, sizes, seed, warnings and all further facts.

    Raises
    ------
    ValueError
        For what is no result, and for none.

    Notes
    -----
    Chapter `paired`. Signs that mean something in Markdown are escaped.

    Examples
    --------
    >>> from evalstats import wilson_interval
    >>> print(to_markdown(wilson_interval(17, 20)))
    | what | estimate | interval | method | n |
    |---|---|---|---|---|
    | accuracy | 0.85 | 0.64 to 0.95 (95%) | wilson | 20 |
    """
    columns, rows = _table(results)
    lines = [[re.sub(r"([\\`*<>\[\]|~$&!#]|(?<!\w)_|_(?!\w))", r"\\\1", cell) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [columns, *lines]).replace(
        "|\n", f"|\n|{'---|' * len(columns)}\n", 1
    )


def to_html(results: Reportables) -> str:
    """What did we find, as a table in HTML?

    Parameters
    ----------
    results : result, or sequence of results
        As in `to_markdown`.

    Returns
    -------
    str
        A `<table>` to be put into a page; every text is escaped.

    Raises
    ------
    ValueError
        As `to_markdown`.

    Notes
    -----
    Chapter `paired`.

    Examples
    --------
    >>> from evalstats import wilson_interval
    >>> "<td>17 &lt; 20</td>" in to_html(wilson_interval(17, 20, name="17 < 20"))
    True
    """
    columns, rows = _table(results)
    head = "".join(f'<th scope="col">{column}</th>' for column in columns)
    lines = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows]
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table>\n<thead>\n<tr>{head}</tr>\n</thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def to_latex(results: Reportables) -> str:
    r"""What did we find, as rows of a table in LaTeX?

    Parameters
    ----------
    results : result, or sequence of results
        As in `to_markdown`.

    Returns
    -------
    str
        A row of column names and one row a result, for an environment such as tabular; every text is escaped.

    Raises
    ------
    ValueError
        As `to_markdown`.

    Notes
    -----
    Chapter `paired`.

    Examples
    --------
    >>> from evalstats import wilson_interval
    >>> print(to_latex(wilson_interval(17, 20)))
    what & estimate & interval & method & n \\
    accuracy & 0.85 & 0.64 to 0.95 (95\%) & wilson & 20 \\
    """
    columns, rows = _table(results)
    lines = [["".join(LATEX.get(one, one) for one in cell) for cell in row] for row in rows]
    return "\n".join(f"{' & '.join(cells)} \\\\" for cells in [columns, *lines])


def to_json(results: Reportables) -> str:
    """What did we find, for another program?

    Parameters
    ----------
    results : result, or sequence of results
        As in `to_markdown`.

    Returns
    -------
    str
        A list of objects: all fields, not rounded, and the `kind` of the result, whose `from_dict` reads the others.

    Raises
    ------
    ValueError
        As `to_markdown`.

    Notes
    -----
    Chapter `paired`.

    Examples
    --------
    >>> from evalstats import wilson_interval
    >>> json.loads(to_json(wilson_interval(17, 20)))[0]["kind"]
    'Estimate'
    """
    rows = [{"kind": type(result).__name__} | result.to_dict() for result in _listed(results)]
    return json.dumps(rows, ensure_ascii=False, allow_nan=False, indent=2)
