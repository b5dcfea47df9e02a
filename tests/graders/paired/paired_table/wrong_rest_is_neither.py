"""Puts the items that are left over, shared or not, into the last cell."""

FAILS = "items that only one file has"
SLIP = "missing-counted-wrong"


def paired_table(a, b):
    pairs = [(a.get(item, 0), b.get(item, 0)) for item in a | b]
    counts = [sum(pair == each for pair in pairs) for each in ((1, 1), (1, 0), (0, 1))]
    return dict(zip(["both", "a_only", "b_only", "neither"], [*counts, len(a | b) - sum(counts)], strict=True))
