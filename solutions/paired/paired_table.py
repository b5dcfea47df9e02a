"""Pairs are made by id; what only one system has is left out."""


def paired_table(a: dict[str, int], b: dict[str, int]) -> dict[str, int]:
    """The four counts over the items that both logs have."""
    shared = a.keys() & b.keys()
    pairs = [(a[item], b[item]) for item in shared]
    return {
        "both": pairs.count((1, 1)),
        "a_only": pairs.count((1, 0)),
        "b_only": pairs.count((0, 1)),
        "neither": pairs.count((0, 0)),
    }
