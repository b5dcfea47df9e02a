"""What is wrong with an outcome: what an attack has won, left behind, held up or spoilt for others."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from exercises.grading.records import ExerciseMark, Graded
from exercises.run import Verdict
from tests.grading import corpus
from tests.grading.corpus import Attack

CHECKS = 7  # of exact_mcnemar, and of mid_p
LATE_BY = 12.0  # seconds beyond the submission's limit: starting again, and a busy machine
PEAK_MEGABYTES = 500.0
FULL = Fraction(1)


def faults(attack: Attack, outcome: dict[str, Any], seconds: float) -> list[str]:
    """Everything that must not be."""
    found = [f"left: {what}" for what in outcome["left"]] + [f"won: {what}" for what in outcome["won"]]
    if outcome["error"] or outcome["graded"] is None:
        return [*found, f"the grader itself failed: {outcome['error']}"]
    if outcome["seconds"] > seconds + LATE_BY:
        found.append(f"took {outcome['seconds']:.0f} seconds where {seconds:g} are given")
    if outcome["peak_megabytes"] > PEAK_MEGABYTES:
        found.append(f"the grader needed {outcome['peak_megabytes']:.0f} MB")
    graded = Graded.from_json(outcome["graded"])
    return found + _of_reading(attack, graded) + (_of_marks(attack, graded) if graded.exercises else [])


def _of_reading(attack: Attack, graded: Graded) -> list[str]:
    if attack.unreadable and not graded.unreadable:
        return ["was read, and should have been refused"]
    return [f"was not read: {graded.unreadable}"] if graded.unreadable and not attack.raw else []


def _of_marks(attack: Attack, graded: Graded) -> list[str]:
    attacked, other = graded.exercises
    found = []
    if passed(attacked) > attack.most:
        found.append(f"gained: {passed(attacked)} checks passed, and {attack.most} is the honest mark")
    if attack.others and other.share != FULL:
        found.append(f"spoilt another exercise: {passed(other)} of {CHECKS} ({other.verdict})")
    verdicts = {check.verdict.value for check in attacked.checks}
    if attack.verdicts and not verdicts <= set(attack.verdicts):
        found.append(f"verdicts are {sorted(verdicts)} and should be {list(attack.verdicts)}")
    return found


def passed(mark: ExerciseMark) -> int:
    """How many checks passed."""
    return sum(check.verdict is Verdict.PASSED for check in mark.checks)


def classmate_faults(outcome: dict[str, Any]) -> list[str]:
    """An honest classmate gets everything, whoever was graded before."""
    if outcome["graded"] is None:
        return [f"the classmate was not graded: {outcome['error']}"]
    graded = Graded.from_json(outcome["graded"])
    found = [f"the classmate has {passed(m)} in {m.exercise}" for m in graded.exercises if m.share != FULL]
    found += [f"the classmate has a problem: {problem}" for problem in graded.problems]
    return found + [f"the classmate's: {what}" for what in (*outcome["left"], *outcome["won"])]


def limits_hold(outcome: dict[str, Any]) -> bool:
    """Whether the probe found that memory and processes have an end."""
    problems = (outcome["graded"] or {}).get("problems", [])
    return any("memory held, processes held" in problem for problem in problems)


def in_short(attack: Attack, outcome: dict[str, Any], wrong: list[str]) -> str:
    """What came of an attack, for the table."""
    if wrong:
        return "**" + "; ".join(wrong)[:80].replace("|", "/") + "**"
    graded = Graded.from_json(outcome["graded"])
    if graded.unreadable:
        return "refused"
    attacked = graded.exercises[corpus.EXERCISES.index("paired/exact_mcnemar")]
    return f"{passed(attacked)} of {CHECKS}, {attacked.verdict}"
