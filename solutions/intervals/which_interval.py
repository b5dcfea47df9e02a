"""First what was drawn, then the kind of marks, then what must hold."""


def which_interval(facts: dict[str, object]) -> str:
    """The choice from the menu that fits this eval."""
    if facts["clusters"]:
        return "clustered wilson" if facts["all_right"] else "clustered"
    if facts["marks"] == "graded":
        return "t"
    return "clopper-pearson" if facts["must_hold"] else "wilson"
