"""By the marks, then by position in a table."""


def which_interval(facts):
    table = {
        "0/1": (("wilson", "clopper-pearson"), ("clustered", "clustered wilson")),
        "graded": (("t", "t"), ("clustered", "clustered")),
    }
    clusters = bool(facts["clusters"])
    return table[facts["marks"]][clusters][facts["all_right"] if clusters else facts["must_hold"]]
