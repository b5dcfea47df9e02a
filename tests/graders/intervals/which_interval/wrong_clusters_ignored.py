"""Counts rows, whatever was drawn."""

FAILS = "questions that came in groups"
SLIP = "clusters-counted-as-items"


def which_interval(facts):
    if facts["marks"] == "graded":
        return "t"
    return "clopper-pearson" if facts["must_hold"] else "wilson"
