"""Goes through A's file and counts an item that B lacks as B's wrong answer."""

FAILS = "items that only one file has"
SLIP = "missing-counted-wrong"


def paired_table(a, b):
    pairs = [(mark, b.get(item, 0)) for item, mark in a.items()]
    return {
        "both": pairs.count((1, 1)),
        "a_only": pairs.count((1, 0)),
        "b_only": pairs.count((0, 1)),
        "neither": pairs.count((0, 0)),
    }
