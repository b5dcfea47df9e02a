"""Puts the two kinds of disagreement in each other's cell."""

FAILS = "the same items in the same order"
SLIP = "swapped-b-and-c"


def paired_table(a, b):
    pairs = [(a[item], b[item]) for item in a if item in b]
    return {
        "both": pairs.count((1, 1)),
        "a_only": pairs.count((0, 1)),
        "b_only": pairs.count((1, 0)),
        "neither": pairs.count((0, 0)),
    }
