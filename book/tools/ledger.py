"""The ledger: every number said to a reader stands in `book/ledger/<stem>.toml` with what backs it.

    python -m book.tools.ledger                 report on every page of the book
    python -m book.tools.ledger paired          on one
    python -m book.tools.ledger paired --suggest    and print rows for the numbers that have none

A row quotes words of the page and says, for each numeral in them, one of three things: the expression that gives it
(`gives`), the citation and place it was read in (`source`), or why it is an input of our own (`chosen`):

    [[row]]
    id = "cc-statistic"
    seeds = ["L093"]                            # optional: rows of the source ledger that this one answers
    words = "it is 361/70 = 5.157, with p = .0232"
    gives = { "361" = "(abs(b - c) - 1)**2", "5.157" = "cc.statistic", ".0232" = "cc.pvalue" }
    chosen = { "70" = { why = "b + c of the worked table", also = "disagreements" } }
    files = ["paired.md"]                       # optional: only these files; else every text of the stem

`setup`, at the head of the file, is Python that runs once; `np`, `math`, `stats` and `es` are there already.

The rules that are not obvious:

* `words` is matched with white space normalised, as the page shows it or as its Markdown is written; it covers every
  place where it occurs, must hold at least one letter besides its numerals, and must lie within one paragraph, table,
  caption or formula. The cells of a table are joined by " | ".
* An expression is rounded to the printed places; one for a percentage gives the fraction (.855 for 85.5%). A fraction
  or a multiple in words stands for its value to within a tenth of itself: "twice" for 1.94. Where a row means something
  else, `rounded` says so: { "half" = "less than" }, or { "half" = "to within 0.06" } where the words say "about".
* An expression must compute. It is refused if it has neither a name, nor a call, nor two different literals; and if it
  hands a literal through unchanged, which is found by trial: the literals with the digits of the printed number, in it
  or in the statements of `setup` that it rests on, are moved by a little, and the value must not move by just as much.
* No expression and no `setup` may make a number of a text, or hold a literal of three or more significant digits (in
  bare arithmetic: any decimal) that is neither a usual level nor an input that some row has chosen or cites.
* `chosen` is refused for what looks like a result: a decimal of three or more significant digits; what reads as a p, z,
  correlation, error, power or the like, unless it is a usual level or `setup` or some expression really uses it; and a
  decimal, or a whole number of three or more significant digits, that another row computes, unless `also` names it.
* `source` names a key of `references.bib` and the place there: "[@mcnemar1947], p. 155".
"""

from __future__ import annotations

import argparse
import ast
import fnmatch
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml

from book.tools import numerals, reader_text
from book.tools.ledger_expressions import Namespace, evaluate, forbidden, literal_number, namespace, repeats_its_value
from book.tools.ledger_suggest import suggest
from book.tools.numerals import Numeral
from book.tools.places import ROOT
from book.tools.reader_text import Passage
from book.tools.structure import ledgered

# ---- the texts of a stem ---------------------------------------------------------------------------------------------


def texts(stem: str, root: Path = ROOT) -> list[Passage]:
    """Every passage a reader of this page meets: the page, its lesson, exercises, quiz, cards and slip boxes."""
    book = root / "book"
    page = next((page.source for page in ledgered(root) if page.stem == stem), book / f"{stem}.md")
    markdown = [page, *([book / "days" / f"{stem}.md"] if page.parent == book else [])]
    for name in ("statement.md", "hints.md"):
        markdown += sorted((root / "exercises" / stem).glob(f"*/{name}"))
    found: list[Passage] = []
    for path in markdown:
        if path.is_file():
            found += reader_text.markdown_passages(path.read_text(encoding="utf-8"), _name(path, root))
    for path in (book / "quizzes" / f"{stem}.yml", book / "cards" / f"{stem}.yml"):
        if path.is_file():
            found += reader_text.quiz_passages(path, _name(path, root))
    slips = book / "misconceptions.yml"
    if slips.is_file():
        found += reader_text.slip_passages(slips, _name(slips, root), slips_used(stem, root))
    return found


