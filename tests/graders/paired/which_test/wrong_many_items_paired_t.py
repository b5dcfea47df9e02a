"""Takes the t-test where items are many."""

FAILS = "right or wrong, one answer to each item"
SLIP = None


def which_test(design):
    if not design["shared_items"]:
        return "unpaired z"
    if not design["matched_by_id"]:
        return "align first"
    if design["clusters"] or design["decodes_per_item"] > 1:
        return "clustered paired interval"
    return "paired t" if design["items"] > 500 or design["score"] == "graded" else "exact McNemar"
