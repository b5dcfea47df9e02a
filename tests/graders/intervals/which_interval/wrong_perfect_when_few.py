"""The clustered Wilson only where questions are few."""

FAILS = "groups, and all marks right"
SLIP = "perfect-score-has-no-error"


def which_interval(facts):
    if facts["clusters"]:
        return "clustered wilson" if facts["all_right"] and facts["items"] < 100 else "clustered"
    if facts["marks"] == "graded":
        return "t"
    return "clopper-pearson" if facts["must_hold"] else "wilson"
