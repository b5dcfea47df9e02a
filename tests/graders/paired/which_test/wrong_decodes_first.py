"""Asks for decodes before asking whether the marks have been matched."""

FAILS = "shared items, not yet matched"
SLIP = "match-by-position"


def which_test(design):
    if design["decodes_per_item"] > 1:
        return "clustered paired interval"
    if not design["shared_items"]:
        return "unpaired z"
    if not design["matched_by_id"]:
        return "align first"
    if design["clusters"]:
        return "clustered paired interval"
    return "exact McNemar" if design["score"] == "0/1" else "paired t"
