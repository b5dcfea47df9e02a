"""The clustered Wilson for graded scores, too."""

FAILS = "questions that came in groups"
SLIP = "score-counted-as-share"


def which_interval(facts):
    if facts["clusters"]:
        return "clustered wilson"
    if facts["marks"] == "graded":
        return "t"
    return "clopper-pearson" if facts["must_hold"] else "wilson"
