"""Put an answer through the checks of its exercise.

`run` knows nothing about where the answer lives. It calls `answer(*arguments)` and expects a plain value, or one of the
three exceptions of `exercises.local` or `BadValueError`. `Local` wraps a function of this process; in grading, a proxy
to the sandbox does the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from exercises.exercise import Answer, Check, Drawn, Exercise
from exercises.expect import MismatchError
from exercises.local import CrashedError, NotStartedError, TimedOutError
from exercises.values import BadValueError, plain, shown, shown_call

ALL_OFF = 1000.5  # added to every number of a right answer, this makes one that no check takes


class Verdict(StrEnum):
    """What can be said of an answer, or of one check."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_STARTED = "not started"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    MISSING = "missing"  # no function of that name was handed in


@dataclass(frozen=True)
class CheckResult:
    """How one check went. `call` and `returned` are what the learner can type and see again."""

    says: str
    verdict: Verdict
    call: str = ""
    returned: str = ""
    wanted: str = ""
    slip: str | None = None


class _Recorded:
    """Remembers the last call, so that feedback can show it."""

    def __init__(self, function: str, answer: Answer) -> None:
        self.function = function
        self.answer = answer
        self.call = ""
        self.returned = ""
        self.calls = 0

    def __call__(self, *arguments: Any) -> Any:
        self.calls += 1
        self.call = shown_call(self.function, arguments)
        self.returned = ""
        value = self.answer(*arguments)
        self.returned = shown(value)
        return value


def run(exercise: Exercise, answer: Answer, drawn: Drawn, checks: Iterable[Check] | None = None) -> list[CheckResult]:
    """Put `answer` through every check, or through these; after "not started" and "timed out" the rest say the same."""
    results: list[CheckResult] = []
    for check in exercise.checks if checks is None else checks:
        if results and results[-1].verdict in (Verdict.NOT_STARTED, Verdict.TIMED_OUT):
            results.append(CheckResult(check.says, results[-1].verdict))
        else:
            results.append(run_check(check, exercise.function, answer, drawn, exercise.reference))
    return results


def run_check(
    check: Check, function: str, answer: Answer, drawn: Drawn, reference: Answer | None = None
) -> CheckResult:
    """Put `answer` through one check. From `reference` is learnt what a value that could not be compared should be."""
    recorded = _Recorded(function, answer)

    def result(verdict: Verdict, wanted: str = "", slip: str | None = None) -> CheckResult:
        return CheckResult(check.says, verdict, recorded.call, recorded.returned, wanted, slip)

    try:
        check(recorded, drawn)
    except MismatchError as mismatch:
        slip = mismatch.slip or (None if mismatch.wrong_kind else check.slip)
        return result(Verdict.FAILED, mismatch.wanted + mismatch.more, slip)
    except BadValueError as bad:
        recorded.returned = str(bad)
        own = _wanted(check, drawn, reference, recorded.calls) if reference is not None else ""
        return result(Verdict.FAILED, own or "plain numbers, text, lists or dictionaries of these.")
    except CrashedError as crash:
        return result(Verdict.CRASHED, str(crash))
    except TimedOutError as slow:
        return result(Verdict.TIMED_OUT, str(slow))
    except NotStartedError:
        return result(Verdict.NOT_STARTED)
    return result(Verdict.PASSED)


def _wanted(check: Check, drawn: Drawn, reference: Answer, call: int) -> str:
    """What the check says of its `call`-th call, learnt from an answer of the right form whose numbers are all off."""
    calls = 0

    def off_in_that_call(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        right = plain(reference(*arguments))
        return _all_off(right) if calls == call else right

    try:
        check(off_in_that_call, drawn)
    except MismatchError as mismatch:
        return mismatch.wanted
    return ""


def _all_off(value: Any) -> Any:
    if isinstance(value, list):
        return [_all_off(item) for item in value]
    if isinstance(value, dict):
        return {key: _all_off(item) for key, item in value.items()}
    return value + ALL_OFF if type(value) in (int, float) else value


def overall(results: list[CheckResult]) -> Verdict:
    """The verdict on the whole answer: that of the first check that did not pass."""
    return next((result.verdict for result in results if result.verdict is not Verdict.PASSED), Verdict.PASSED)
