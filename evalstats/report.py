"""How do results go into a page, a paper or a build log? One row each, with everything that the result says.

What answers several questions at once has several rows: a leaderboard one for each system, a correction one for each
test, variance components one for the mean and one for each source.

Numbers are rounded to the precision that the interval has: two significant digits of its width, and more where an end
that is not 0 would be written as 0. Without an interval they have four significant digits. JSON is not rounded.
"""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from . import _checks as checks
from ._visible import visible
from .result import _level_words


class Reportable(Protocol):
    """Whatever says all that it knows as plain values."""

    def to_dict(self) -> dict[str, Any]: ...


Reportables = Reportable | Iterable[Reportable] | Mapping[Any, Reportable]
Row = tuple[str | None, Mapping[str, Any]]  # what a row is about, where its facts do not say so; and these facts

# What a number is called whose facts name a method and no question.
QUANTITIES = {
    "binomial": "standard error",
    "cluster_cr1": "standard error",
    "cluster_cr2": "standard error",
    "icc_anova": "intraclass correlation",
    "flip_paired": "flip probability",
    "flip_separate": "flip probability",
    "variance_budget": "standard error of a design",
}

# Where text would become a link or a mention: in https://, www., @user and a@b.org, yet not in pass@8.
LIVE = re.compile(r"(?<=:)(?=//)|(?<=\bwww)(?=\.)|(?<=(?<!\w)@)(?=\w)|(?<=@)(?=[\w-]+\.\w)", re.IGNORECASE)

LATEX = {one: f"\\{one}" for one in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


def _listed(results: Any) -> list[tuple[str | None, Reportable]]:
    """Each result, after its name where a mapping has one for it."""
    if isinstance(results, Mapping) and not hasattr(results, "to_dict"):
        found = [(key if isinstance(key, str) else None, one) for key, one in results.items()]
    elif isinstance(results, Iterable) and not hasattr(results, "to_dict") and not hasattr(results, "shape"):
        found = [(None, one) for one in results]
    else:
        found = [(None, results)]
    odd = [checks.kind_of(one) for _, one in found if not hasattr(one, "to_dict") or checks.row_names(one) is not None]
    if odd or not found:
        got = odd[0] if odd else "an empty one"
        raise ValueError(f"results must be a result or a list of at least 1, got {got}")
    return found


# --- rows ------------------------------------------------------------------------------------------------------------


def _rows(label: str | None, result: Reportable) -> list[Row]:
    """The facts of each row of a result."""
    facts = result.to_dict()
    match type(result).__name__:  # by name, as importing the classes would load scipy
        case "Leaderboard":
            return _rows_of_systems(label or facts["name"], facts)
        case "Correction":
            return _rows_of_tests(label, facts, getattr(result, "reject", ()))
        case "VarianceComponents":
            return _rows_of_sources(label, facts)
        case "Quantity" | "CheapestDesign":
            method = str(facts["method"])
            return [(label or QUANTITIES.get(method, method.replace("_", " ")), facts)]
        case kind:
            words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).lower()
            return [(label or facts.get("name") or words, facts)]


def _rows_of_systems(label: str, facts: Mapping[str, Any]) -> list[Row]:
    """One row a system, with all ranks that it may have; how they were made stands in the first."""
    columns = ("systems", "points", "rank_low", "rank_high", "tied")
    shared = {key: value for key, value in facts.items() if key not in (*columns, "level")}
    rows: list[Row] = []
    for system, point, low, high, tied in zip(*(facts[column] for column in columns), strict=True):
        ranks = f"{low if low == high else f'{low} to {high}'} ({_level_words(facts['level'])}, all at once)"
        own = {"point": point, "ranks": ranks, "tied_with": ", ".join(tied) or None, "method": facts["method"]}
        own["n"] = facts["n"]
        rows.append((f"{label}: {system}", own if rows else shared | own))
    return rows


def _rows_of_tests(label: str | None, facts: Mapping[str, Any], reject: Sequence[bool]) -> list[Row]:
    """One row a test: its p-value, the adjusted one, and whether it is rejected."""
    names = facts["tests"] or [f"{number}" for number in range(1, len(reject) + 1)]
    shared = {key: value for key, value in facts.items() if key not in ("tests", "pvalues", "adjusted")}
    rows: list[Row] = []
    for test, p, adjusted, rejected in zip(names, facts["pvalues"], facts["adjusted"], reject, strict=True):
        own = {"decision": "rejected" if rejected else "not rejected", "pvalue": p, "adjusted": adjusted}
        own["method"] = facts["method"]
        rows.append((f"{label or facts['name']}: {test}", own if rows else shared | own))
    return rows


def _rows_of_sources(label: str | None, facts: Mapping[str, Any]) -> list[Row]:
    """The mean, and the variance of each source."""
    prefix = "" if label is None else f"{label}: "
    of_sources = ((f"variance of {source['name'].replace('_', ' x ')}", source) for source in facts["sources"])
    return [(f"{prefix}{what}", row) for what, row in [("mean", facts["mean"]), *of_sources]]


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


