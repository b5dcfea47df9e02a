"""McNemar for everything that is paired."""

FAILS = "graded scores"
SLIP = "scores-forced-to-01"


def which_test(design):
    if not design["shared_items"]:
        return "unpaired z"
    if not design["matched_by_id"]:
        return "align first"
    if design["clusters"] or design["decodes_per_item"] > 1:
        return "clustered paired interval"
    return "exact McNemar"