def slips_used(stem: str, root: Path = ROOT) -> set[str]:
    """The misconceptions that a stem's slip boxes, quiz options and wrong answers name."""
    page, quiz = root / "book" / f"{stem}.md", root / "book" / "quizzes" / f"{stem}.yml"
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    used = set(re.findall(r"^[`:]{3,}\{slip\}\s*(\S+)", text, flags=re.M))
    if quiz.is_file():
        used |= set(_values(yaml.safe_load(quiz.read_text(encoding="utf-8")), "slip"))
    for path in (root / "tests" / "graders" / stem).glob("*/wrong_*.py"):
        used |= set(re.findall(r'^SLIP = "([^"]+)"', path.read_text(encoding="utf-8"), flags=re.M))
    return used


def _values(node: Any, key: str) -> Iterator[str]:
    """All values of `key` anywhere below a YAML node."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name == key and isinstance(value, str):
                yield value
            else:
                yield from _values(value, key)
    elif isinstance(node, list):
        for item in node:
            yield from _values(item, key)


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


# ---- rows ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chosen:
    """Why a number is an input; `also` names a row that happens to compute the same number."""

    why: str
    also: str = ""


@dataclass(frozen=True)
class Row:
    """One entry of a ledger file."""

    id: str
    words: str
    gives: Mapping[str, str] = field(default_factory=dict)
    rounded: Mapping[str, str] = field(default_factory=dict)
    chosen: Mapping[str, Chosen] = field(default_factory=dict)
    source: Mapping[str, str] = field(default_factory=dict)
    seeds: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def kind_of(self, printed: str) -> str | None:
        """Which of the three kinds backs this numeral in this row, if any does."""
        kinds = {"expression": self.gives, "source": self.source, "chosen": self.chosen}
        return next((kind for kind, backed in kinds.items() if printed in backed), None)

    def numerals(self) -> list[str]:
        """The numerals this row backs, as printed."""
        return [*self.gives, *self.source, *self.chosen]


@dataclass(frozen=True)
class Ledger:
    """The rows of a stem, and the code that its expressions rest on."""

    setup: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Fault:
    """Something that a reader, or the ledger, must not be left with."""

    kind: str
    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.kind}: {self.message}"


def key_of(printed: str) -> str:
    """A numeral as rows name it: one space between words, plain minus, plain commas."""
    return re.sub(r"\s+", " ", printed.strip().lower()).replace("−", "-").replace("{,}", ",").replace(" %", "%")


def chosen_of(value: object) -> Chosen:
    if isinstance(value, dict) and set(value) <= {"why", "also"}:
        return Chosen(str(value.get("why", "")), str(value.get("also", "")))
    return Chosen(str(value))


def _row(table: Mapping[str, Any]) -> Row:
    known = {"id", "words", "gives", "rounded", "chosen", "source", "seeds", "files"}
    if not {"id", "words"} <= set(table) <= known:
        raise ValueError(
            f"row {table.get('id', '?')} has {sorted(table)}; id and words must, {sorted(known)} may be there"
        )
    return Row(
        id=str(table["id"]),
        words=" ".join(str(table["words"]).split()),
        gives={key_of(k): str(v) for k, v in table.get("gives", {}).items()},
        rounded={key_of(k): str(v) for k, v in table.get("rounded", {}).items()},
        chosen={key_of(k): chosen_of(v) for k, v in table.get("chosen", {}).items()},
        source={key_of(k): str(v) for k, v in table.get("source", {}).items()},
        seeds=tuple(table.get("seeds", ())),
        files=tuple(table.get("files", ())),
    )


def load(path: Path) -> Ledger:
    """The ledger file at `path`; an empty ledger where there is none."""
    if not path.is_file():
        return Ledger("", ())
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return Ledger(str(table.get("setup", "")), tuple(_row(row) for row in table.get("row", [])))


# ---- the check -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """One numeral of one row, as the ledger page shows it."""

    row: Row
    numeral: Numeral
    kind: str
    backing: str
    value: float | None


@dataclass
class Report:
    """What was found for one stem."""

    stem: str
    faults: list[Fault] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    uncovered: list[tuple[Passage, Numeral]] = field(default_factory=list)
    shares: Counter[str] = field(default_factory=Counter)
    names: Namespace = field(default_factory=Namespace)


def _boundary(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] begins and ends where words and numbers do."""
    before, after, beyond = text[:start][-1:], text[end : end + 1], text[end + 1 : end + 2]
    goes_on_left = before.isalnum() or (before in {".", ","} and text[start - 2 : start - 1].isdigit())
    goes_on_right = after.isalnum() or after == "%" or (after in {".", ","} and beyond.isdigit())
    return not ((text[start].isalnum() or text[start] == ".") and goes_on_left) and not (
        text[end - 1].isalnum() and goes_on_right
    )


