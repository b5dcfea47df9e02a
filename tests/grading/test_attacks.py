"""The attack corpus against the grader, in every way in which graders are started."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.grading import campaign, corpus, judging, outside
from tests.grading.corpus import Attack
from tests.grading.outside import Way

TRIED_BEFORE = (  # the rows of the table of attacks on other graders, and what its author's sandbox met
    "numpy.testing",
    "patch the checker",
    "pickle.dump",
    "code execution in the grader parent",
    "read hidden tests",
    "solutions/source",
    "write gradebook",
    "always-equal float",
    "sys.exit",
    "os._exit(0)",
    "infinite loop",
    "5 GB memory",
    "100 MB output",
    "loopback socket",
    "fake results on stdout",
    "<script>",
    "background process",
    "atexit / __del__",
    "frame walk",
    "fork bomb",
    "finding 1",
    "finding 5",
    "finding 6",
    "request ids",
    "line 1 MB",
    "depth",
    "4300-digit",
    "NaN/inf",
    "mutated arguments",
)


@pytest.mark.parametrize("group", campaign.GROUPS)
@pytest.mark.parametrize("way", Way, ids=lambda way: way.value)
def test_no_attack_wins_or_leaves_anything(way: Way, group: str) -> None:
    if way.missing:
        pytest.skip(way.missing)
    found = campaign.run(way, group)
    assert set(campaign.names(group)) < set(found)
    wrong = [f"{name}: {fault}" for name, (_, faults) in found.items() for fault in faults]
    assert not wrong, "\n" + "\n".join(wrong)


def test_every_attack_belongs_to_one_batch() -> None:
    together = [name for group in campaign.GROUPS for name in campaign.names(group)]
    assert sorted(together) == sorted(corpus.attacks())


def test_the_corpus_holds_what_was_tried_before_and_much_more() -> None:
    sources = [attack.source for attack in corpus.attacks().values()]
    missing = [row for row in TRIED_BEFORE if not any(row in source for source in sources)]
    assert not missing
    assert sources.count("own") >= 100
    assert all(source == "own" or source.startswith("grading.md") for source in sources)


# --- the harness itself --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def naively() -> dict[str, dict[str, Any]]:
    """What a grader without a sandbox makes of attacks that are harmless."""
    way = Way.ROOT_BUBBLEWRAP
    if way.missing:
        pytest.skip("without a sandbox, attacks are tried only in mounts of their own: " + way.missing)
    names = [name for name, attack in corpus.attacks().items() if attack.naive]
    return {outcome["name"]: outcome for outcome in outside.run(way, names, grader="naive")}


def test_attacks_win_where_there_is_no_sandbox_and_that_is_noticed(naively: dict[str, dict[str, Any]]) -> None:
    won = {name: judging.faults(corpus.attacks()[name], found, 10.0) for name, found in naively.items()}
    lame = [
        name for name, found in won.items() if not any(fault.startswith(("won", "left", "gained")) for fault in found)
    ]
    assert len(naively) >= 12
    assert not lame


def test_whatever_is_left_is_noticed() -> None:
    if Way.ROOT_BUBBLEWRAP.missing:
        pytest.skip("a careless grader is tried only in mounts of its own: " + Way.ROOT_BUBBLEWRAP.missing)
    found = outside.run(Way.ROOT_BUBBLEWRAP, [campaign.CLASSMATE] * 2, grader="careless")
    assert found[0]["won"] == ["REACHED the end with CANARY00e7e7e7"]
    told = "\n".join(found[0]["left"])
    for words in (
        "is left: ",
        "/tmp/attackmark_left is left",
        "results/marks.csv has changed",
        "descriptors was ",
        "a connection came to ('127.0.0.1', ",
        "a connection came to b'\\x00attackmark_",
        "a connection came to '/tmp/attacked_class/socket'",
        "a datagram came",
        "RLIMIT_NOFILE was ",
        "handlers was ",
    ):
        assert words in told


HARMLESS: dict[str, Any] = {"name": "x", "seconds": 0.1, "peak_megabytes": 50.0, "left": [], "won": [], "error": ""}


def outcome(attacked: str = "pffffff", other: str = "ppppppp", **more: Any) -> dict[str, Any]:
    """An outcome with these verdicts, by first letter."""
    words = {"p": "passed", "f": "failed", "c": "crashed"}

    def mark(name: str, letters: str) -> dict[str, Any]:
        checks = [{"says": "x", "verdict": words[letter], "drawn": False} for letter in letters]
        return {"exercise": name, "checks": checks, "notes": []}

    exercises = [mark(name, found) for name, found in zip(corpus.EXERCISES, (attacked, other), strict=True)]
    graded = {"exercises": exercises, "problems": [], "unreadable": "", "mode": "bubblewrap", "seconds": 0.1}
    return {**HARMLESS, "graded": {**graded, "shapes": []}, **more}


ATTACK = Attack("forging/x", "tries", "own")


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (outcome(attacked="ppfffff"), "gained: 2 checks passed, and 1 is the honest mark"),
        (outcome(other="ppppppf"), "spoilt another exercise: 6 of 7"),
        (outcome(left=["process 5 is left: python"]), "left: process 5"),
        (outcome(won=["CANARY00000000"]), "won: CANARY00000000"),
        (outcome(seconds=99.0), "took 99 seconds"),
        (outcome(peak_megabytes=5000.0), "the grader needed 5000 MB"),
        (outcome(error="Traceback: ValueError"), "the grader itself failed"),
        (outcome(graded=None), "the grader itself failed"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_must_not_be_is_a_fault(found: dict[str, Any], words: str) -> None:
    assert words in "\n".join(judging.faults(ATTACK, found, 8.0))
    assert not judging.faults(ATTACK, outcome(), 8.0)


def test_a_classmate_who_loses_anything_is_a_fault() -> None:
    assert judging.classmate_faults(outcome())
    assert not judging.classmate_faults(outcome(attacked="ppppppp"))


def test_bombs_wait_for_limits_that_hold() -> None:
    told = outcome()
    assert not judging.limits_hold(told)
    told["graded"]["problems"] = ["cell 2: RuntimeError: memory held, processes free"]
    assert not judging.limits_hold(told)
    told["graded"]["problems"] = ["cell 2: RuntimeError: memory held, processes held"]
    assert judging.limits_hold(told)


def test_submissions_are_notebooks() -> None:
    for attack in corpus.attacks().values():
        if not attack.raw:
            assert json.loads(attack.content())["cells"]
