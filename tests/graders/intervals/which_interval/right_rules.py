"""A list of rules, the first that applies."""


def which_interval(facts):
    rules = [
        (facts["clusters"] and facts["all_right"], "clustered wilson"),
        (facts["clusters"], "clustered"),
        (facts["marks"] != "0/1", "t"),
        (facts["must_hold"], "clopper-pearson"),
        (True, "wilson"),
    ]
    return next(name for applies, name in rules if applies)