def occurrences(words: str, passage: Passage) -> Iterator[tuple[int, int]]:
    """Where `words` stand in a passage."""
    text, start = passage.text, -1
    while words and (start := text.find(words, start + 1)) >= 0:
        if _boundary(text, start, start + len(words)):
            yield start, start + len(words)


def _as_shown(words: str) -> str:
    """Words written as Markdown, as the page shows them."""
    return " ".join(passage.text for passage in reader_text.markdown_passages(words, ""))


def _places(row: Row, passages: Iterable[Passage]) -> list[tuple[Passage, int, int]]:
    """Every place where a row's words stand."""
    own = [p for p in passages if not row.files or any(fnmatch.fnmatch(p.file, f"*{name}") for name in row.files)]
    for words in (row.words, _as_shown(row.words)):
        found = [(p, start, end) for p in own for start, end in occurrences(words, p)]
        if found:
            return found
    return []


def check(stem: str, root: Path = ROOT) -> Report:
    """Hold a stem's texts against its ledger."""
    report = Report(stem)
    path = root / "book" / "ledger" / f"{stem}.toml"
    try:
        ledger = load(path)
        report.names = namespace(ledger.setup, inputs_of(ledger))
    except Exception as error:
        report.faults.append(Fault("unreadable", _name(path, root), f"{type(error).__name__}: {error}"))
        return report
    passages = texts(stem, root)
    printed = {id(passage): passage.numerals() for passage in passages}
    covered: dict[tuple[int, int], str] = {}
    first: dict[tuple[str, str], Numeral] = {}
    for row in ledger.rows:
        places = _places(row, passages)
        inside = [(p, n) for p, start, end in places for n in printed[id(p)] if start <= n.start and n.end <= end]
        for passage, numeral in inside:
            kind = row.kind_of(numeral.printed)
            if kind:
                covered.setdefault((id(passage), numeral.start), kind)
                first.setdefault((row.id, numeral.printed), numeral)
        report.faults += _row_faults(row, path.name, bool(places), {n.printed for _, n in inside})
    report.faults += _repeated_ids(ledger, path.name)
    report.shares = Counter(covered.values())
    _report_uncovered(report, passages, printed, covered)
    _check_backing(report, ledger, path.name, first, root)
    return report


def inputs_of(ledger: Ledger) -> set[Decimal]:
    """The numbers that rows own up to have chosen, or cite."""
    keys = [key for row in ledger.rows for key in [*row.chosen, *row.source]]
    found = [numeral for key in keys for numeral in [*numerals.in_prose(key), *numerals.in_maths(key)]]
    return {value for numeral in found for value in (numeral.value, numeral.value * 100)}


def _report_uncovered(
    report: Report, passages: list[Passage], numerals: dict[int, list[Numeral]], covered: dict[tuple[int, int], str]
) -> None:
    for passage in passages:
        for numeral in numerals[id(passage)]:
            if (id(passage), numeral.start) not in covered:
                where = f"{passage.file}:{passage.line_at(numeral.start)}"
                report.uncovered.append((passage, numeral))
                report.faults.append(Fault("no row", where, f"{numeral.printed}  in  …{_context(passage, numeral)}…"))


