"""Asks for clusters before asking whether the marks have been matched."""

FAILS = "shared items, not yet matched"
SLIP = "match-by-position"


def which_test(design):
    if not design["shared_items"]:
        return "unpaired z"
    if design["clusters"] or design["decodes_per_item"] > 1:
        return "clustered paired interval"
    if not design["matched_by_id"]:
        return "align first"
    return "exact McNemar" if design["score"] == "0/1" else "paired t"
