"""First the pairs, then what was drawn, then the kind of score."""


def which_test(design: dict[str, object]) -> str:
    """The choice from the menu that fits the design of this eval."""
    if not design["shared_items"]:
        return "unpaired z"
    if not design["matched_by_id"]:
        return "align first"
    if design["clusters"] or design["decodes_per_item"] != 1:
        return "clustered paired interval"
    return "exact McNemar" if design["score"] == "0/1" else "paired t"
