"""Structural matching on the facts that matter."""


def which_interval(facts):
    match facts:
        case {"clusters": True, "all_right": True}:
            return "clustered wilson"
        case {"clusters": True}:
            return "clustered"
        case {"marks": "graded"}:
            return "t"
        case {"must_hold": True}:
            return "clopper-pearson"
        case _:
            return "wilson"
