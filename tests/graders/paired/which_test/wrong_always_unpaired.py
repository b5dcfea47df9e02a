"""Two scores, two error bars."""

FAILS = "right or wrong, one answer to each item"
SLIP = "unpaired-test-on-shared-items"


def which_test(design):
    if not design["shared_items"]:
        return "unpaired z"
    if not design["matched_by_id"]:
        return "align first"
    return "clustered paired interval" if design["clusters"] else "unpaired z"