def _context(passage: Passage, numeral: Numeral, width: int = 40) -> str:
    return passage.text[max(0, numeral.start - width) : numeral.end + width]


def _row_faults(row: Row, file: str, is_there: bool, printed: set[str]) -> list[Fault]:
    """Faults of a row that can be seen without computing."""
    where = f"{file} [{row.id}]"
    if not is_there:
        return [Fault("words are gone", where, f"“{row.words}” stands in no text" + _in_files(row))]
    faults = [
        Fault("not in the words", where, f"{key} is no numeral of “{row.words}”, which holds {sorted(printed)}")
        for key in row.numerals()
        if key not in printed
    ]
    repeated = [key for key, count in Counter(row.numerals()).items() if count > 1]
    faults += [Fault("two kinds", where, f"{key} is backed twice") for key in repeated]
    faults += _rounding_faults(row, where)
    if not re.search(r"[^\W\d_]", _without(row.words, row.numerals())):
        faults.append(Fault("words too short", where, f"“{row.words}” has no letter besides its numerals"))
    return faults


def _in_files(row: Row) -> str:
    return f" among {', '.join(row.files)}" if row.files else ""


def _without(words: str, keys: Iterable[str]) -> str:
    for key in keys:
        words = re.sub(re.escape(key), " ", words, flags=re.I)
    return words


def _repeated_ids(ledger: Ledger, file: str) -> list[Fault]:
    counts = Counter(row.id for row in ledger.rows)
    return [Fault("id twice", f"{file} [{name}]", "each id may be used once") for name, n in counts.items() if n > 1]


def _check_backing(
    report: Report, ledger: Ledger, file: str, first: Mapping[tuple[str, str], Numeral], root: Path
) -> None:
    """Recompute what is computed, and judge what is chosen or sourced."""
    computed = {(n.value, row_id) for (row_id, key), n in first.items() for row in ledger.rows
                if row.id == row_id and key in row.gives and key[-1] in "0123456789%"}  # fmt: skip
    used = _literals_used(ledger)
    keys = _bibliography(root)
    for row in ledger.rows:
        for key in row.numerals():
            numeral = first.get((row.id, key))
            if numeral is None:
                continue
            kind = row.kind_of(key) or ""
            value, problem = None, None
            if kind == "expression":
                value, problem = expression_problem(row.gives[key], numeral, report.names, row.rounded.get(key, ""))
            elif kind == "chosen":
                problem = chosen_problem(row.chosen[key], numeral, row.words, computed, used)
            else:
                problem = source_problem(row.source[key], keys)
            if problem:
                report.faults.append(Fault(problem[0], f"{file} [{row.id}]", f"{key}: {problem[1]}"))
            report.entries.append(Entry(row, numeral, kind, _backing(row, key), value))


def _backing(row: Row, key: str) -> str:
    backing = row.gives.get(key, row.source.get(key))
    return row.chosen[key].why if backing is None else backing


def expression_problem(
    expression: str, numeral: Numeral, names: Namespace, rounded: str = ""
) -> tuple[float | None, tuple[str, str] | None]:
    """What an expression gives, and what is wrong with it; `rounded` is how a word stands for the value, if stated."""
    try:
        if disguise := forbidden(ast.parse(expression.strip(), mode="eval")):
            return None, ("repeats its value", f"`{expression}`: {disguise}")
        value = evaluate(expression, names)
        if not _agrees(value, numeral, rounded):
            hint = ""
            if numeral.printed.endswith("%") and numeral.agrees_with(value / 100):
                hint = " (for a percentage, give the fraction)"
            return value, ("wrong number", f"`{expression}` gives {value:.12g}{hint}")
        reason = repeats_its_value(expression, numeral, names)
        return value, ("repeats its value", f"`{expression}`: {reason}") if reason else None
    except (ValueError, SyntaxError) as error:
        return None, ("cannot compute", str(error))


