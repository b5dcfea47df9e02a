"""Goes through the shorter log, and so exchanges the systems when B's is the shorter one."""

from typing import Any

FAILS = "a cell may be empty"
SLIP = None


def paired_table(a: dict[str, int], b: dict[str, int]) -> dict[str, Any]:
    if len(b) < len(a):
        a, b = b, a
    pairs = [(a[item], b[item]) for item in a if item in b]
    return {
        "both": pairs.count((1, 1)),
        "a_only": pairs.count((1, 0)),
        "b_only": pairs.count((0, 1)),
        "neither": pairs.count((0, 0)),
    }
