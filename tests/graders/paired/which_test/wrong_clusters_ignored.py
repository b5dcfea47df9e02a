"""Counts rows, whatever was drawn."""

FAILS = "items that were drawn in groups"
SLIP = "clusters-counted-as-items"


def which_test(design):
    if not design["shared_items"]:
        return "unpaired z"
    if not design["matched_by_id"]:
        return "align first"
    return "exact McNemar" if design["score"] == "0/1" else "paired t"
