"""The whole corpus in one way, in batches, each with honest classmates, and bombs only where limits hold."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.grading import corpus, judging, outside
from tests.grading.grading_process import LIMITS
from tests.grading.outside import Way

CLASSMATE = "right classmate"
AT_ONCE = 3  # most of the time of slow attacks is waiting
GROUPS = {
    "forging and objects": ("forging", "objects"),
    "reading and secrets": ("reading", "secrets"),
    "students, host and escape": ("students", "host", "escape"),
    "writing, network and texts": ("writing", "network", "texts"),
    "notebooks and state": ("notebooks", "state"),
    "replies": ("replies",),
    "processes": ("processes",),
    "bombs": ("bombs",),
}


def names(group: str) -> list[str]:
    """The attacks of a group, in order: some build on one before."""
    return [name for name, attack in corpus.attacks().items() if attack.kind in GROUPS[group]]


def run(way: Way, group: str) -> dict[str, tuple[dict[str, Any], list[str]]]:
    """Outcome and faults of every attack of a group, and of the classmates that were graded between them."""
    wanted = names(group)
    if any(corpus.attacks()[name].bomb for name in wanted):
        probe = outside.run(way, ["probe"])[0]
        if not judging.limits_hold(probe):
            raise AssertionError(f"limits do not hold here, so no bomb is tried: {probe}")
    size = -(-len(wanted) // AT_ONCE)
    parts = [wanted[start : start + size] for start in range(0, len(wanted), size)]
    with ThreadPoolExecutor(AT_ONCE) as threads:
        done = list(threads.map(lambda part: outside.run(way, _with_classmates(part)), parts))
    found = {}
    for number, outcome in enumerate(outcome for outcomes in done for outcome in outcomes):
        name = outcome["name"]
        if name == CLASSMATE:
            found[f"{CLASSMATE} {number}"] = (outcome, judging.classmate_faults(outcome))
        else:
            wrong = judging.faults(corpus.attacks()[name], outcome, LIMITS.submission_seconds)
            found[name] = (outcome, wrong)
    return found


def _with_classmates(part: Sequence[str]) -> list[str]:
    middle = len(part) // 2
    return [*part[:middle], CLASSMATE, *part[middle:], CLASSMATE]
