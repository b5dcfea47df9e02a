"""The rounds: who is asked what, in which order, and what comes out.

Time is CPU time, so that what else the machine does at the moment moves it little, and each round times everyone once:
a ratio is of two times of the same round, and its median is over the rounds. Nobody is timed whose answer differs.
"""

from __future__ import annotations

import math
import statistics
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from book.tools.places import ROOT
from tests.bench.cases import CASES, Answer, Case
from tests.bench.environments import Environment, NotInstalled, Process, clean_settings, compile_own, without_places
from tests.bench.implementations import IMPLEMENTATIONS, MODULES, Implementation

Row = dict[str, Any]

# Who imports what, in whose environment; the first is what the others are compared with.
IMPORTS = (
    ("numpy", "evalstats", "import numpy"),
    ("evalstats", "evalstats", "from evalstats import bootstrap_mean"),
    *((who, who, f"import {module}") for who, module in MODULES.items() if who != "limit"),
)


@dataclass(frozen=True)
class Plan:
    """How much is run."""

    rounds: int = 5
    at_least: float = 0.1  # CPU seconds in one measurement: quick calls are repeated until they fill it
    at_most: float = 5.0  # CPU seconds for all rounds of one row: slow ones get fewer rounds
    cases: Mapping[str, Case] = field(default_factory=lambda: CASES)
    imports: tuple[tuple[str, str, str], ...] = IMPORTS

    def rounds_of(self, seconds: float) -> int:
        """All rounds for what is quick, at least one for what is slow."""
        return max(1, min(self.rounds, math.floor(self.at_most / seconds)))


@dataclass
class Subject:
    """An implementation in the run: what it answered, and how long it took in each round (None: not in this one)."""

    case: Case
    by: Implementation
    missing: str = ""
    memory: float | None = None
    times: int = 1
    rounds: int = 1
    seconds: list[float | None] = field(default_factory=list)

    @property
    def sizes(self) -> dict[str, int]:
        return self.by.sizes(self.case)

    @property
    def scaled(self) -> str:
        """What it got less of, and by how much."""
        return ", ".join(f"{name} / {by_how_much}" for name, by_how_much in self.by.shrink.items())

    def take_part(self, process: Process, number: int) -> None:
        """Be timed in this round, if it is one of this row's."""
        if self.missing or number >= self.rounds:
            self.seconds.append(None)
            return
        reply = process.ask("time", key=self.by.key, sizes=self.sizes, times=self.times)
        self.missing = f"failed: {without_places(reply['error'])}" if "error" in reply else ""
        self.seconds.append(None if self.missing else reply["seconds"] * self.by.factor)


class Unfit(Exception):
    """Two do not give the same answer, or we give none: there is nothing to be timed."""


def measure(plan: Plan, places: Mapping[str, Environment]) -> tuple[list[Row], dict[str, str]]:
    """Everyone's rows, and why somebody is missing."""
    missing = made(places)
    subjects = [
        Subject(case, one) for case in plan.cases.values() for one in IMPLEMENTATIONS.values() if one.case == case.name
    ]
    with running(subjects, places, missing) as processes:
        check(subjects, places, processes)
        take_rounds(subjects, plan, processes)
    return rows_of(subjects) + import_rows(plan, places, missing), missing


@contextmanager
def running(
    subjects: Iterable[Subject], places: Mapping[str, Environment], missing: Mapping[str, str]
) -> Iterator[dict[str, Process]]:
    """A process for everyone who is there; who is not is told so."""
    for subject in subjects:
        subject.missing = missing.get(subject.by.who, "" if subject.by.who in places else "not part of this run")
    names = {subject.by.who for subject in subjects if not subject.missing}
    with ExitStack() as stack:
        yield {who: stack.enter_context(Process(places[who])) for who in sorted(names)}


def take_rounds(subjects: Sequence[Subject], plan: Plan, processes: Mapping[str, Process]) -> None:
    """Everyone in turn, there and back."""
    for subject in subjects:
        prepare(subject, plan, processes)
    for number in range(plan.rounds):
        print(f"round {number + 1} of {plan.rounds} ...", flush=True)
        for subject in subjects if number % 2 == 0 else reversed(subjects):
            subject.take_part(processes.get(subject.by.who), number)  # type: ignore[arg-type]


def made(places: Mapping[str, Environment]) -> dict[str, str]:
    """Make the environments; those that cannot be had, and why, said as it happens."""
    missing = {}
    compile_own()
    for who, place in places.items():
        try:
            place.make()
        except NotInstalled as reason:
            missing[who] = f"not installed: {reason}"
            print(f"{who}: {missing[who]}", flush=True)
    return missing


def check(subjects: list[Subject], places: Mapping[str, Environment], processes: Mapping[str, Process]) -> None:
    """Refuse to time two that do not give the same answer; on the way, see how much memory an answer takes."""
    known: dict[str, Answer] = {}  # our answers, and where we have none, that of the first who has
    digests: dict[str, int] = {}
    for subject in sorted(subjects, key=lambda one: one.by.kind != "ours"):
        if subject.missing:
            continue
        reply = answer_of(subject, places, processes)
        if "error" in reply:
            subject.missing = f"failed: {without_places(reply['error'])}"
            print(f"{subject.by.key}: {subject.missing}", flush=True)
            if subject.by.kind in ("ours", "limit"):
                raise Unfit(f"{subject.by.key} {subject.missing}")
            continue
        subject.memory = reply["memory"] if subject.case.simulates else None
        data = {name: size for name, size in subject.sizes.items() if name != "n_boot"}
        of_data = f"{subject.case.name} {data}"
        if of_data not in known and subject.by.kind != "ours":
            known[of_data] = our_answer(subject, data, processes)["answer"]
        if digests.setdefault(of_data, reply["data"]) != reply["data"]:
            raise Unfit(f"{subject.by.key} made other data than {subject.case.name} has elsewhere")
        ours = known.setdefault(of_data, {})
        compare(subject, reply["answer"], ours)
        known[of_data] = reply["answer"] | ours