def _cells(what: str | None, row: Mapping[str, Any]) -> dict[str, str]:
    """What a row says, column by column; a fact that has no column of its own stands under "further"."""
    facts = dict(row)
    extra = dict(facts.pop("extra", None) or {})
    notes = extra.pop("notes") if isinstance(extra.get("notes"), list) else []
    if isinstance(judged := extra.get("interval"), Mapping):  # a decision shows what it was made from
        del extra["interval"]
        extra |= {f"interval.{key}" if key in extra else key: fact for key, fact in judged.get("extra", {}).items()}
        facts |= {key: value for key, value in judged.items() if key not in facts}
        what = judged.get("name", what)
        facts.pop("extra", None)
    facts.pop("name", None)

    def take(*keys: str) -> Any:
        return next((facts.pop(key) for key in keys if facts.get(key) is not None), None)

    low, high, level = take("ci_low"), take("ci_high"), take("level")
    places = _places(low, high)
    between = f"{_number(low, places)} to {_number(high, places)}"
    warnings = dict.fromkeys(one for one in (take("caveat"), take("warning")) if one)
    p, method, interval = take("pvalue"), take("method", "test"), take("interval")
    cells = {
        "what": what,
        "decision": take("decision", "verdict"),
        "estimate": take("effect", "point", "value"),
        "interval": None if low is None else f"{between} ({_level_words(level)})",
        "ranks": take("ranks"),
        "p": None if p is None else f"{p:.3g}",
        "adjusted p": None if (adjusted := take("adjusted")) is None else f"{adjusted:.3g}",
        "method": method if interval in (None, method) else f"{method}, interval {interval}",
        "n": take("n"),
        "clusters": take("n_clusters"),
        "replicates": take("n_boot"),
        "seed": take("seed"),
        "notes": "; ".join(
            filter(None, [take("reason"), take("note"), *map(str, notes), *(f"warning: {one}" for one in warnings)])
        ),
    }
    rest = {key: value for key, value in facts.items() if value is not None}
    further = "; ".join(_flat(rest | {f"extra.{key}" if key in rest else key: fact for key, fact in extra.items()}))
    return {
        key: _number(cell, places) for key, cell in (cells | {"further": further}).items() if cell not in (None, "")
    }


COLUMNS = (
    *("what", "decision", "estimate", "interval", "ranks", "p", "adjusted p", "method", "n", "clusters", "replicates"),
    *("seed", "notes", "further"),
)


def _table(results: Reportables) -> tuple[list[str], list[list[str]]]:
    """The columns that any of the results has, and its lines of cells for each result, in characters that are seen."""
    rows = [_cells(what, facts) for label, result in _listed(results) for what, facts in _rows(label, result)]
    columns = [key for key in COLUMNS if any(key in row for row in rows)]
    return columns, [[visible(" ".join(row.get(column, "").split())) for column in columns] for row in rows]


def to_markdown(results: Reportables) -> str:
    """What did we find, as a table in Markdown?

    Parameters
    ----------
    results : result, or sequence or mapping of results
        An `Estimate`, a `TestResult` (so also a `PairedComparison`), a `Decision`, a `SampleSize`, ... The rows of a
        mapping are called by its keys where these are text, such as `{"old": ..., "new": ...}`; the pairs that
        `simultaneous_differences` returns keep the names of their results.

    Returns
    -------
    str
        One row a result: estimate, interval with its level, p, method, sizes, seed, warnings and all further facts. A
        `Leaderboard` has a row for each system, a `Correction` for each test, `VarianceComponents` for the mean and
        each source.

    Raises
    ------
    ValueError
        For what is no result, and for none.

    Notes
    -----
    Chapter `paired`. Signs that mean something in Markdown are escaped, and addresses and names after an at sign are
    broken by a space of no width, so that no page makes links or mentions of them.

    Examples
    --------
    >>> from evalstats import wilson_interval
    >>> print(to_markdown(wilson_interval(17, 20)))
    | what | estimate | interval | method | n |
    |---|---|---|---|---|
    | accuracy | 0.85 | 0.64 to 0.95 (95%) | wilson | 20 |
    """
    columns, rows = _table(results)
    escaped = ([re.sub(r"([\\`*<>\[\]|~$&!#]|(?<!\w)_|_(?!\w))", r"\\\1", cell) for cell in row] for row in rows)
    lines = [[re.sub(LIVE, "&#8203;", cell) for cell in row] for row in escaped]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [columns, *lines]).replace(
        "|\n", f"|\n|{'---|' * len(columns)}\n", 1
    )


def to_html(results: Reportables) -> str:
    """What did we find, as a table in HTML?

    Parameters
    ----------
    results : result, or sequence or mapping of results
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
    results : result, or sequence or mapping of results
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
    results : result, or sequence or mapping of results
        As in `to_markdown`.

    Returns
    -------
    str
        A list of objects: all fields, not rounded, and the `kind` of the result, whose `from_dict` reads the others.
        For a mapping whose keys are text, an object of these objects.

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
    found = [(key, {"kind": type(result).__name__} | result.to_dict()) for key, result in _listed(results)]
    named = all(key is not None for key, _ in found)
    rows = dict(found) if named else [row for _, row in found]
    written = json.dumps(rows, ensure_ascii=False, allow_nan=False, indent=2)
    return "".join(one if one.isprintable() or one == "\n" else json.dumps(one)[1:-1] for one in written)
