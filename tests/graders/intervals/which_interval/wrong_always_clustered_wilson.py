"""Wilson in both cases."""

FAILS = "questions that came in groups"
SLIP = None


def which_interval(facts):
    if facts["clusters"]:
        return "clustered wilson"
    if facts["marks"] == "graded":
        return "t"
    return "clopper-pearson" if facts["must_hold"] else "wilson"
