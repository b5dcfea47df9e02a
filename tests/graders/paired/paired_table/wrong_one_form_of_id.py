"""Knows the ids of one log file by heart."""

FAILS = "a cell may be empty"
SLIP = None


def paired_table(a, b):
    ids = [f"q{number:02d}" for number in range(100)]
    pairs = [(a[item], b[item]) for item in ids if item in a and item in b]
    return {
        "both": pairs.count((1, 1)),
        "a_only": pairs.count((1, 0)),
        "b_only": pairs.count((0, 1)),
        "neither": pairs.count((0, 0)),
    }