# What may stand in `rounded`: "to within 0.02", or on which side of the printed number the value lies.
_ROUNDINGS = re.compile(r"to within (?P<slack>\d*\.?\d+)|(?P<side>less than|at most|more than|at least)")
_SAYS = {
    "less than": r"less than|fewer than|below|under|not even",
    "at most": r"at most|as many as|up to|or fewer|or less",
    "more than": r"more than|above|over",
    "at least": r"at least|or more",
}

_SAYS_ROUGHLY = re.compile(r"\b(?:about|almost|nearly|roughly|around|some|near|half)\b", re.I)


def _agrees(value: float, numeral: Numeral, rounded: str) -> bool:
    match = _ROUNDINGS.fullmatch(rounded)
    if not match:
        return numeral.agrees_with(value)
    printed = float(numeral.value)
    if match["slack"]:
        return abs(value - printed) <= float(match["slack"]) + 1e-12
    # on the right side of the number, and not so far from it that another would have been said
    low, high = {"less": (0.5, 1), "at most": (0.5, 1), "more": (1, 1.5), "at least": (1, 1.5)}[
        rounded.removesuffix(" than")
    ]
    return low * printed <= value <= high * printed and (value != printed or not rounded.endswith("than"))


def _rounding_faults(row: Row, where: str) -> Iterator[Fault]:
    """A row that rounds says how, of a word or a number that it computes, and its words say so too."""
    for key, rounded in row.rounded.items():
        match = _ROUNDINGS.fullmatch(rounded)
        if key not in row.gives or not match:
            yield Fault("rounded how?", where, f"{key}: “{rounded}”: write of a number in `gives` {_ROUNDINGS.pattern}")
        elif match["side"] and not re.search(rf"\b(?:{_SAYS[match['side']]})\b", row.words, re.I):
            yield Fault("rounded how?", where, f"{key} is said to be {rounded} the value, and the words do not say so")
        elif match["slack"] and not _SAYS_ROUGHLY.search(row.words):
            yield Fault("rounded how?", where, f"{key}: nothing in the words says that it is rough")
        elif match["slack"] and any(float(match["slack"]) > abs(n.value) / 4 for n in numerals.in_prose(key)):
            yield Fault("rounded how?", where, f"{key}: {match['slack']} is more than a quarter of it")


def _literals_used(ledger: Ledger) -> set[Decimal]:
    """The numbers that stand as literals in `setup` or in some expression."""
    code = [ledger.setup, *(expression for row in ledger.rows for expression in row.gives.values())]
    found: set[Decimal] = set()
    for text in code:
        try:
            tree = ast.parse(text.strip())
        except SyntaxError:
            continue  # reported where the expression is evaluated
        found |= {Decimal(repr(n)) for node in ast.walk(tree) if (n := literal_number(node)) is not None}
    return found


_LINKS = "of is was are near about around nearly roughly only at below above under over to from just almost the a an"
_LINKS += " than less more reads comes out equals gives"
_BETWEEN = rf"(?:\s*(?:=|≈|<|>|≤|≥|\\approx|\\leq?|\\geq?|\$|\b(?:{_LINKS.replace(' ', '|')})\b))*\s*"
_STATISTIC = re.compile(
    r"(?:(?<![\w$\\])\$?(?:p|z|t)|χ²|\\chi\^2|\bp-values?|\bstatistics?|\bcorrelations?|\bcoefficients?"
    r"|\berrors?|\bdeviations?|\bpower|\bintervals?|\bodds(?: ratio)?|\beffect size|\bneeds?|\brequires?)"
    rf"{_BETWEEN}$",
    re.I,
)
_STATISTIC_AFTER = re.compile(r"\s*(?:power|correlation|is the (?:p-value|power|statistic))\b", re.I)
_LEVELS = frozenset(map(Decimal, "0.01 0.05 0.1 0.9 0.95 0.99".split()))