def answer_of(subject: Subject, places: Mapping[str, Environment], processes: Mapping[str, Process]) -> dict[str, Any]:
    """From a process of its own where memory is looked at, as what was freed before would hide it."""
    if not subject.case.simulates:
        return processes[subject.by.who].ask("answer", key=subject.by.key, sizes=subject.sizes)
    with Process(places[subject.by.who]) as fresh:
        return fresh.ask("answer", key=subject.by.key, sizes=subject.sizes)


def our_answer(subject: Subject, data: dict[str, int], processes: Mapping[str, Process]) -> dict[str, Any]:
    """Our answer about data of a size that only this peer gets."""
    ours = next(one for one in IMPLEMENTATIONS.values() if one.case == subject.case.name and one.kind == "ours")
    return processes["evalstats"].ask("answer", key=ours.key, sizes=subject.case.sizes | data)


def compare(subject: Subject, answer: Answer, ours: Answer) -> None:
    n_boot = (subject.case.sizes.get("n_boot", 1), subject.sizes.get("n_boot", 1))
    for name in sorted(answer.keys() & ours.keys()):
        allowed = subject.case.tolerance(name, ours, n_boot)
        if not abs(answer[name] - ours[name]) <= allowed:
            raise Unfit(
                f"{subject.by.key}: {name} is {answer[name]:.6g}, others say {ours[name]:.6g}; {allowed:.2g} is allowed"
            )


def prepare(subject: Subject, plan: Plan, processes: Mapping[str, Process]) -> None:
    """Find out how often to repeat a call, and in how many rounds."""
    if subject.missing:
        return
    seconds = 0.0
    while seconds * subject.times < plan.at_least / 4:
        subject.times = subject.times * 4 if seconds else 1
        reply = processes[subject.by.who].ask("time", key=subject.by.key, sizes=subject.sizes, times=subject.times)
        seconds = max(reply["seconds"], 1e-7)
    subject.times = max(1, math.ceil(plan.at_least / seconds))
    subject.rounds = plan.rounds_of(seconds * subject.times)


def rows_of(subjects: Iterable[Subject]) -> list[Row]:
    listed = list(subjects)
    ours = {subject.case.name: subject for subject in listed if subject.by.kind == "ours"}
    return [row_of(subject, ours[subject.case.name]) for subject in listed]


def row_of(subject: Subject, ours: Subject) -> Row:
    by = subject.by
    row: Row = {
        "case": by.case,
        "letter": subject.case.letter,
        "title": subject.case.title.format(**subject.case.sizes),
        "who": by.who,
        "label": by.label,
        "kind": by.kind,
    }
    if subject.missing:
        return row | {"missing": subject.missing}
    row |= timing(subject.seconds, ours.seconds)
    row |= {"memory": figure(subject.memory)} if subject.memory is not None else {}
    row |= {"scaled": subject.scaled} if subject.scaled else {}
    return row | ({"note": by.note} if by.note else {})


def timing(seconds: list[float | None], reference: list[float | None]) -> Row:
    """Milliseconds, and how many times as long as the reference, round by round."""
    ratios = [one / other for one, other in zip(seconds, reference, strict=True) if one and other]
    return {
        "ms": figure(1000 * statistics.median(one for one in seconds if one is not None)),
        "ratio": figure(statistics.median(ratios)),
        "lowest": figure(min(ratios)),
        "highest": figure(max(ratios)),
        "rounds": len(ratios),
    }


def figure(value: float) -> float:
    """Three significant digits."""
    return float(f"{value:.3g}")


# ---- imports ---------------------------------------------------------------------------------------------------------


def process_seconds(place: Environment, statement: str) -> float:
    """What a fresh interpreter spends from its start until the statement is done."""
    command = [str(place.python), "-c", f"{statement}\nimport time\nprint(time.process_time())"]
    done = subprocess.run(command, cwd=ROOT, env=clean_settings(), check=True, capture_output=True, text=True)
    return float(done.stdout.splitlines()[-1])


def import_rows(plan: Plan, places: Mapping[str, Environment], missing: Mapping[str, str]) -> list[Row]:
    """Imports, less what the interpreter of the environment spends on nothing; compared with `import numpy`."""
    listed = [(who, place, statement) for who, place, statement in plan.imports if place in places]
    able = [one for one in listed if one[1] not in missing]
    found: dict[str, list[float | None]] = {statement: [] for _, _, statement in able}
    clock: Callable[[str, str], float] = lambda place, statement: process_seconds(places[place], statement)  # noqa: E731
    for _, place, statement in able:
        clock(place, statement)  # brings the files into memory
    for _ in range(plan.rounds):
        bare = {place: clock(place, "pass") for place in {place for _, place, _ in able}}
        for _, place, statement in able:
            found[statement].append(max(1e-6, clock(place, statement) - bare[place]))
    first = found[listed[0][2]]
    head = {"case": "import", "letter": "i", "title": "Import, in a fresh interpreter"}
    return [
        head
        | {"who": who, "label": statement, "kind": "ours" if who == "evalstats" else "other"}
        | (timing(found[statement], first) if statement in found else {"missing": missing[place]})
        for who, place, statement in listed
    ]
