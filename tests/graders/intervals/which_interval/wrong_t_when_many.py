"""The bell curve where marks are many."""

FAILS = "a score to report"
SLIP = None


def which_interval(facts):
    if facts["clusters"]:
        return "clustered wilson" if facts["all_right"] else "clustered"
    if facts["marks"] == "graded":
        return "t"
    if facts["must_hold"]:
        return "clopper-pearson"
    return "t" if facts["items"] > 100 else "wilson"
