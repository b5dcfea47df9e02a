"""The rounds: the same class through every grader, and where the time of ours goes.

Time is the CPU time of the command and of all that it starts, sandboxes and kernels included. Each round gives every
grader every kind of notebook, there and back; a ratio is of two times of the same round. Nobody is timed who does not
find the same exercises passed.
"""

from __future__ import annotations

import re
import shutil
import statistics
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from book.tools.places import venv_python
from tests.bench.environments import Environment, NotInstalled, compile_own, ready, without_places
from tests.bench.grading.classroom import EXERCISES, KINDS, PASS, Students, everyone, one
from tests.bench.grading.meter import StepError, Taken, metered
from tests.bench.grading.ours import Ours
from tests.bench.grading.peers import Nbgrader, Otter
from tests.bench.measure import Unfit, figure

Row = dict[str, Any]
LABELS = {"exercises": "grade", "nbgrader": "autograde", "otter-grader": "run"}
REPEATS = 4  # of what is measured inside one process


@dataclass(frozen=True)
class Plan:
    """How much is run."""

    rounds: int = 2
    each: int = 4  # of every kind of notebook in the class


class Grader(Protocol):
    """Somebody who takes a class and finds out what passed."""

    who: str

    def release(self) -> None: ...

    def hand_in(self, students: Students, place: Path) -> None: ...

    def grade(self, place: Path) -> Taken: ...

    def passed(self, place: Path) -> dict[str, int]: ...


PEERS: dict[str, Callable[[Environment, Path], Grader]] = {"nbgrader": Nbgrader, "otter-grader": Otter}


@dataclass
class Run:
    """Who takes part, ours first, in a folder that is thrown away; `missing` says why somebody does not."""

    folder: Path
    graders: list[Grader] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    places: int = 0

    def prepare(self) -> None:
        """Everyone's form of the assignment; who cannot grade one notebook does not take part."""
        compile_own()
        for who in LABELS:
            folder = self.folder / who
            folder.mkdir()
            try:
                grader = made(who, folder)
                grader.release()
                self.of(grader, one("crashes in places"))
                self.graders.append(grader)
            except (NotInstalled, StepError) as reason:
                if who == "exercises":
                    raise Unfit(str(reason)) from None
                kind = "not installed" if isinstance(reason, NotInstalled) else "failed"
                self.missing[who] = f"{kind}: {without_places(str(reason))}"
                print(f"{who}: {self.missing[who]}", flush=True)

    def of(self, grader: Grader, students: Students, by: Callable[[Path], Taken] | None = None) -> Taken:
        """Have a class graded, in a fresh folder, and see that the right exercises passed."""
        self.places += 1
        place = self.folder / f"{grader.who}-{self.places}"
        grader.hand_in(students, place)
        taken = (by or grader.grade)(place)
        wanted = {student: PASS[kind] for student, kind in students}
        if (found := grader.passed(place)) != wanted:
            raise Unfit(f"{grader.who} finds so many exercises passed: {found}, and not {wanted}")
        shutil.rmtree(place)
        return taken


def made(who: str, folder: Path) -> Grader:
    return Ours(folder) if who == "exercises" else PEERS[who](ready(who), folder)


def measure(plan: Plan) -> tuple[list[Row], dict[str, str]]:
    """The rows of the table: single submissions, a class, and the parts of ours; and why somebody is missing."""
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder))
        run.prepare()
        rows = single(run, plan) + classes(run, plan) + parts(run, plan.rounds)
    gone = [
        {"case": "class", "title": "Not there", "who": who, "label": LABELS[who], "missing": why}
        for who, why in run.missing.items()
    ]
    return rows + gone, run.missing


def single(run: Run, plan: Plan) -> list[Row]:
    """One notebook of each kind, everyone in turn."""
    taken: dict[tuple[str, str], list[Taken]] = {(kind, grader.who): [] for kind in KINDS for grader in run.graders}
    for number in range(plan.rounds):
        print(f"Grading, round {number + 1} of {plan.rounds} ...", flush=True)
        for kind in KINDS:
            for grader in run.graders if number % 2 == 0 else reversed(run.graders):
                taken[kind, grader.who].append(run.of(grader, one(kind)))
    return [
        row_of(case_of(kind), f"One notebook: {kind}", (who, LABELS[who]), each,
               taken[kind, "exercises"])
        for (kind, who), each in taken.items()
    ]  # fmt: skip


