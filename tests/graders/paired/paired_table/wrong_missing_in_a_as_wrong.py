"""Goes through B's file and counts an item that A lacks as A's wrong answer."""

FAILS = "items that only one file has"
SLIP = "missing-counted-wrong"


def paired_table(a, b):
    pairs = [(a.get(item, 0), mark) for item, mark in b.items()]
    return {
        "both": pairs.count((1, 1)),
        "a_only": pairs.count((1, 0)),
        "b_only": pairs.count((0, 1)),
        "neither": pairs.count((0, 0)),
    }
