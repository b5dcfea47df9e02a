"""A table of rules, the first that applies."""


def which_test(design):
    rules = [
        (not design["shared_items"], "unpaired z"),
        (not design["matched_by_id"], "align first"),
        (design["clusters"], "clustered paired interval"),
        (design["decodes_per_item"] >= 2, "clustered paired interval"),
        (design["score"] == "graded", "paired t"),
        (True, "exact McNemar"),
    ]
    return next(name for applies, name in rules if applies)
