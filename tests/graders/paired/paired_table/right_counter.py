"""Counts the pairs of marks."""

from collections import Counter


def paired_table(a, b):
    counts = Counter((a[item], b[item]) for item in sorted(set(a).intersection(b)))
    return {"both": counts[1, 1], "a_only": counts[1, 0], "b_only": counts[0, 1], "neither": counts[0, 0]}
