"""Lets two or three decodes pass as pairs."""

FAILS = "several decodes of each item"
SLIP = "completions-as-pairs"


def which_test(design):
    if not design["shared_items"]:
        return "unpaired z"
    if not design["matched_by_id"]:
        return "align first"
    if design["clusters"] or design["decodes_per_item"] > 3:
        return "clustered paired interval"
    return "exact McNemar" if design["score"] == "0/1" else "paired t"
