"""What the parts of the grader hand to one another. Everything here turns into JSON and back without loss."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any

from exercises.run import Verdict


class Mode(StrEnum):
    """How student code is kept apart from everything else."""

    BUBBLEWRAP = "bubblewrap"  # namespaces
    LANDLOCK = "landlock"  # an account of its own, Landlock and seccomp; where namespaces are refused
    TRUSTED = "trusted"  # not at all, because somebody said so


@dataclass(frozen=True)
class Limits:
    """How much one submission may use. Seconds are of wall-clock time. Nothing at all can be written to a disk."""

    call_seconds: float = 10.0  # of one call of an answer; at least twice what its exercise allows the learner
    cell_seconds: float = 30.0
    submission_seconds: float = 180.0
    memory_bytes: int = 1024**3  # numpy and scipy take a quarter of it
    processes: int = 8  # threads count, too; without a control group, this times the memory is the most that can go
    reply_bytes: int = 8 * 1024**2


@dataclass(frozen=True)
class Cell:
    """A piece of code to run; `label` is how the learner knows it: "cell 3", counted over all cells."""

    label: str
    code: str


@dataclass(frozen=True)
class CheckMark:
    """How one check went. `drawn` says that it looked at the student's own hidden inputs."""

    says: str
    verdict: Verdict
    drawn: bool
    call: str = ""
    returned: str = ""
    wanted: str = ""
    slip: str | None = None


@dataclass(frozen=True)
class ExerciseMark:
    """How one exercise went. `notes` are for the learner, such as a function that is defined twice."""

    exercise: str
    checks: tuple[CheckMark, ...]
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """That of the first check that did not pass, or *passed*."""
        return next((check.verdict for check in self.checks if check.verdict is not Verdict.PASSED), Verdict.PASSED)

    @property
    def share(self) -> Fraction:
        """The part of the checks that passed."""
        return Fraction(sum(check.verdict is Verdict.PASSED for check in self.checks), len(self.checks))


@dataclass(frozen=True)
class Graded:
    """How one submission went: the same again for the same submission, inputs and checks, but for `seconds`.

    `problems` are errors of single cells. A file that could not be read has `unreadable` and nothing else.
    """

    exercises: tuple[ExerciseMark, ...] = ()
    problems: tuple[str, ...] = ()
    unreadable: str = ""
    mode: Mode = Mode.BUBBLEWRAP
    seconds: float = 0.0
    shapes: tuple[str, ...] = field(default=())  # fingerprints of the code, for finding near-identical submissions

    def as_json(self) -> dict[str, Any]:
        """Plain values only."""
        return asdict(self)

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Graded:
        """The inverse of `as_json`."""
        exercises = tuple(
            ExerciseMark(
                mark["exercise"],
                tuple(CheckMark(**{**check, "verdict": Verdict(check["verdict"])}) for check in mark["checks"]),
                tuple(mark["notes"]),
            )
            for mark in stored["exercises"]
        )
        plain = {name: tuple(stored[name]) for name in ("problems", "shapes")}
        return cls(**{**stored, **plain, "exercises": exercises, "mode": Mode(stored["mode"])})


@dataclass(frozen=True)
class Job:
    """Everything that grading one submission needs: it can be sent to another process or machine.

    `seeds` holds one number per exercise, drawn from the secret, which itself goes nowhere. `attempt` counts what a
    student handed in, from 1.
    """

    student: str
    file_name: str
    content: bytes
    exercises: tuple[str, ...]
    seeds: tuple[int, ...]
    mode: Mode = Mode.BUBBLEWRAP
    limits: Limits = field(default_factory=Limits)
    attempt: int = 1
