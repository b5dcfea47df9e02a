"""Sorts one file by id and leaves the other as it came."""

FAILS = "the same items in two orders"
SLIP = "match-by-position"


def paired_table(a, b):
    pairs = list(zip([a[item] for item in sorted(a) if item in b], [b[item] for item in b if item in a], strict=True))
    return {
        "both": pairs.count((1, 1)),
        "a_only": pairs.count((1, 0)),
        "b_only": pairs.count((0, 1)),
        "neither": pairs.count((0, 0)),
    }
