"""Pairs the files line by line."""

FAILS = "the same items in two orders"
SLIP = "match-by-position"


def paired_table(a, b):
    pairs = list(zip(a.values(), b.values(), strict=False))
    return {
        "both": pairs.count((1, 1)),
        "a_only": pairs.count((1, 0)),
        "b_only": pairs.count((0, 1)),
        "neither": pairs.count((0, 0)),
    }
