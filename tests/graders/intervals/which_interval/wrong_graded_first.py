"""Lets graded scores settle the matter before clusters are asked for."""

FAILS = "questions that came in groups"
SLIP = "clusters-counted-as-items"


def which_interval(facts):
    if facts["marks"] == "graded":
        return "t"
    if facts["clusters"]:
        return "clustered wilson" if facts["all_right"] else "clustered"
    return "clopper-pearson" if facts["must_hold"] else "wilson"
