"""The exact one for a perfect score that must hold."""

FAILS = "groups, and all marks right"
SLIP = "exact-interval-needs-no-independence"


def which_interval(facts):
    if facts["clusters"] and not (facts["all_right"] and facts["must_hold"]):
        return "clustered wilson" if facts["all_right"] else "clustered"
    if facts["marks"] == "graded":
        return "t"
    return "clopper-pearson" if facts["must_hold"] else "wilson"
