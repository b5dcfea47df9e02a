"""Trusts Wilson to hold where marks are many."""

FAILS = "a bound that must hold"
SLIP = "average-coverage-as-guarantee"


def which_interval(facts):
    if facts["clusters"]:
        return "clustered wilson" if facts["all_right"] else "clustered"
    if facts["marks"] == "graded":
        return "t"
    return "clopper-pearson" if facts["must_hold"] and facts["items"] < 100 else "wilson"
