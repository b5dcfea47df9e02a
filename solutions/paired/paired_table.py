"""Pairs are made by id; what only one system has is left out."""


def paired_table(a: dict[str, int], b: dict[str, int]) -> dict[str, int]:
    """How often both, only A, only B and neither are right, over the items that both have."""
    shared = a.keys() & b.keys()
    return {
        "both": sum(a[item] == 1 and b[item] == 1 for item in shared),
        "a_only": sum(a[item] == 1 and b[item] == 0 for item in shared),
        "b_only": sum(a[item] == 0 and b[item] == 1 for item in shared),
        "neither": sum(a[item] == 0 and b[item] == 0 for item in shared),
    }
