"""Exact where marks are few."""

FAILS = "a score to report"
SLIP = "exact-interval-covers-exactly"


def which_interval(facts):
    if facts["clusters"]:
        return "clustered wilson" if facts["all_right"] else "clustered"
    if facts["marks"] == "graded":
        return "t"
    return "clopper-pearson" if facts["must_hold"] or facts["items"] < 40 else "wilson"
