"""The clustered Wilson for all marks in groups."""


def which_interval(facts):
    if facts["marks"] == "graded":
        return "clustered" if facts["clusters"] else "t"
    if facts["clusters"]:
        return "clustered wilson"
    return "clopper-pearson" if facts["must_hold"] else "wilson"
