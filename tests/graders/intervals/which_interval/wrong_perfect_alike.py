"""All alike, so clusters do not matter."""

FAILS = "groups, and all marks right"
SLIP = "clusters-counted-as-items"


def which_interval(facts):
    if facts["clusters"] and not facts["all_right"]:
        return "clustered"
    if facts["marks"] == "graded":
        return "t"
    return "clopper-pearson" if facts["must_hold"] and not facts["clusters"] else "wilson"
