"""Lets clusters pass where questions are few."""

FAILS = "questions that came in groups"
SLIP = "clusters-counted-as-items"


def which_interval(facts):
    if facts["clusters"] and (facts["items"] > 30 or facts["must_hold"]):
        return "clustered wilson" if facts["all_right"] else "clustered"
    if facts["marks"] == "graded":
        return "t"
    return "clopper-pearson" if facts["must_hold"] else "wilson"
