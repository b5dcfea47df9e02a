"""What ten thousand resamples of a mean cost, for more and more items: of marks, of marks once counted, of a peer.

A peer that resamples draws every item again, so it gets fewer resamples where items are many, and its time is
multiplied.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping
from dataclasses import replace

from tests.bench.cases import CASES, Answer
from tests.bench.environments import Environment, Process, without_places
from tests.bench.implementations import IMPLEMENTATIONS
from tests.bench.measure import Plan, Row, Subject, Unfit, compare, figure, running, take_rounds

SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
SERIES = {
    "mean/evalstats/bootstrap_mean": SIZES,
    "counts/evalstats/bootstrap_table_statistic": SIZES,
    "mean/limit/limits.mean": SIZES,
    "mean/errorbars/bootstrap_ci": SIZES[:3],  # the quickest peer for a thousand items
}
DRAWN = 10_000_000  # items that a peer draws in one call, at most: it keeps them all


def subject(key: str, n: int) -> Subject:
    """Somebody of the list with another number of items; a peer with fewer resamples where it must be."""
    by = IMPLEMENTATIONS[key]
    case = replace(CASES[by.case], sizes=CASES[by.case].sizes | {"n": n})
    fewer = n * case.sizes["n_boot"] // DRAWN
    return Subject(case, replace(by, shrink={"n_boot": fewer}) if by.kind == "bootstrap" and fewer > 1 else by)


def grow(plan: Plan, places: Mapping[str, Environment], missing: Mapping[str, str], most: int = SIZES[-1]) -> list[Row]:
    """The rows of all series, after everyone has answered alike."""
    subjects = [subject(key, n) for key, sizes in SERIES.items() for n in sizes if n <= most]
    with running(subjects, places, missing) as processes:
        agree(subjects, processes)
        take_rounds(subjects, plan, processes)
    return [row_of(one) for one in subjects]


def agree(subjects: Iterable[Subject], processes: Mapping[str, Process]) -> None:
    """Refuse to time who does not say of n items what the first one says, which is ours."""
    known: dict[int, Answer] = {}
    for one in subjects:
        if one.missing:
            continue
        reply = processes[one.by.who].ask("answer", key=one.by.key, sizes=one.sizes)
        if "error" in reply and one.by.kind != "bootstrap":
            raise Unfit(f"{one.by.key} failed: {without_places(reply['error'])}")
        if "error" in reply:
            one.missing = f"failed: {without_places(reply['error'])}"
            continue
        compare(one, reply["answer"], known.setdefault(one.sizes["n"], reply["answer"]))


def row_of(one: Subject) -> Row:
    row: Row = {"who": one.by.who, "label": one.by.label, "kind": one.by.kind, "n": one.sizes["n"]}
    if one.missing:
        return row | {"missing": one.missing}
    seconds = [each for each in one.seconds if each is not None]
    row |= {"ms": figure(1000 * statistics.median(seconds)), "rounds": len(seconds)}
    return row | ({"scaled": one.scaled} if one.scaled else {})


def growth_table(rows: Iterable[Row]) -> str:
    lines = [f"{'n':>12}  {'CPU ms':>10}"]
    for row in rows:
        told = f"{row['ms']:>10,g}" if "ms" in row else row["missing"]
        lines.append(f"{row['n']:>12,}  {told}  {row['who']} {row['label']}  {row.get('scaled', '')}".rstrip())
    return "\n".join(lines)
