"""Pairs whatever comes."""

FAILS = "two sets of items"
SLIP = "strangers-paired"


def which_test(design):
    if design["clusters"] or design["decodes_per_item"] > 1:
        return "clustered paired interval"
    return "exact McNemar" if design["score"] == "0/1" else "paired t"
