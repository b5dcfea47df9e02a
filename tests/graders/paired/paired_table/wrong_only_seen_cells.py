"""Has no entry for a cell that no item is in."""

FAILS = "a cell may be empty"
SLIP = None


def paired_table(a, b):
    names = {(1, 1): "both", (1, 0): "a_only", (0, 1): "b_only", (0, 0): "neither"}
    table = {}
    for item in a.keys() & b.keys():
        cell = names[a[item], b[item]]
        table[cell] = table.get(cell, 0) + 1
    return table
