"""Takes graded scores for marks."""

FAILS = "graded scores"
SLIP = "score-counted-as-share"


def which_interval(facts):
    if facts["clusters"]:
        return "clustered wilson" if facts["all_right"] else "clustered"
    return "clopper-pearson" if facts["must_hold"] else "wilson"
