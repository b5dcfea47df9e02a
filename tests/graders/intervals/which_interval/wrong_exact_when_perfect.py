"""Exact where all marks are right."""

FAILS = "a score to report"
SLIP = None


def which_interval(facts):
    if facts["clusters"]:
        return "clustered wilson" if facts["all_right"] else "clustered"
    if facts["marks"] == "graded":
        return "t"
    return "clopper-pearson" if facts["must_hold"] or facts["all_right"] else "wilson"
