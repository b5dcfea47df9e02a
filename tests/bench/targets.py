"""What the course's library and its grader are to reach, judged from the rows of the table."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

Row = dict[str, Any]
Target = dict[str, Any]

OF_LIMIT = 2.0  # times as long as the limit, at most
OF_PEERS = 10.0  # times as quick as the quickest peer that resamples
OF_NUMPY = 1.5  # times as long as `import numpy`, at most
OF_COUNTS = 1.25  # times as long for a thousand times as many items, once they are counted
OF_FILES = 1.25  # times as much memory for a hundred times as many rows, at most
BOARD_MS = 500.0  # for both questions about a board of 100 systems
OF_GRADERS = 4.0  # times as much CPU time as our grader takes, at least
EXERCISE_MS = 50.0  # for one more exercise in a notebook, before anything is computed
TWO_WORKERS = 1.6  # times as quick as one worker, at least

# Targets that are missed, or met in a quiet run alone, and why.
_CHECKED = (
    "p-values are checked and kept in the result as Python's numbers; statsmodels lets NaN through and returns arrays"
)
_READ = "every score is checked to be finite, and 0 or 1, before it is counted; the limit only counts"
_ALONE = (
    "a notebook graded alone pays for starting the command and for loading scipy once; in a class these are shared, "
    "and there a notebook takes a third of a second"
)
KNOWN_MISSES = {
    "limit-large": _READ,
    "limit-pairs": "every score is checked, every pair gets a name, and all p-values are kept as Python's numbers; the "
    "limit does none of it",
    "limit-ideal": "the limit takes a fiftieth of a millisecond; checks, warnings and the result take longer",
    "limit-ideal-large": _READ,
    "bootstrap-clusters": "drawing how often each kind of cluster comes up is nearly all the work, as for the limit; "
    "for so few clusters, adding up drawn sums takes the peer little longer",
    "bootstrap-kappa": "drawing nine cells for each resample takes nearly all of the time: the limit is not ten times "
    "as quick as the peer either",
    "closed-mcnemar": "errorbars checks no values: a score that is not 0 or 1 counts as agreement; ours are checked",
    "closed-wilson": "the formula takes microseconds; the rest checks arguments and makes a whole result",
    "closed-bh": _CHECKED,
    "closed-bh-few": _CHECKED,
    "grading-one-right": _ALONE,
    "grading-one-right-without-scipy": _ALONE,
    "grading-one-wrong": _ALONE,
    "grading-one-not-started": _ALONE,
    "grading-one-crashes-in-places": _ALONE,
    "grading-two-workers": "twenty notebooks take a few seconds, of which more than one goes into starting the "
    "command, which is not shared",
}


def judge(rows: Iterable[Row], files: Iterable[Row] = (), grading: Iterable[Row] = ()) -> list[Target]:
    """Every target that the rows, of answers, of files and of grading, can say something about."""
    timed = [row for row in rows if "missing" not in row]
    cases = {row["case"]: [other for other in timed if other["case"] == row["case"]] for row in timed}
    found = [target for name, own in cases.items() if name != "import" for target in of_case(name, own)]
    found += [import_target(row) for row in cases.get("import", []) if row["who"] == "evalstats"]
    found += counted(cases) + board(cases) + flat(list(files)) + of_grading(list(grading))
    for miss in (one for one in found if not one["met"] and one["name"] in KNOWN_MISSES):
        miss["reason"] = KNOWN_MISSES[miss["name"]]
    return found


def target(name: str, says: str, value: float, bound: float, met: Callable[[float, float], bool]) -> Target:
    return {"name": name, "says": says, "value": float(f"{value:.3g}"), "bound": bound, "met": met(value, bound)}


def at_most(value: float, bound: float) -> bool:
    return value <= bound


def at_least(value: float, bound: float) -> bool:
    return value >= bound


def of_case(name: str, rows: list[Row]) -> list[Target]:
    """Near the limit; far ahead of who resamples; never behind who has a closed form."""
    title, found = rows[0]["title"], []
    by_kind = {kind: [row for row in rows if row["kind"] == kind] for kind in ("limit", "bootstrap", "closed")}
    for row in by_kind["limit"]:
        says = f"{title}: at most {OF_LIMIT:g} times as long as the limit"
        found.append(target(f"limit-{name}", says, 1 / row["ratio"], OF_LIMIT, at_most))
    for kind, bound, than in (
        ("bootstrap", OF_PEERS, f"at least {OF_PEERS:g} times as quick as the quickest peer that resamples"),
        ("closed", 1.0, "no slower than the quickest peer with the same answer"),
    ):
        if by_kind[kind]:
            best = min(by_kind[kind], key=lambda row: row["ratio"])
            found.append(target(f"{kind}-{name}", f"{title}: {than}, {best['who']}", best["ratio"], bound, at_least))
    return found


def import_target(row: Row) -> Target:
    says = f"{row['label']}: at most {OF_NUMPY:g} times as long as import numpy"
    return target(row["label"].replace(" ", "-"), says, row["ratio"], OF_NUMPY, at_most)


def our_ms(rows: list[Row]) -> float:
    return statistics.median(row["ms"] for row in rows if row["kind"] == "ours")


def counted(cases: dict[str, list[Row]]) -> list[Target]:
    if not {"counts", "counts-large"} <= cases.keys():
        return []
    says = f"A mean, once counted: at most {OF_COUNTS:g} times as long for the larger sample"
    value = our_ms(cases["counts-large"]) / our_ms(cases["counts"])
    return [target("counted", says, value, OF_COUNTS, at_most)]


def board(cases: dict[str, list[Row]]) -> list[Target]:
    if not {"pairs", "ranks"} <= cases.keys():
        return []
    says = f"The whole board, all pairs and ranks: at most {BOARD_MS:g} ms"
    return [target("board", says, our_ms(cases["pairs"]) + our_ms(cases["ranks"]), BOARD_MS, at_most)]


def flat(files: list[Row]) -> list[Target]:
    """The memory for cluster sums does not grow with the file."""
    if not files:
        return []
    says = f"Cluster sums of a file: at most {OF_FILES:g} times as much memory for the largest file as for the smallest"
    few, many = (find(files, key=lambda row: row["n"])["peak_mb"] for find in (min, max))
    return [target("flat-memory", says, many / few, OF_FILES, at_most)]


def of_grading(rows: list[Row]) -> list[Target]:
    """Far ahead of other graders, for each kind of notebook and for a class; and what an exercise and a worker add."""
    timed = [row for row in rows if "ratio" in row]
    found = []
    for name in dict.fromkeys(row["case"] for row in timed):
        others = [row for row in timed if row["case"] == name and row["who"] != "exercises"]
        if others:
            best = min(others, key=lambda row: row["ratio"])
            says = f"{best['title']}: at least {OF_GRADERS:g} times less CPU time than the quickest other grader, "
            found.append(target(f"grading-{name}", says + best["who"], best["ratio"], OF_GRADERS, at_least))
    found += [
        target("grading-two-workers", f"{row['title']}: two workers at least {TWO_WORKERS:g} times as quick as one",
               one["wall_s"] / row["wall_s"], TWO_WORKERS, at_least)
        for one, row in pairwise(row for row in timed if row["case"] == "class" and row["who"] == "exercises")
    ]  # fmt: skip
    return found + [
        target("grading-exercise", f"{row['title']}: at most {EXERCISE_MS:g} ms", row["cpu_ms"], EXERCISE_MS, at_most)
        for row in rows
        if row["case"] == "part-exercise"
    ]
