"""Sees clusters only where marks are right or wrong."""

FAILS = "items that were drawn in groups"
SLIP = "clusters-counted-as-items"


def which_test(design):
    if not design["shared_items"]:
        return "unpaired z"
    if not design["matched_by_id"]:
        return "align first"
    if design["decodes_per_item"] > 1 or (design["clusters"] and design["score"] == "0/1"):
        return "clustered paired interval"
    return "exact McNemar" if design["score"] == "0/1" else "paired t"
