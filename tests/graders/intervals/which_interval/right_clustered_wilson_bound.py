"""The clustered Wilson, for a bound."""


def which_interval(facts):
    if facts["clusters"]:
        return "clustered wilson" if facts["all_right"] or facts["must_hold"] else "clustered"
    if facts["marks"] == "graded":
        return "t"
    return "clopper-pearson" if facts["must_hold"] else "wilson"
