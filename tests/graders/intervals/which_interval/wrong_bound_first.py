"""Lets the bound settle the matter before clusters are asked for."""

FAILS = "questions that came in groups"
SLIP = "exact-interval-needs-no-independence"


def which_interval(facts):
    if facts["must_hold"]:
        return "clopper-pearson"
    if facts["clusters"]:
        return "clustered wilson" if facts["all_right"] else "clustered"
    if facts["marks"] == "graded":
        return "t"
    return "clopper-pearson" if facts["must_hold"] else "wilson"
