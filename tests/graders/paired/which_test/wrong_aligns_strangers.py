"""Asks for matching before asking whether anything is shared."""

FAILS = "two sets of items"
SLIP = "strangers-paired"


def which_test(design):
    if not design["matched_by_id"]:
        return "align first"
    if not design["shared_items"]:
        return "unpaired z"
    if design["clusters"] or design["decodes_per_item"] > 1:
        return "clustered paired interval"
    return "exact McNemar" if design["score"] == "0/1" else "paired t"
