"""One item at a time."""


def paired_table(a, b):
    table = dict.fromkeys(["both", "a_only", "b_only", "neither"], 0)
    for item, mark in a.items():
        other = b.get(item)
        if other is None:
            continue
        if mark == other:
            table["both" if mark else "neither"] += 1
        else:
            table["a_only" if mark else "b_only"] += 1
    return table
