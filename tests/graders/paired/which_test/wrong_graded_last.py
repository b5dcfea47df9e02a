"""Lets a graded score settle the matter before clusters are asked for."""

FAILS = "items that were drawn in groups"
SLIP = "clusters-counted-as-items"


def which_test(design):
    if not design["shared_items"]:
        return "unpaired z"
    if not design["matched_by_id"]:
        return "align first"
    if design["score"] == "graded":
        return "paired t"
    if design["clusters"] or design["decodes_per_item"] > 1:
        return "clustered paired interval"
    return "exact McNemar"
