"""Wilson is right on average."""

FAILS = "a bound that must hold"
SLIP = "average-coverage-as-guarantee"


def which_interval(facts):
    if facts["clusters"]:
        return "clustered wilson" if facts["all_right"] else "clustered"
    if facts["marks"] == "graded":
        return "t"
    return "wilson"
