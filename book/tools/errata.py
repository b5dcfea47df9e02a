"""Errata: where the source documents are wrong, with the computation of what is right, checked like the ledger.

python -m book.tools.errata        check book/ledger/errata.toml
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from book.tools import reader_text
from book.tools.ledger import Fault, chosen_of, chosen_problem, expression_problem, key_of
from book.tools.ledger_expressions import Namespace, namespace
from book.tools.numerals import Numeral
from book.tools.places import ROOT

DOCUMENTS = {"000": "the package chapter", "001": "the lesson", "002": "the crash course"}
SEVERITIES = {
    "A": "copying it gives a wrong number or a wrong decision",
    "B": "a false or misleading statement",
    "C": "a fault of code or of labels",
}


@dataclass(frozen=True)
class Erratum:
    """One error: the claim, in our words, what is right, and what backs each number."""

    id: str
    document: str
    severity: str
    chapter: str
    claim: str
    right: str
    claimed: tuple[str, ...]
    gives: Mapping[str, str]
    chosen: Mapping[str, Any]


def load(root: Path = ROOT) -> tuple[str, list[Erratum]]:
    """The set-up code and the errata. Raises ValueError for an entry that is not complete."""
    table = tomllib.loads((root / "book" / "ledger" / "errata.toml").read_text(encoding="utf-8"))
    return str(table.get("setup", "")), [_erratum(entry) for entry in table.get("erratum", [])]


def _erratum(entry: Mapping[str, Any]) -> Erratum:
    needed, optional = {"id", "document", "severity", "chapter", "claim", "right"}, {"claimed", "gives", "chosen"}
    if not needed <= set(entry) <= needed | optional:
        raise ValueError(f"erratum {entry.get('id', '?')} has {sorted(entry)}; it needs {sorted(needed)}")
    if entry["document"] not in DOCUMENTS or entry["severity"] not in SEVERITIES:
        raise ValueError(f"erratum {entry['id']}: document is one of {list(DOCUMENTS)}, severity of {list(SEVERITIES)}")
    return Erratum(
        **{name: str(entry[name]) for name in needed},
        claimed=tuple(key_of(number) for number in entry.get("claimed", ())),
        gives={key_of(number): str(expression) for number, expression in entry.get("gives", {}).items()},
        chosen={key_of(number): why for number, why in entry.get("chosen", {}).items()},
    )


def numerals_of(text: str) -> list[Numeral]:
    return [numeral for passage in reader_text.markdown_passages(text, "") for numeral in passage.numerals()]


def inputs_of(errata: list[Erratum]) -> set[Decimal]:
    """The numbers that the documents claim or that we have chosen, which expressions may start from."""
    keys = [key for erratum in errata for key in [*erratum.claimed, *erratum.chosen]]
    return {numeral.value for key in keys for numeral in numerals_of(key)}


def check(root: Path = ROOT) -> list[Fault]:
    """Every number of the errata, held against what backs it."""
    setup, errata = load(root)
    names = namespace(setup, inputs_of(errata))
    ids = [erratum.id for erratum in errata]
    repeated = [Fault("id twice", name, "each id may be used once") for name in set(ids) if ids.count(name) > 1]
    return repeated + [fault for erratum in errata for fault in _faults(erratum, names)]


def _faults(erratum: Erratum, names: Namespace) -> Iterator[Fault]:
    where = f"errata.toml [{erratum.id}]"
    right, claim = numerals_of(erratum.right), numerals_of(erratum.claim)
    keys = [*erratum.gives, *erratum.chosen]
    for numeral in right:
        if numeral.printed not in keys:
            yield Fault("no row", where, f"{numeral.printed} in what is right is neither computed nor chosen")
    for numeral in claim:
        if numeral.printed not in [*keys, *erratum.claimed]:
            yield Fault("no row", where, f"{numeral.printed} in the claim is neither claimed, computed nor chosen")
    printed = {numeral.printed: numeral for numeral in [*claim, *right]}
    for key in [*keys, *erratum.claimed]:
        if key not in printed:
            yield Fault("not in the words", where, f"{key} stands neither in the claim nor in what is right")
    for key, expression in erratum.gives.items():
        if key in printed and (problem := expression_problem(expression, printed[key], names)[1]):
            yield Fault(problem[0], where, f"{key}: {problem[1]}")
    for key, why in erratum.chosen.items():
        if key in printed and (problem := chosen_problem(chosen_of(why), printed[key], "", set(), set())):
            yield Fault(problem[0], where, f"{key}: {problem[1]}")


def main() -> int:
    """Print the faults; 1 if there are any."""
    faults = check()
    for fault in faults:
        print(fault)
    print(f"errata: {len(load()[1])}, {len(faults)} faults")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
