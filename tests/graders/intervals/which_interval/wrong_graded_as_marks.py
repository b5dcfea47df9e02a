"""Takes graded scores for marks."""

FAILS = "graded scores"
SLIP = "scores-forced-to-01"


def which_interval(facts):
    if facts["clusters"]:
        return "clustered wilson" if facts["all_right"] else "clustered"
    return "clopper-pearson" if facts["must_hold"] else "wilson"