def chosen_problem(
    chosen: Chosen, numeral: Numeral, words: str, computed: set[tuple[Decimal, str]], used: set[Decimal]
) -> tuple[str, str] | None:
    """Why a numeral may not be called chosen, or None if it may."""
    digits = numeral.significant_digits
    rows = {row_id for value, row_id in computed if value == numeral.value}
    if not chosen.why.strip():
        return "chosen without a reason", "say why this is an input"
    if numeral.is_decimal and digits >= 3:
        return "chosen, but a result", f"a decimal of {digits} significant digits is not chosen: compute or cite it"
    if _reads_as_a_statistic(numeral, words) and not _is_used(numeral, used):
        return "chosen, but a result", "it reads as a statistic, and nothing takes it as an input: compute or cite it"
    if rows and (numeral.is_decimal or digits >= 3) and chosen.also not in rows:
        return "chosen, but a result", f"computed by {sorted(rows)}: compute it here too, or say also = one of them"
    return None


def _reads_as_a_statistic(numeral: Numeral, words: str) -> bool:
    """Whether the words make this number a p-value, a correlation, a power and the like, and no conventional level."""
    if numeral.value in _LEVELS:
        return False
    for match in re.finditer(re.escape(numeral.printed), key_of(words)):
        before, after = key_of(words)[: match.start()], key_of(words)[match.end() :]
        if before[-1:].isalnum() or after[:1].isdigit():
            continue
        if _STATISTIC.search(before) or _STATISTIC_AFTER.match(after):
            return True
    return False


def _is_used(numeral: Numeral, used: set[Decimal]) -> bool:
    return any(abs(literal) in {abs(numeral.value), abs(numeral.value) * 100} for literal in used)


def source_problem(source: str, keys: set[str]) -> tuple[str, str] | None:
    """Why a source is not one, or None: it names a work of the bibliography and a place in it."""
    match = re.match(r"\[@([\w:.-]+)\],?\s*(.*)", source.strip())
    if not match:
        return "no citation", f"“{source}”: write [@key], place"
    if match[1] not in keys:
        return "no citation", f"“{match[1]}” is not a key of references.bib"
    return None if len(match[2].strip()) > 1 else ("no place", f"“{source}”: say where in it")


def _bibliography(root: Path) -> set[str]:
    path = root / "book" / "references.bib"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return set(re.findall(r"^\s*@\w+\{\s*([^,\s]+)", text, flags=re.M))


# ---- command line ----------------------------------------------------------------------------------------------------


def summary(report: Report) -> str:
    """One line: how many numerals, and the share of each kind."""
    total = sum(report.shares.values()) + len(report.uncovered)
    parts = [
        f"{kind} {count} ({100 * count / total:.0f}%)"
        for kind in ("expression", "source", "chosen")
        if (count := report.shares[kind])
    ]
    parts += [f"no row {len(report.uncovered)}"] if report.uncovered else []
    return f"{report.stem}: {total} numerals: {', '.join(parts) or 'none'}; {len(report.faults)} faults"


def main(arguments: list[str] | None = None) -> int:
    """Print the report of some stems, or of all; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m book.tools.ledger", description="Check the numbers said in prose.")
    parser.add_argument("stem", nargs="*", help="pages to check; all of _toc.yml if none is named")
    parser.add_argument("--suggest", action="store_true", help="print rows, in TOML, for the numbers that have none")
    options = parser.parse_args(arguments)
    failed = False
    for stem in options.stem or [page.stem for page in ledgered()]:
        report = check(stem)
        failed |= bool(report.faults)
        hidden = {"no row"} if options.suggest else set()
        for fault in report.faults:
            if fault.kind not in hidden:
                print(fault)
        if options.suggest:
            print(suggest(report, load(ROOT / "book" / "ledger" / f"{stem}.toml").rows))
        print(("# " if options.suggest else "") + summary(report))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
