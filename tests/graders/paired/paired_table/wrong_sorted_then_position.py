"""Sorts both files and pairs them line by line."""

FAILS = "items that only one file has"
SLIP = "match-by-position"


def paired_table(a, b):
    pairs = [(a[i], b[j]) for i, j in zip(sorted(a), sorted(b), strict=False)]
    return {
        "both": pairs.count((1, 1)),
        "a_only": pairs.count((1, 0)),
        "b_only": pairs.count((0, 1)),
        "neither": pairs.count((0, 0)),
    }
