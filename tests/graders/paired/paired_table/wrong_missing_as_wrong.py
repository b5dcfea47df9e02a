"""Counts a lost item as a wrong answer."""

FAILS = "items that only one file has"
SLIP = "missing-counted-wrong"


def paired_table(a, b):
    pairs = [(a.get(item, 0), b.get(item, 0)) for item in a | b]
    return {
        "both": pairs.count((1, 1)),
        "a_only": pairs.count((1, 0)),
        "b_only": pairs.count((0, 1)),
        "neither": pairs.count((0, 0)),
    }
