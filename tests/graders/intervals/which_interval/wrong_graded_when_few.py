"""Takes graded scores for marks where they are few."""

FAILS = "graded scores"
SLIP = "score-counted-as-share"


def which_interval(facts):
    if facts["clusters"]:
        return "clustered wilson" if facts["all_right"] else "clustered"
    if facts["marks"] == "graded" and facts["items"] > 30:
        return "t"
    return "clopper-pearson" if facts["must_hold"] else "wilson"
