"""The clustered interval, whatever the marks."""

FAILS = "groups, and all marks right"
SLIP = "perfect-score-has-no-error"


def which_interval(facts):
    if facts["clusters"]:
        return "clustered"
    if facts["marks"] == "graded":
        return "t"
    return "clopper-pearson" if facts["must_hold"] else "wilson"
