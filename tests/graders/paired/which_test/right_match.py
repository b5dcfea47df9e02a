"""Structural matching on the facts that matter."""


def which_test(design):
    rows_share_a_fate = design["clusters"] or design["decodes_per_item"] > 1
    match (design["shared_items"], design["matched_by_id"], rows_share_a_fate, design["score"]):
        case (False, _, _, _):
            return "unpaired z"
        case (_, False, _, _):
            return "align first"
        case (_, _, True, _):
            return "clustered paired interval"
        case (_, _, _, "0/1"):
            return "exact McNemar"
        case _:
            return "paired t"