def case_of(kind: str) -> str:
    return f"one-{re.sub('[, ]+', '-', kind)}"


def classes(run: Run, plan: Plan) -> list[Row]:
    """A class of all kinds, once; ours with one worker and with two, nbgrader without and with pages for students."""
    students = everyone(plan.each)
    print(f"Grading a class of {len(students)} ...", flush=True)
    found: dict[tuple[str, str], Taken] = {}
    for grader in run.graders:
        ways = {LABELS[grader.who]: grader.grade}
        if isinstance(grader, Ours):
            ways["grade with two workers"] = grader.grade_by_two
        if isinstance(grader, Nbgrader):
            ways["autograde and generate_feedback"] = grader.grade_and_tell
        found |= {(grader.who, label): run.of(grader, students, way) for label, way in ways.items()}
    first, title = next(iter(found.values())), f"A class of {len(students)}, all kinds"
    return [row_of("class", title, name, [taken], [first]) for name, taken in found.items()]


def row_of(case: str, title: str, name: tuple[str, str], taken: Sequence[Taken], ours: Sequence[Taken]) -> Row:
    """What the commands took; how many times as much CPU time as ours, round by round."""
    ratios = [one.cpu_s / other.cpu_s for one, other in zip(taken, ours, strict=True)]
    return {
        "case": case,
        "title": title,
        "who": name[0],
        "label": name[1],
        "cpu_s": figure(statistics.median(one.cpu_s for one in taken)),
        "wall_s": figure(statistics.median(one.wall_s for one in taken)),
        "peak_mb": figure(max(one.peak_mb for one in taken)),
        "ratio": figure(statistics.median(ratios)),
        "lowest": figure(min(ratios)),
        "highest": figure(max(ratios)),
        "rounds": len(taken),
    }


# ---- the parts of ours -----------------------------------------------------------------------------------------------


def parts(run: Run, rounds: int) -> list[Row]:
    """What a sandbox, a notebook and an exercise take, in CPU milliseconds, once the grader runs."""
    many = len(EXERCISES)
    kinds = ("not started", "right, without scipy", "right")
    asked = [(-1, "right"), (0, "right"), (1, "not started"), *((many, kind) for kind in kinds)]
    print("Parts of grading ...", flush=True)
    taken: dict[tuple[int, str], list[float]] = {one: [] for one in asked}
    for _ in range(rounds):
        for exercises, kind in asked:
            once, again = (repeated(run.folder, times, exercises, kind) for times in (1, 1 + REPEATS))
            taken[exercises, kind].append(1000 * (again - once) / REPEATS)
    few, lots = taken[1, "not started"], taken[many, "not started"]
    found = {
        ("part-nursery", "Start of a nursery with scipy in it, for many notebooks"): taken[-1, "right"],
        ("part-sandbox", "Start of a notebook's sandbox"): taken[0, "right"],
        ("part-exercise", "One more exercise, not started"): [
            (after - before) / (many - 1) for before, after in zip(few, lots, strict=True)
        ],
    }
    found |= {("part-notebook", f"A notebook of {many} exercises: {kind}"): taken[many, kind] for kind in kinds}
    return [
        {"case": case, "title": title, "cpu_ms": figure(statistics.median(ms)), "rounds": rounds}
        for (case, title), ms in found.items()
    ]


def repeated(folder: Path, times: int, exercises: int, kind: str) -> float:
    command = [str(venv_python()), "-m", "tests.bench.grading.ours", str(times), str(exercises), kind]
    return metered(command, folder).cpu_s


def grading_table(rows: Iterable[Row]) -> str:
    """For the terminal."""
    return "\n".join(f"  {as_line(row)}" for row in rows)


def as_line(row: Row) -> str:
    if "cpu_ms" in row:
        return f"{row['title']:<62} {row['cpu_ms']:>8,g} ms"
    if "missing" in row:
        return f"{row['who']}: {row['missing']}"
    name = f"{row['title']}, {row['who']} {row['label']}"
    taken = f"{row['cpu_s']:>8,g} s CPU {row['wall_s']:>8,g} s {row['peak_mb']:>6,g} MB {row['ratio']:>6,g} x"
    return f"{name:<62} {taken}"
